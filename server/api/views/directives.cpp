#include "api/views/view.hpp"

#include "analysis/graph.hpp"
#include "chess/notation.hpp"
#include "core/graphs/line_end.hpp"

#include <algorithm>
#include <tuple>

namespace adjourn::server {

using analysis::Graph;
using analysis::NodeId;
using nlohmann::json;

namespace {

constexpr std::size_t most_below = 10'000; // positions below a move: "so many or more"

// Centipawns that a move is behind; null where one of the two is no number of centipawns.
json loss(std::optional<chess::Score> best, std::optional<chess::Score> score) {
    const auto is_cp = [](std::optional<chess::Score> each) { return each && each->is_cp(); };
    return is_cp(best) && is_cp(score) ? json(best->centipawns() - score->centipawns())
                                       : json(nullptr);
}

// A position of the analysis, by the line that a directive hangs on.
struct Spot {
    const RunView& run;
    LineEnd standing;
    bool below = false; // the root; else what was before it is not known
    // The moves by what they are worth here, best first; values by index of the graph's moves.
    std::vector<std::size_t> order = {};
    std::vector<chess::Score> values = {};

    chess::Color mover() const { return standing.position.turn(); }
    const Graph& graph() const { return run.shown()->graph(); }
    std::span<const analysis::GraphMove> moves() const { return graph().moves(*standing.node); }
    std::size_t positions_below(NodeId node) const {
        return graph().expanded(node) ? run.shown()->positions_below(node, most_below) : 0;
    }
};

// REQUIRES: a graph that is shown.
Spot spot_of(const RunView& run, const Directive& said) {
    const auto line = run.from_root(said.line);
    Spot spot{run, {*chess::Position::unpack(said.position), {}, {}}, line.has_value()};
    if (line) {
        spot.standing = line_end(run, *line);
    } else if (const auto node = spot.graph().find(said.position)) {
        spot.standing.node = node;
        spot.standing.nodes = {*node};
    }
    if (!spot.standing.node) {
        return spot;
    }
    const analysis::LineValues values{spot.graph(), spot.standing.nodes,
                                      court_at(run, spot.standing.node)};
    const auto moves = spot.moves();
    for (std::size_t i = 0; i < moves.size(); ++i) {
        spot.order.push_back(i);
        spot.values.push_back(values.alpha_of(i).value);
    }
    std::ranges::sort(spot.order, {}, [&](std::size_t i) {
        return analysis::move_order(spot.graph(), moves[i], spot.values[i]);
    });
    return spot;
}

json without_move() {
    return {{"score", nullptr},
            {"rank", nullptr},
            {"loss", nullptr},
            {"best", nullptr},
            {"positions", 0}};
}

// What the tree knows of a move: its value here, how far it is behind, and what hangs below it.
json move_effect(const Spot& spot, chess::Move move) {
    json out = without_move();
    const auto moves = spot.standing.node ? spot.moves() : std::span<const analysis::GraphMove>{};
    if (!spot.order.empty()) {
        out["best"] = move_json(spot.standing.position, moves[spot.order.front()].move);
    }
    for (std::size_t rank = 0; rank < spot.order.size(); ++rank) {
        const std::size_t i = spot.order[rank];
        if (moves[i].move == move) {
            out["score"] = score_json(spot.values[i], spot.mover());
            out["rank"] = rank + 1;
            out["loss"] = loss(spot.values[spot.order.front()], spot.values[i]);
            out["positions"] = spot.positions_below(moves[i].target);
            return out;
        }
    }
    // One that is excluded is no move of the graph. What comes after it may be known all the same.
    const auto after = spot.graph().find(spot.standing.position.after(move).packed());
    const auto value = after ? spot.graph().game_value(*after) : std::nullopt;
    if (value) {
        const chess::Score backed_up = value->backed_up();
        out["score"] = score_json(backed_up, spot.mover());
        out["positions"] = spot.positions_below(*after);
        if (!spot.order.empty()) {
            out["loss"] = loss(spot.values[spot.order.front()], backed_up);
        }
    }
    return out;
}

std::string state_at(const Searched& searched, const Spot& spot) {
    const Graph& graph = spot.graph();
    if (spot.standing.node &&
        (graph.expanded(*spot.standing.node) || graph.exact(*spot.standing.node))) {
        return "searched";
    }
    return searched.contains(spot.standing.position.packed()) ? "searching" : "waiting";
}

// How far the best line goes on over positions that were searched.
std::size_t plies_searched(const Spot& spot) {
    if (!spot.standing.node) {
        return 0;
    }
    const Graph& graph = spot.graph();
    chess::Position position = spot.standing.position;
    std::size_t plies = 0;
    for (const chess::Move move :
         analysis::alpha_pv(graph, spot.standing.nodes, analysis::longest_pv,
                            court_at(spot.run, spot.standing.node))) {
        const auto node = graph.find(position.packed());
        if (!node || !graph.expanded(*node)) {
            break;
        }
        ++plies;
        position.play(move);
    }
    return plies;
}

const char* hold_word(Hold hold) {
    return hold == Hold::overtaken ? "overtaken" : "off_root";
}

struct Entry {
    const Directive& said;
    json out;
    // Of an exclusion that the graph has no word of its own on.
    bool word_wanted = false;
    std::optional<chess::Score> best = {}; // of what is left, mover's side
};

json shown(const RunView& run, const Directive& said, Hold hold) {
    const auto below = run.from_root(said.line);
    json out{{"at", said.at},
             {"action", name_of(said.action)},
             {"line", below ? line_json(run.root, *below) : line_json(run.made_at, said.line)},
             {"holds", hold == Hold::yes},
             {"effect", nullptr}};
    if (!below) {
        out["back"] = run.played.size();
    }
    if (hold != Hold::yes) {
        out["why"] = hold_word(hold);
    }
    const auto position = chess::Position::unpack(said.position);
    if (const auto move = move_of(said.action); move && position) {
        out["move"] = move_json(*position, *move);
    }
    if (const auto* note = std::get_if<Note>(&said.action)) {
        out["text"] = note->text;
    } else if (const auto* deepen = std::get_if<Deepen>(&said.action)) {
        out["plies"] = deepen->plies;
    }
    return out;
}

json effect_of(const RunView& run, const Searched& searched, Entry& entry) {
    const Action& action = entry.said.action;
    if (run.shown() == nullptr || is_remark(action) || std::holds_alternative<Clear>(action) ||
        !chess::Position::unpack(entry.said.position)) {
        return nullptr;
    }
    const Spot spot = spot_of(run, entry.said);
    if (std::holds_alternative<Now>(action)) {
        return {{"state", state_at(searched, spot)}};
    }
    if (std::holds_alternative<Deepen>(action)) {
        return {{"plies", plies_searched(spot)},
                {"positions",
                 spot.standing.node ? spot.positions_below(*spot.standing.node) : std::size_t{0}}};
    }
    json out = move_effect(spot, *move_of(action));
    entry.word_wanted = out["score"].is_null() && std::holds_alternative<Exclude>(action);
    if (!spot.order.empty()) {
        entry.best = spot.values[spot.order.front()];
    }
    return out;
}

// The largest word that the store has on a move that is excluded.
void add_word(Entry& entry, const GraphKey& key, const storage::Store& store) {
    const auto rank = [](const analysis::Evaluation& fact) {
        return std::tuple{analysis::effort(fact.question.limit), fact.at, fact.id};
    };
    std::optional<analysis::Evaluation> word;
    for (const analysis::Evaluation& fact : store.evaluations(entry.said.position)) {
        if (usable(fact) && fact.move == move_of(entry.said.action) &&
            key.holds(fact.question.engine) && (!word || rank(*word) < rank(fact))) {
            word = fact;
        }
    }
    if (word) {
        const auto position = *chess::Position::unpack(entry.said.position);
        entry.out["effect"]["score"] = score_json(word->score, position.turn());
        entry.out["effect"]["loss"] = loss(entry.best, word->score);
    }
}

} // namespace

Searched searched_now(const Core& core, const AnalysisRun& run) {
    Searched positions;
    if (const EngineSlot* engine = core.engines().of(run)) {
        for (const engine_bridge::ProcessStatus& process : engine->status()) {
            if (process.position) {
                positions.insert(process.position->packed());
            }
        }
    }
    return positions;
}

json directives_json(const RunReader& reader, const Searched& searched,
                     const storage::Store& store) {
    const RunView& run = reader.run();
    std::vector<Entry> entries;
    for (const auto& [said, hold] : held_directives(run)) {
        entries.push_back({*said, shown(run, *said, hold)});
    }
    {
        const GraphReading reading = reader.read();
        for (Entry& entry : entries) {
            entry.out["effect"] = effect_of(run, searched, entry);
            reading.breathe();
        }
    }
    json list = json::array();
    for (Entry& entry : entries) {
        if (entry.word_wanted) {
            add_word(entry, run.slot->key(), store);
        }
        list.push_back(std::move(entry.out));
    }
    return {{"directives", std::move(list)}};
}

} // namespace adjourn::server
