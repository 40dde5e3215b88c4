#include "import_each.hpp"

#include "base/text.hpp"
#include "chess/game_reader.hpp"
#include "chess/game_tree.hpp"
#include "chess/notation.hpp"
#include "chess/pgn_writer.hpp"
#include "core/records/labels.hpp"
#include "program/cli/common.hpp"
#include "program/cli/setting_options.hpp"
#include "program/client/engine_work.hpp"

#include <iostream>
#include <optional>
#include <vector>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr std::size_t most_games = 200;   // of a file: each becomes an analysis
constexpr std::size_t longest_name = 200; // bytes

struct Chapter {
    std::size_t number = 0; // in the file
    std::string name;
    std::string pgn;
    json wanted;          // as POST analyses takes it
    std::string left_out; // why no analysis is made of it; "": one is
};

std::string known(const chess::AnnotatedGame& game, std::string_view tag) {
    const std::string_view value = base::trimmed(chess::tag_value(game.tags, tag));
    return value == "?" ? "" : base::shortened(value, longest_name);
}

std::string name_of(const chess::AnnotatedGame& game, const std::string& file, std::size_t number) {
    const std::string white = known(game, "White");
    const std::string black = known(game, "Black");
    const std::string players = white + (white.empty() || black.empty() ? "" : " – ") + black;
    for (const std::string& name : {known(game, "ChapterName"), players, known(game, "Event")}) {
        if (!name.empty()) {
            return base::shortened(name, longest_name);
        }
    }
    return base::shortened(file + ", game " + std::to_string(number), longest_name);
}

std::vector<chess::Move> main_line(const chess::AnnotatedGame& game) {
    const chess::GameTree tree{game};
    std::vector<chess::Move> moves;
    for (auto node = tree.first_child(chess::GameTree::start); node != chess::GameTree::none;
         node = tree.first_child(node)) {
        moves.push_back(tree.move(node));
    }
    return moves;
}

json labels_of(const chess::AnnotatedGame& game) {
    json labels = json::object();
    for (const auto& [field, tag] :
         {std::pair{"white", "White"}, std::pair{"black", "Black"}, std::pair{"event", "Event"},
          std::pair{"site", "Site"}, std::pair{"round", "Round"}, std::pair{"date", "Date"}}) {
        if (const std::string value = known(game, tag);
            !value.empty() && value.find('?') == std::string::npos) {
            labels[field] = value;
        }
    }
    return labels;
}

Chapter chapter_of(const chess::AnnotatedGame& game, std::size_t number, const std::string& file,
                   const EachGame& options) {
    Chapter chapter{number, name_of(game, file, number), chess::to_pgn(game),
                    SettingOptions{}.wanted(), ""};
    const std::vector<chess::Move> moves = main_line(game);
    json line = json::array();
    chess::Position position = game.start;
    for (const chess::Move move : options.at_start ? std::vector<chess::Move>{} : moves) {
        line.push_back(chess::to_uci(position, move));
        position.play(move);
    }
    if (game.start == chess::Position::initial() && moves.empty()) {
        chapter.left_out = "it has no moves";
    } else if (position.terminal() != chess::Terminal::no) {
        chapter.left_out = "it is over at its end, so there is nothing to analyse; with "
                           "--at start it is analysed from its beginning";
    }
    chapter.wanted.update({{"name", chapter.name},
                           {"position", {{"fen", game.start.fen()}, {"moves", line}}},
                           {"game", labels_of(game)}});
    if (options.hold) {
        chapter.wanted["hold"] = true;
    }
    return chapter;
}

int make(Remote& remote, const std::vector<Chapter>& chapters, const std::string& file,
         const EachGame& options) {
    json made = json::array();
    bool all = true;
    for (const Chapter& chapter : chapters) {
        const std::string where = file + ": game " + std::to_string(chapter.number) + ": ";
        if (!chapter.left_out.empty()) {
            std::cerr << where << chapter.left_out << '\n';
            all = false;
            continue;
        }
        const auto analysis = remote.post("/api/v1/analyses", chapter.wanted);
        if (!analysis) {
            return failed(where + analysis.error());
        }
        const std::int64_t id = (*analysis)["id"];
        const auto kept = remote.post("/api/v1/analyses/" + std::to_string(id) + "/files",
                                      {{"name", file}, {"pgn", chapter.pgn}});
        if (!kept) {
            return failed(where + "analysis " + std::to_string(id) +
                          " is made, but the game is not kept: " + kept.error());
        }
        made.push_back({{"id", id},
                        {"name", chapter.name},
                        {"game", chapter.number},
                        {"file", (*kept)["id"]},
                        {"seeds", (*kept)["seeds"]}});
        if (!options.print_json) {
            std::cout << "analysis " << id << "  " << chapter.name << ": "
                      << counted((*kept)["seeds"].get<std::size_t>(), "seed", "seeds") << "\n";
        }
    }
    if (options.print_json) {
        std::cout << json{{"analyses", made}}.dump() << "\n";
    }
    return all || !made.empty() ? exit_done : exit_failed;
}

} // namespace

int import_each(const CommonOptions& common, std::istream& in, const std::string& name,
                const EachGame& options) {
    std::vector<Chapter> chapters;
    chess::GameReader reader{in};
    while (const auto game = reader.next()) {
        if (chapters.size() == most_games) {
            return bad_use(name + " has more than " + std::to_string(most_games) +
                           " games: that many analyses are not made at once");
        }
        chapters.push_back(chapter_of(*game, reader.number(), name, options));
    }
    for (const chess::ReadingNote& note : reader.report().notes) {
        std::cerr << name << ": " << chess::to_text(note) << '\n';
    }
    if (chapters.empty()) {
        return failed("there is no game in " + name);
    }
    return with_store(common,
                      [&](Remote& remote) { return make(remote, chapters, name, options); });
}

} // namespace adjourn::server
