#include "files/export/export.hpp"

#include "chess/epd.hpp"
#include "chess/notation.hpp"
#include "chess/pgn_comment.hpp"
#include "chess/pgn_writer.hpp"
#include "chess/polyglot.hpp"
#include "core/graphs/node_directives.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/records/strategy_json.hpp"
#include "files/openings/openings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

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

// Visits every position that has moves, main lines first.
void for_each_position(
    const std::vector<ExportMove>& moves, const chess::Position& position,
    const std::function<void(const chess::Position&, const std::vector<ExportMove>&)>& visit) {
    if (moves.empty()) {
        return;
    }
    visit(position, moves);
    for (const ExportMove& move : moves) {
        for_each_position(move.replies, position.after(move.move.move), visit);
    }
}

std::vector<chess::Move> main_line(const std::vector<ExportMove>& moves) {
    std::vector<chess::Move> line;
    for (const std::vector<ExportMove>* at = &moves; !at->empty(); at = &at->front().replies) {
        line.push_back(at->front().move.move);
    }
    return line;
}

constexpr std::uint32_t half_a_second = 500;

constexpr std::array<ExportFormat, 4> formats{
    {{"pgn", "application/x-chess-pgn; charset=utf-8", ".pgn", write_pgn},
     {"epd", "text/plain; charset=utf-8", ".epd", write_epd},
     {"polyglot", "application/octet-stream", ".bin", write_polyglot},
     {"json", "application/json", ".json", write_json}}};

// Small letters and digits with '-' between words.
std::string plain(const std::string& text) {
    constexpr std::size_t longest = 60;
    std::string name;
    for (const char c : folded(text)) {
        const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (kept) {
            name += c;
        } else if (!name.empty() && name.back() != '-') {
            name += '-';
        }
    }
    name = name.substr(0, longest);
    while (name.ends_with('-')) {
        name.pop_back();
    }
    return name;
}

// With nothing in it that reads as a command but what was drawn on the board.
std::string comment_of(const std::string& note) {
    std::string drawn = chess::marks_in_comment(note);
    std::string text = drawn.empty() ? note : chess::text_of_comment(note);
    for (auto at = text.find("[%"); at != std::string::npos; at = text.find("[%", at)) {
        text.insert(at + 1, " ");
    }
    drawn += drawn.empty() || text.empty() ? "" : " ";
    return chess::PgnComment::of(drawn + text).text;
}

// Without the moves that lead to nothing said; nothing if nothing is said.
std::vector<chess::GameToken> annotated_lines(const chess::AnnotatedGame& game) {
    struct Line {
        std::size_t kept = 0; // tokens up to the last thing said
    };
    std::vector<chess::GameToken> tokens;
    std::vector<Line> lines{{}};
    std::vector<std::size_t> starts;
    for (const chess::GameToken& token : game.moves) {
        if (std::holds_alternative<chess::VariationStart>(token)) {
            starts.push_back(tokens.size());
            tokens.push_back(token);
            lines.push_back({tokens.size()});
        } else if (std::holds_alternative<chess::VariationEnd>(token)) {
            const std::size_t start = starts.back();
            const std::size_t kept = lines.back().kept;
            starts.pop_back();
            lines.pop_back();
            const bool said = kept > start + 1;
            tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(said ? kept : start),
                         tokens.end());
            if (said) {
                tokens.push_back(token);
                lines.back().kept = tokens.size();
            }
        } else {
            tokens.push_back(token);
            if (chess::is_annotation(token)) {
                lines.back().kept = tokens.size();
            }
        }
    }
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(lines.front().kept), tokens.end());
    return tokens;
}

// As an import makes notes of them.
void for_each_comment(const chess::AnnotatedGame& game,
                      const std::function<void(const chess::Position&, std::string)>& visit) {
    const chess::GameTree tree{game};
    for_each_node(tree, [&](chess::GameTree::Node node, const chess::Position& position) {
        const auto range = tree.behind(node);
        for (std::size_t i = range.first; i < range.end; ++i) {
            const auto* comment = std::get_if<chess::PgnComment>(&game.moves[i]);
            if (comment != nullptr && !chess::is_exported(comment->text)) {
                visit(position, chess::said_in_comment(comment->text));
            }
        }
    });
}

} // namespace

std::string write_json(const ExportOrder& order, const ExportTree& tree) {
    const auto& [store, now, run, line, limits, own, sure] = order;
    json out;
    out["format"] = "adjourn-tree";
    out["version"] = 1;
    out["at"] = now;
    json& analysis = out["analysis"];
    analysis = definition_json(run.record, run.spec, run.start, run.moves_before());
    analysis["settled"] = settled_level(run);
    analysis["engine_name"] = run.slot->engine().name;
    out["line"] = line_json(run.root, line);
    out["sure"] = sure;
    out["bounds"] = {
        {"margin", limits.margin}, {"plies", limits.plies}, {"max_moves", limits.max_moves}};
    out["fen"] = tree.start.fen();
    out["turn"] = tree.start.turn() == chess::Color::white ? "white" : "black";
    out["count"] = tree.count;
    out["truncated"] = tree.truncated;
    out["moves"] = JsonTree{store, tree.start}.make(tree.moves, tree.start);
    return out.dump();
}

// Exports position by position: EPD and Polyglot.

std::string write_epd(const ExportOrder& order, const ExportTree& tree) {
    ExportFacts facts{order.store};
    std::string text;
    for_each_position(
        tree.moves, tree.start,
        [&](const chess::Position& position, const std::vector<ExportMove>& moves) {
            const ExportMove& best = moves.front();
            chess::EpdVerdict verdict;
            verdict.score = best.alpha;
            verdict.best = {best.move.move};
            verdict.pv = main_line(moves);
            if (const analysis::Evaluation* fact = facts.of(best, position)) {
                verdict.depth = fact->depth;
                verdict.nodes = fact->nodes;
                verdict.seconds = (fact->time_ms + half_a_second) / 1000;
            }
            text += chess::to_epd({position, chess::operations_of(position, verdict)}) + "\n";
        });
    return text;
}

std::uint16_t book_weight(chess::Score best, chess::Score score) {
    constexpr double heaviest = 10'000;
    constexpr double halving = 10; // cp
    const double gap = std::max(0, best.rank() - score.rank());
    return static_cast<std::uint16_t>(
        std::max(1.0, std::round(heaviest * std::exp2(-gap / halving))));
}

std::string write_polyglot(const ExportOrder&, const ExportTree& tree) {
    std::vector<chess::BookEntry> entries;
    for_each_position(tree.moves, tree.start,
                      [&](const chess::Position& position, const std::vector<ExportMove>& moves) {
                          const std::uint64_t key = chess::polyglot_key(position);
                          for (const ExportMove& move : moves) {
                              entries.push_back({key, chess::book_move(move.move.move),
                                                 book_weight(moves.front().alpha, move.alpha), 0});
                          }
                      });
    return chess::write_book(std::move(entries));
}

std::span<const ExportFormat> export_formats() {
    return formats;
}

std::string export_file_name(const RunView& run, std::string_view ending) {
    const GameLabels& game = run.spec.labels.game;
    std::string name = plain(game.white + " " + game.black);
    name = name.empty() ? plain(run.record.name) : name;
    return (name.empty() ? "adjourn-" + std::to_string(static_cast<std::int64_t>(run.record.id))
                         : name) +
           std::string{ending};
}

void for_each_node(
    const chess::GameTree& tree,
    const std::function<void(chess::GameTree::Node, const chess::Position&)>& visit) {
    struct Place {
        chess::Position current;
        chess::Position before; // the last move
    };
    const chess::AnnotatedGame& game = tree.game();
    std::vector<Place> places{{game.start, game.start}};
    chess::GameTree::Node next = chess::GameTree::start;
    visit(next++, game.start);
    for (const chess::GameToken& token : game.moves) {
        if (const auto* move = std::get_if<chess::Move>(&token)) {
            Place& at = places.back();
            at.before = at.current;
            at.current.play(*move);
            visit(next++, at.current);
        } else if (std::holds_alternative<chess::VariationStart>(token)) {
            places.push_back({places.back().before, places.back().before});
        } else if (std::holds_alternative<chess::VariationEnd>(token)) {
            places.pop_back();
        }
    }
}

std::optional<chess::GameTree::Node> node_at(const chess::GameTree& tree,
                                             const chess::Position& position) {
    std::optional<chess::GameTree::Node> main;
    std::optional<chess::GameTree::Node> first;
    for_each_node(tree, [&](chess::GameTree::Node node, const chess::Position& here) {
        if (here == position) {
            first = first.value_or(node);
            const bool in_main = node == chess::GameTree::start || tree.in_main_line(node);
            main = main || !in_main ? main : std::optional{node};
        }
    });
    return main ? main : first;
}

OwnGames own_games(std::vector<chess::AnnotatedGame> games,
                   const std::vector<chess::AnnotatedGame>& earlier, const ExportLimits& limits,
                   const chess::Position& exported) {
    OwnGames own;
    if (limits.mine == OwnPart::none) {
        return own;
    }
    for (const chess::AnnotatedGame& game : earlier) {
        for_each_comment(game, [&](const chess::Position& position, std::string text) {
            own.former[position.packed()].push_back(std::move(text));
        });
    }
    for (chess::AnnotatedGame& game : games) {
        for_each_comment(game, [&](const chess::Position& position, const std::string& text) {
            if (const auto found = own.former.find(position.packed()); found != own.former.end()) {
                std::erase(found->second, text);
            }
        });
        chess::remove_exported(game);
        if (limits.mine == OwnPart::annotated) {
            game.moves = annotated_lines(game);
        }
        if (limits.mine == OwnPart::all || !game.moves.empty()) {
            own.games.push_back(std::move(game));
        }
    }
    for (std::size_t i = 0; i < own.games.size(); ++i) {
        const chess::GameTree tree{own.games[i]};
        if (!own.through && node_at(tree, exported)) {
            own.through = i;
        } else if (!limits.one_sided) {
            continue; // a game of its own in the file
        }
        std::vector<chess::Position> places{tree.size(), own.games[i].start};
        for_each_node(tree, [&](chess::GameTree::Node node, const chess::Position& position) {
            places[node] = position;
            if (node != chess::GameTree::start) {
                const chess::Position& from = places[tree.parent(node)];
                if (own.through == i || from.turn() == limits.one_sided) {
                    own.moves[from.packed()].push_back(tree.move(node));
                }
            }
        });
    }
    return own;
}

OwnWork own_work(const RunView& run, std::shared_ptr<const OwnGames> games, OwnPart part) {
    OwnWork work;
    work.games = std::move(games);
    if (part == OwnPart::none) {
        return work;
    }
    if (part == OwnPart::all) {
        work.included = included_lines(run);
    }
    for (const Directive* said : notes_of(run.directives)) {
        const auto position = chess::Position::unpack(said->position);
        std::string comment = comment_of(std::get<Note>(said->action).text);
        const auto former = work.games->former.find(said->position);
        const bool gone = former != work.games->former.end() &&
                          std::ranges::find(former->second, comment) != former->second.end();
        if (position && !comment.empty() && !gone) {
            std::vector<chess::Move> whole = run.record.root_moves;
            whole.insert(whole.end(), said->line.begin(), said->line.end());
            work.notes.push_back(
                {std::move(whole), run.from_root(said->line), *position, std::move(comment)});
        }
    }
    return work;
}

} // namespace adjourn::server
