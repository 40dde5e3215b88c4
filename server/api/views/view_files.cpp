#include "api/views/view.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "chess/notation.hpp"

#include <algorithm>

namespace adjourn::server {

using chess::GameTree;
using nlohmann::json;

namespace {

// What stands there, each only where there is some.
void add_annotations(json& out, const chess::AnnotatedGame& game, GameTree::Range range,
                     const char* comment) {
    std::string text;
    for (std::size_t i = range.first; i < range.end; ++i) {
        const chess::GameToken& token = game.moves[i];
        if (const auto* nag = std::get_if<chess::PgnNag>(&token)) {
            out["nags"].push_back(nag->number);
        } else if (const std::string* said = chess::comment_in(token)) {
            const std::string words = chess::text_of_comment(*said);
            text += (text.empty() || words.empty() ? "" : " ") + words;
            for (const chess::BoardMark& mark : chess::marks_of(*said)) {
                out["marks"].push_back(mark_text(mark));
            }
            for (const chess::PgnCommand& command : chess::commands_in_comment(*said)) {
                if (command.name == "clk") {
                    out["clock"] = command.body;
                }
            }
        }
    }
    if (!text.empty()) {
        out[comment] = text;
    }
}

json summary_json(const storage::FileRecord& version) {
    json out{{"number", version.number}, {"version", version.version}};
    const auto game = game_of(version.text);
    if (!game) {
        return out;
    }
    json tags = json::object();
    for (const chess::PgnTag& tag : game->tags) {
        tags.emplace(tag.name, tag.value); // of one that came twice the first
    }
    std::size_t depth = 0, plies = 0, variations = 0, comments = 0;
    for (const chess::GameToken& token : game->moves) {
        const bool begins = std::holds_alternative<chess::VariationStart>(token);
        depth += begins ? 1 : 0;
        depth -= std::holds_alternative<chess::VariationEnd>(token) ? 1 : 0;
        plies += depth == 0 && std::holds_alternative<chess::Move>(token) ? 1 : 0;
        variations += begins ? 1 : 0;
        comments += chess::comment_in(token) != nullptr ? 1 : 0;
    }
    out.update({{"tags", std::move(tags)},
                {"plies", plies},
                {"variations", variations},
                {"comments", comments}});
    return out;
}

} // namespace

std::string mark_text(const chess::BoardMark& mark) {
    std::string text{mark.color};
    for (const auto& square : {std::optional{mark.from}, mark.to}) {
        if (square) {
            text.append(square->name().data(), 2);
        }
    }
    return text;
}

std::optional<chess::BoardMark> mark_of(const std::string& text) {
    const auto marks = chess::marks_of((text.size() == 3 ? "[%csl " : "[%cal ") +
                                       base::replaced(text, "]", "") + "]");
    return marks.size() == 1 && mark_text(marks.front()) == text ? std::optional{marks.front()}
                                                                 : std::nullopt;
}

std::string path_text(const GameTree& tree, GameTree::Node node) {
    std::vector<std::size_t> numbers;
    while (node != GameTree::start) {
        std::size_t number = 0;
        const GameTree::Node parent = tree.parent(node);
        for (auto other = tree.first_child(parent); other != node;
             other = tree.next_sibling(other)) {
            ++number;
        }
        numbers.push_back(number);
        node = parent;
    }
    std::string text;
    for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
        text += (text.empty() ? "" : ".") + std::to_string(*number);
    }
    return text;
}

std::optional<GameTree::Node> node_at(const GameTree& tree, const std::string& path) {
    std::vector<std::size_t> numbers;
    bool sound = true;
    if (!path.empty()) {
        base::for_each_element(path, '.', [&](std::string_view part) {
            const auto number = base::parse_number<std::size_t>(part);
            sound = sound && number;
            numbers.push_back(number.value_or(0));
        });
    }
    const auto node =
        sound ? tree.find(std::span<const std::size_t>{numbers}) : std::optional<GameTree::Node>{};
    return node && path_text(tree, *node) == path ? node : std::nullopt;
}

json file_json(const KeptFile& file) {
    json games = json::array();
    for (const storage::FileRecord* version : file.games()) {
        games.push_back(summary_json(*version));
    }
    return {
        {"id", file.id()}, {"name", file.name()}, {"at", file.at()}, {"games", std::move(games)}};
}

json game_json(const storage::FileRecord& version) {
    json out{{"file", version.file},
             {"number", version.number},
             {"version", version.version},
             {"undo", version.before > 0}};
    const auto game = game_of(version.text);
    if (!game) {
        out["deleted"] = true;
        return out;
    }
    const GameTree tree{*game};
    json tags = json::array(), moves = json::array();
    for (const chess::PgnTag& tag : game->tags) {
        tags.push_back({{"name", tag.name}, {"value", tag.value}});
    }
    add_annotations(out, *game, tree.behind(GameTree::start), "comment");
    std::vector<chess::Position> positions(tree.size(), game->start);
    for (GameTree::Node node = 1; node < tree.size(); ++node) {
        const GameTree::Node parent = tree.parent(node);
        const chess::Move move = tree.move(node);
        json one{{"parent", parent},
                 {"uci", chess::to_uci(positions[parent], move)},
                 {"san", chess::to_san(positions[parent], move)}};
        positions[node] = positions[parent].after(move);
        const bool first = parent == GameTree::start && tree.in_main_line(node);
        if (const auto before = tree.before(node); before && !first) { // that is the game's
            add_annotations(one, *game, *before, "before");
        }
        add_annotations(one, *game, tree.behind(node), "comment");
        moves.push_back(std::move(one));
    }
    out.update({{"tags", std::move(tags)},
                {"start_fen", game->start.fen()},
                {"result", game->result},
                {"moves", std::move(moves)}});
    return out;
}

} // namespace adjourn::server
