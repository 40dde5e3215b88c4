#include "program/commands/command.hpp"

#include "chess/game_reader.hpp"
#include "chess/game_tree.hpp"
#include "chess/pgn_writer.hpp"
#include "files/kept/kept_file.hpp"
#include "program/client/remote.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr int review_poll_ms = 100;

struct ReviewOptions {
    CommonOptions common;
    std::string file;
    std::size_t game = 1;
    bool all = false;
    std::string engine;
    std::uint64_t depth = 14;
    std::uint64_t nodes = 0;
    std::string output;
    bool print_json = false;
};

// What is kept as a file: one game, or all.
struct GivenGames {
    std::string pgn;
    chess::Position start = chess::Position::initial(); // of the first one
};

void tell(const ReviewOptions& options, const chess::ReadingNote& note) {
    std::cerr << options.file << ": " << chess::to_text(note) << "\n";
}

std::expected<GivenGames, std::string> all_games(const ReviewOptions& options,
                                                 chess::GameReader& reader) {
    GivenGames given;
    while (const auto game = reader.next()) {
        if (reader.number() > most_kept_games) {
            return std::unexpected(options.file + " has more than " +
                                   std::to_string(most_kept_games) +
                                   " games; a file of a review has at most so many");
        }
        if (given.pgn.empty()) {
            given.start = game->start;
        }
        given.pgn += (given.pgn.empty() ? "" : "\n") + chess::to_pgn(*game);
    }
    for (const chess::ReadingNote& note : reader.report().notes) {
        tell(options, note);
    }
    if (given.pgn.empty()) {
        return std::unexpected("there is no game in " + options.file);
    }
    return given;
}

std::expected<GivenGames, std::string> one_game(const ReviewOptions& options,
                                                chess::GameReader& reader) {
    std::optional<chess::AnnotatedGame> game;
    do {
        game = reader.next();
    } while (game && reader.number() < options.game);
    for (const chess::ReadingNote& note : reader.report().notes) {
        if (note.what.game == options.game) {
            if (note.main_line) { // half a game would be taken for the whole
                return std::unexpected(options.file + ": " + chess::to_text(note));
            }
            tell(options, note);
        }
    }
    if (!game || reader.number() != options.game) {
        return std::unexpected(options.file + " has " + counted(reader.number(), "game", "games"));
    }
    if (chess::GameTree{*game}.size() == 1) {
        return std::unexpected(options.file + ": game " + std::to_string(options.game) +
                               " has no moves");
    }
    return GivenGames{chess::to_pgn(*game), game->start};
}

std::expected<GivenGames, std::string> given_games(const ReviewOptions& options) {
    std::ifstream file;
    if (options.file != "-") {
        file.open(options.file, std::ios::binary);
        if (!file) {
            return std::unexpected("cannot read " + options.file);
        }
    }
    chess::GameReader reader{options.file == "-" ? std::cin : file};
    return options.all ? all_games(options, reader) : one_game(options, reader);
}

json wanted_of(const ReviewOptions& options, const GivenGames& games) {
    json wanted{{"name", "Reviewed games"},
                {"position", {{"fen", games.start.fen()}}},
                {"strategy", {{"refine", 1}}},
                {"limit", {{"depth", options.depth}}}};
    if (options.nodes != 0) {
        wanted["limit"] = {{"nodes", options.nodes}};
    }
    if (!options.engine.empty()) {
        wanted["engine"] = options.engine;
    }
    return wanted;
}

std::string percent(const json& accuracy) {
    return accuracy.is_null() ? std::string{"–"} : fmt::format("{:.1f} %", accuracy.get<double>());
}

void print_side(const char* name, const json& side) {
    std::cout << fmt::format("{:<6} accuracy {:>5}  inaccuracies {}, mistakes {}, blunders {}\n",
                             name, percent(side["accuracy"]), side["inaccuracies"].get<int>(),
                             side["mistakes"].get<int>(), side["blunders"].get<int>());
}

void print_game(const json& seen) {
    print_side("White", seen["white"]);
    print_side("Black", seen["black"]);
    const auto start = chess::Position::from_fen(seen["start_fen"].get<std::string>());
    std::size_t ply = start->turn() == chess::Color::white ? 0 : 1;
    for (const json& move : seen["moves"]) {
        if (!move["judgement"].is_null()) {
            const std::string better =
                move["line"].empty() ? "" : move["line"].front()["san"].get<std::string>();
            std::cout << fmt::format(
                "{}{} {:<8} {}{}{}\n", static_cast<std::size_t>(start->fullmove_number()) + ply / 2,
                ply % 2 == 0 ? "." : "...", move["san"].get<std::string>(),
                move["judgement"].get<std::string>(), better.empty() ? "" : ", better " + better,
                move["missed"].get<bool>() ? " (a missed chance)" : "");
        }
        ++ply;
    }
}

std::string worst_text(const json& worst) {
    return worst.is_null() ? std::string{"–"}
                           : fmt::format("{}{} {}, {}", worst["number"].get<int>(),
                                         worst["side"] == "white" ? "." : "...",
                                         worst["san"].get<std::string>(),
                                         worst["judgement"].get<std::string>());
}

using TextRow = std::vector<std::string>;

// Columns as wide as what stands in them.
void print_rows(const std::vector<TextRow>& rows) {
    const auto length = [](const std::string& text) { // in characters
        return static_cast<std::size_t>(std::ranges::count_if(
            text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
    };
    std::vector<std::size_t> widths(rows.front().size());
    for (const TextRow& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], length(row[i]));
        }
    }
    for (const TextRow& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) {
                line += std::string(widths[i] - length(row[i]) + 2, ' ');
            }
        }
        std::cout << line << "\n";
    }
}

void print_table(const json& seen) {
    std::vector<TextRow> games{{"game", "White", "Black", "accuracy", "", "worst move"}};
    for (const json& game : seen["games"]) {
        const json& tags = game["tags"];
        games.push_back({std::to_string(game["number"].get<int>()), tags.value("White", "?"),
                         tags.value("Black", "?"), percent(game["white"]["accuracy"]),
                         percent(game["black"]["accuracy"]),
                         game["reason"].is_null() ? worst_text(game["worst"])
                                                  : game["reason"].get<std::string>()});
    }
    print_rows(games);
    std::vector<TextRow> players{
        {"player", "games", "accuracy", "inaccuracies", "mistakes", "blunders", "worst move"}};
    for (const json& player : seen["players"]) {
        TextRow row{player["name"], std::to_string(player["games"].get<int>()),
                    percent(player["accuracy"])};
        for (const char* count : {"inaccuracies", "mistakes", "blunders"}) {
            row.push_back(std::to_string(player[count].get<int>()));
        }
        const json& worst = player["worst"];
        row.push_back(worst_text(worst) +
                      (worst.is_null() ? "" : fmt::format(" (game {})", worst["game"].get<int>())));
        players.push_back(std::move(row));
    }
    if (players.size() > 1) {
        std::cout << "\n";
        print_rows(players);
    }
}

// A file that has been kept, and what is asked of it.
struct KeptReview {
    std::string analysis; // paths
    std::string file;
    bool all;

    std::string game(std::int64_t number) const {
        return file + "/games/" + std::to_string(number) + "/review";
    }
    std::string view() const { return all ? file + "/review" : game(1); }
};

// Of so many positions so many are searched.
std::pair<std::size_t, std::size_t> progress_of(const json& seen, bool all) {
    std::pair<std::size_t, std::size_t> sum{};
    for (const json& game : all ? seen["games"] : json{seen}) {
        sum.first += game["searched"].get<std::size_t>();
        sum.second += game["positions"].get<std::size_t>();
    }
    return sum;
}

int write_result(Remote& remote, const ReviewOptions& options, const KeptReview& kept,
                 const json& seen) {
    if (!options.output.empty()) {
        std::ofstream out{options.output, std::ios::binary};
        bool first = true;
        for (const json& game : kept.all ? seen["games"] : json{{{"number", 1}, {"reason", {}}}}) {
            if (!game["reason"].is_null()) {
                continue;
            }
            const auto pgn = remote.text(kept.game(game["number"]) + "?format=pgn");
            if (!pgn) {
                return failed(pgn.error());
            }
            out << (first ? "" : "\n") << *pgn;
            first = false;
        }
        out.close();
        if (!out) {
            return failed("cannot write " + options.output);
        }
    }
    if (options.print_json) {
        std::cout << seen.dump() << std::endl;
    } else if (kept.all) {
        print_table(seen);
    } else {
        print_game(seen);
    }
    return exit_done;
}

// All that is missing; each call asks for so much at most.
Remote::Or<void> ask(Remote& remote, const KeptReview& kept) {
    while (true) {
        const auto asked = remote.post(kept.file + "/review", json::object());
        if (!asked) {
            return std::unexpected(asked.error());
        }
        if ((*asked)["left"] == 0) {
            return {};
        }
    }
}

int follow_review(Remote& remote, const ReviewOptions& options, const KeptReview& kept,
                  std::int64_t id) {
    bool asked = false;
    std::size_t told = 0;
    while (true) {
        const auto analysis = remote.get(kept.analysis);
        if (!analysis) {
            return failed(analysis.error());
        }
        const auto seen = remote.get(kept.view()); // none before the engine has said who it is
        if (seen && !asked) {
            if (const auto order = ask(remote, kept); !order) {
                return failed(order.error());
            }
            asked = true;
        }
        const auto [searched, positions] =
            seen ? progress_of(*seen, kept.all) : std::pair<std::size_t, std::size_t>{0, 1};
        if (searched == positions) {
            return write_result(remote, options, kept, *seen);
        }
        if ((*analysis)["state"] == "failed") {
            return failed((*analysis)["reason"].is_null()
                              ? "the analysis failed"
                              : (*analysis)["reason"].get<std::string>());
        }
        if (remote.hopeless(*analysis)) {
            remote.abandon(id);
            return failed((*analysis)["reason"].get<std::string>());
        }
        if (searched > told + 9) {
            told = searched;
            std::cerr << told << " of " << positions << " positions\n";
        }
        // A table of many games is more work than a game.
        if (next_stop_signal(kept.all ? 5 * review_poll_ms : review_poll_ms)) {
            std::cerr << "stopped; what was searched is kept\n";
            return seen ? write_result(remote, options, kept, *seen) : exit_done;
        }
    }
}

int run_review(Remote& remote, const ReviewOptions& options, const GivenGames& games) {
    const auto made = remote.start(wanted_of(options, games));
    if (!made) {
        return refused(made.error());
    }
    const std::string path = "/api/v1/analyses/" + std::to_string(made->id);
    const std::string name =
        options.file == "-" ? "games.pgn" : std::filesystem::path{options.file}.filename().string();
    const auto brought =
        remote.post(path + "/files", {{"name", name}, {"pgn", games.pgn}, {"seeds", false}});
    if (!brought) {
        return failed(brought.error());
    }
    const std::string file =
        path + "/files/" + std::to_string((*brought)["id"].get<std::int64_t>());
    return follow_review(remote, options, {path, file, options.all}, made->id);
}

int review_games(const ReviewOptions& options) {
    const auto games = given_games(options);
    if (!games) {
        return bad_use(games.error());
    }
    if (const std::string problem = write_problem(options.output); !problem.empty()) {
        return bad_use("--output: " + problem);
    }
    return with_engines(options.common, options.engine,
                        [&](Remote& remote) { return run_review(remote, options, *games); });
}

} // namespace

void add_review(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<ReviewOptions>();
    CLI::App* command = app.add_subcommand(
        "review",
        "search every position of a game, or of all games of a file, and say what moves cost");
    command->add_option("file", options->file, "PGN file, or - for standard input")
        ->required()
        ->type_name("FILE");
    auto* game = command->add_option("--game", options->game, "which game of the file (default 1)")
                     ->check(whole_number(1, 1'000'000'000));
    command->add_flag("--all", options->all, "all games of the file, in one table")->excludes(game);
    options->common.add_to(*command);
    command->add_option("--engine", options->engine,
                        "engine profile of the config (default: the first)");
    command->add_option("--depth", options->depth, "plies an evaluation (default 14)")
        ->check(whole_number(1, 245));
    command->add_option("--nodes", options->nodes, "nodes an evaluation")
        ->check(whole_number(1, 1'000'000'000'000));
    command->add_option("-o,--output", options->output, "write the annotated games to this file")
        ->type_name("FILE");
    command->add_flag("--json", options->print_json, "print the review as one JSON object");
    command->callback(
        [options, &chosen] { chosen = [options] { return review_games(*options); }; });
}

} // namespace adjourn::server
