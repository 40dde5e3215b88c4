#include "api/views/view.hpp"

#include "chess/notation.hpp"
#include "core/graphs/line_end.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/schedule/answer.hpp"
#include "core/schedule/renewal.hpp"
#include "files/openings/openings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace adjourn::server {

using nlohmann::json;

namespace {

// Indexed by ProcessStatus::State.
constexpr std::array process_words{"starting",   "idle",   "searching",
                                   "restarting", "failed", "stopped"};

// Share of the time since the start that the process searched.
double busy_share(const Core& core, const engine_bridge::ProcessStatus& status) {
    const auto up = std::chrono::steady_clock::now() - core.started();
    const double share = std::chrono::duration<double>(status.busy).count() /
                         std::max(1e-3, std::chrono::duration<double>(up).count());
    return std::round(std::min(share, 1.0) * 1000) / 1000;
}

json text_or_null(const std::string& text) {
    return text.empty() ? json(nullptr) : json(text);
}

// The candidates that were searched together, and the tree's move where it is another one.
void add_court(json& out, const AnalysisRun& run) {
    const analysis::JointSearch* const court = court_of(run);
    if (court == nullptr) {
        return;
    }
    for (const chess::Move move : court->among) {
        out["court"].push_back(move_json(run.root, move));
    }
    if (const auto other = overruled(run, *court)) {
        out["tree"] = move_json(run.root, *other);
    }
}

json best_json(const AnalysisRun& run) {
    const auto best = best_of(run);
    if (!best) {
        return nullptr;
    }
    json out = move_json(run.root, best->move);
    out["alpha"] = score_json(best->alpha, run.root.turn());
    out["idea"] = score_json(best->idea, run.root.turn());
    if (!best->solved) {
        add_court(out, run);
    }
    return out;
}

// How far apart two searches of one move are, by what is stored of the engine.
json noise_json(const Core& core, const EngineSlot& engine) {
    const auto noise = core.graphs().noise_of(engine.id);
    if (!noise) {
        return nullptr;
    }
    return {{"sigma_cp", std::round(noise->sigma * 10) / 10}, {"pairs", noise->pairs}};
}

// What was asked for, and what the tree rests on. Before the first walk nothing is known of that.
json evaluations_json(const AnalysisRun& run) {
    const std::uint64_t fresh = run.usage.evaluations_new;
    const std::uint64_t asked = run.plan.counted ? run.asked.size() : 0;
    const std::uint64_t others =
        run.plan.counted ? run.plan.evaluations_used - run.plan.own_used : 0;
    // Of stores from before schema 2, or merged once, it is not known which ones were asked for.
    const std::uint64_t unknown = fresh - std::min<std::uint64_t>(fresh, run.asked.size());
    return {{"new", fresh},
            {"reused", others - std::min(others, unknown)},
            {"unneeded", asked - (run.plan.counted ? run.plan.own_used : 0)}};
}

// The level that is worked on: also while a walk looks again at levels that have settled.
int refine_shown(const AnalysisRun& run) {
    const int settled = settled_level(run);
    const bool done = run.plan.finished || run.record.state == storage::AnalysisState::settled ||
                      settled == run.spec.strategy.refine;
    return std::max({1, run.plan.planned ? run.plan.refine : 1, done ? settled : settled + 1});
}

// Seconds, by two significant digits: more would say more than is known.
json remaining_json(const std::optional<Planner::Remaining>& remaining) {
    const auto rough = [](double seconds) {
        const double unit = std::pow(10.0, std::floor(std::log10(std::max(seconds, 1.0))) - 1);
        return std::round(std::round(seconds / std::max(unit, 1.0)) * std::max(unit, 1.0));
    };
    return remaining ? json{rough(remaining->least), rough(remaining->most)} : json(nullptr);
}

// When it was made, somebody said something of it, or a level settled, whatever was last.
analysis::UnixMs changed_at(const AnalysisRun& run) {
    analysis::UnixMs at = run.record.created_at;
    if (!run.snapshots.empty()) {
        at = std::max(at, run.snapshots.back().at);
    }
    return std::max(at, last_said(run.directives).value_or(at));
}

json sparkline(const AnalysisRun& run) {
    json out = json::array();
    for (const storage::SnapshotRecord& snapshot : run.snapshots) {
        const json data = json::parse(snapshot.data, nullptr, false);
        const json alpha = data.is_object() ? data.value("alpha", json{}) : json{};
        if (alpha.is_object() && alpha.contains("cp")) {
            out.push_back(std::clamp(alpha["cp"].get<int>(), -1000, 1000));
        } else if (alpha.is_object() && alpha.contains("mate")) {
            const int moves = alpha["mate"].get<int>();
            const bool white_wins = moves != 0 ? moves > 0 : alpha.value("side", "") == "black";
            out.push_back(white_wins ? 1000 : -1000);
        } else if (alpha.is_object() && alpha.contains("tb")) {
            const std::string tb = alpha["tb"];
            out.push_back(tb == "win" ? 1000 : tb == "loss" ? -1000 : 0);
        }
    }
    return out;
}

// What a running search says so far; a bound is no score.
void add_best_line(json& process, chess::Position at,
                   const std::optional<engine_bridge::BestLine>& line) {
    constexpr std::size_t most_moves = 8;
    if (!line || !line->score || line->bound != chess::Bound::exact) {
        return;
    }
    process["score"] = score_json(line->score, at.turn());
    for (const chess::Move move : line->pv) {
        if (process["pv"].size() == most_moves || !at.is_legal(move)) {
            break;
        }
        process["pv"].push_back(chess::to_san(at, move));
        at.play(move);
    }
}

// The long search of the root that stands beside the tree.
json standing_search_json(const Core& core, const AnalysisRun& run) {
    const RunningSearch* search = core.long_searches().standing_search(run.record.id);
    if (search == nullptr) {
        return nullptr;
    }
    const auto found = search->process.value_or(engine_bridge::ProcessStatus{});
    json out{
        {"threads", search->threads},
        {"running_seconds", static_cast<double>(core.long_searches().lasted(*search)) / 1000.0},
        {"depth", found.depth},
        {"nodes", found.nodes},
        {"nps", found.nps},
        {"score", nullptr},
        {"pv", json::array()}};
    add_best_line(out, run.root, found.line);
    return out;
}

} // namespace

const char* word(storage::AnalysisState state) {
    constexpr std::array words{"queued", "running", "paused", "settled", "exhausted", "failed"};
    return words.at(static_cast<std::size_t>(state));
}

std::optional<BestMove> best_of(const AnalysisRun& run) {
    if (const auto solved = solved_moves(run, {}); !solved.empty()) {
        return BestMove{solved.front().move.move, solved.front().alpha(), solved.front().move.value,
                        true};
    }
    if (run.shown() == nullptr) {
        return std::nullopt;
    }
    const auto answer = answer_of(run);
    if (!answer) {
        return std::nullopt;
    }
    const chess::Score idea =
        idea_after(run.shown()->graph(), run.root_node, answer->index, court_of(run));
    return BestMove{answer->move, answer->alpha, idea, false};
}

json renewal_json(const AnalysisRun& run) {
    const Renewal& renewal = run.spec.renewal;
    if (renewal.at == 0) {
        return nullptr;
    }
    static constexpr std::array states{"open", "confirmed", "differs", "fell"};
    const auto answers = run.has_graph() ? renewed_answers(run) : std::vector<RenewedAnswer>{};
    const bool levels = is_renewing(run) && run.record.state != storage::AnalysisState::settled;
    json told = json::array();
    for (const RenewedAnswer& answer : answers) {
        const chess::Color mover = answer.position.turn();
        json then = move_json(answer.position, answer.move);
        json best = move_json(answer.position, answer.best);
        then["score"] = score_json(answer.before, mover);
        best["score"] = score_json(answer.best_now, mover);
        told.push_back({{"move", std::move(then)},
                        {"now", score_json(answer.now, mover)},
                        {"best", std::move(best)},
                        {"state", states[static_cast<std::size_t>(answer.state)]}});
    }
    const auto tree =
        run.has_graph() ? run.slot->renewed(confirmed_within(run)) : GraphSlot::Renewed{};
    return {
        {"engine", renewal.name},
        {"at", renewal.at},
        {"level", renewal.level},
        {"phase", run.confirming ? "answers"
                  : levels       ? "levels"
                                 : "done"},
        {"within_cp", run.has_graph() ? json(std::round(confirmed_within(run))) : json(nullptr)},
        {"positions", tree.known},
        {"searched", tree.searched},
        {"confirmed", tree.confirmed},
        {"answers", std::move(told)},
        {"text", renewal_text(run, answers)}};
}

json analysis_json(const Core& core, const AnalysisRun& run) {
    const storage::AnalysisRecord& record = run.record;
    json out = definition_json(record, run.spec, run.start, run.moves_before());
    out["played"] = run.played.size();
    out["fen"] = run.root.fen();
    out["san"] = chess::to_san_line(run.start, run.moves_before());
    out["opening"] = opening_json(run, {});
    out.update(spec_json(run.spec));
    out["priority"] = record.priority;
    out["rank"] = record.rank;
    out["hold"] = record.state == storage::AnalysisState::paused;
    out["state"] = word(record.state);
    // Where the game is over there is nothing to read.
    const bool reading = run.reading() && record.state != storage::AnalysisState::failed &&
                         run.root.terminal() == chess::Terminal::no;
    out["reason"] = text_or_null(reading ? reading_evaluations : record.state_reason);
    out["refine"] = refine_shown(run);
    out["settled"] = settled_level(run);
    out["positions"] = Planner::expanded_positions(run);
    out["evaluations"] = evaluations_json(run);
    out["unneeded"] = out["evaluations"]["unneeded"];
    out["nodes"] = run.nodes();
    out["engine_seconds"] = static_cast<double>(run.engine_ms()) / 1000.0;
    out["in_flight"] = run.out.in_flight;
    const auto remaining = core.planner().remaining(run);
    out["eta_seconds"] =
        remaining ? json(std::round(std::sqrt(remaining->least * remaining->most))) : json(nullptr);
    out["eta_range"] = remaining_json(remaining);
    out["created_at"] = record.created_at;
    out["changed_at"] = changed_at(run);
    out["best"] = best_json(run);
    out["renewal"] = renewal_json(run);
    out["standing_search"] = standing_search_json(core, run);
    out["sparkline"] = sparkline(run);
    return out;
}

json shown_by_link(json analysis) {
    analysis["priority"] = 0;
    analysis["rank"] = 0.0;
    analysis["reason"] = nullptr;
    analysis["my_names"] = "";
    return analysis;
}

// Deaths of a process within a minute.
constexpr std::size_t unstable_from = 3;

json engine_json(const Core& core, const EngineSlot& engine, bool is_default) {
    json out;
    out["name"] = engine.profile.name;
    out["default"] = is_default;
    out["identity"] = nullptr;
    if (engine.identity) {
        out["identity"] = {{"name", engine.identity->name},
                           {"network", engine.identity->network},
                           {"options", engine.identity->options}};
    }
    out["problem"] = text_or_null(engine.problem);
    out["noise"] = noise_json(core, engine);
    json processes = json::array();
    std::size_t index = 0;
    for (const engine_bridge::ProcessStatus& status : engine.status()) {
        if (!status.machine.empty()) {
            continue; // GET workers tells of other machines
        }
        json process{{"index", index++},
                     {"state", process_words.at(static_cast<std::size_t>(status.state))},
                     {"pid", status.pid},
                     {"analysis", nullptr},
                     {"fen", nullptr},
                     {"line", nullptr},
                     {"score", nullptr},
                     {"pv", json::array()},
                     {"depth", status.depth},
                     {"nodes", status.nodes},
                     {"nps", status.nps},
                     {"restarts", status.restarts},
                     {"deaths_last_minute", status.deaths_last_minute},
                     {"unstable", status.deaths_last_minute >= unstable_from},
                     {"jobs", status.jobs_done},
                     {"busy", busy_share(core, status)},
                     {"problem", text_or_null(status.problem)}};
        if (status.position) {
            process["fen"] = status.position->fen();
            add_best_line(process, *status.position, status.line);
        }
        const JobInfo* job = status.job ? core.scheduler().job(*status.job) : nullptr;
        if (job != nullptr && job->analysis > analysis::AnalysisId{}) { // not a seat's
            process["analysis"] = static_cast<std::int64_t>(job->analysis);
            if (const AnalysisRun* run = core.queue().find(job->analysis)) {
                json san = json::array();
                chess::Position position = run->root;
                for (const chess::Move move : job->line) {
                    san.push_back(chess::to_san(position, move));
                    position.play(move);
                }
                process["line"] = std::move(san);
            }
        }
        processes.push_back(std::move(process));
    }
    out["processes"] = std::move(processes);
    return out;
}

json history_json(const AnalysisRun& run) {
    json snapshots = json::array();
    for (const storage::SnapshotRecord& snapshot : run.snapshots) {
        json entry = json::parse(snapshot.data, nullptr, false);
        if (!entry.is_object() || entry.value("fen", "") != run.moved_to()) {
            continue;
        }
        for (const char* inner : {"fen", "renewed", "nodes", "engine", "best", "said"}) {
            entry.erase(inner);
        }
        entry["refine"] = snapshot.refine;
        entry["at"] = snapshot.at;
        snapshots.push_back(std::move(entry));
    }
    return {{"snapshots", std::move(snapshots)}};
}

int chart_value(chess::Score white) {
    return std::clamp(white.rank(), -1000, 1000);
}

json tables_json(const tables::Inventory& inventory) {
    return {{"men", inventory.men},
            {"wdl", inventory.wdl.size()},
            {"dtz", inventory.dtz.size()},
            {"own", inventory.own.size()},
            {"problems", inventory.problems}};
}

} // namespace adjourn::server
