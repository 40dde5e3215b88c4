#include "program/commands/command.hpp"

#include "base/standard_streams.hpp"
#include "chess/endgame/endgame_table.hpp"
#include "tables/own_tables.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <unistd.h>

namespace adjourn::server {

namespace {

struct BuildOptions {
    int men = 3;
    std::string out = ".";
    std::vector<std::string> materials;
};

// All materials of up to so many men.
std::vector<chess::Material> all_of(int men) {
    std::vector<chess::Material> found;
    std::vector<chess::Material> level{chess::Material{}};
    for (int n = 3; n <= men; ++n) {
        std::set<chess::Material> next;
        for (const chess::Material& base : level) {
            for (const chess::Color color : {chess::Color::white, chess::Color::black}) {
                for (int role = 0; role < static_cast<int>(chess::Role::king); ++role) {
                    chess::Material more = base;
                    more.add(color, static_cast<chess::Role>(role));
                    next.insert(more.normalised() ? more : more.flipped());
                }
            }
        }
        level.assign(next.begin(), next.end());
        found.insert(found.end(), level.begin(), level.end());
    }
    return found;
}

int build(const BuildOptions& options) {
    std::vector<chess::Material> wanted;
    for (const std::string& name : options.materials) {
        const auto material = chess::Material::parse(name);
        if (!material || material->men() > chess::TableIndex::most_men || material->is_dead()) {
            return bad_use("'" + name +
                           "' is not a material of three or four men that anybody can " +
                           "win, as KRvK or KQvKR");
        }
        wanted.push_back(*material);
    }
    if (wanted.empty()) {
        wanted = all_of(options.men);
    }
    std::vector<chess::Material> order;
    for (const chess::Material& material : wanted) {
        for (const chess::Material& needed : chess::EndgameTable::needed_for(material)) {
            if (std::find(order.begin(), order.end(), needed) == order.end()) {
                order.push_back(needed);
            }
        }
    }
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error) {
        return failed("cannot make the directory " + options.out + ": " + error.message());
    }
    const bool terminal = isatty(STDERR_FILENO) != 0;
    chess::EndgameTableSet made;
    const auto begun = std::chrono::steady_clock::now();
    std::uintmax_t bytes = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::string name = order[i].name();
        const auto table = chess::EndgameTable::make(order[i], made, [&](double share) {
            if (terminal) {
                base::rewrite_line(fmt::format("{}  {} of {}  {} % ", name, i + 1, order.size(),
                                               static_cast<int>(100 * share)));
            }
        });
        made[name] = table;
        const auto file = std::filesystem::path{options.out} / (name + ".adt");
        if (const auto size = tables::write_own_file(*table, file)) {
            if (terminal) {
                base::rewrite_line("");
            }
            bytes += *size;
            std::cout << file.string() << "  " << *size << " bytes" << std::endl;
        } else {
            return failed("cannot write " + file.string() + ": " + size.error());
        }
    }
    const auto seconds =
        std::chrono::ceil<std::chrono::seconds>(std::chrono::steady_clock::now() - begun);
    std::cout << order.size() << " tables, " << bytes << " bytes, made in " << seconds.count()
              << " s\n";
    return exit_done;
}

} // namespace

void add_tables(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand("tables", "endgame tables: make our own");
    command->require_subcommand(1);
    auto options = std::make_shared<BuildOptions>();
    CLI::App* make = command->add_subcommand(
        "build", "make tables of win, draw, loss and distance to conversion, for tables_path");
    make->add_option("--men", options->men, "all materials of up to so many men, if none is named")
        ->check(whole_number(3, chess::TableIndex::most_men));
    make->add_option("--out", options->out, "directory (default: here)")->type_name("DIR");
    make->add_option("MATERIAL", options->materials, "KRvK, KQvKR, …; with all that they lead to");
    make->callback([options, &chosen] { chosen = [options] { return build(*options); }; });
}

} // namespace adjourn::server
