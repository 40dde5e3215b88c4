#include "chess/notation.hpp"
#include "core/records/analysis_definition.hpp"
#include "core/records/value_json.hpp"
#include "files/export/export_tree.hpp"

namespace adjourn::server {

using nlohmann::json;

namespace {

class JsonTree {
public:
    JsonTree(const storage::Store& store, const chess::Position& from)
        : facts_{store}, from_{from} {}

    json make(const std::vector<ExportMove>& moves, const chess::Position& position) {
        json list = json::array();
        for (const ExportMove& move : moves) {
            list.push_back(entry(move, position));
        }
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (!moves[i].replies.empty()) {
                list[i]["moves"] = make(moves[i].replies, position.after(moves[i].move.move));
            }
        }
        return list;
    }

private:
    json entry(const ExportMove& move, const chess::Position& position) {
        const chess::Color mover = position.turn();
        json out = move_json(position, move.move.move);
        out["alpha"] = score_json(move.alpha, mover);
        out["idea"] = score_json(move.idea, mover);
        const analysis::Evaluation* fact = facts_.of(move, position);
        out["engine"] = nullptr;
        if (!move.solved) {
            out["engine"] = {{"score", score_json(move.move.engine_score, mover)},
                             {"depth", fact == nullptr ? json{} : json(fact->depth)},
                             {"nodes", fact == nullptr ? json{} : json(fact->nodes)},
                             {"at", static_cast<analysis::UnixMs>(move.move.at)}};
            if (fact != nullptr && fact->wdl) {
                out["engine"]["wdl"] = wdl_json(*fact->wdl, mover);
            }
            if (fact != nullptr && !fact->machine.empty()) {
                out["engine"]["machine"] = fact->machine;
            }
        }
        out["repetition"] = move.repetition;
        out["transposes"] = nullptr;
        if (move.transposes) {
            out["transposes"] = json::array();
            for (const json& step : line_json(from_, *move.transposes)) {
                out["transposes"].push_back(step["uci"]);
            }
        }
        out["moves"] = json::array();
        return out;
    }

    ExportFacts facts_;
    chess::Position from_;
};

} // namespace

ExportWriter json_writer(const ExportOrder& order) {
    const auto& [core, run, line, limits, own, sure] = order;
    json head;
    head["format"] = "adjourn-tree";
    head["version"] = 1;
    head["at"] = core.now();
    json& analysis = head["analysis"];
    analysis = definition_json(run.record, run.spec, run.start, run.moves_before());
    analysis["settled"] = settled_level(run);
    analysis["engine_name"] = run.slot->engine().name;
    head["line"] = line_json(run.root, line);
    head["sure"] = sure;
    head["bounds"] = {
        {"margin", limits.margin}, {"plies", limits.plies}, {"max_moves", limits.max_moves}};
    return [&store = core.store(), head = std::move(head)](const ExportTree& tree) {
        json out = head;
        out["fen"] = tree.start.fen();
        out["turn"] = tree.start.turn() == chess::Color::white ? "white" : "black";
        out["count"] = tree.count;
        out["truncated"] = tree.truncated;
        out["moves"] = JsonTree{store, tree.start}.make(tree.moves, tree.start);
        return ExportText{out.dump()};
    };
}

} // namespace adjourn::server
