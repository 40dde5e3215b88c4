// Core: its life, and what it knows. core_people.cpp: what people change; core_fill.cpp: what goes
// out; core_answers.cpp: what comes back; core_events.cpp: what observers are told.
#include "work/core.hpp"
#include "chess/pgn.hpp"
#include "graphs/take_snapshot.hpp"
#include "records/stored_analysis.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace adjourn::server {

using analysis::AnalysisId;

namespace {

constexpr std::size_t most_told = 100; // of what was set aside

} // namespace

Core::Core(boost::asio::io_context& context, storage::Store& store, CoreOptions options,
           const WorkersFactory& workers)
    : store_{store}, options_{std::move(options)}, timer_{context}, scope_{context},
      recorder_{std::make_shared<Recorder>(store, options_.clock, scope_.poster(), listener())},
      health_{store, options_.store_rules} {
    for (const engine_bridge::Profile& profile : options_.engines) {
        engines_.push_back(std::make_unique<EngineSlot>());
        EngineSlot& engine = *engines_.back();
        engine.profile = profile;
        Workers::Callbacks callbacks;
        callbacks.done = [recorder = recorder_](engine_bridge::JobId job,
                                                engine_bridge::Result result) {
            recorder->answered(job, std::move(result));
        };
        callbacks.changed = scope_.bind([this, &engine](std::size_t) {
            engine.changed = true;
            schedule_fill();
        });
        callbacks.identified = scope_.bind(
            [this, &engine](std::expected<engine_bridge::Identity, std::string> identity) {
                const HoldWatch::Hold hold{watch_, "engine"};
                attempt("the start of engine " + engine.profile.name,
                        [&] { on_identified(engine, std::move(identity)); });
            });
        callbacks.died =
            scope_.bind([this, &engine](std::size_t process, const std::string& reason) {
                on_died(engine, process, reason);
            });
        engine.workers = workers(profile, std::move(callbacks));
    }
    load();
}

Core::~Core() = default;

void Core::load() {
    std::vector<std::string> damage;
    const auto damaged = [&](const std::string& row) { damage.push_back(row); };
    (void)store_.engines(damaged); // analyses of one that is damaged fail, and say so
    for (storage::AnalysisRecord& record : store_.analyses(damaged)) {
        add_run(std::move(record), damage);
    }
    sort_runs();
    note(damage);
    constructing_ = false;
    if (!wanted_graphs_.empty()) { // last: from here on the core's own thread may work
        read_wanted_soon();
    }
}

void Core::note(const std::vector<std::string>& damage) {
    for (const std::string& line : damage) {
        if (std::ranges::find(set_aside_, chess::to_utf8(line)) != set_aside_.end()) {
            continue; // a graph is read more than once
        }
        spdlog::warn("set aside: {}", line);
        if (set_aside_.size() < most_told) {
            set_aside_.push_back(chess::to_utf8(line)); // may quote what is no text
        }
    }
}

void Core::start() {
    begun_ = true;
    workers_running_ = engines_.size();
    for (const auto& engine : engines_) {
        engine->workers->start();
    }
    if (options_.ticking) {
        tick();
    }
}

void Core::stop(std::function<void()> stopped) {
    stopping_ = true;
    *leaving_ = true;
    stopped_ = std::move(stopped);
    timer_.cancel();
    if (workers_running_ == 0) {
        scope_.post([this] { finish_stop(); });
        return;
    }
    for (const auto& engine : engines_) {
        engine->workers->stop(scope_.bind([this] {
            --workers_running_;
            finish_stop();
        }));
    }
}

// The one end of stop(), however the last answers and the last engine come.
void Core::finish_stop() {
    if (workers_running_ > 0 || !out_.empty() || !stopped_) {
        return;
    }
    std::exchange(stopped_, nullptr)();
}

bool Core::attempt(std::string_view place, const std::function<void()>& task, AnalysisRun* run) {
    const auto trouble = guarded(place, task);
    if (trouble) {
        take(*trouble, run);
    }
    return !trouble;
}

void Core::take(const Trouble& trouble, AnalysisRun* run) {
    switch (trouble.kind) {
    case Trouble::Kind::store:
        if (store_problem_.empty()) {
            health_.failed(trouble.what, std::chrono::steady_clock::now());
            store_problem_ = health_.problem();
            for (const auto& other : runs_) {
                other->changed = true;
            }
        }
        return; // nobody's fault; every analysis waits
    case Trouble::Kind::damaged:
        if (unreadable_.empty()) {
            unreadable_ = trouble.what;
        }
        break;
    case Trouble::Kind::other: break;
    }
    if (run != nullptr) {
        fail(*run, to_text(trouble));
    }
}

void Core::fail(AnalysisRun& run, const std::string& reason) {
    if (run.record.state == storage::AnalysisState::paused) {
        return; // tried, and told, when somebody lets it go on
    }
    run.ready.clear();
    run.record.state = storage::AnalysisState::failed;
    run.record.state_reason = reason;
    run.changed = true;
    if (!run.unreadable) { // that is told anew at each start, as long as it is true
        save(run);
    }
    if (on_progress) {
        guarded("telling of an analysis", [&] { on_progress(run); });
    }
}

void Core::detach(AnalysisRun& run) {
    // What is still out takes effect when it comes; what waits for its turn, now.
    for (const auto& [sequence, entry] : std::exchange(run.waiting, {})) {
        run.comes_back(entry.first.limit);
        apply(*run.slot, &run, entry.first, entry.second);
    }
    run.next_outcome = run.next_sequence;
    if (run.slot != nullptr) {
        GraphSlot* slot = std::exchange(run.slot, nullptr);
        const bool last =
            std::ranges::none_of(runs_, [&](const auto& other) { return other->slot == slot; });
        slot->remove_root(run.root_node, last);
        if (last) {
            std::erase(idle_, slot->key());
            idle_.push_back(slot->key());
        }
    }
    run.awaited.reset();
    if (std::exchange(run.unreadable, false) &&
        run.record.state == storage::AnalysisState::failed) { // that was of the graph it had
        run.record.state = storage::AnalysisState::queued;
        run.record.state_reason.clear();
    }
    run.seeds_read = false;
    run.seeds.clear(); // by the graph's own numbers of positions, as steering is
    run.steering.clear();
    run.ready.clear();
}

void Core::rebuild_steering(AnalysisRun& run) {
    run.steering.clear();
    if (run.slot == nullptr) {
        return;
    }
    analysis::Graph& graph = run.slot->graph();
    const auto forget = [](std::vector<chess::Move>& moves, chess::Move move) {
        std::erase(moves, move);
    };
    // A later word on the same move or position replaces the earlier one.
    std::vector<const storage::DirectiveRecord*> includes; // of moves, and lines to deepen at
    for (const storage::DirectiveRecord& said : run.directives) {
        const auto position = chess::Position::unpack(said.position);
        if (!position || said.action == "note") {
            continue;
        }
        const auto same = [&](const storage::DirectiveRecord* other) {
            return other->position == said.position && other->move == said.move;
        };
        analysis::NodeSteering& at = run.steering[graph.intern(*position)];
        if (said.move) {
            forget(at.included, *said.move);
            forget(at.excluded, *said.move);
            std::erase_if(includes, same);
        }
        if (said.action == "include" && said.move) {
            includes.push_back(&said);
        } else if (said.action == "exclude" && said.move) {
            at.excluded.push_back(*said.move);
        } else if (said.action == "deepen") {
            at.line = said.line;
            std::erase_if(includes, same);
            includes.push_back(&said);
            at.deepen = deepen_plies(said).value_or(0);
        } else if (said.action == "now") {
            at.line = said.line;
            at.now = true;
        } else if (said.action == "clear") {
            const chess::Position cleared = said.move ? position->after(*said.move) : *position;
            analysis::NodeSteering& there = run.steering[graph.intern(cleared)];
            there.deepen = 0;
            there.now = false;
            std::erase_if(includes, [&](const storage::DirectiveRecord* other) {
                return other->action == "deepen" && other->position == cleared.packed();
            });
        }
    }
    // To include a move, or to deepen at a position, is to include the line that leads there.
    for (const storage::DirectiveRecord* said : includes) {
        chess::Position position = run.root;
        std::vector<chess::Move> line = said->line;
        if (said->move) {
            line.push_back(*said->move);
        }
        for (const chess::Move move : line) {
            analysis::NodeSteering& here = run.steering[graph.intern(position)];
            if (!position.is_legal(move) || std::find(here.excluded.begin(), here.excluded.end(),
                                                      move) != here.excluded.end()) {
                break;
            }
            auto& included = here.included;
            if (std::find(included.begin(), included.end(), move) == included.end()) {
                included.push_back(move);
            }
            position.play(move);
        }
    }
}

void Core::restart_plan(AnalysisRun& run) {
    AnalysisRun::Tree tree{
        rules_text(run.record.limit, run.spec.strategy, run.spec.accept),
        basis_of(run.record.limit, run.directives).excluded,
    };
    const bool other_rules = tree.first != run.tree.first;
    run.tree = std::move(tree);
    // Snapshots do not tell what was left out; they stand for the first tree under these rules.
    const bool first = std::ranges::none_of(
        run.reached, [&](const auto& other) { return other.first.first == run.tree.first; });
    run.reached.try_emplace(run.tree, first ? recorded_level(run) : 0);
    run.refine = 1;
    run.settled = 0;
    if (other_rules) { // else the best move is one of them until the walk has looked again
        run.verified.clear();
    }
    run.lead = {};
    run.stopped.clear();
    run.failure.clear();
    run.footing.reset();
    run.finished = false;
    run.spent = false;
    run.ready.clear();
    run.planned = false;
    run.stale = true;
    run.now_due = waits_for_now(run);
    run.changed = true;
}

void Core::sort_runs() {
    std::stable_sort(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) {
        return std::tuple{-a->record.priority, a->record.rank, a->record.id} <
               std::tuple{-b->record.priority, b->record.rank, b->record.id};
    });
}

AnalysisRun* Core::lookup(AnalysisId id) {
    for (const auto& run : runs_) {
        if (run->record.id == id) {
            return run.get();
        }
    }
    return nullptr;
}

const AnalysisRun* Core::find(AnalysisId id) const {
    return const_cast<Core*>(this)->lookup(id);
}

const EngineSlot* Core::engine_of(const AnalysisRun& run) const {
    for (const auto& engine : engines_) {
        if (engine->profile.name == run.record.profile) {
            return engine.get();
        }
    }
    return nullptr;
}

const Core::JobInfo* Core::job(engine_bridge::JobId id) const {
    const auto found = out_.find(id);
    return found == out_.end() ? nullptr : &found->second.info;
}

void Core::save(AnalysisRun& run) {
    run.changed = true;
    if (!run.transient) {
        store_.update(run.record, [](const auto&) {});
    }
}

} // namespace adjourn::server
