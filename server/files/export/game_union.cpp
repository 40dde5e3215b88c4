#include "files/export/game_union.hpp"

#include "chess/game_edit.hpp"
#include "chess/pgn_comment.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace adjourn::server {

namespace {

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

class Places {
public:
    Places(const Line& path, const ExportPlace& place) : path_{path}, line_{place.line} {
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

} // namespace

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
    const Places places{made.path, place};
    for (const Line& line : own.included) {
        if (const auto there = places.of(line)) {
            draft.add_line(chess::GameDraft::start, *there);
        }
    }
    const chess::GameTree brought{made.game};
    std::optional<ByPosition> elsewhere;
    for (const OwnNote& note : own.notes) {
        auto there = note.line ? places.of(*note.line) : std::nullopt;
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

} // namespace adjourn::server
