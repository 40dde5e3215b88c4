#include "server/core.hpp"

#include "chess/notation.hpp"
#include "write_through.hpp"

#include <boost/asio/post.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace adjourn::server {

using analysis::AnalysisId;
using http::Error;
using http::ErrorCode;
using storage::AnalysisState;

namespace {

Error not_found(AnalysisId id) {
    return {ErrorCode::not_found,
            "there is no analysis " + std::to_string(static_cast<std::int64_t>(id)), "id"};
}

Error store_error(const std::string& problem) {
    return {ErrorCode::unavailable, "the store cannot write: " + problem, ""};
}

} // namespace

Core::Core(boost::asio::io_context& context, storage::Store& store, CoreOptions options,
           const WorkersFactory& workers)
    : context_{context}, store_{store}, options_{std::move(options)}, timer_{context} {
    for (const engine_bridge::Profile& profile : options_.engines) {
        engines_.push_back(std::make_unique<EngineSlot>());
        EngineSlot& engine = *engines_.back();
        engine.profile = profile;
        Workers::Callbacks callbacks;
        callbacks.done = [this, alive = alive_, &engine](engine_bridge::JobId job,
                                                         engine_bridge::Result result) {
            if (*alive) {
                on_done(engine, job, std::move(result));
            }
        };
        callbacks.changed = [this, alive = alive_, &engine](std::size_t) {
            if (*alive) {
                engine.changed = true;
                schedule_fill();
            }
        };
        callbacks.identified = [this, alive = alive_, &engine](
                                   std::expected<engine_bridge::Identity, std::string> identity) {
            if (*alive) {
                on_identified(engine, std::move(identity));
            }
        };
        engine.workers = workers(profile, std::move(callbacks));
    }
    load();
}

Core::~Core() {
    *alive_ = false;
}

void Core::load() {
    for (storage::AnalysisRecord& record : store_.analyses()) {
        add_run(std::move(record));
    }
    sort_runs();
}

void Core::start() {
    workers_running_ = engines_.size();
    for (const auto& engine : engines_) {
        engine->workers->start();
    }
    tick();
}

void Core::stop(std::function<void()> stopped) {
    stopping_ = true;
    stopped_ = std::move(stopped);
    timer_.cancel();
    const auto check = [this, alive = alive_] {
        if (*alive && workers_running_ == 0 && storing_ == 0 && stopped_) {
            for (const auto& run : runs_) {
                store_.set(run->usage, [](const auto&) {});
            }
            auto stopped_now = std::move(stopped_);
            stopped_ = nullptr;
            stopped_now();
        }
    };
    if (workers_running_ == 0) {
        boost::asio::post(context_, check);
        return;
    }
    for (const auto& engine : engines_) {
        engine->workers->stop([this, alive = alive_, check] {
            if (*alive) {
                --workers_running_;
                check();
            }
        });
    }
}

GraphSlot* Core::graph_slot(analysis::EngineId id,
                            const std::vector<analysis::EngineId>& accepted) {
    if (const auto found = slots_.find({id, accepted}); found != slots_.end()) {
        return found->second.get();
    }
    for (storage::EngineRecord& engine : store_.engines()) {
        if (engine.id == id) {
            auto slot =
                std::make_unique<GraphSlot>(store_, std::move(engine), options_.tables, accepted);
            return slots_.emplace(std::pair{id, accepted}, std::move(slot)).first->second.get();
        }
    }
    throw storage::StoreError{"the store names engine " +
                              std::to_string(static_cast<std::int64_t>(id)) +
                              " but has no such row"};
}

void Core::attach(AnalysisRun& run) {
    run.slot = graph_slot(run.record.engine, accepted_engines(store_, run.spec, run.record.engine));
    run.root_node = run.slot->graph().intern(run.root);
    run.slot->graph().add_root(run.root_node);
    rebuild_steering(run);
    rebuild_seeds(run);
    restart_plan(run);
}

void Core::detach(AnalysisRun& run) {
    if (run.slot != nullptr) {
        run.slot->graph().remove_root(run.root_node);
        run.slot = nullptr;
    }
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
    std::vector<const storage::DirectiveRecord*> includes;
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
            at.deepen = said.text.empty() ? 2 : std::stoi(said.text);
        } else if (said.action == "now") {
            at.now = true;
        } else if (said.action == "clear") {
            const chess::Position cleared = said.move ? position->after(*said.move) : *position;
            analysis::NodeSteering& there = run.steering[graph.intern(cleared)];
            there.deepen = 0;
            there.now = false;
        }
    }
    // To include a move is to include the line that leads to it.
    for (const storage::DirectiveRecord* said : includes) {
        chess::Position position = run.root;
        std::vector<chess::Move> line = said->line;
        line.push_back(*said->move);
        for (const chess::Move move : line) {
            if (!position.is_legal(move)) {
                break;
            }
            auto& included = run.steering[graph.intern(position)].included;
            if (std::find(included.begin(), included.end(), move) == included.end()) {
                included.push_back(move);
            }
            position.play(move);
        }
    }
}

void Core::restart_plan(AnalysisRun& run) {
    run.refine = 1;
    run.settled = 0;
    run.verified.clear();
    run.lead = {};
    run.stopped.clear();
    run.finished = false;
    run.ready.clear();
    run.planned = false;
    run.stale = true;
    run.changed = true;
}

void Core::sort_runs() {
    std::stable_sort(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) {
        return std::tie(a->record.rank, a->record.id) < std::tie(b->record.rank, b->record.id);
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
    store_.update(run.record, [](const auto&) {});
}

std::expected<AnalysisId, Error> Core::create(NewAnalysis wanted) {
    if (!store_problem_.empty()) {
        return std::unexpected(store_error(store_problem_));
    }
    EngineSlot* engine = engines_.front().get();
    if (!wanted.engine.empty()) {
        const auto found = std::find_if(engines_.begin(), engines_.end(), [&](const auto& slot) {
            return slot->profile.name == wanted.engine;
        });
        if (found == engines_.end()) {
            return std::unexpected(Error{ErrorCode::unknown_engine,
                                         "no engine is named '" + wanted.engine + "' in the config",
                                         "engine"});
        }
        engine = found->get();
    }
    chess::Position root = wanted.start;
    for (const chess::Move move : wanted.moves) {
        root.play(move);
    }
    storage::AnalysisRecord record;
    record.name = wanted.name;
    record.root_fen = wanted.start.fen();
    record.root_moves = wanted.moves;
    record.profile = engine->profile.name;
    record.engine = engine->id;
    record.limit = wanted.limit;
    record.parameters = to_text(wanted.spec);
    record.priority = wanted.priority;
    record.rank = runs_.empty() ? 1 : runs_.back()->record.rank + 1;
    record.state = wanted.hold ? AnalysisState::paused : AnalysisState::queued;
    record.created_at = now();
    const auto written = write_through([&](storage::Done done) { store_.insert(record, done); });
    if (!written) {
        return std::unexpected(store_error(written.error()));
    }
    record.id = AnalysisId{written->id};
    auto run = std::make_unique<AnalysisRun>(std::move(record), std::move(wanted.spec),
                                             wanted.start, root);
    run->usage.analysis = run->record.id;
    for (const auto& other : runs_) { // a newcomer starts level with the least served, not with 0
        run->served = run->served == 0 ? other->served : std::min(run->served, other->served);
    }
    if (run->record.engine != analysis::EngineId{}) {
        attach(*run);
    }
    const AnalysisId id = run->record.id;
    runs_.push_back(std::move(run));
    schedule_fill();
    return id;
}

std::expected<void, Error> Core::change(AnalysisId id, const AnalysisPatch& patch) {
    AnalysisRun* run = lookup(id);
    if (run == nullptr) {
        return std::unexpected(not_found(id));
    }
    storage::AnalysisRecord record = run->record;
    AnalysisSpec spec = run->spec;
    record.name = patch.name.value_or(record.name);
    record.priority = patch.priority.value_or(record.priority);
    record.rank = patch.rank.value_or(record.rank);
    record.limit = patch.limit.value_or(record.limit);
    spec.strategy = patch.strategy.value_or(spec.strategy);
    spec.budget = patch.budget.value_or(spec.budget);
    spec.window = patch.window.value_or(spec.window);
    spec.stop = patch.stop.value_or(spec.stop);
    spec.accept = patch.accept.value_or(spec.accept);
    record.parameters = to_text(spec);
    if (patch.hold) {
        record.state = *patch.hold ? AnalysisState::paused : AnalysisState::queued;
        record.state_reason = "";
    }
    const auto written = write_through([&](storage::Done done) { store_.update(record, done); });
    if (!written) {
        return std::unexpected(store_error(written.error()));
    }
    const bool other_tree = record.limit != run->record.limit ||
                            !(spec.strategy == run->spec.strategy) ||
                            !(spec.stop == run->spec.stop);
    const bool other_facts = spec.accept != run->spec.accept;
    run->record = std::move(record);
    run->spec = spec;
    run->changed = true;
    if (patch.hold == false && run->slot != nullptr) {
        run->slot->forget_dead(); // a person says: try again
        store_.clear_failures(run->slot->engine().id, [](const auto&) {});
    }
    if (other_facts && run->slot != nullptr) {
        attach_again(*run);
    } else if (other_tree || patch.hold == false) {
        restart_plan(*run);
    }
    sort_runs();
    schedule_fill();
    return {};
}

std::expected<void, Error> Core::remove(AnalysisId id) {
    AnalysisRun* run = lookup(id);
    if (run == nullptr) {
        return std::unexpected(not_found(id));
    }
    const auto written = write_through([&](storage::Done done) { store_.remove(id, done); });
    if (!written) {
        return std::unexpected(store_error(written.error()));
    }
    for (const auto& [job, out] : out_) {
        if (out.info.analysis == id) {
            out.engine->workers->cancel(job);
        }
    }
    detach(*run);
    std::erase_if(runs_, [&](const auto& other) { return other.get() == run; });
    if (options_.publish) {
        const std::string number = std::to_string(static_cast<std::int64_t>(id));
        options_.publish(
            {"removed", number, static_cast<std::int64_t>(id), "{\"id\":" + number + "}", ""});
    }
    schedule_fill();
    return {};
}

std::expected<std::int64_t, Error> Core::direct(AnalysisId id, const std::vector<chess::Move>& line,
                                                const std::string& action,
                                                const std::string& text) {
    AnalysisRun* run = lookup(id);
    if (run == nullptr) {
        return std::unexpected(not_found(id));
    }
    storage::DirectiveRecord said;
    said.analysis = id;
    said.line = line;
    said.action = action;
    said.text = text;
    said.at = now();
    const bool on_move =
        action == "include" || action == "exclude" || (action == "clear" && !line.empty());
    if (on_move) {
        if (line.empty()) {
            return std::unexpected(Error{
                ErrorCode::bad_value, action + " needs a line that ends with the move", "moves"});
        }
        said.move = line.back();
        said.line.pop_back();
    }
    chess::Position position = run->root;
    for (const chess::Move move : said.line) {
        position.play(move);
    }
    said.position = position.packed();
    const auto written = write_through([&](storage::Done done) { store_.append(said, done); });
    if (!written) {
        return std::unexpected(store_error(written.error()));
    }
    said.id = written->id;
    run->directives.push_back(said);
    rebuild_steering(*run);
    restart_plan(*run);
    schedule_fill();
    return said.id;
}

} // namespace adjourn::server
