#include "command.hpp"

#include "chess/game_reader.hpp"
#include "chess/game_tree.hpp"
#include "chess/notation.hpp"
#include "chess/pgn_writer.hpp"
#include "core/records/value_json.hpp"
#include "program/cli/common.hpp"
#include "program/client/engine_work.hpp"
#include "program/client/remote.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
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
    std::string engine;
    std::uint64_t depth = 14;
    std::uint64_t nodes = 0;
    std::string output;
    bool print_json = false;
};

struct ReviewedGame {
    chess::AnnotatedGame game;
    std::vector<chess::Move> moves; // the main line
};

std::expected<ReviewedGame, std::string> game_of(const ReviewOptions& options) {
    std::ifstream file;
    if (options.file != "-") {
        file.open(options.file, std::ios::binary);
        if (!file) {
            return std::unexpected("cannot read " + options.file);
        }
    }
    chess::GameReader reader{options.file == "-" ? std::cin : file};
    std::optional<chess::AnnotatedGame> game;
    do {
        game = reader.next();
    } while (game && reader.number() < options.game);
    for (const chess::ReadingNote& note : reader.report().notes) {
        if (note.what.game == options.game) {
            if (note.main_line) { // half a game would be taken for the whole
                return std::unexpected(options.file + ": " + chess::to_text(note));
            }
            std::cerr << options.file << ": " << chess::to_text(note) << "\n";
        }
    }
    if (!game || reader.number() != options.game) {
        return std::unexpected(options.file + " has " + counted(reader.number(), "game", "games"));
    }
    ReviewedGame made{std::move(*game), {}};
    const chess::GameTree tree{made.game};
    for (auto node = tree.first_child(chess::GameTree::start); node != chess::GameTree::none;
         node = tree.first_child(node)) {
        made.moves.push_back(tree.move(node));
    }
    if (made.moves.empty()) {
        return std::unexpected(options.file + ": game " + std::to_string(options.game) +
                               " has no moves");
    }
    return made;
}

std::string line_text(const ReviewedGame& game) {
    std::string text;
    for (const json& move : line_json(game.game.start, game.moves)) {
        text += (text.empty() ? "" : ",") + move["uci"].get<std::string>();
    }
    return text;
}

json wanted_of(const ReviewOptions& options, const ReviewedGame& game) {
    json wanted{{"name", "Reviewed games"},
                {"position", {{"fen", game.game.start.fen()}}},
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

void print_side(const char* name, const json& side) {
    std::cout << fmt::format(
        "{:<6} accuracy {:>5}  inaccuracies {}, mistakes {}, blunders {}\n", name,
        side["accuracy"].is_null() ? std::string{"–"}
                                   : fmt::format("{:.1f} %", side["accuracy"].get<double>()),
        side["inaccuracies"].get<int>(), side["mistakes"].get<int>(), side["blunders"].get<int>());
}

void print_review(const json& seen, const ReviewedGame& game) {
    print_side("White", seen["white"]);
    print_side("Black", seen["black"]);
    const chess::Position& start = game.game.start;
    std::size_t ply = start.turn() == chess::Color::white ? 0 : 1;
    for (const json& move : seen["moves"]) {
        if (!move["judgement"].is_null()) {
            const std::string better =
                move["line"].empty() ? "" : move["line"].front()["san"].get<std::string>();
            std::cout << fmt::format(
                "{}{} {:<8} {}{}{}\n", static_cast<std::size_t>(start.fullmove_number()) + ply / 2,
                ply % 2 == 0 ? "." : "...", move["san"].get<std::string>(),
                move["judgement"].get<std::string>(), better.empty() ? "" : ", better " + better,
                move["missed"].get<bool>() ? " (a missed chance)" : "");
        }
        ++ply;
    }
}

int write_result(Remote& remote, const ReviewOptions& options, const ReviewedGame& game,
                 const std::string& path, const json& seen) {
    if (!options.output.empty()) {
        const auto pgn = remote.sent(path + "/review/game", chess::to_pgn(game.game));
        if (!pgn) {
            return failed(pgn.error().message);
        }
        std::ofstream out{options.output, std::ios::binary};
        out << *pgn;
        out.close();
        if (!out) {
            return failed("cannot write " + options.output);
        }
    }
    if (options.print_json) {
        std::cout << seen.dump() << std::endl;
    } else {
        print_review(seen, game);
    }
    return exit_done;
}

int run_review(Remote& remote, const ReviewOptions& options, const ReviewedGame& game) {
    const auto made = remote.start(wanted_of(options, game));
    if (!made) {
        return made.error().request ? bad_use(made.error().message) : failed(made.error().message);
    }
    const std::string path = "/api/v1/analyses/" + std::to_string(made->id);
    const std::string line = line_text(game);
    const std::string view = path + "/review?moves=" + line;
    bool asked = false;
    std::size_t told = 0;
    while (true) {
        const auto analysis = remote.get(path);
        if (!analysis) {
            return failed(analysis.error());
        }
        const auto seen = remote.get(view); // none before the engine has said who it is
        if (seen && !asked) {
            if (const auto order = remote.post(path + "/review", {{"moves", line}}); !order) {
                return failed(order.error());
            }
            asked = true;
        }
        if (seen && (*seen)["searched"] == (*seen)["positions"]) {
            return write_result(remote, options, game, path, *seen);
        }
        if ((*analysis)["state"] == "failed") {
            return failed((*analysis)["reason"].is_null()
                              ? "the analysis failed"
                              : (*analysis)["reason"].get<std::string>());
        }
        if (!(*analysis)["reason"].is_null() && (*analysis)["in_flight"] == 0 &&
            remote.hopeless(*analysis)) {
            remote.abandon(made->id);
            return failed((*analysis)["reason"].get<std::string>());
        }
        if (seen && (*seen)["searched"].get<std::size_t>() > told + 9) {
            told = (*seen)["searched"];
            std::cerr << told << " of " << (*seen)["positions"] << " positions\n";
        }
        if (wait_for_stop_signal(review_poll_ms)) {
            std::cerr << "stopped; what was searched is kept\n";
            return seen ? write_result(remote, options, game, path, *seen) : exit_done;
        }
    }
}

int review_game(const ReviewOptions& options) {
    const auto game = game_of(options);
    if (!game) {
        return bad_use(game.error());
    }
    if (const std::string problem = write_problem(options.output); !problem.empty()) {
        return bad_use("--output: " + problem);
    }
    return with_engines(options.common, options.engine,
                        [&](Remote& remote) { return run_review(remote, options, *game); });
}

} // namespace

void add_review(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<ReviewOptions>();
    CLI::App* command =
        app.add_subcommand("review", "search every position of a game and say what its moves cost");
    command->add_option("file", options->file, "PGN file, or - for standard input")
        ->required()
        ->type_name("FILE");
    command->add_option("--game", options->game, "which game of the file (default 1)")
        ->check(whole_number(1, 1'000'000'000));
    options->common.add_store(*command);
    options->common.add_config(*command);
    command->add_option("--engine", options->engine,
                        "engine profile of the config (default: the first)");
    command->add_option("--depth", options->depth, "plies an evaluation (default 14)")
        ->check(whole_number(1, 245));
    command->add_option("--nodes", options->nodes, "nodes an evaluation")
        ->check(whole_number(1, 1'000'000'000'000));
    command->add_option("-o,--output", options->output, "write the annotated game to this file")
        ->type_name("FILE");
    command->add_flag("--json", options->print_json, "print the review as one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return review_game(*options); }; });
}

} // namespace adjourn::server
