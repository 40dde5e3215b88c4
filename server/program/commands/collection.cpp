#include "program/commands/command.hpp"

#include "files/collections/collect.hpp"
#include "files/collections/collection.hpp"
#include "files/import/import.hpp"
#include "program/cli/common.hpp"

#include <spdlog/fmt/fmt.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

namespace adjourn::server {

namespace {

struct CollectionCommand {
    CommonOptions common;
    std::string name;
    std::vector<std::string> files;
    std::size_t plies = 40;
    int least_elo = 0;
    std::size_t least_games = 1;
    std::string player;

    collections::CollectionDirectory directory() const {
        return collections::CollectionDirectory{common.data_directory() /
                                                collections::directory_name};
    }
};

const CLI::Validator collection_name{
    [](const std::string& name) {
        return collections::is_name(name)
                   ? std::string{}
                   : "'" + name + "' is no name of a collection: " + collections::name_rule;
    },
    "", "collection name"};

void tell_report(const std::string& file, const collections::CollectReport& report,
                 double seconds) {
    for (const chess::PgnError& error : report.errors) {
        std::cerr << file << ": " << chess::to_text(error) << '\n';
    }
    if (report.damaged > report.errors.size()) {
        std::cerr << file << ": and " << report.damaged - report.errors.size()
                  << " more damaged games\n";
    }
    if (report.known) {
        std::cout << file << ": is in the collection already\n";
        return;
    }
    std::cout << file << ": " << counted(report.games, "game", "games") << ", "
              << counted(report.moves, "move", "moves") << fmt::format(" in {:.1f} s", seconds);
    const auto left_out = [](std::uint64_t count, const char* why) {
        if (count > 0) {
            std::cout << "; " << count << " " << why;
        }
    };
    left_out(report.without_result, "without a result");
    left_out(report.too_weak, "below the Elo");
    left_out(report.damaged, "damaged");
    std::cout << std::endl;
}

// False: the file could not be taken.
bool add_file(const CollectionCommand& command, const std::string& name) {
    using Clock = std::chrono::steady_clock;
    auto in = open_import_file(name);
    if (!in) {
        std::cerr << "adjourn: " << in.error() << '\n';
        return false;
    }
    std::error_code unknown;
    const std::uint64_t size = std::filesystem::file_size(name, unknown);
    const bool plain = !unknown && !is_packed(name);
    Bar bar{"reading " + import_name(name)};
    collections::CollectOptions options;
    options.plies = command.plies;
    options.least_elo = command.least_elo;
    options.least_games = command.least_games;
    options.player = command.player;
    options.progress = [&](std::uint64_t, std::uint64_t bytes) {
        if (plain) {
            bar.show(bytes, size);
        }
        return !next_stop_signal(0);
    };
    const auto began = Clock::now();
    const auto report =
        collections::collect(**in, import_name(name), collections::fingerprint_of_file(name),
                             command.directory().file(command.name), options);
    bar.end();
    if (!report) {
        std::cerr << "adjourn: " << name << ": " << report.error() << '\n';
        return false;
    }
    tell_report(name, *report, std::chrono::duration<double>(Clock::now() - began).count());
    return true;
}

int add(const CollectionCommand& command) {
    block_stop_signals();
    for (const std::string& file : command.files) {
        if (!add_file(command, file)) {
            return exit_failed; // those before it are in
        }
    }
    const auto collection = command.directory().open(command.name);
    if (!collection) {
        return failed("no game with a result was found");
    }
    const auto& info = collection->info();
    std::cout << command.name << ": " << counted(info.games, "game", "games") << ", "
              << counted(info.moves, "move", "moves") << " of positions, " << info.bytes << " bytes"
              << std::endl;
    return exit_done;
}

int list(const CollectionCommand& command) {
    const collections::CollectionDirectory directory = command.directory();
    for (const std::string& name : directory.names()) {
        const auto collection = directory.open(name);
        if (!collection) {
            std::cerr << "adjourn: " << collection.error() << '\n';
            continue;
        }
        const auto& info = collection->info();
        std::cout << fmt::format("{:<24}{:>12} games {:>12} moves {:>14} bytes\n", name, info.games,
                                 info.moves, info.bytes);
        for (const auto& source : info.sources) {
            std::cout << fmt::format("  {:<34}{:>12}\n", source.name, source.games);
        }
    }
    return exit_done;
}

int remove(const CollectionCommand& command) {
    return command.directory().remove(command.name)
               ? exit_done
               : failed("there is no collection " + command.name);
}

} // namespace

void add_collection(CLI::App& app, Chosen& chosen) {
    CLI::App* command =
        app.add_subcommand("collection", "games to compare with: what was played, and its results");
    command->require_subcommand(1);
    auto options = std::make_shared<CollectionCommand>();
    const auto name_of = [&](CLI::App* of) {
        of->add_option("name", options->name, collections::name_rule)
            ->required()
            ->check(collection_name)
            ->type_name("NAME");
        options->common.add_data(*of);
    };
    CLI::App* more = command->add_subcommand(
        "add", "count the games of PGN files; a file that is in it already is passed over");
    name_of(more);
    more->add_option("files", options->files,
                     "FILE.pgn, also .gz or .zst; - for the standard input")
        ->required()
        ->type_name("FILE");
    more->add_option("--plies", options->plies, "of each game so many (default 40)")
        ->check(whole_number(1, 1'000));
    more->add_option("--min-elo", options->least_elo, "games between players of so much Elo")
        ->check(whole_number(1, 4'000));
    more->add_option("--min-games", options->least_games,
                     "forget positions with fewer games, after each file (default 1)")
        ->check(whole_number(1, 1'000'000));
    more->add_option("--player", options->player,
                     "only the moves of this player: names, with semicolons between them");
    more->callback([options, &chosen] { chosen = [options] { return add(*options); }; });
    CLI::App* all = command->add_subcommand("list", "what there is, and from which files");
    options->common.add_data(*all);
    all->callback([options, &chosen] { chosen = [options] { return list(*options); }; });
    CLI::App* away = command->add_subcommand("remove", "delete a collection");
    name_of(away);
    away->callback([options, &chosen] { chosen = [options] { return remove(*options); }; });
}

} // namespace adjourn::server
