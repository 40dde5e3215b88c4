#include "files/export/export.hpp"

#include "chess/game_edit.hpp"
#include "chess/notation.hpp"
#include "chess/pgn_comment.hpp"
#include "chess/pgn_writer.hpp"
#include "chess/score.hpp"
#include "core/graphs/line_end.hpp"
#include "files/openings/openings.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>

namespace adjourn::server {

namespace {

// GameUnion: the person's game that leads to the exported position, and into it all that the file
// is to have of the tree and of what people asked and wrote.

struct ExportPlace {
    chess::Position start;               // where the analysis's game begins
    std::vector<chess::Move> root_moves; // from there to the root
    std::vector<chess::Move> line;       // from the root to the exported position
    bool from_game = false;              // the file begins where the game does
};

struct GameUnion {
    chess::AnnotatedGame game;
    std::vector<chess::Move> path; // to the exported position
    bool brought = false;          // a person's: tags and result are theirs
    // The tree as a game of its own, if it has no room in the person's.
    std::optional<chess::AnnotatedGame> beside;
};

using Line = std::vector<chess::Move>;
using Node = chess::GameTree::Node;

// What can be reached through the node, with or without the moves that lead there.
chess::AnnotatedGame part_of(const chess::GameTree& tree, Node node, bool with_path) {
    const chess::AnnotatedGame& whole = tree.game();
    chess::AnnotatedGame part{whole.tags, whole.start, {}, whole.result, whole.behind};
    const auto copy = [&](std::size_t first, std::size_t end) {
        part.moves.insert(part.moves.end(),
                          whole.moves.begin() + static_cast<std::ptrdiff_t>(first),
                          whole.moves.begin() + static_cast<std::ptrdiff_t>(end));
    };
    std::vector<Node> path{node};
    while (path.back() != chess::GameTree::start) {
        path.push_back(tree.parent(path.back()));
    }
    std::ranges::reverse(path);
    for (const Node step : path) {
        if (with_path && step != chess::GameTree::start) {
            const auto before = tree.before(step);
            copy(before ? before->first : tree.token(step), tree.token(step) + 1);
        }
        if (with_path || step == node) {
            copy(tree.behind(step).first, tree.behind(step).end);
        }
    }
    copy(tree.end_of_variations(node),
         node == chess::GameTree::start ? whole.moves.size() : tree.line(node).end);
    if (!with_path) {
        part.start = tree.position(node);
        std::erase_if(part.tags, [](const chess::PgnTag& tag) {
            return tag.name == "FEN" || tag.name == "SetUp";
        });
        if (!(part.start == chess::Position::initial())) {
            part.tags.push_back({"SetUp", "1"});
            part.tags.push_back({"FEN", part.start.fen()});
        }
    }
    return part;
}

// The same where only clocks and the like differ.
bool says(const chess::GameToken& token, const std::string& comment) {
    const auto* said = std::get_if<chess::PgnComment>(&token);
    return said != nullptr &&
           chess::marks_in_comment(said->text) == chess::marks_in_comment(comment) &&
           chess::text_of_comment(said->text) == chess::text_of_comment(comment);
}

bool is_said(const chess::GameTree& tree, const Line& at, const std::string& comment) {
    const auto node = tree.find(at);
    if (!node) {
        return false;
    }
    const auto range = tree.behind(*node);
    for (std::size_t i = range.first; i < range.end; ++i) {
        if (says(tree.game().moves[i], comment)) {
            return true;
        }
    }
    return false;
}

void add_moves(chess::GameDraft& draft, chess::GameDraft::Node at,
               const std::vector<ExportMove>& moves) {
    for (const ExportMove& move : moves) {
        draft.add(at, move.move.move);
    }
    for (const ExportMove& move : moves) {
        add_moves(draft, draft.add(at, move.move.move), move.replies);
    }
}

bool begins_with(const Line& line, const Line& first) {
    return line.size() >= first.size() && std::equal(first.begin(), first.end(), line.begin());
}

class LinesInGame {
public:
    LinesInGame(const Line& path, const ExportPlace& place) : path_{path}, line_{place.line} {
        // A game may reach the exported position by other moves.
        rooted_ = path.size() >= line_.size() &&
                  std::equal(line_.begin(), line_.end(),
                             path.end() - static_cast<std::ptrdiff_t>(line_.size()));
    }

    // In the game, of a line from the root; none: it is not in the part that is exported.
    std::optional<Line> of(const Line& line) const {
        if (begins_with(line, line_)) {
            Line there = path_;
            there.insert(there.end(), line.begin() + static_cast<std::ptrdiff_t>(line_.size()),
                         line.end());
            return there;
        }
        if (rooted_ && begins_with(line_, line)) {
            const std::size_t back = line_.size() - line.size();
            return Line(path_.begin(), path_.end() - static_cast<std::ptrdiff_t>(back));
        }
        return std::nullopt;
    }

private:
    const Line& path_;
    const Line& line_;
    bool rooted_ = false;
};

using ByPosition = std::unordered_map<chess::PackedPosition, Line, chess::PackedPositionHash>;

ByPosition positions_of(const chess::AnnotatedGame& game) {
    ByPosition lines;
    const chess::GameTree tree{game};
    for_each_node(tree, [&](Node node, const chess::Position& position) {
        lines.try_emplace(position.packed(), tree.moves_to(node));
    });
    return lines;
}

// Moves and notes, not yet what is said of the engine's moves. Tokens of the person's game stay in
// their order; where only a part is exported (place.line), those that do not lead there are left
// out.
GameUnion make_union(const OwnWork& own, const ExportTree& tree, const ExportPlace& place) {
    GameUnion made;
    if (const chess::AnnotatedGame* game = own.game()) {
        const chess::GameTree brought{*game};
        const Node node = *node_at(brought, tree.start);
        made.brought = true;
        made.game =
            place.from_game && place.line.empty() ? *game : part_of(brought, node, place.from_game);
        made.path = place.from_game ? brought.moves_to(node) : Line{};
    } else if (place.from_game) {
        made.game.start = place.start;
        made.path = place.root_moves;
        made.path.insert(made.path.end(), place.line.begin(), place.line.end());
    } else {
        made.game.start = tree.start;
    }

    chess::GameDraft draft;
    add_moves(draft, draft.add_line(chess::GameDraft::start, made.path), tree.moves);
    const LinesInGame lines{made.path, place};
    for (const Line& line : own.included) {
        if (const auto there = lines.of(line)) {
            draft.add_line(chess::GameDraft::start, *there);
        }
    }
    const chess::GameTree brought{made.game};
    std::optional<ByPosition> elsewhere;
    for (const OwnNote& note : own.notes) {
        auto there = note.line ? lines.of(*note.line) : std::nullopt;
        if (!there && place.from_game && !made.brought) {
            there = note.whole;
        }
        if (!there) { // it may be reached by other moves
            if (!elsewhere) {
                elsewhere = positions_of({{}, made.game.start, draft.tokens(), "*", {}});
            }
            const auto found = elsewhere->find(note.position.packed());
            there = found == elsewhere->end() ? std::nullopt : std::optional{found->second};
        }
        if (there && !is_said(brought, *there, note.comment)) {
            draft.say(draft.add_line(chess::GameDraft::start, *there),
                      chess::PgnComment{note.comment});
        }
    }

    chess::AnnotatedGame found{{}, made.game.start, draft.tokens(), "*", {}};
    if (!made.brought) {
        made.game = std::move(found);
    } else if (auto merged = chess::merge(brought, found)) {
        made.game.moves = std::move(*merged);
    } else {
        made.beside = std::move(found);
    }
    return made;
}

std::string result_of(chess::Position position, const std::vector<ExportMove>& moves) {
    for (const std::vector<ExportMove>* at = &moves; !at->empty(); at = &at->front().replies) {
        position.play(at->front().move.move);
    }
    switch (position.terminal()) {
    case chess::Terminal::checkmate: return position.turn() == chess::Color::white ? "0-1" : "1-0";
    case chess::Terminal::stalemate:
    case chess::Terminal::dead: return "1/2-1/2";
    case chess::Terminal::no: break;
    }
    return "*";
}

std::string joined(const std::string& a, const std::string& b) {
    return a + (a.empty() || b.empty() ? "" : "; ") + b;
}

// What is known of the analysis when the export is asked for.
struct Subject {
    ExportPlace place;
    const OwnWork& own;
    PgnOptions options;
    std::vector<chess::PgnTag> tags;
    std::string remark; // what the move clock says at the exported position, and how sure it is
    bool drawn = false;
};

std::vector<chess::AnnotatedGame> games_of(const Subject& subject, const ExportTree& chosen,
                                           const storage::Store& store) {
    GameUnion made = make_union(subject.own, chosen, subject.place);
    const std::string result = subject.drawn ? "1/2-1/2" : result_of(chosen.start, chosen.moves);
    const auto finish = [&](chess::AnnotatedGame& game) {
        add_engine_comments(game, made.path, chosen, subject.remark, subject.options, store);
    };
    std::vector<chess::AnnotatedGame> games;
    if (made.brought) {
        add_tags(made.game.tags, subject.tags);
    } else {
        chess::AnnotatedGame whole = chess::new_game(made.game.start, subject.tags, result);
        whole.moves = std::move(made.game.moves);
        made.game = std::move(whole);
    }
    finish(made.game);
    games.push_back(std::move(made.game));
    if (made.beside) {
        chess::AnnotatedGame whole = chess::new_game(made.beside->start, subject.tags, result);
        whole.moves = std::move(made.beside->moves);
        finish(whole);
        games.push_back(std::move(whole));
    }
    const chess::AnnotatedGame* taken = subject.own.game();
    for (const chess::AnnotatedGame& game : subject.own.games->games) {
        if (subject.place.line.empty() && &game != taken) {
            games.push_back(game);
        }
    }
    return games;
}

std::string limit_text(const analysis::Limit& limit) {
    switch (limit.kind) {
    case analysis::Limit::Kind::depth: return fmt::format("depth {}", limit.amount);
    case analysis::Limit::Kind::nodes: return fmt::format("{} nodes", limit.amount);
    case analysis::Limit::Kind::movetime: return fmt::format("{} ms", limit.amount);
    }
    return "";
}

// "2024-05-01" as PGN writes it.
std::string pgn_date(std::string date) {
    std::ranges::replace(date, '-', '.');
    return date;
}

bool says_nothing(std::string_view value) {
    return value.find_first_not_of("?.-* ") == std::string_view::npos;
}

using Node = chess::GameTree::Node;
using Replies = std::vector<ExportMove>;

class EngineComments {
public:
    EngineComments(const chess::GameTree& game, const ExportTree& tree, const PgnOptions& options,
                   const storage::Store& store)
        : game_{game}, from_{tree.start}, options_{options}, facts_{store},
          replies_(game.size(), nullptr), moves_(game.size(), {nullptr, nullptr}), said_{game} {}

    std::vector<chess::GameToken> add(Node top, const ExportTree& tree, const std::string& remark) {
        replies_[top] = &tree.moves;
        for_each_node(game_, [&](Node node, const chess::Position& position) {
            find(node);
            std::string text = arrows(node, position);
            if (const auto [siblings, move] = moves_[node]; move != nullptr) {
                append(text, shown(*siblings, *move) ? comment(*move, position) : "");
                said_.say(node, nag(siblings->front(), *move), text,
                          options_.comments == CommentDensity::none);
            } else if (node == top) {
                append(text, remark);
                said_.say(node, std::nullopt, text);
            }
            learn(node, position);
        });
        return said_.take();
    }

private:
    // The move of the tree, and the replies to it.
    void find(Node node) {
        const Replies* siblings =
            node == chess::GameTree::start ? nullptr : replies_[game_.parent(node)];
        if (siblings == nullptr) {
            return;
        }
        const auto found = std::ranges::find(*siblings, game_.move(node),
                                             [](const ExportMove& each) { return each.move.move; });
        if (found != siblings->end()) {
            moves_[node] = {siblings, &*found};
            replies_[node] = &found->replies;
        }
    }

    // The depths of what is played at a position, all together: it is one look into the store.
    void learn(Node node, const chess::Position& position) {
        if (replies_[node] == nullptr || options_.comments == CommentDensity::none) {
            return;
        }
        for (const ExportMove& move : *replies_[node]) {
            if (const analysis::Evaluation* fact = facts_.of(move, position)) {
                const bool own = fact->wdl && fact->score == move.alpha;
                const chess::Color mover = position.turn();
                facts_of_.emplace(&move,
                                  Fact{fact->depth, !own                           ? std::nullopt
                                                    : mover == chess::Color::white ? fact->wdl
                                                                                   : -*fact->wdl});
            }
        }
    }

    bool shown(const std::vector<ExportMove>& siblings, const ExportMove& move) const {
        switch (options_.comments) {
        case CommentDensity::all: return true;
        case CommentDensity::branches: return siblings.size() > 1 || move.replies.empty();
        case CommentDensity::leaves: return move.replies.empty();
        case CommentDensity::none: break;
        }
        return false;
    }

    std::optional<std::uint8_t> nag(const ExportMove& best, const ExportMove& move) const {
        const double loss = chess::winning_chances(best.alpha) - chess::winning_chances(move.alpha);
        const int nag = options_.nags ? chess::nag_of_loss(loss) : 0;
        return nag == 0 ? std::nullopt : std::optional{static_cast<std::uint8_t>(nag)};
    }

    // For the moves of a choice.
    std::string arrows(Node node, const chess::Position& at) const {
        if (!options_.arrows || replies_[node] == nullptr || replies_[node]->size() < 2) {
            return "";
        }
        // Readers have a longest word (pgn-extract: a line of 75), and more arrows say nothing.
        constexpr std::size_t most_arrows = 8;
        const std::span moves{*replies_[node]};
        std::string text;
        for (const ExportMove& move : moves.first(std::min(moves.size(), most_arrows))) {
            text +=
                (text.empty() ? "[%cal G" : ",Y") + chess::to_uci(at, move.move.move).substr(0, 4);
        }
        return text + "]";
    }

    // Words behind words with a comma, behind a command with a blank.
    static void append(std::string& text, const std::string& words) {
        if (!words.empty()) {
            text += (text.empty() ? "" : text.ends_with(']') ? " " : ", ") + words;
        }
    }

    std::string comment(const ExportMove& move, const chess::Position& after) const {
        std::string text = eval(move, after);
        if (move.solved) {
            append(text, text.empty() ? "" : chess::to_text(from_white(move.alpha, !after.turn())));
            return text;
        }
        if (move.idea.rank() != move.alpha.rank()) {
            append(text, "idea " + chess::to_text(after_move(move.idea, after)));
        }
        if (move.estimate && move.estimate->searches > 1) {
            append(text, estimate_text(*move.estimate, !after.turn()));
        }
        if (move.repetition) {
            append(text, "repetition");
        }
        if (move.transposes) {
            append(text, "transposes to " + (move.transposes->empty()
                                                 ? "the start of this file"
                                                 : chess::to_san_line(from_, *move.transposes)));
        }
        return text;
    }

    // "[%eval 0.23,18] [%wdl 312,640,48]". Nothing is left to judge where the move has mated.
    std::string eval(const ExportMove& move, const chess::Position& after) const {
        if (after.terminal() == chess::Terminal::checkmate) {
            return "";
        }
        const auto found = facts_of_.find(&move);
        const Fact fact = found == facts_of_.end() ? Fact{} : found->second;
        return "[%eval " + chess::to_eval_text(after_move(move.alpha, after)) +
               (fact.depth < 1 ? "" : "," + std::to_string(fact.depth)) + "]" +
               (fact.wdl
                    ? fmt::format(" [%wdl {},{},{}]", fact.wdl->win, fact.wdl->draw, fact.wdl->loss)
                    : "");
    }

    // "estimate +0.21 (+0.05 to +0.37, 12 searches)": no command, so that nobody takes it for a
    // score.
    static std::string estimate_text(const analysis::Estimate& estimate, chess::Color mover) {
        const auto text = [&](double cp) {
            return chess::to_text(from_white(chess::Score::cp(std::lround(cp)), mover));
        };
        const bool white = mover == chess::Color::white;
        return fmt::format("estimate {} ({} to {}, {} searches)", text(estimate.cp),
                           text(white ? estimate.low : estimate.high),
                           text(white ? estimate.high : estimate.low), estimate.searches);
    }

    static chess::Score from_white(chess::Score score, chess::Color side) {
        return side == chess::Color::white ? score : -score;
    }
    // A move's value as that of the position it leads to, where readers count mates from.
    static chess::Score after_move(chess::Score move_value, const chess::Position& after) {
        return from_white(move_value.followed(), after.turn());
    }

    const chess::GameTree& game_;
    const chess::Position from_;
    const PgnOptions options_;
    ExportFacts facts_;
    std::vector<const Replies*> replies_; // in the tree, of each node; null: it is not in the tree
    std::vector<std::pair<const Replies*, const ExportMove*>> moves_; // siblings, and the move
    // Of a move's own evaluation.
    struct Fact {
        int depth = 0;
        std::optional<chess::WinDrawLoss> wdl; // White's, where alpha is that evaluation's score
    };
    std::unordered_map<const ExportMove*, Fact> facts_of_;
    chess::ExportedComments said_;
};

} // namespace

std::string write_pgn(const ExportOrder& order, const ExportTree& tree) {
    const auto& [store, now, run, line, limits, own, sure] = order;
    const chess::Position at = run.root.after(line);
    const PgnOptions& options = limits.pgn;
    const bool quiet =
        options.comments == CommentDensity::none || limits.engine == EnginePart::none;
    const Subject subject{{run.start, run.moves_before(), line, options.from_game},
                          own,
                          options,
                          export_tags(run, line, options.from_game),
                          quiet ? "" : joined(clock_note(run, at), sure),
                          drawn_by_clock(run, at)};
    const auto games = games_of(subject, tree, store);
    std::string file;
    for (const chess::AnnotatedGame& game : games) {
        file += (file.empty() ? "" : "\n") + chess::to_pgn(game);
    }
    return file;
}

std::vector<chess::PgnTag> export_tags(const RunView& run, const std::vector<chess::Move>& line,
                                       bool from_game) {
    std::vector<chess::PgnTag> tags;
    const auto add = [&](const char* name, std::string value) {
        if (!value.empty()) {
            tags.push_back({name, std::move(value)});
        }
    };
    const GameLabels& game = run.spec.labels.game;
    const bool played = !game.white.empty() || !game.black.empty();
    add("Event", game.event.empty() && !played ? run.record.name : game.event);
    add("Site", game.site);
    add("Date", pgn_date(game.date));
    add("Round", game.round);
    add("White", game.white);
    add("Black", game.black);
    const nlohmann::json opening = opening_json(run, line);
    if (opening.is_object()) {
        add("ECO", opening["eco"].get<std::string>());
        add("Opening", opening["name"].get<std::string>());
    }
    std::vector<chess::Move> before = run.moves_before();
    before.insert(before.end(), line.begin(), line.end());
    if (!before.empty() && !from_game) {
        add("Moves", chess::to_san_line(run.start, before));
    }
    add("Annotator", fmt::format("Adjourn {}", ADJOURN_VERSION));
    add("Engine", run.slot->engine().name);
    const analysis::StrategyParameters& strategy = run.spec.strategy;
    add("Analysis", fmt::format("{} an evaluation; {}, distance {}, settled to depth {}",
                                limit_text(run.record.limit), strategy.kind, strategy.move_distance,
                                settled_level(run)));
    return tags;
}

void add_tags(std::vector<chess::PgnTag>& tags, const std::vector<chess::PgnTag>& more) {
    constexpr std::array<std::string_view, 2> ours{"Engine", "Analysis"};
    const bool exported = !chess::tag_value(tags, "Analysis").empty();
    for (const chess::PgnTag& tag : more) {
        const auto found = std::ranges::find(tags, tag.name, &chess::PgnTag::name);
        const bool is_ours = std::ranges::find(ours, tag.name) != ours.end();
        if (found == tags.end()) {
            tags.push_back(tag);
        } else if (says_nothing(found->value) || (exported && is_ours)) {
            found->value = tag.value;
        }
    }
}

void add_engine_comments(chess::AnnotatedGame& game, const std::vector<chess::Move>& path,
                         const ExportTree& tree, const std::string& remark,
                         const PgnOptions& options, const storage::Store& store) {
    const chess::GameTree moves{game};
    const auto top = moves.find(path);
    if (top) {
        game.moves = EngineComments{moves, tree, options, store}.add(*top, tree, remark);
    }
}

} // namespace adjourn::server
