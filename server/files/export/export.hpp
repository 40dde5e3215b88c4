// What of an analysis goes into a file. The files: docs/guide/import-export.md,
// docs/measurements/formats-corpus.md.
#pragma once

#include "analysis/estimate.hpp"
#include "chess/game_tree.hpp"
#include "core/graphs/analysis_run.hpp"
#include "core/graphs/graph_lock.hpp"
#include "core/graphs/line_end.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace adjourn::server {

// Where a PGN file says something of a move.
enum class CommentDensity : std::uint8_t {
    all,
    branches, // where there is a choice, and at the ends of lines
    leaves,   // at the ends of lines
    none,     // nowhere; what people wrote is not the engine's
};

// What of a person's work goes into a file: the games that they brought, moves that they included,
// notes and what they drew.
enum class OwnPart : std::uint8_t {
    all,
    annotated, // moves that lead to something said
    none,
};

// What of the engine's goes in.
enum class EnginePart : std::uint8_t {
    all,  // moves within the margin
    best, // of each position the best move
    none, // nor scores of the person's moves
};

struct PgnOptions {
    bool from_game = false; // begins where the analysis's moves begin, with these moves
    CommentDensity comments = CommentDensity::all;
    bool nags = false;   // $6, $2, $4 by what a move loses (chess/winning_chances.hpp)
    bool arrows = false; // [%cal] for the moves of a choice, the best one green
};

// Bounds are the engine's; the person's work is always there.
struct ExportLimits {
    int margin = 30;                 // cp behind the best move of each position
    std::size_t plies = 20;          // from the exported position
    std::size_t max_moves = 100'000; // in the whole file
    // A repertoire: this side has the person's answer alone, without one its best move; the other
    // side has all within the margin.
    std::optional<chess::Color> one_sided{};
    PgnOptions pgn{};
    OwnPart mine = OwnPart::all;
    EnginePart engine = EnginePart::all;
    bool own_only = false; // of a repertoire: no best move where the person has no answer
};

// Of the 3,000 moves that a chapter of a lichess study holds (lila, Chapter.maxNodes); the others
// are the game's before them, and the person's.
inline constexpr std::size_t most_for_study = 2'500;

// Of a move of a Polyglot book: 10,000 of the best one; ten centipawns behind it halve the weight,
// down to 1.
std::uint16_t book_weight(chess::Score best, chess::Score score);

// OwnWork: what a person brought to an analysis and wrote into it, as far as it is exported.

struct OwnNote {
    std::vector<chess::Move> whole;               // from the start of the analysis's game
    std::optional<std::vector<chess::Move>> line; // from the root; none: the game went another way
    chess::Position position;
    std::string comment; // what was drawn and written, as a PGN comment has it
};

// What the games that a person brought say, as far as it is exported.
struct OwnGames {
    using ByPosition = std::unordered_map<chess::PackedPosition, std::vector<chess::Move>,
                                          chess::PackedPositionHash>;
    using Comments = std::unordered_map<chess::PackedPosition, std::vector<std::string>,
                                        chess::PackedPositionHash>;

    std::vector<chess::AnnotatedGame> games; // without what an export added to them
    std::optional<std::size_t> through;      // the first that reaches the exported position
    // The moves of that one; of a repertoire also the answers of all others.
    ByPosition moves;
    // Comments that a game had and that none has any more. An import made a note of each: it is not
    // the person's word now.
    Comments former;
};

struct OwnWork {
    std::shared_ptr<const OwnGames> games = std::make_shared<OwnGames>();
    std::vector<std::vector<chess::Move>> included; // lines from the root
    std::vector<OwnNote> notes;

    // The game that the tree goes into; null: none reaches the exported position.
    const chess::AnnotatedGame* game() const {
        return games->through ? &games->games[*games->through] : nullptr;
    }
};

// Calls `visit(node, position after it)` for each node of the tree, in the order of the text; the
// start is one.
void for_each_node(const chess::GameTree& tree,
                   const std::function<void(chess::GameTree::Node, const chess::Position&)>& visit);

// Where a game reaches the position: in its main line if it does there, else the first place.
std::optional<chess::GameTree::Node> node_at(const chess::GameTree& tree,
                                             const chess::Position& position);

// `games`: what the person brought; `earlier`: as they were before somebody changed them. Any
// thread; takes long where there are many.
OwnGames own_games(std::vector<chess::AnnotatedGame> games,
                   const std::vector<chess::AnnotatedGame>& earlier, const ExportLimits& limits,
                   const chess::Position& exported);

OwnWork own_work(const RunView& run, std::shared_ptr<const OwnGames> games, OwnPart part);

// ExportTree: the moves of an analysis that a file is to hold, whatever its format: bounded, best
// first, and each position worked out once.

// Scores are the mover's.
struct ExportMove {
    analysis::GraphMove move;
    analysis::NodeId source{}; // where it is played
    chess::Score alpha;
    chess::Score idea;
    bool repetition = false; // leads to a position of the line
    bool solved = false;     // of a line by endgame tables: no engine score, no place in the graph
    // Of the exported position's own moves, where there is one.
    std::optional<analysis::Estimate> estimate{};
    // The target is worked out at the end of this line from the exported position, not here.
    std::optional<std::vector<chess::Move>> transposes{};
    std::vector<ExportMove> replies{}; // best first; empty where it ends here
};

struct ExportTree {
    chess::Position start; // the exported position
    std::vector<ExportMove> moves;
    std::size_t count = 0;  // moves in all
    bool truncated = false; // max_moves left something out
};

// Best alpha first, then what lies within the margin and the person's moves. A position is worked
// out where it is met first, main lines before variations; so positions belong to the main line if
// they can. Where endgame tables solve a position, their line to the end follows.
// For readers. REQUIRES: run.slot, which `reading` holds.
ExportTree export_tree(const RunView& run, const GraphReading& reading,
                       const std::vector<chess::Move>& line, const ExportLimits& limits,
                       const OwnWork& own);

// What files are made of.
struct ExportOrder {
    const storage::Store& store;
    analysis::UnixMs now;
    const RunView& run;
    const std::vector<chess::Move>& line; // to the exported position, from the root
    const ExportLimits& limits;
    const OwnWork& own;
    std::string sure = {}; // what the answer there rests on; "" if that is not told
};

// The file's text of the chosen moves: any thread, reads the store.
std::string write_pgn(const ExportOrder& order, const ExportTree& tree);
std::string write_epd(const ExportOrder& order, const ExportTree& tree);
std::string write_polyglot(const ExportOrder& order, const ExportTree& tree);
std::string write_json(const ExportOrder& order, const ExportTree& tree);

// The evaluations that moves stand on, position by position.
class ExportFacts {
public:
    explicit ExportFacts(const storage::Store& store) : store_{store} {}

    // Null for moves by endgame tables, and if the store has it no more. Valid until the next call.
    // `position` is where the move is played.
    const analysis::Evaluation* of(const ExportMove& move, const chess::Position& position);

private:
    const storage::Store& store_;
    std::optional<analysis::NodeId> node_;
    std::vector<analysis::Evaluation> facts_;
};

// What PGN has besides moves: tags, and the engine's comments.

// Players and event as the analysis has them, opening, engine and settings. Unknown ones are not
// there. On the core's thread.
std::vector<chess::PgnTag> export_tags(const RunView& run, const std::vector<chess::Move>& line,
                                       bool from_game);

// Into those of a person's game, which stay as they are where they say anything. What an export
// said of engine and analysis is said anew.
void add_tags(std::vector<chess::PgnTag>& tags, const std::vector<chess::PgnTag>& more);

// EngineComments: scores and what belongs to them, into a game that has the moves of a tree.

// In comments of their own, the last ones behind each move; NAGs behind those that are there,
// unless one of their kind is. `path` leads to where the tree begins; `remark` is said there, too.
// Reads the store; any thread.
void add_engine_comments(chess::AnnotatedGame& game, const std::vector<chess::Move>& path,
                         const ExportTree& tree, const std::string& remark,
                         const PgnOptions& options, const storage::Store& store);

// The formats that an analysis can be exported in: one row each.

struct ExportFormat {
    std::string_view name; // in requests and on the command line
    std::string_view content_type;
    std::string_view ending; // of a file's name
    std::string (*write)(const ExportOrder& order, const ExportTree& tree);
};

// The default first.
std::span<const ExportFormat> export_formats();

// Of a file about the analysis: its players, else its name, as most file systems take them:
// "short-timman.pgn".
std::string export_file_name(const RunView& run, std::string_view ending);

} // namespace adjourn::server
