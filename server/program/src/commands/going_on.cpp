// `advance`, `extend` and `summary`: the game goes on, the work goes on, and what came of it.
#include "command.hpp"

#include "program/cli/common.hpp"
#include "program/client/remote.hpp"

#include <spdlog/fmt/fmt.h>

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

int summary(const GoingOn& options) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(now).count() -
                       std::llround(options.since * 3'600'000);
    return with_store(options.common, [&](Remote& remote) {
        const auto radar = remote.get("/api/v1/radar?since=" + std::to_string(since));
        if (!radar) {
            return failed(radar.error());
        }
        if (options.print_json) {
            std::cout << radar->dump() << "\n";
            return exit_done;
        }
        const std::size_t more = (*radar)["more"];
        std::cout << fmt::format("In the last {} hours: {}.\n", options.since,
                                 counted((*radar)["entries"].size() + more, "change", "changes"));
        for (const json& entry : (*radar)["entries"]) {
            const json& analysis = entry["analysis"];
            std::cout << "    " << analysis["id"] << "  " << analysis["name"].get<std::string>()
                      << ": " << entry["text"].get<std::string>() << "\n";
        }
        if (more > 0) {
            std::cout << "    and " << more << " more\n";
        }
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
