// Core: its life, and what others bring. core_engines.cpp: who answers;
// core_people.cpp: what people change; core_changes.cpp: what the observer is told.
#include "core/schedule/core.hpp"

#include "core/graphs/node_directives.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace adjourn::server {

namespace {

constexpr std::chrono::milliseconds tick_interval{200};
constexpr std::chrono::milliseconds verifying_slice{10};

std::string numbered(const AnalysisRun& run) {
    return "analysis " + std::to_string(static_cast<std::int64_t>(run.record.id));
}

// What is covered by tables is exact in a graph, so one of other files is another graph.
std::shared_ptr<const GraphImages> images_of(const CoreOptions& options) {
    if (options.images.empty()) {
        return nullptr;
    }
    return std::make_shared<const GraphImages>(
        GraphImages::Options{options.images, options.inventory.identity, options.clock,
                             options.least_facts_in_image, 2 * options.store_rules.least_free});
}

} // namespace

Core::Core(boost::asio::io_context& context, storage::Store& store, CoreOptions options,
           engine_bridge::ProcessesFactory processes)
    : store_{store}, options_{std::move(options)}, make_processes_{std::move(processes)},
      timer_{context}, scope_{context}, health_{store, options_.store_rules},
      background_{scope_.poster(), health_, options_.elsewhere}, beside_{scope_.poster(), health_,
                                                                         options_.beside},
      reads_{scope_.poster(), health_, options_.reads}, engines_{std::make_shared<Dispatcher>(
                                                            options_.dispatch)},
      queue_{store, health_, options_.clock, scope_.poster()},
      graphs_{store,
              background_,
              {options_.tables, options_.facts_at_once, images_of(options_)},
              graphs_listener()},
      planner_{queue_, graphs_, engines_, options_.clock}, recorder_{store, queue_.moments(),
                                                                     scope_.poster(),
                                                                     options_.machine,
                                                                     options_.tables},
      scheduler_{queue_,  graphs_,   planner_,        engines_,
                 health_, recorder_, scope_.poster(), scheduler_options()},
      verifier_{queue_, graphs_, engines_, scheduler_},
      checkpoints_{{queue_, engines_, scheduler_, store, queue_.moments(), options_.steady,
                    options_.machine, scope_.poster(), charged()}},
      standing_{{queue_, engines_, scheduler_, checkpoints_, health_, recorder_, options_.steady,
                 charged(),
                 [this] {
                     if (stopping_) {
                         finish_stop();
                     }
                 }}},
      looks_{store,  queue_,    engines_,        health_,          reads_,
             scope_, recorder_, options_.steady, options_.clock(), looks_listener()} {
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
        health_.look_elsewhere(scope_.poster(), options_.beside);
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
    attempt("keeping what long searches have found", [&] { keep_searches(); });
    attempt("the long searches beside the trees", [&] { standing_.look_after(); });
    attempt("verifying", [&] { verifier_.look_after(verifying_slice); });
    attempt("looking after what is looked at", [&] { looks_.look_after(); });
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
    looks_.end_all([this] {
        looks_over_ = true;
        finish_stop();
    });
    attempt("ending the long searches", [&] { standing_.stop(); });
    if (started_engines_) {
        for (const auto& engine : engines_.all()) {
            send_away(engine);
        }
    }
    scope_.post([this] { finish_stop(); });
}

// The one end of stop(), however the last answers and the last engine come.
void Core::finish_stop() {
    if (!leaving_.empty() || !looks_over_ || !scheduler_.all_back() || !standing_.all_back() ||
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

// What an evaluation beside the questions of the plan comes to.
std::function<void(const analysis::Evaluation&, std::optional<analysis::AnalysisId>)>
Core::charged() {
    return [this](const analysis::Evaluation& fact, std::optional<analysis::AnalysisId> payer) {
        AnalysisRun* const run = payer ? queue_.find(*payer) : nullptr;
        if (run != nullptr) {
            ++run->usage.evaluations_new;
            run->asked.insert(fact.id);
            run->plan.recount = true;
        }
        graphs_.apply(fact);
    };
}

Looks::Listener Core::looks_listener() {
    return {[this](const analysis::Evaluation& fact) { graphs_.apply(fact); },
            [this](const Look& look) {
                if (options_.observer) {
                    options_.observer->look_changed(*this, look);
                }
            }};
}

Scheduler::Options Core::scheduler_options() {
    const auto progress = [this](const AnalysisRun& run) {
        if (on_progress) {
            on_progress(run);
        }
    };
    return {options_.clock, options_.steady, progress, [this] {
                if (stopping_) {
                    finish_stop();
                }
            }};
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
        if (engine->id == key.engine && key.accepted.empty()) {
            if (graph == nullptr) {
                engine->problem = "the store cannot be used: " + problem;
            }
            engine->changed = true;
            if (on_engine) {
                on_engine(*engine);
            }
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
    looks_.root_moved(run, before);
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

} // namespace adjourn::server
