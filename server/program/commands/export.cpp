#include "program/commands/command.hpp"

#include "base/number.hpp"
#include "base/standard_streams.hpp"
#include "files/export/export.hpp"
#include "http/requests/target.hpp"
#include "program/cli/common.hpp"
#include "program/client/remote.hpp"
#include "program/client/site.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

namespace adjourn::server {

namespace {

constexpr const char* site_format = "site"; // of files that this command writes itself

struct ExportCommand {
    CommonOptions common;
    std::int64_t id = 0;
    std::string moves;
    std::optional<int> margin; // default: of the format
    std::optional<int> plies;
    int max_moves = 100'000;
    std::string format = "pgn";
    std::string from = "game";
    std::string comments = "all";
    std::string side = "both";
    bool own_only = false;
    std::string mine = "all";
    std::string engine = "all";
    bool nags = false;
    bool arrows = false;
    bool study = false;
    std::string file;
};

int write(Remote& remote, const ExportCommand& options) {
    const auto text = remote.text(
        "/api/v1/analyses/" + std::to_string(options.id) + "/export?format=" + options.format +
        "&margin=" + std::to_string(options.margin.value_or(30)) +
        "&plies=" + std::to_string(options.plies.value_or(20)) + "&max_moves=" +
        std::to_string(options.max_moves) + "&moves=" + http::percent_encoded(options.moves) +
        "&from=" + options.from + "&comments=" + options.comments + "&side=" + options.side +
        "&mine=" + options.mine + "&engine=" + options.engine +
        (options.own_only ? "&own_only=true" : "") + (options.nags ? "&nags=true" : "") +
        (options.arrows ? "&arrows=true" : "") + (options.study ? "&study=true" : ""));
    if (!text) {
        return refused(text.error());
    }
    if (options.file.empty() || options.file == "-") {
        base::write_data(*text);
        return std::cout ? exit_done : failed("cannot write to standard output");
    }
    std::ofstream out{options.file, std::ios::binary};
    out << *text;
    out.close();
    return out ? exit_done : failed("cannot write " + options.file);
}

// Now, or what whoever makes the same bytes again says: reproducible-builds.org's
// SOURCE_DATE_EPOCH, Unix seconds. In ms.
std::int64_t moment_of_site() {
    const char* const said = std::getenv("SOURCE_DATE_EPOCH");
    if (const auto seconds = base::parse_number<std::uint32_t>(said != nullptr ? said : "")) {
        return std::int64_t{1000} * *seconds;
    }
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

int write_as_site(Remote& remote, const ExportCommand& options, const std::string& page) {
    SiteOptions site;
    site.id = options.id;
    site.moves = options.moves;
    site.margin = options.margin.value_or(site.margin);
    site.plies = static_cast<std::size_t>(options.plies.value_or(static_cast<int>(site.plies)));
    site.max_moves = static_cast<std::size_t>(options.max_moves);
    site.directory = options.file;
    site.page = page;
    site.now = moment_of_site();
    Bar bar{"positions"};
    const auto written = write_site(remote, site, bar.advance());
    bar.end();
    if (!written) {
        return refused(written.error());
    }
    std::cerr << counted(written->positions, "position", "positions") << ", "
              << counted(written->moves, "move", "moves")
              << (written->cut ? ", and no more: --max-moves" : "") << "\n";
    std::cout << (site.directory / "index.html").string() << std::endl;
    return std::cout ? exit_done : failed("cannot write to standard output");
}

int run_site(const ExportCommand& options) {
    if (options.file.empty() || options.file == "-") {
        return bad_use("a site is a directory: name one with -o");
    }
    const std::string found = find_page("");
    const std::string page = (std::filesystem::path{found} / "site").string();
    std::error_code error;
    if (found.empty() || !std::filesystem::exists(page + "/index.html", error)) {
        return failed("the page of a site is not there: it is built with the server's page");
    }
    return with_store(options.common,
                      [&](Remote& remote) { return write_as_site(remote, options, page); });
}

int run(const ExportCommand& options) {
    if (options.format == site_format) {
        return run_site(options);
    }
    if (const std::string problem = write_problem(options.file == "-" ? "" : options.file);
        !problem.empty()) {
        return bad_use("--output: " + problem);
    }
    const bool to_output = options.file.empty() || options.file == "-";
    if (options.format == "polyglot" && to_output && isatty(STDOUT_FILENO) != 0) {
        return bad_use("a Polyglot book is binary and no text for a terminal: name a file with -o");
    }
    return with_store(options.common, [&](Remote& remote) { return write(remote, options); });
}

} // namespace

void add_export(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<ExportCommand>();
    CLI::App* command = app.add_subcommand("export", "write lines of an analysis to a file");
    add_analysis(*command, options->id);
    options->common.add_to(*command);
    command->add_option("--moves", options->moves, "from the position after these moves")
        ->type_name("LINE");
    command
        ->add_option("--margin", options->margin,
                     "centipawns behind the best move (default 30, of a site 100)")
        ->check(whole_number(0, 100'000));
    command->add_option("--plies", options->plies, "length of lines (default 20, of a site 40)")
        ->check(whole_number(1, 400));
    command
        ->add_option("--max-moves", options->max_moves, "moves in the whole file (default 100000)")
        ->check(whole_number(1, 1'000'000));
    std::vector<std::string> formats;
    std::string listed;
    for (const ExportFormat& format : export_formats()) {
        listed += (formats.empty() ? "" : ", ") + formats.emplace_back(format.name);
    }
    listed += std::string{" or "} + formats.emplace_back(site_format);
    command->add_option("--format", options->format, listed + " (default " + formats[0] + ")")
        ->check(CLI::IsMember(formats));
    command
        ->add_option("--from", options->from,
                     "PGN from the start of the game, or from the position (default game)")
        ->check(CLI::IsMember({"game", "root"}));
    command
        ->add_option("--comments", options->comments,
                     "the engine's comments in PGN: all, branches, leaves or none (default all)")
        ->check(CLI::IsMember({"all", "branches", "leaves", "none"}));
    command
        ->add_option("--side", options->side,
                     "whose repertoire: that side has its own answers alone, else its best move "
                     "(default both)")
        ->check(CLI::IsMember({"both", "white", "black"}));
    command->add_flag("--own-only", options->own_only,
                      "with --side: no move where that side has no answer of its own");
    command
        ->add_option("--mine", options->mine,
                     "moves that you included, notes, drawings: all, annotated or none (default "
                     "all)")
        ->check(CLI::IsMember({"all", "annotated", "none"}));
    command
        ->add_option("--engine", options->engine,
                     "the engine's moves: all within the bounds, best or none (default all)")
        ->check(CLI::IsMember({"all", "best", "none"}));
    command->add_flag("--nags", options->nags, "PGN: ?!, ? and ?? by what a move loses");
    command->add_flag("--arrows", options->arrows, "PGN: arrows for the moves of a choice");
    command->add_flag("--study", options->study,
                      "PGN for a lichess study: --nags, --arrows, at most 2500 moves");
    command
        ->add_option("-o,--output", options->file,
                     "file (default: standard output); of a site, a directory")
        ->type_name("FILE");
    command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

} // namespace adjourn::server
