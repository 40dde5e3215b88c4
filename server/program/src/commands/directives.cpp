// `directives`: what people asked for in an analysis, and what has come of it.
#include "command.hpp"

#include "program/cli/common.hpp"
#include "program/cli/progress.hpp"
#include "program/client/remote.hpp"

#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>

#include <iostream>
#include <memory>

namespace adjourn::server {

using nlohmann::json;

namespace {

struct DirectivesCommand {
    CommonOptions common;
    std::int64_t id = 0;
    bool print_json = false;
};

std::string place_of(const json& said) {
    std::string text;
    for (const json& move : said["line"]) {
        text += (text.empty() ? "" : " ") + move["san"].get<std::string>();
    }
    if (said.contains("move")) {
        text += (text.empty() ? "" : " ") + said["move"]["san"].get<std::string>();
    }
    return text.empty() ? "the root" : text;
}

std::string effect_of(const json& said) {
    const json& effect = said["effect"];
    if (said.contains("text")) {
        return said["text"];
    }
    if (effect.is_null()) {
        return "";
    }
    if (effect.contains("state")) {
        return effect["state"];
    }
    if (effect.contains("plies")) {
        return fmt::format(
            "by {}; the best line goes on for {}, {}",
            counted(said["plies"].get<std::size_t>(), "ply", "plies"),
            counted(effect["plies"].get<std::size_t>(), "ply", "plies"),
            counted(effect["positions"].get<std::size_t>(), "position", "positions"));
    }
    if (effect["score"].is_null()) {
        return "no score yet";
    }
    std::string text = score_text(effect["score"]);
    if (effect["rank"].is_number()) {
        text += ", move " + effect["rank"].dump();
    }
    if (effect["loss"].is_number() && effect["best"].is_object() && effect["loss"] != 0) {
        const int loss = effect["loss"];
        text += fmt::format(", {} cp {} {}", std::abs(loss), loss > 0 ? "behind" : "better than",
                            effect["best"]["san"].get<std::string>());
    }
    return text + ", " + counted(effect["positions"].get<std::size_t>(), "position", "positions") +
           " below";
}

void print_directive(const json& said) {
    const std::time_t at = said["at"].get<std::int64_t>() / 1000;
    std::tm local{};
    localtime_r(&at, &local);
    const bool off = said.contains("back");
    std::cout << fmt::format("{:%Y-%m-%d %H:%M}  {:8} {}{}", local,
                             said["action"].get<std::string>(), place_of(said),
                             off ? " (not below the root)" : "");
    if (const std::string effect = effect_of(said); !effect.empty()) {
        std::cout << ": " << effect;
    }
    if (said["holds"] == false) {
        std::cout << (said["why"] == "overtaken" ? " [no effect: a later one is about the same]"
                                                 : " [waits: its line is off the root]");
    }
    std::cout << "\n";
}

int run(const DirectivesCommand& options) {
    return with_store(options.common, [&](Remote& remote) {
        const auto all =
            remote.get("/api/v1/analyses/" + std::to_string(options.id) + "/directives");
        if (!all) {
            return failed(all.error());
        }
        if (options.print_json) {
            std::cout << all->dump() << "\n";
            return exit_done;
        }
        for (const json& said : (*all)["directives"]) {
            print_directive(said);
        }
        if ((*all)["directives"].empty()) {
            std::cout << "nothing was asked for\n";
        }
        return exit_done;
    });
}

} // namespace

void add_directives(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<DirectivesCommand>();
    CLI::App* command = app.add_subcommand(
        "directives", "what people asked for in an analysis, and what has come of it");
    add_analysis(*command, options->id);
    options->common.add_store(*command);
    options->common.add_config(*command);
    command->add_flag("--json", options->print_json, "print the answer as JSON");
    command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

} // namespace adjourn::server
