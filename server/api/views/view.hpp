// Views: what the outside sees of analyses and positions, as JSON. Pure functions of the core's
// state; every score is turned to White's side here. Shapes: docs/api/reference.md.
#pragma once

#include "chess/game_tree.hpp"
#include "chess/pgn_comment.hpp"
#include "core/graphs/analysis_run.hpp"
#include "core/graphs/graph_lock.hpp"
#include "core/graphs/line_end.hpp"
#include "core/graphs/node_directives.hpp"
#include "core/records/strategy_json.hpp"
#include "core/schedule/core.hpp"
#include "files/kept/kept_file.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_set>
#include <vector>

namespace adjourn::server {

// cp of a score for charts: wins and losses clamped to ±1000.
int chart_value(chess::Score white);

// The text of `state` in the API.
const char* word(storage::AnalysisState state);

// The move that an analysis would play now. Scores are the mover's.
struct BestMove {
    chess::Move move;
    chess::Score alpha;
    chess::Score idea;
    bool solved = false; // by endgame tables
};
std::optional<BestMove> best_of(const AnalysisRun& run);

// ---- calls ----
nlohmann::json analysis_json(const Core& core, const AnalysisRun& run);
// Another engine has taken over: what it says of what the one before said. null: none has.
nlohmann::json renewal_json(const AnalysisRun& run);
// The same for those who have a link: what would tell of other analyses or of the server is empty.
nlohmann::json shown_by_link(nlohmann::json analysis);
nlohmann::json engine_json(const Core& core, const EngineSlot& engine, bool is_default);
// Lines are cut at 16 moves.
nlohmann::json look_json(const Core& core, const BoardSearch& look);
// A position as the graph sees it. What only the store knows of its moves is added by finish(), on
// any thread.
struct NodeDraft {
    nlohmann::json out;
    chess::PackedPosition position;
    storage::EngineRecord engine; // the analysis's own
    GraphKey key;                 // of its graph; without engine if it has none
    std::size_t legal = 0;        // number of legal moves
    // Of a move with an engine score, by its place in out["moves"]: where the score is from, and
    // who is known to have brought the move up.
    struct Move {
        chess::Move move;
        analysis::EvaluationId evaluation{};
        bool person = false;
        bool seed = false;
    };
    std::map<std::size_t, Move> moves;
    // The evaluation that alpha is the score of, at the end of its line.
    struct Behind {
        chess::PackedPosition position;
        chess::Color mover;
        analysis::EvaluationId evaluation{};
    };
    std::optional<Behind> behind;

    nlohmann::json finish(const storage::Store& store) const;
    // Only what the graph knows; `left_out` names what only the store has.
    nlohmann::json without_store() const;

private:
    static void count_proposals(nlohmann::json& result);
    void add_what_has_no_part(nlohmann::json& result,
                              const std::vector<analysis::Evaluation>& facts,
                              const storage::Store& store) const;
};
// Adds to a node what clouds say: `cloud` of each move, by which those without score are put in
// order; and `cloud_moves`, those that are not listed and that a cloud does not call bad.
void add_clouds(nlohmann::json& node, const chess::Position& here,
                const std::vector<storage::CloudRecord>& known);
NodeDraft node_draft(const Core& core, const AnalysisRun& run,
                     const std::vector<chess::Move>& line);

struct TreeLimits {
    std::size_t plies = 4;
    int margin = 50;         // cp behind the best move of each position
    std::size_t limit = 500; // nodes in all
};

struct DisagreementLimits {
    int gap = 15;           // cp between alpha and the engine's score, at least
    int margin = 100;       // cp behind the best move that are still followed
    std::size_t limit = 20; // findings
};
nlohmann::json history_json(const AnalysisRun& run);
nlohmann::json evaluations_json(const storage::Store& store, const chess::Position& position);
// Without `evaluations`, which the caller adds.
nlohmann::json positions_json(const Core& core, const chess::Position& position);

// A graph that nobody keeps, from the store's facts; of some of them where `stop` is asked for.
analysis::Graph read_graph(const storage::Store& store, const GraphKey& key,
                           const chess::Position& root,
                           const std::shared_ptr<const analysis::Tables>& tables,
                           const std::stop_token& stop = {});
// Compares the key's graph with a copy that is taken back to `since`: moves that are excluded now
// are left out of both. What came while it is read may count, too. Lists are in the order of values
// and lines, whatever the order of the facts. REQUIRES: the graph has the root, and `reading` holds
// it. Any thread; null soon after `stop` is asked for. `repeated`: RunView's; `court`: whether one
// decides at the root.
nlohmann::json changes_json(const storage::Store& store, const GraphKey& key,
                            const analysis::Graph& graph, const GraphReading& reading,
                            const chess::Position& root,
                            const std::vector<chess::Position>& repeated, analysis::UnixMs since,
                            analysis::UnixMs now, const std::stop_token& stop = {},
                            bool court = false);

// {"men","wdl","dtz","own","problems"}: docs/api/reference.md.
nlohmann::json tables_json(const tables::Inventory& inventory);

std::string metrics_text(const Core& core);

// Directives: what people asked for in an analysis and did not take back, and what has come of it.

using Searched = std::unordered_set<chess::PackedPosition, chess::PackedPositionHash>;
// What the analysis's engine searches at this moment, in any process. The core's thread.
Searched searched_now(const Core& core, const AnalysisRun& run);

// Any thread. Of an analysis without a graph nothing has come yet. Reads from the store what is
// known of moves that are excluded. Shape: docs/api/reference.md, GET directives.
nlohmann::json directives_json(const RunReader& reader, const Searched& searched,
                               const storage::Store& store);

// Files of games that people brought, as JSON. Pure.

nlohmann::json file_json(const KeptFile& file);
// For a board. `version` is the game's; of one that is deleted nothing but that.
nlohmann::json game_json(const storage::FileRecord& version);

// "Gd4" or "Ge2e4", as [%csl] and [%cal] have them.
std::string mark_text(const chess::BoardMark& mark);
std::optional<chess::BoardMark> mark_of(const std::string& text);
// Numbers among siblings, from 0, with dots between: "0.0.1"; of the start "".
std::string path_text(const chess::GameTree& tree, chess::GameTree::Node node);
// nullopt: that is no path, or it leads nowhere.
std::optional<chess::GameTree::Node> node_at(const chess::GameTree& tree, const std::string& path);

} // namespace adjourn::server
