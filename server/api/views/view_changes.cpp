// What changed since a moment: the graph as it is, and a copy of it that has gone back.
#include "analysis/graph.hpp"
#include "analysis/root_answer.hpp"
#include "analysis/strategy.hpp"
#include "api/views/changes.hpp"
#include "api/views/graph_views.hpp"
#include "base/free_memory.hpp"
#include "chess/notation.hpp"
#include "core/graphs/graph_slot.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <ranges>
#include <span>
#include <unordered_set>

namespace adjourn::server {

using analysis::Graph;
using analysis::GraphMove;
using analysis::NodeId;
using nlohmann::json;

namespace {

constexpr std::size_t most_of_each = 20; // list

json first_of(const json& pv) {
    return pv.empty() ? json(nullptr) : pv.front();
}

json root_moves(const RootThen& before, const RootThen& after, const chess::Position& root) {
    json out = json::array();
    for (const auto& [move, alpha] : after.moves) {
        json entry = move_json(root, move);
        entry["after"] = score_json(alpha, root.turn());
        entry["before"] = nullptr;
        for (const auto& [old, was] : before.moves) {
            if (old == move) {
                entry["before"] = score_json(was, root.turn());
            }
        }
        if (entry["before"] != entry["after"]) {
            out.push_back(std::move(entry));
        }
    }
    return out;
}

// A position with what decides there; null: nothing does.
struct Judged {
    const Graph& graph;
    NodeId node;
    const analysis::JointSearch* court = nullptr;

    chess::Score value(std::size_t i) const {
        return after_court(graph, graph.moves(node)[i], graph.game_value_of(node, i), court);
    }
    std::vector<std::size_t> ordered() const { // its moves, best first
        const auto moves = graph.moves(node);
        std::vector<std::size_t> order(moves.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t i) {
            return analysis::move_order(graph, moves[i], value(i));
        });
        return order;
    }
};

// `line`: what occurred twice before the root, and the root.
RootThen look_at(const Judged& judged, const std::vector<NodeId>& line,
                 const chess::Position& root) {
    const Graph& graph = judged.graph;
    RootThen then;
    const analysis::LineValues values{graph, line, judged.court};
    then.alpha = values.alpha();
    for (const std::size_t i : judged.ordered()) {
        then.moves.emplace_back(graph.moves(line.back())[i].move, values.alpha_of(i).value);
    }
    chess::Position position = root;
    for (const chess::Move move :
         analysis::alpha_pv(graph, line, analysis::longest_pv, judged.court)) {
        then.pv.push_back(chess::to_san(position, move));
        position.play(move);
    }
    return then;
}

// Breadth first from the root, best moves first; new are positions that were not expanded before
// and whose parent was. `before` has the first nodes of `graph`, which may grow meanwhile.
Differences compare(const Judged& then, const Judged& now, chess::Color at_root,
                    const GraphReading& reading) {
    const Graph& before = then.graph;
    const Graph& graph = now.graph;
    const NodeId root = now.node;
    struct Open {
        NodeId node;
        std::vector<chess::Move> line;
    };
    std::vector<Open> open{{root, {}}};
    std::unordered_set<NodeId> met{root};
    const auto was = [&](NodeId node) {
        return static_cast<std::size_t>(node) < before.node_count();
    };
    Differences found;
    for (std::size_t next = 0; next < open.size() && next < most_positions_seen; ++next) {
        reading.breathe();
        const auto [node, line] = std::move(open[next]);
        const Judged here = node == root ? now : Judged{graph, node};
        const std::vector<std::size_t> order = here.ordered();
        const bool known = was(node) && before.expanded(node);
        if (known) {
            // The best move then and now, where the one of then is worth less than the other now.
            const auto moves = graph.moves(node);
            const Judged there = node == root ? then : Judged{before, node};
            const chess::Move old = before.moves(node)[there.ordered().front()].move;
            const auto at = std::ranges::find(moves, old, &GraphMove::move) - moves.begin();
            if (here.value(static_cast<std::size_t>(at)) < here.value(order.front())) {
                found.best.push_back({line, old, moves[order.front()].move});
            }
        }
        for (const std::size_t i : order) {
            const GraphMove move = graph.moves(node)[i];
            if (!graph.expanded(move.target) || !met.insert(move.target).second) {
                continue;
            }
            std::vector<chess::Move> longer = line;
            longer.push_back(move.move);
            const bool white_moves =
                (longer.size() % 2 == 0 ? at_root : !at_root) == chess::Color::white;
            const auto white = [&](chess::Score score) { return white_moves ? score : -score; };
            const chess::Score is = *graph.game_value(move.target);
            const auto old = was(move.target) ? before.game_value(move.target) : std::nullopt;
            if (old && is != *old) {
                found.swings.push_back({longer, white(*old), white(is)});
            } else if (!old && (line.empty() || known)) {
                found.lines.push_back({longer, white(is)});
            }
            open.push_back({move.target, std::move(longer)});
        }
    }
    std::ranges::stable_sort(found.swings, std::greater{}, &Swing::size);
    std::ranges::stable_sort(found.lines, {}, [](const NewLine& line) { return line.line.size(); });
    return found;
}

// The positions of the newer facts, each as often as it has one; and what was known before of the
// positions whose moves have newer scores.
struct Newer {
    std::vector<NodeId> places;
    std::vector<analysis::Evaluation> older;
};

// Only facts that the graph does not tell enough of are more than seen.
Newer read_newer(const storage::Store& store, const GraphKey& key, const Graph& graph,
                 analysis::UnixMs since, const std::stop_token& stop) {
    Newer found;
    std::vector<analysis::EvaluationId> in_force; // the newer ones
    for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
        for (const GraphMove& move : graph.moves(NodeId{n})) {
            if (move.at > since) {
                in_force.push_back(move.evaluation);
                found.places.push_back(NodeId{n});
            }
        }
    }
    std::ranges::sort(in_force);
    const auto take = [&](const analysis::Evaluation& fact) {
        if (!analysis::counts(key.basis, fact)) {
            return;
        }
        if (fact.at <= since) {
            const bool renewed = key.renews(fact.question.engine);
            found.older.push_back(renewed ? analysis::provisional(fact, key.basis) : fact);
            found.older.back().pv = {};
        } else if (const auto node = graph.find(fact.question.position)) {
            found.places.push_back(*node);
        }
    };
    for (const analysis::EngineId engine : key.engines()) {
        auto next = in_force.begin(); // facts come in the order of their ids, as these are
        const auto wanted = [&](const storage::EvaluationMark& mark) {
            next = std::find_if(next, in_force.end(), [&](auto id) { return id >= mark.id; });
            const auto beside = [&](analysis::EvaluationId id) {
                return storage::position_of(id) == storage::position_of(mark.id);
            };
            return !stop.stop_requested() &&
                   (mark.at > since ? next == in_force.end() || *next != mark.id
                                    : (next != in_force.end() && beside(*next)) ||
                                          (next != in_force.begin() && beside(*(next - 1))));
        };
        store.for_each_evaluation(engine, take, {}, wanted);
    }
    return found;
}

// How many of the newer facts are of positions that the tree has.
std::size_t count_in_tree(const Graph& graph, NodeId root, const std::vector<NodeId>& newer) {
    std::vector<bool> met(graph.node_count());
    met[static_cast<std::size_t>(root)] = true;
    std::vector<NodeId> open;
    for (std::uint32_t n = 0; n < met.size(); ++n) { // in the order of memory, as far as it goes
        if (met[n]) {
            open.push_back(NodeId{n});
        }
        while (!open.empty()) {
            const NodeId node = open.back();
            open.pop_back();
            for (const GraphMove& move : graph.moves(node)) {
                const auto target = static_cast<std::size_t>(move.target);
                if (!met[target] && target < n) {
                    open.push_back(move.target);
                }
                met[target] = true;
            }
        }
    }
    // Of a position where nothing but an answer without score is known, none counts.
    return static_cast<std::size_t>(std::ranges::count_if(newer, [&](NodeId node) {
        return met[static_cast<std::size_t>(node)] && graph.expanded(node);
    }));
}

constexpr std::size_t most_entries = 200;
constexpr std::size_t most_leaving = 3; // games of one analysis
constexpr std::size_t most_swings = 3;  // the same
constexpr int least_swing = 50;         // cp

// Places at which one call may look for replies that lead to what is known: some 0.1 ms each. Each
// analysis that changed has its share, the nearest places first.
constexpr std::size_t most_places = 10'000;

std::string white_text(chess::Score score, chess::Color mover) {
    return chess::to_text(mover == chess::Color::white ? score : -score);
}

std::string counted_positions(std::size_t count) {
    return count == 1 ? "1 position" : std::to_string(count) + " positions";
}

std::string ended_text(const AnalysisRun& run) {
    const std::string& reason = run.record.state_reason;
    const std::string why = reason.empty() ? "" : ": " + reason;
    switch (run.record.state) {
    case storage::AnalysisState::settled:
        return fmt::format("Settled to depth {}{}", settled_level(run), why);
    case storage::AnalysisState::exhausted: return "Its budget is used" + why;
    case storage::AnalysisState::failed: return "Failed" + why;
    default: return "";
    }
}

std::string alpha_text(const RootThen& then, chess::Move move, chess::Color mover) {
    const auto found = std::ranges::find(then.moves, move, [](const auto& m) { return m.first; });
    return found == then.moves.end() ? "" : " " + white_text(found->second, mover);
}

} // namespace

json changes_told(const Changes& changes, const chess::Position& root) {
    const RootThen& before = changes.before;
    const RootThen& after = changes.after;
    const Differences& found = changes.found;
    json swings = json::array();
    for (const Swing& swing : found.swings | std::views::take(most_of_each)) {
        swings.push_back({{"line", line_json(root, swing.line)},
                          {"before", score_json(swing.before)},
                          {"after", score_json(swing.after)},
                          {"delta", chart_value(swing.after) - chart_value(swing.before)}});
    }
    json lines = json::array();
    for (const NewLine& line : found.lines | std::views::take(most_of_each)) {
        lines.push_back({{"line", line_json(root, line.line)}, {"alpha", score_json(line.alpha)}});
    }
    json best = json::array();
    for (const NewBest& change : found.best | std::views::take(most_of_each)) {
        const chess::Position position = root.after(change.line);
        best.push_back({{"line", line_json(root, change.line)},
                        {"before", move_json(position, change.before)},
                        {"after", move_json(position, change.after)}});
    }
    return {{"since", changes.since},
            {"now", changes.now},
            {"evaluations", changes.evaluations},
            {"best", {{"before", first_of(before.pv)}, {"after", first_of(after.pv)}}},
            {"alpha",
             {{"before", score_json(before.alpha, root.turn())},
              {"after", score_json(after.alpha, root.turn())}}},
            {"pv", {{"before", before.pv}, {"after", after.pv}}},
            {"moves", root_moves(before, after, root)},
            {"new_best", std::move(best)},
            {"swings", std::move(swings)},
            {"new_lines", std::move(lines)}};
}

Graph read_graph(const storage::Store& store, const GraphKey& key, const chess::Position& root,
                 const std::shared_ptr<const analysis::Tables>& tables,
                 const std::stop_token& stop) {
    analysis::GraphReader reader{tables, key.basis};
    for (const analysis::EngineId engine : key.engines()) {
        const bool renewed = key.renews(engine);
        const auto take = [&](const analysis::Evaluation& fact) {
            reader.take(renewed ? analysis::provisional(fact, key.basis) : fact);
        };
        store.for_each_evaluation(engine, take, {}, [&](const storage::EvaluationMark&) {
            return !stop.stop_requested();
        });
    }
    return reader.finish(std::span{&root, 1});
}

std::vector<Changes> changes_of(const storage::Store& store, const GraphKey& key,
                                const Graph& graph, const GraphReading& reading,
                                std::span<const ChangesAsked> asked, analysis::UnixMs since,
                                analysis::UnixMs now, const std::stop_token& stop) {
    std::vector<std::vector<NodeId>> lines; // to the roots
    for (const ChangesAsked& each : asked) {
        auto& line = lines.emplace_back();
        for (const chess::Position& position : each.repeated) {
            if (const auto known = graph.find(position.packed())) {
                line.push_back(*known);
            }
        }
        line.push_back(*graph.find(each.root.packed()));
    }
    Graph before = graph.copy_in_bulk();
    std::vector<std::size_t> evaluations;
    reading.without_graph([&] {
        const Newer newer = read_newer(store, key, before, since, stop);
        for (const auto& line : lines) {
            evaluations.push_back(count_in_tree(before, line.back(), newer.places));
        }
        before.go_back(since, newer.places, newer.older);
        if (!stop.stop_requested()) {
            before.end_bulk();
        }
    });
    std::vector<Changes> all;
    for (std::size_t i = 0; i < asked.size() && !stop.stop_requested(); ++i) {
        const NodeId node = lines[i].back();
        const auto judged = [&](const Graph& of) {
            return Judged{of, node, asked[i].court ? analysis::court_of(of, lines[i]) : nullptr};
        };
        Changes& changes = all.emplace_back(
            Changes{since,
                    now,
                    evaluations[i],
                    look_at(judged(before), lines[i], asked[i].root),
                    look_at(judged(graph), lines[i], asked[i].root),
                    compare(judged(before), judged(graph), asked[i].root.turn(), reading),
                    {}});
        if (const NewBest* best = changes.new_best()) {
            changes.refuted = analysis::refutation(graph, node, best->before, best->after, since);
        }
    }
    return all;
}

json changes_json(const storage::Store& store, const GraphKey& key, const Graph& graph,
                  const GraphReading& reading, const chess::Position& root,
                  const std::vector<chess::Position>& repeated, analysis::UnixMs since,
                  analysis::UnixMs now, const std::stop_token& stop, bool court) {
    const ChangesAsked asked{root, repeated, court};
    const auto all = changes_of(store, key, graph, reading, std::span{&asked, 1}, since, now, stop);
    base::give_back_free_memory(); // a tree was there
    return all.empty() ? json{} : changes_told(all.front(), root);
}

// `line` from the root.
struct Radar::Event {
    const char* kind;
    std::vector<chess::Move> line;
    analysis::UnixMs at;
    std::string before;
    std::string after;
    std::string text;
    const char* action; // how its place is searched; null: there is none
    std::vector<chess::Move> search;
};

Radar::Radar(const Core& core, analysis::UnixMs since, bool here)
    : store_{core.store()}, since_{since}, now_{core.complete()} {
    for (const auto& run : core.queue().runs()) {
        if (run->shown() == nullptr || run->transient) {
            continue;
        }
        const analysis::UnixMs newest = run->shown()->newest();
        now_ = run->shown()->complete_until(now_);
        const bool changed = newest > since;
        changed_ += changed ? 1 : 0;
        seen_.push_back({run->record.id, run->record.name, run->root, word(run->record.state),
                         ended_text(*run), newest, run->spec.labels,
                         changed ? std::make_unique<RunReader>(*run, here) : nullptr});
    }
}

json Radar::look(const std::stop_token& stop) {
    look_at_changes(stop);
    for (const Seen& seen : seen_) {
        if (stop.stop_requested()) {
            break;
        }
        if (seen.changed != nullptr) {
            tell_rejoins(seen);
        }
        tell_files(seen);
    }
    std::ranges::stable_sort(entries_, [](const json& a, const json& b) {
        return a["at"].get<std::int64_t>() > b["at"].get<std::int64_t>();
    });
    const std::size_t all = entries_.size();
    entries_.resize(std::min(all, most_entries));
    const std::size_t more = all - entries_.size();
    return {{"since", since_}, {"now", now_}, {"entries", std::move(entries_)}, {"more", more}};
}

// Those that share a graph are told of together: it goes back once.
void Radar::look_at_changes(const std::stop_token& stop) {
    std::map<GraphKey, std::vector<const Seen*>> by_graph;
    for (const Seen& seen : seen_) {
        if (seen.changed != nullptr) {
            by_graph[seen.changed->run().slot->key()].push_back(&seen);
        }
    }
    for (const auto& [key, all] : by_graph) {
        std::vector<ChangesAsked> asked;
        for (const Seen* seen : all) {
            const RunView& run = seen->changed->run();
            asked.push_back({seen->root, run.repeated,
                             analysis::strategy_of(run.spec.strategy.kind).has_anchor()});
        }
        const RunReader& reader = *all.front()->changed;
        const auto found = changes_of(store_, key, reader.run().slot->graph(), reader.read(), asked,
                                      since_, now_, stop);
        for (std::size_t i = 0; i < found.size(); ++i) {
            tell_changes(*all[i], found[i]);
        }
        base::give_back_free_memory(); // a tree was there
    }
}

void Radar::tell_changes(const Seen& seen, const Changes& changes) {
    if (changes.evaluations == 0) {
        return; // others of its graph were asked
    }
    if (!seen.ended.empty()) {
        tell(seen, {"ended", {}, seen.newest, "", seen.state, seen.ended, nullptr, {}});
    }
    if (const NewBest* best = changes.new_best()) {
        const std::string san = chess::to_numbered_san(seen.root, best->after),
                          before = chess::to_numbered_san(seen.root, best->before);
        const chess::Color mover = seen.root.turn();
        if (const auto& refuted = changes.refuted) {
            tell(seen, {"refutation",
                        {best->after},
                        seen.newest,
                        before,
                        san,
                        fmt::format("{} took the place of {} by what was found below, and has {} "
                                    "behind it, where {} has {}",
                                    san, before, counted_positions(refuted->behind_now), before,
                                    refuted->behind_before),
                        "deepen",
                        {best->after}});
        } else {
            tell(seen, {"best",
                        {best->after},
                        seen.newest,
                        before,
                        san,
                        fmt::format("New best move {}{}, before {}{}", san,
                                    alpha_text(changes.after, best->after, mover), before,
                                    alpha_text(changes.before, best->before, mover)),
                        "verify",
                        {}});
        }
    }
    std::size_t swings = 0;
    for (const Swing& swing : changes.found.swings) { // the largest first
        if (swing.size() < least_swing || ++swings > most_swings) {
            break;
        }
        const std::string before = chess::to_text(swing.before),
                          after = chess::to_text(swing.after);
        tell(seen, {"swing", swing.line, seen.newest, before, after,
                    fmt::format("After {} the value went from {} to {}",
                                chess::to_san_line(seen.root, swing.line), before, after),
                    "deepen", swing.line});
    }
}

void Radar::tell_rejoins(const Seen& seen) {
    std::vector<analysis::Rejoin> all;
    {
        const RunView& run = seen.changed->run();
        const GraphReading reading = seen.changed->read();
        analysis::RejoinLimits limits{.since = since_};
        limits.positions = std::min(limits.positions, most_places / changed_);
        analysis::RejoinSearch search{run.slot->graph(), run.root_node, limits};
        while (search.go_on()) {
            reading.breathe();
        }
        all = search.found();
    }
    for (const analysis::Rejoin& found : all) {
        const chess::Position leaf = seen.root.after(found.line);
        const chess::Color mover = !leaf.turn();
        std::vector<chess::Move> search = found.line;
        search.push_back(found.reply);
        const std::string engine = white_text(found.engine, mover),
                          known = white_text(found.known, mover);
        tell(seen,
             {"rejoin", found.line, found.at, engine, known,
              fmt::format("After {} the reply {} leads to a position that is searched: {} there, "
                          "where the engine alone said {}",
                          chess::to_san_line(seen.root, found.line),
                          chess::to_numbered_san(leaf, found.reply), known, engine),
              "include", search});
    }
}

void Radar::tell_files(const Seen& seen) {
    for (LeavingGame& game : games_that_leave(kept_files(store_, seen.id), seen.root, since_,
                                              most_leaving, seen.labels)) {
        const chess::Position from = left_from(seen.root, game);
        std::optional<int> loss;
        if (seen.changed != nullptr) { // else its graph is not at hand
            const GraphReading reading = seen.changed->read();
            loss = loss_by_leaving(seen.changed->run().slot->graph(), from, game);
        }
        std::string known;
        for (const chess::Move move : game.known) {
            known += (known.empty() ? "" : ", ") + chess::to_numbered_san(from, move);
        }
        const std::string played = chess::to_numbered_san(from, game.line.back());
        tell(seen, {"left", game.line, game.at, known, played,
                    fmt::format(
                        "{} leaves your files with {}{}; they have {}{}", game.players, played,
                        !game.me                  ? ""
                        : *game.me == from.turn() ? ", which you played"
                                                  : ", played against you",
                        known,
                        loss.value_or(0) == 0 ? ""
                                              : fmt::format(", {:.2f} {}", std::abs(*loss) / 100.0,
                                                            *loss > 0 ? "better" : "worse")),
                    "deepen", game.line});
    }
}

void Radar::tell(const Seen& seen, const Event& event) {
    json search;
    if (event.action != nullptr) {
        json moves = json::array();
        for (const json& step : line_json(seen.root, event.search)) {
            moves.push_back(step["uci"]);
        }
        search = {{"action", event.action}, {"moves", std::move(moves)}};
    }
    entries_.push_back(
        {{"analysis", {{"id", static_cast<std::int64_t>(seen.id)}, {"name", seen.name}}},
         {"kind", event.kind},
         {"at", event.at},
         {"line", line_json(seen.root, event.line)},
         {"root", seen.root.fen()},
         {"fen", seen.root.after(event.line).fen()},
         {"before", event.before},
         {"after", event.after},
         {"text", event.text},
         {"search", std::move(search)}});
}

} // namespace adjourn::server
