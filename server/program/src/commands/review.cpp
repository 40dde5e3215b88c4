#include "command.hpp"

#include "chess/notation.hpp"
#include "chess/pgn.hpp"
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
#include <sstream>

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

// The main line of the game that is wanted.
class GameTaker : public chess::PgnVisitor {
public:
    chess::PgnGame game;
    std::string problem;

    void begin_game() override { *this = GameTaker{}; }
    void tag(std::string_view name, std::string_view value) override {
        game.tags.push_back({std::string{name}, std::string{value}});
    }
    bool begin_moves(const chess::Position& start) override {
        game.start = start;
        return true;
    }
    void move(const chess::Position&, chess::Move move) override {
        if (depth_ == 0) {
            game.moves.push_back(move);
        }
    }
    void null_move(const chess::Position&) override {
        if (depth_ == 0 && problem.empty()) {
            problem = "the game has a null move";
        }
    }
    void begin_variation() override { ++depth_; }
    void end_variation() override { --depth_; }
    void error(const chess::PgnError& error) override {
        if (depth_ == 0 && problem.empty()) {
            problem = chess::to_text(error);
        }
    }

private:
    int depth_ = 0;
};

std::expected<chess::PgnGame, std::string> game_of(const ReviewOptions& options) {
    std::ifstream file;
    if (options.file != "-") {
        file.open(options.file, std::ios::binary);
        if (!file) {
            return std::unexpected("cannot read " + options.file);
        }
    }
    chess::PgnReader reader{options.file == "-" ? std::cin : file};
    GameTaker taker;
    std::size_t read = 0;
    while (read < options.game && reader.read_game(taker)) {
        ++read;
    }
    if (read < options.game) {
        return std::unexpected(options.file + " has " + counted(read, "game", "games"));
    }
    if (!taker.problem.empty()) {
        return std::unexpected(options.file + ": " + taker.problem);
    }
    if (taker.game.moves.empty()) {
        return std::unexpected(options.file + ": game " + std::to_string(options.game) +
                               " has no moves");
    }
    return std::move(taker.game);
}

// With the game's own tags in the place of those that say nothing.
std::string with_tags(const std::string& pgn, const std::vector<chess::PgnTag>& tags) {
    std::istringstream in{pgn};
    std::string out;
    bool head = true;
    for (std::string line; std::getline(in, line);) {
        head = head && !line.empty();
        const auto own = std::ranges::find_if(tags, [&](const chess::PgnTag& tag) {
            return head && line.starts_with("[" + tag.name + " ") && tag.name != "FEN" &&
                   tag.name != "SetUp" && tag.name != "Annotator" && tag.name != "Variant";
        });
        if (own != tags.end()) {
            std::string value;
            for (const char c : own->value) {
                value += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
            }
            line = "[" + own->name + " \"" + value + "\"]";
        }
        out += line + "\n";
    }
    return out;
}

std::string line_text(const chess::PgnGame& game) {
    std::string text;
    for (const json& move : line_json(game.start, game.moves)) {
        text += (text.empty() ? "" : ",") + move["uci"].get<std::string>();
    }
    return text;
}

json wanted_of(const ReviewOptions& options, const chess::PgnGame& game) {
    json wanted{{"name", "Reviewed games"},
                {"position", {{"fen", game.start.fen()}}},
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

void print_review(const json& seen, const chess::PgnGame& game) {
    print_side("White", seen["white"]);
    print_side("Black", seen["black"]);
    std::size_t ply = game.start.turn() == chess::Color::white ? 0 : 1;
    for (const json& move : seen["moves"]) {
        if (!move["judgement"].is_null()) {
            const std::string better =
                move["line"].empty() ? "" : move["line"].front()["san"].get<std::string>();
            std::cout << fmt::format(
                "{}{} {:<8} {}{}{}\n",
                static_cast<std::size_t>(game.start.fullmove_number()) + ply / 2,
                ply % 2 == 0 ? "." : "...", move["san"].get<std::string>(),
                move["judgement"].get<std::string>(), better.empty() ? "" : ", better " + better,
                move["missed"].get<bool>() ? " (a missed chance)" : "");
        }
        ++ply;
    }
}

int write_result(Remote& remote, const ReviewOptions& options, const chess::PgnGame& game,
                 const std::string& view, const json& seen) {
    if (!options.output.empty()) {
        const auto pgn = remote.text(view + "&format=pgn");
        if (!pgn) {
            return failed(pgn.error().message);
        }
        std::ofstream out{options.output, std::ios::binary};
        out << with_tags(*pgn, game.tags);
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

int run_review(Remote& remote, const ReviewOptions& options, const chess::PgnGame& game) {
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
            return write_result(remote, options, game, view, *seen);
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
            return seen ? write_result(remote, options, game, view, *seen) : exit_done;
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
