// `link`: an analysis is shown to people who have no token.
#include "command.hpp"

#include "program/cli/common.hpp"
#include "program/client/remote.hpp"

#include <array>
#include <ctime>
#include <iostream>
#include <limits>
#include <memory>

namespace adjourn::server {

using nlohmann::json;

namespace {

struct LinkOptions {
    CommonOptions common;
    std::int64_t id = 0;
    std::string name;
    std::int64_t file = 0; // 0: the whole analysis
    bool list = false;
    std::int64_t revoke = 0; // 0: none
    bool print_json = false;
};

std::string day_and_hour_of(std::int64_t unix_ms) {
    const std::time_t seconds = unix_ms / 1000;
    std::tm local{};
    std::array<char, 32> text{};
    localtime_r(&seconds, &local);
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &local);
    return text.data();
}

void print_link(const json& link, const std::string& page) {
    const std::string name = link["name"];
    const json& file = link["file"];
    std::cout << link["id"] << "  " << day_and_hour_of(link["at"])
              << (name.empty() ? "" : "  " + name)
              << (file.is_null() ? "" : "  (file " + file.dump() + " alone)") << "\n    " << page
              << link["path"].get<std::string>() << "\n";
}

int make_link(Remote& remote, const LinkOptions& options, const std::string& path) {
    json body = json::object();
    if (!options.name.empty()) {
        body["name"] = options.name;
    }
    if (options.file != 0) {
        body["file"] = options.file;
    }
    const auto link = remote.post(path, body);
    if (!link) {
        return failed(link.error());
    }
    if (options.print_json) {
        std::cout << link->dump() << "\n";
    } else {
        std::cout << remote.page() << (*link)["path"].get<std::string>() << "\n";
    }
    return exit_done;
}

int list_links(Remote& remote, const LinkOptions& options, const std::string& path) {
    const auto all = remote.get(path);
    if (!all) {
        return failed(all.error());
    }
    if (options.print_json) {
        std::cout << all->dump() << "\n";
        return exit_done;
    }
    if ((*all)["links"].empty()) {
        std::cout << "analysis " << options.id << " is not shared\n";
    }
    for (const json& link : (*all)["links"]) {
        print_link(link, remote.page());
    }
    return exit_done;
}

int run_link(const LinkOptions& options) {
    if (options.list && options.revoke != 0) {
        return bad_use("say one of --list and --revoke");
    }
    if ((options.list || options.revoke != 0) && (!options.name.empty() || options.file != 0)) {
        return bad_use("--name and --file are of a new link");
    }
    const std::string path = "/api/v1/analyses/" + std::to_string(options.id) + "/links";
    return with_store(options.common, [&](Remote& remote) {
        if (options.list) {
            return list_links(remote, options, path);
        }
        if (options.revoke == 0) {
            return make_link(remote, options, path);
        }
        if (const auto gone = remote.remove(path + "/" + std::to_string(options.revoke)); !gone) {
            return failed(gone.error());
        }
        if (!options.print_json) {
            std::cout << "link " << options.revoke << " does not hold any more\n";
        }
        return exit_done;
    });
}

} // namespace

void add_link(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<LinkOptions>();
    CLI::App* command = app.add_subcommand(
        "link", "show an analysis to others: a link that can only read, listed and revoked");
    options->common.add_store(*command);
    options->common.add_config(*command);
    const auto number = whole_number(1, std::numeric_limits<std::int64_t>::max());
    add_analysis(*command, options->id);
    command->add_option("--name", options->name, "whom it is for");
    command->add_option("--file", options->file, "only this file of its games")->check(number);
    command->add_flag("--list", options->list, "print the links that hold");
    command->add_option("--revoke", options->revoke, "the link of this number holds no longer")
        ->check(number);
    command->add_flag("--json", options->print_json, "print the answer as JSON");
    command->callback([options, &chosen] { chosen = [options] { return run_link(*options); }; });
}

} // namespace adjourn::server
