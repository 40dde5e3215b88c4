// Core: its life, who answers, and what the observer is told. core_people.cpp: what people and
// imports change.
#include "core/schedule/core.hpp"

#include "core/engines/engines.hpp"
#include "core/graphs/node_directives.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cassert>

namespace adjourn::server {

namespace {

constexpr std::chrono::milliseconds tick_interval{200};
constexpr std::chrono::milliseconds verifying_slice{10};
constexpr std::chrono::milliseconds telling_slice{5};

std::string numbered(const AnalysisRun& run) {
    return "analysis " + std::to_string(static_cast<std::int64_t>(run.record.id));
}

} // namespace

Core::Core(boost::asio::io_context& context, storage::Store& store, CoreOptions options,
           engine_bridge::ProcessesFactory processes)
    : store_{store}, options_{std::move(options)}, make_processes_{std::move(processes)},
      timer_{context}, scope_{context}, health_{store, options_.store_rules, options_.steady},
      background_{scope_.poster(), health_, options_.elsewhere}, beside_{scope_.poster(), health_,
                                                                         options_.beside},
      reads_{scope_.poster(), health_, options_.reads}, engines_{std::make_shared<Dispatcher>(
                                                            options_.dispatch)},
      queue_{store, health_, options_.clock, scope_.poster()},
      graphs_{store, background_, {options_.tables, options_.facts_at_once}, graphs_listener()},
      planner_{queue_, graphs_, engines_, options_.clock}, recorder_{store, queue_.moments(),
                                                                     scope_.poster(),
                                                                     options_.machine,
                                                                     options_.tables},
      scheduler_{queue_,  graphs_,   planner_,        engines_,
                 health_, recorder_, scope_.poster(), scheduler_options()},
      verifier_{queue_, graphs_, engines_, scheduler_, health_}, renewer_{store_,    beside_,
                                                                          queue_,    engines_,
                                                                          verifier_, scheduler_,
                                                                          health_},
      calibrator_{queue_, health_},
      long_searches_{long_searches_parts(), options_.clock()}, seats_{*this} {
    health_.on_store_problem = [this] {
        for (const auto& run : queue_.runs()) {
            run->changed = true;
        }
    };
    for (const engine_bridge::Profile& profile : options_.engines) {
        add_engine(profile);
    }
    const storage::StoreEnvironment around = store.environment();
    if (!around.missing.empty()) {
        health_.found_unreadable(around.missing);
        health_.set_aside({around.missing});
    }
    take_analyses(Queue::contents(store, queue_.known())); // before anybody waits for this thread
    look_at_damage(store.environment().damage);
    if (options_.beside) {
        health_.look_on(scope_.poster(), options_.beside);
    }
    graphs_.begin(); // last: from here on the core's own thread may work
}

Core::~Core() = default;

void Core::start() {
    scheduler_.begin();
    started_engines_ = true;
    for (const auto& engine : engines_.all()) {
        engine->processes->start();
    }
    if (options_.ticking) {
        tick();
    }
}

void Core::tick() {
    timer_.expires_after(tick_interval);
    timer_.async_wait(scope_.bind([this](boost::system::error_code error) {
        if (error || stopping_) {
            return;
        }
        look_after();
        tick();
    }));
}

void Core::look_after() {
    const HoldWatch::Hold hold{watch(), "tick"};
    attempt("looking after the store", [&] {
        look_at_store();
        reads_.look_after();
    });
    attempt("recording what was not stored", [&] { queue_.record_again(); });
    attempt("asking again what was not answered", [&] { scheduler_.retry_unanswered(); });
    long_searches_.look_after();
    attempt("the seats", [&] { seats_.look_after(); });
    attempt("verifying", [&] { verifier_.look_after(verifying_slice); });
    attempt("renewing", [&] { renewer_.look_after(verifying_slice); });
    attempt("how sure answers are", [&] { calibrator_.look_after(verifying_slice); });
    attempt("telling what has changed", [&] { tell_changes(); });
    scheduler_.fill_soon(); // windows and budgets depend on the clock
}

void Core::look_at_store() {
    const bool changed = health_.look_at_store();
    if (health_.store_silent()) {
        waiters_.wake();
    }
    if (!changed) {
        return;
    }
    if (health_.store_problem().empty()) {
        spdlog::info("the store can be used again");
    } else {
        spdlog::error("the store cannot be used: {}", health_.store_problem());
    }
    for (const auto& run : queue_.runs()) {
        run->changed = true;
        if (health_.store_problem().empty()) {
            queue_.save(*run); // what became of it meanwhile
        }
    }
    if (!health_.store_problem().empty()) {
        return;
    }
    if (analyses_due_) {
        read_analyses();
    }
    background_.again();
    beside_.again();
}

// What was found damaged is told before more is asked.
void Core::look_at_damage(const std::string& damage) {
    if (!damage.empty()) {
        health_.look_soon();
        look_at_store();
    }
}

// Those that could not be read when an import brought them.
void Core::read_analyses() {
    analyses_due_ = false;
    const auto read = [this, &store = store_, known = queue_.known()] {
        return [this, contents = Queue::contents(store, known)] { take_analyses(contents); };
    };
    background_.read(read, [this](const std::string&) { analyses_due_ = true; });
}

void Core::acknowledge() {
    const auto write = [&store = store_]() -> std::function<void()> {
        store.accept_missing();
        return [] {};
    };
    beside_.read(write, [](const std::string&) {}); // it is told again at the next start
    health_.known();
    attempt("looking after the store", [&] { look_at_store(); });
    scheduler_.fill_soon();
}

void Core::stop(std::function<void()> stopped) {
    stopping_ = true;
    waiters_.close();
    scheduler_.stop();
    background_.stop();
    beside_.stop();
    stopped_ = std::move(stopped);
    timer_.cancel();
    attempt("ending the long searches", [&] { long_searches_.stop(); });
    if (started_engines_) {
        for (const auto& engine : engines_.all()) {
            send_away(engine);
        }
    }
    scope_.post([this] { finish_stop(); });
}

// The one end of stop(), however the last answers and the last engine come.
void Core::finish_stop() {
    if (!stopping_engines_.empty() || !scheduler_.all_back() || !long_searches_.all_back() ||
        !stopped_) {
        return;
    }
    std::exchange(stopped_, nullptr)();
}

bool Core::attempt(std::string_view place, const std::function<void()>& task, AnalysisRun* run) {
    const auto attempt = health_.attempt(place, task);
    if (attempt.own && run != nullptr) {
        scheduler_.fail(*run, to_text(*attempt.own));
    }
    return attempt.done;
}

void Core::take(const Trouble& trouble, AnalysisRun* run) {
    if (health_.take(trouble) && run != nullptr) {
        scheduler_.fail(*run, to_text(trouble));
    }
}

// ---- what the parts tell ----

Graphs::Listener Core::graphs_listener() {
    return {[this](AnalysisRun& run) {
                run.restart();
                renewer_.take_up(run);
                scheduler_.fill_soon();
                waiters_.wake();
            },
            [this](AnalysisRun& run, const std::string& problem) {
                scheduler_.fail(run, problem);
                waiters_.wake();
            },
            [this](GraphSlot& slot, const std::vector<analysis::NodeId>& nodes) {
                note_changed(slot, nodes);
                scheduler_.facts_came(slot);
                scheduler_.fill_soon();
            },
            [this](const GraphKey& key, const GraphSlot* graph, const std::string& problem) {
                on_graph(key, graph, problem);
            },
            [this](const GraphSlot& slot) { changed_nodes_.erase(&slot); },
            [this](const std::vector<std::string>& rows) { health_.set_aside(rows); }};
}

LongSearches::Parts Core::long_searches_parts() {
    const auto stored = [this](const analysis::Evaluation& fact,
                               std::optional<analysis::AnalysisId> asked_by) {
        AnalysisRun* const run = asked_by ? queue_.find(*asked_by) : nullptr;
        if (run != nullptr) {
            ++run->usage.evaluations_new;
            run->asked.insert(fact.id);
            run->plan.recount = true;
        }
        graphs_.apply(fact);
    };
    const auto changed = [this](const BoardSearch& board) {
        if (options_.observer) {
            options_.observer->board_search_changed(*this, board);
        }
    };
    return {store_,
            queue_,
            engines_,
            scheduler_,
            health_,
            reads_,
            recorder_,
            scope_.poster(),
            options_.steady,
            options_.machine,
            stored,
            changed,
            [this] { came_back(); }};
}

// A question has.
void Core::came_back() {
    if (stopping_) {
        finish_stop();
    }
}

Scheduler::Options Core::scheduler_options() {
    const auto progress = [this](const AnalysisRun& run) {
        if (run.transient) {
            seats_.progress(run);
        }
        if (on_progress) {
            on_progress(run);
        }
    };
    return {options_.clock, options_.steady, progress, [this] { came_back(); }};
}

// ---- graphs ----

void Core::on_graph(const GraphKey& key, const GraphSlot* graph, const std::string& problem) {
    if (graph != nullptr) {
        health_.set_aside(graph->damaged());
        queue_.moments()->seen(graph->newest());
    } else {
        health_.found_unreadable(problem);
    }
    for (const auto& engine : engines_.all()) {
        if (engine->id == key.engine && !key.mixed()) {
            if (graph == nullptr) {
                engine->problem = "the store cannot be used: " + problem;
            }
            engine->changed = true;
            seats_.engine_told(*engine);
        }
    }
    scheduler_.fill_soon();
}

// ---- what the store has, and what others bring ----

std::vector<AnalysisRun*> Core::take_contents(Queue::Contents contents) {
    if (!contents.engines.empty()) {
        graphs_.know(std::move(contents.engines));
    }
    std::vector<AnalysisRun*> added = queue_.take(std::move(contents));
    tell_links();
    return added;
}

// Those of engines that are not known yet get their graph when the engine says who it is.
void Core::take_analyses(Queue::Contents contents) {
    for (AnalysisRun* run : take_contents(std::move(contents))) {
        if (run->record.engine != analysis::EngineId{}) {
            attempt(numbered(*run), [&] { graphs_.join(*run); });
        }
        verifier_.take_up(*run);
    }
}

bool Core::tree_comes(std::optional<analysis::AnalysisId> of) const {
    return std::ranges::any_of(queue_.runs(), [&](const auto& run) {
        return (!of || run->record.id == *of) && run->awaited;
    });
}

void Core::leave_graph(AnalysisRun& run) {
    run.said.reset(); // perhaps of another engine
    graphs_.leave(run);
}

void Core::change_graph(AnalysisRun& run) {
    graphs_.change(run);
}

bool Core::follow_game(AnalysisRun& run) {
    const std::vector<chess::Move> before = run.played;
    if (!run.follow_game()) {
        return false;
    }
    scheduler_.root_moved(run, before);
    long_searches_.root_moved(run, before);
    leave_graph(run);
    if (run.record.engine != analysis::EngineId{}) {
        graphs_.join(run);
    }
    return true;
}

void Core::begin_again(AnalysisRun& run) {
    rebuild_node_directives(run);
    run.restart();
}

// Core, what its observer is told: a few times a second, only what changed.

void Core::note_changed(const GraphSlot& slot, const std::vector<analysis::NodeId>& changed) {
    constexpr std::size_t most_kept = 1'000; // so many are told as "many"
    auto& nodes = changed_nodes_[&slot];
    if (nodes.size() > most_kept) {
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }
    if (nodes.size() <= most_kept) {
        nodes.insert(nodes.end(), changed.begin(), changed.end());
    }
}

Core::Links Core::links() const {
    Links links;
    for (const auto& run : queue_.runs()) {
        for (const Directive* link : links_in(run->directives)) {
            const Share& share = std::get<Share>(link->action);
            links.emplace(share.secret, Shown{run->record.id, share.file});
        }
    }
    return links;
}

void Core::tell_links() {
    Links now = links();
    if (now == told_links_) {
        return;
    }
    told_links_ = std::move(now);
    if (on_links) {
        on_links(told_links_);
    }
}

void Core::tell_changes() {
    if (!options_.observer) {
        for (const auto& run : queue_.runs()) {
            run->changed = false;
        }
        changed_nodes_.clear();
        return;
    }
    // Of many analyses those that are left come with the next ticks, in turn.
    const auto until = health_.steady_now() + telling_slice;
    const auto& runs = queue_.runs();
    std::size_t left = runs.size();
    for (; left > 0 && health_.steady_now() < until; --left, ++told_) {
        AnalysisRun& run = *runs[told_ % runs.size()];
        if (std::exchange(run.changed, false) && !run.transient) {
            attempt("telling what has changed",
                    [&] { options_.observer->analysis_changed(*this, run); });
        }
    }
    for (const auto& run : runs) {
        attempt("telling what has changed", [&] { tell_nodes(*run); });
    }
    changed_nodes_.clear();
    for (const auto& engine : engines_.all()) {
        if (engine->changed) {
            engine->changed = false;
            attempt("telling what has changed",
                    [&] { options_.observer->engine_changed(*this, *engine); });
        }
    }
}

void Core::tell_nodes(const AnalysisRun& run) {
    const auto found = changed_nodes_.find(run.slot);
    if (run.transient || run.slot == nullptr || found == changed_nodes_.end() ||
        found->second.empty()) {
        return;
    }
    std::vector<analysis::NodeId> nodes = found->second;
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    options_.observer->nodes_changed(run, nodes);
}

// Core, its engines: who they say they are, what becomes of them, and others in their place.

void Core::add_engine(const engine_bridge::Profile& profile) {
    const std::shared_ptr<EngineSlot> slot = engines_.add(profile);
    // Processes tell things on their own thread, until they have stopped; nobody listens once their
    // engine is gone.
    const auto for_it = [core = scope_.poster(), slot = std::weak_ptr{slot}](auto task) {
        return [core, slot, task](auto... told) {
            core.post([slot, task, ... told = std::move(told)] {
                if (const auto engine = slot.lock()) {
                    task(*engine, told...);
                }
            });
        };
    };
    const auto changed = [this](EngineSlot& engine, std::size_t process) {
        if (process >= engine.profile.count) {
            long_searches_.process_changed(engine.index);
        }
        engine.changed = true;
        scheduler_.fill_soon();
    };
    engine_bridge::Processes::Callbacks callbacks;
    callbacks.changed = for_it(changed);
    callbacks.identified = for_it([this](EngineSlot& engine, const Who& who) {
        const HoldWatch::Hold hold{watch(), "engine"};
        attempt("the start of engine " + engine.profile.name, [&] {
            if (!is_stopping(engine)) {
                on_identified(engine, who);
            }
        });
    });
    callbacks.died =
        for_it([this](EngineSlot& engine, std::size_t process, const std::string& reason) {
            on_died(engine, process, reason);
        });
    slot->index = engines_.dispatcher()->add(profile.name, profile.reproducible,
                                             [tell = for_it(changed)] { tell(std::size_t{0}); });
    slot->processes =
        make_processes_(engines_.dispatcher(), slot->index, profile, std::move(callbacks));
}

bool Core::is_stopping(const EngineSlot& engine) const {
    return std::ranges::any_of(stopping_engines_,
                               [&](const auto& other) { return other.get() == &engine; });
}

// Its questions come back as cancelled. It is kept until its processes are gone.
void Core::send_away(const std::shared_ptr<EngineSlot>& engine) {
    stopping_engines_.push_back(engine);
    engine->processes->stop([this, core = scope_.poster(), engine] {
        core.post([this, engine] {
            std::erase(stopping_engines_, engine);
            finish_stop();
        });
    });
}

void Core::set_engines(const std::vector<engine_bridge::Profile>& profiles) {
    assert(started_engines_ && !stopping_ && !profiles.empty());
    const std::vector<std::shared_ptr<EngineSlot>> before = engines_.take_all();
    std::vector<EngineSlot*> added;
    for (const engine_bridge::Profile& profile : profiles) {
        const auto same = std::ranges::find_if(
            before, [&](const auto& engine) { return engine->profile == profile; });
        if (same != before.end()) {
            engines_.keep(*same);
        } else {
            add_engine(profile);
            added.push_back(engines_.all().back().get());
        }
    }
    for (const auto& engine : before) {
        if (std::ranges::find(engines_.all(), engine) == engines_.all().end()) {
            send_away(engine);
            tell_sent_away(*engine);
        }
    }
    long_searches_.engines_changed();
    seats_.look_after();
    for (EngineSlot* engine : added) {
        engine->processes->start();
    }
    for (const auto& engine : engines_.all()) {
        engine->changed = true; // also which one is the default
    }
    for (const auto& run : queue_.runs()) {
        run->changed = true;
    }
    scheduler_.fill_soon();
}

// Observers keep engines by name.
void Core::tell_sent_away(EngineSlot& engine) {
    if (engines_.named(engine.profile.name) != nullptr) {
        return;
    }
    engine.problem = "it is not in the configuration any more";
    if (options_.observer) {
        attempt("telling what has changed",
                [&] { options_.observer->engine_changed(*this, engine); });
    }
}

// Its number in the store is read elsewhere, and written where it is new.
void Core::on_identified(EngineSlot& engine, const Who& who) {
    if (!who) {
        known_as(engine, who, std::nullopt);
        return;
    }
    const auto still = [this, slot = engine.weak_from_this()] {
        const auto there = slot.lock(); // the core's thread lets go of it
        return there != nullptr && !is_stopping(*there) ? there : nullptr;
    };
    const auto read = [this, &store = store_, record = engine_record(*who), still, who] {
        storage::EngineRecord known = record;
        known.id = store.engine(record);
        return [this, still, who, known] {
            graphs_.know(known);
            if (const auto there = still()) {
                known_as(*there, who, known.id);
            }
        };
    };
    beside_.read(read, [this, still, who](const std::string& problem) {
        health_.take({Trouble::Kind::store, "the start of an engine", problem});
        if (const auto there = still()) {
            known_as(*there, who, std::nullopt);
        }
    });
}

void Core::known_as(EngineSlot& engine, const Who& who, std::optional<analysis::EngineId> id) {
    engine.changed = true;
    const bool known = id.has_value();
    if (who) {
        engine.problem.clear();
    } else {
        engine.problem = who.error();
        spdlog::warn("engine {}: {}", engine.profile.name, engine.problem);
    }
    if (known) {
        engine.id = *id;
        engine.identity = *who;
    } else if (who) { // `health_` has kept why
        engine.problem =
            "the store cannot be used: " +
            (health_.store_problem().empty() ? health_.unreadable() : health_.store_problem());
    }
    for (const auto& run : queue_.runs()) {
        if (!known || run->record.profile != engine.profile.name ||
            run->record.engine == engine.id) {
            continue;
        }
        if (run->record.engine != analysis::EngineId{} && run->spec.renewal.at == 0) {
            spdlog::warn(
                "analysis {}: engine '{}' is now {}; its tree is grown anew, the old evaluations "
                "stay in the store",
                static_cast<std::int64_t>(run->record.id), engine.profile.name,
                engine.identity->name);
        }
        leave_graph(*run);
        run->record.engine = engine.id;
        graphs_.join(*run);
        queue_.save(*run);
    }
    seats_.engine_told(engine);
    scheduler_.fill_soon();
}

void Core::on_died(EngineSlot& engine, std::size_t process, const std::string& reason) {
    engine.changed = true;
    const DeathLog::Line line = engine.deaths.died(health_.steady_now());
    if (line.written && line.left_out > 0) {
        spdlog::warn("engine {}: {} more deaths of its processes are not listed here",
                     engine.profile.name, line.left_out);
    }
    if (line.written) {
        spdlog::warn("engine {}: process {} is gone: {}", engine.profile.name, process, reason);
    }
}

} // namespace adjourn::server
