// `advance`, `extend` and `summary`: the game goes on, the work goes on, and what came of it.
#include "command.hpp"

#include "program/cli/common.hpp"
#include "program/cli/progress.hpp"
#include "program/client/engine_work.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>

namespace adjourn::server {

using nlohmann::json;

namespace {

struct GoingOn {
    CommonOptions common;
    std::int64_t id = 0;
    std::vector<std::string> moves;
    int back = 0;
    double hours = 0;
    int levels = 0;
    std::int64_t positions = 0;
    std::int64_t nodes = 0;
    double since = 12; // hours
    bool print_json = false;
};

std::string path_of(const GoingOn& options, const char* call) {
    return "/api/v1/analyses/" + std::to_string(options.id) + call;
}

std::string san_of(const json& line) {
    std::string text;
    for (const json& move : line) {
        text += (text.empty() ? "" : " ") + move["san"].get<std::string>();
    }
    return text;
}

int told(const std::expected<json, std::string>& analysis, const GoingOn& options) {
    if (!analysis) {
        return failed(analysis.error());
    }
    if (options.print_json) {
        std::cout << analysis->dump() << "\n";
        return exit_done;
    }
    const json& now = *analysis;
    const std::string reason = now["reason"].is_string() ? now["reason"].get<std::string>() : "";
    const std::string moves = now["san"].get<std::string>();
    std::cout << "analysis " << now["id"] << ", " << now["name"].get<std::string>() << ": "
              << now["state"].get<std::string>() << (reason.empty() ? "" : ", " + reason) << "\n"
              << "after " << (moves.empty() ? "no move" : moves) << "\n";
    return exit_done;
}

int advance(const GoingOn& options) {
    if (options.moves.empty() && options.back == 0) {
        return bad_use("name the moves that were played, or --back with how many to take back");
    }
    std::string moves;
    for (const std::string& part : options.moves) {
        moves += (moves.empty() ? "" : " ") + part;
    }
    json body = json::object();
    if (!moves.empty()) {
        body["moves"] = moves;
    }
    if (options.back > 0) {
        body["back"] = options.back;
    }
    return with_store(options.common, [&](Remote& remote) {
        return told(remote.post(path_of(options, "/advance"), body), options);
    });
}

int extend(const GoingOn& options) {
    json body = json::object();
    if (options.hours > 0) {
        body["hours"] = options.hours;
    }
    if (options.levels > 0) {
        body["levels"] = options.levels;
    }
    if (options.positions > 0) {
        body["positions"] = options.positions;
    }
    if (options.nodes > 0) {
        body["nodes"] = options.nodes;
    }
    if (body.size() != 1) {
        return bad_use("say one of --hours, --levels, --positions and --nodes");
    }
    return with_store(options.common, [&](Remote& remote) {
        return told(remote.post(path_of(options, "/extend"), body), options);
    });
}

void print(const json& analysis) {
    std::cout << "\n" << analysis["id"] << "  " << analysis["name"].get<std::string>();
    const json& game = analysis["game"];
    if (game.contains("opponent")) {
        std::cout << ", against " << game["opponent"].get<std::string>();
    }
    if (game.contains("move_by")) {
        std::cout << ", move by " << game["move_by"].get<std::string>();
    }
    std::cout << "  [" << analysis["state"].get<std::string>()
              << (analysis["reason"].is_string() ? ": " + analysis["reason"].get<std::string>()
                                                 : "")
              << "]\n";
    for (const json& move : analysis["played"]) {
        std::cout << "    played " << move["san"].get<std::string>() << ": "
                  << (move["in_tree"].get<bool>() ? "in the tree" : "not in the tree");
        if (move["best"].is_object()) {
            std::cout << (move["best"]["uci"] == move["uci"]
                              ? ", and the best move"
                              : ", best was " + move["best"]["san"].get<std::string>());
        }
        std::cout << "\n";
    }
    const json& settled = analysis["settled"];
    if (settled["after"] != settled["before"]) {
        std::cout << "    settled to depth " << settled["after"] << " (was " << settled["before"]
                  << ")\n";
    }
    const json& changes = analysis["changes"];
    if (changes.is_null()) {
        std::cout << "    its tree cannot be looked at now\n";
        return;
    }
    const json& best = changes["best"];
    const json& alpha = changes["alpha"];
    if (best["after"].is_string()) {
        const bool new_move = best["before"] != best["after"];
        std::cout << "    best " << best["after"].get<std::string>() << " "
                  << score_text(alpha["after"]);
        if (best["before"].is_string()) {
            std::cout << " (was " << (new_move ? best["before"].get<std::string>() + " " : "")
                      << score_text(alpha["before"]) << ")";
        }
        std::cout << ", " << changes["evaluations"] << " new evaluations\n";
    }
    constexpr std::size_t most = 3;
    for (std::size_t i = 0; i < changes["swings"].size() && i < most; ++i) {
        const json& swing = changes["swings"][i];
        std::cout << "    swing after " << san_of(swing["line"]) << ": "
                  << score_text(swing["before"]) << " → " << score_text(swing["after"]) << "\n";
    }
}

void print_radar(const json& radar) {
    const json& entries = radar["entries"];
    if (const std::size_t unseen = radar["unseen"]; unseen > 0) {
        std::cout << "\nNot looked at this time: " << counted(unseen, "analysis", "analyses")
                  << ".\n";
    }
    if (entries.empty()) {
        return;
    }
    std::cout << "\nWorth a look:\n";
    constexpr std::size_t most = 20;
    for (std::size_t i = 0; i < entries.size() && i < most; ++i) {
        const json& analysis = entries[i]["analysis"];
        std::cout << "    " << analysis["id"] << "  " << analysis["name"].get<std::string>() << ": "
                  << entries[i]["text"].get<std::string>() << "\n";
    }
    const std::size_t more =
        entries.size() - std::min(entries.size(), most) + radar["more"].get<std::size_t>();
    if (more > 0) {
        std::cout << "    and " << more << " more\n";
    }
}

int summary(const GoingOn& options) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(now).count() -
                       std::llround(options.since * 3'600'000);
    return with_store(options.common, [&](Remote& remote) {
        const std::string when = "?since=" + std::to_string(since);
        auto all = remote.get("/api/v1/summary" + when);
        const auto radar = all ? remote.get("/api/v1/radar" + when) : all;
        if (!radar) {
            return failed(radar.error());
        }
        (*all)["radar"] = *radar;
        if (options.print_json) {
            std::cout << all->dump() << "\n";
            return exit_done;
        }
        const std::size_t changed = (*all)["analyses"].size();
        const std::size_t others = (*all)["unchanged"];
        std::cout << fmt::format("In the last {} hours {} of {} changed.\n", options.since, changed,
                                 counted(changed + others, "analysis", "analyses"));
        for (const json& analysis : (*all)["analyses"]) {
            print(analysis);
        }
        print_radar(*radar);
        return exit_done;
    });
}

CLI::App* add(CLI::App& app, Chosen& chosen, const char* name, const char* meaning,
              const std::shared_ptr<GoingOn>& options, int (*run)(const GoingOn&)) {
    CLI::App* command = app.add_subcommand(name, meaning);
    options->common.add_store(*command);
    options->common.add_config(*command);
    command->add_flag("--json", options->print_json, "print the answer as JSON");
    command->callback(
        [options, run, &chosen] { chosen = [options, run] { return run(*options); }; });
    return command;
}

} // namespace

void add_advance(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<GoingOn>();
    CLI::App* command =
        add(app, chosen, "advance", "the game went on: an analysis goes on after these moves",
            options, advance);
    add_analysis(*command, options->id);
    command->add_option("moves", options->moves, "moves that were played, such as Nf6 or g8f6")
        ->type_name("MOVES");
    command->add_option("--back", options->back, "take back so many of the last moves first")
        ->check(whole_number(1, 2'000));
}

void add_extend(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<GoingOn>();
    CLI::App* command =
        add(app, chosen, "extend", "more work for an analysis that has ended, or would end",
            options, extend);
    add_analysis(*command, options->id);
    command->add_option("--hours", options->hours, "hours of all processes of its engine")
        ->check(CLI::Range(0.001, 100'000.0));
    command->add_option("--levels", options->levels, "settled levels")->check(whole_number(1, 200));
    command->add_option("--positions", options->positions, "expanded positions")
        ->check(whole_number(1, 1'000'000'000));
    command->add_option("--nodes", options->nodes, "nodes of its own searches")
        ->check(whole_number(1, 1'000'000'000'000'000));
}

void add_summary(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<GoingOn>();
    CLI::App* command =
        add(app, chosen, "summary", "what has changed in all analyses, as of this morning", options,
            summary);
    command->add_option("--hours", options->since, "in the last hours (default 12)")
        ->check(CLI::Range(0.001, 100'000.0));
}

} // namespace adjourn::server
