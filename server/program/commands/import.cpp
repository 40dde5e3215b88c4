#include "program/commands/command.hpp"

#include "base/text.hpp"
#include "chess/game_reader.hpp"
#include "files/import/import.hpp"
#include "http/requests/target.hpp"
#include "program/client/remote.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iostream>
#include <memory>

namespace adjourn::server {

using nlohmann::json;

namespace {

struct ImportCommand {
    CommonOptions common;
    std::string file;
    std::int64_t analysis = 0;
    std::string moves = "all";
    std::size_t plies = 0;
    std::string side = "both";
    std::string format;
    bool accept = false;
    bool print_json = false;
};

constexpr std::size_t part_size = std::size_t{4} << 20; // of what is sent at once

using Result = Remote::Or<ImportReport>;

Result report_in(const Remote::Or<json>& answer) {
    if (!answer) {
        return std::unexpected(answer.error());
    }
    const auto report = report_of(*answer);
    return report ? Result{*report}
                  : std::unexpected(Refusal{"the server's answer is not understood", false});
}

// Part by part. One that is the whole file is kept as a file of the analysis.
Result import_file(Remote& remote, ImportFormat format, const ImportCommand& command,
                   std::istream& in) {
    // A file may be called by any bytes.
    const std::string name =
        base::shortened(base::to_utf8(import_name(command.file)), base::usual_text);
    const std::string target =
        "/api/v1/import?format=" + std::string{to_text(format)} +
        "&name=" + http::percent_encoded(name) + "&moves=" + command.moves +
        "&side=" + command.side +
        (command.plies == 0 ? "" : "&plies=" + std::to_string(command.plies)) +
        (command.analysis == 0 ? "" : "&analysis=" + std::to_string(command.analysis));
    ImportParts parts{in, format, part_size};
    ImportReport report;
    auto part = parts.next();
    for (bool first = true; part; first = false) {
        auto next = parts.next();
        const bool whole = first && !next;
        if (part->left_out) {
            ImportReport left_out;
            left_out.records = left_out.broken = 1;
            left_out.errors.push_back(
                {report.records + 1, *part->left_out, chess::PgnParts::trouble});
            report.add(left_out);
        } else {
            const Result done = report_in(remote.post_text(
                target + "&records_before=" + std::to_string(report.records) + "&lines_before=" +
                    std::to_string(part->lines_before) + (whole ? "" : "&keep=false"),
                part->text));
            if (!done) {
                return done;
            }
            report.add(*done);
        }
        if (first && !whole && format == ImportFormat::pgn && command.analysis != 0) {
            report.warn({0, 0, not_kept});
        }
        part = std::move(next);
    }
    if (command.accept) { // what was imported stays imported, also where it cannot be accepted
        const auto changed = remote.patch("/api/v1/analyses/" + std::to_string(command.analysis),
                                          {{"accept_also", report.sources}});
        if (!changed) {
            return std::unexpected(changed.error());
        }
    }
    return report;
}

void print(const std::vector<ImportError>& list, std::size_t count, const char* what,
           ImportFormat format, const std::string& name) {
    for (const ImportError& error : list) {
        std::cerr << to_text(error, format, name) << '\n';
    }
    if (count > list.size()) {
        std::cerr << name << ": and " << count - list.size() << " more " << what << '\n';
    }
}

// What is not said of those lines already.
void print_told(const ImportReport& report, const std::string& name) {
    if (!report.file) {
        return;
    }
    for (const chess::ReadingNote& note : report.file->told.notes) {
        const auto same = [&](const ImportError& error) { return error.line == note.what.line; };
        if (std::ranges::none_of(report.errors, same) &&
            std::ranges::none_of(report.warnings, same)) {
            std::cerr << name << ": " << chess::to_text(note) << '\n';
        }
    }
}

void print_file(const ImportReport& report) {
    if (!report.file) {
        return;
    }
    const auto& [id, known, games, told] = *report.file;
    std::cout << "  file " << id << " of the analysis: " << counted(games, "game", "games")
              << (known ? ", known before" : "")
              << (told.mended == 0 ? "" : ", mended: " + std::to_string(told.mended))
              << (told.refused == 0 ? "" : ", left out: " + std::to_string(told.refused)) << '\n';
}

// To the standard output; what was wrong to the standard error.
void print_report(const ImportReport& report, ImportFormat format, const ImportCommand& of) {
    const std::string name = import_name(of.file);
    print(report.errors, report.broken, "errors", format, name);
    print(report.warnings, report.warned, "warnings", format, name);
    print_told(report, name);
    if (of.print_json) {
        std::cout << report_json(report).dump() << std::endl;
        return;
    }
    const char* one = format == ImportFormat::pgn ? "game" : "record";
    const char* many = format == ImportFormat::pgn ? "games" : "records";
    std::cout << name << ": " << counted(report.records, one, many) << ", "
              << counted(report.moves, "move", "moves") << " read\n";
    if (of.analysis != 0) {
        std::cout << "  seeds of analysis " << of.analysis << ": " << report.seeds_added
                  << " added, " << report.seeds_known << " known before\n";
        print_file(report);
        if (report.notes_added > 0) {
            std::cout << "  notes: " << report.notes_added << " added\n";
        }
    }
    if (of.accept) {
        std::cout << "  accepted by analysis " << of.analysis << ": "
                  << (report.sources.empty() ? "nothing"
                                             : fmt::format("{}", fmt::join(report.sources, ", ")))
                  << '\n';
    }
    std::cout << "  evaluations: " << report.evaluations_added << " added, "
              << report.evaluations_known << " known before"
              << (report.evaluations_unread == 0
                      ? ""
                      : ", " + std::to_string(report.evaluations_unread) + " not understood")
              << "\n  skipped: " << counted(report.skipped, one, many)
              << ", broken: " << report.broken << std::endl;
    if (of.analysis == 0 && format != ImportFormat::lichess && report.skipped > 0) {
        std::cout << "  no analysis was named, so moves were not kept: --analysis ID\n";
    }
}

int import_games(Remote& remote, ImportFormat format, const ImportCommand& command,
                 std::istream& in) {
    const Result report = import_file(remote, format, command, in);
    if (!report) {
        return failed(report.error());
    }
    print_report(*report, format, command);
    if (in.bad()) {
        return failed(command.file + " cannot be read to its end: damaged or cut off");
    }
    const bool nothing = report->seeds_added + report->seeds_known + report->evaluations_added +
                             report->evaluations_known ==
                         0;
    return nothing && report->broken > 0 && report->broken >= report->records ? exit_failed
                                                                              : exit_done;
}

int run(const ImportCommand& command) {
    if (command.accept && command.analysis == 0) {
        return bad_use("--accept: whose? say --analysis ID");
    }
    const auto format = command.format.empty() ? import_format_of(command.file)
                                               : parse_import_format(command.format);
    if (!format) {
        return bad_use("what kind of file is " +
                       (command.file == "-" ? "the standard input" : command.file) +
                       "? Its name ends in none of .pgn, .epd and .jsonl; say --format");
    }
    const auto in = open_import_file(command.file);
    if (!in) {
        return bad_use(in.error());
    }
    return with_store(
        command.common,
        [&](Remote& remote) { return import_games(remote, *format, command, **in); },
        Missing::made);
}

} // namespace

void add_import(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<ImportCommand>();
    CLI::App* command = app.add_subcommand(
        "import", "read games, EPD records or lichess' evaluations into the store");
    command
        ->add_option("file", options->file,
                     "FILE.pgn, .epd or .jsonl, each also .gz or .zst; - or a pipe (say --format)")
        ->required()
        ->type_name("FILE");
    options->common.add_to(*command);
    command
        ->add_option("--analysis", options->analysis,
                     "moves become seeds of this analysis, and games its files")
        ->check(whole_number(1, std::numeric_limits<std::int64_t>::max()))
        ->type_name("ID");
    command->add_option("--moves", options->moves, "main lines or all variations (default all)")
        ->check(CLI::IsMember({"main", "all"}));
    command
        ->add_option("--plies", options->plies,
                     "seeds only so far from the analysis's root (default: all)")
        ->check(whole_number(1, 10'000));
    command->add_option("--side", options->side, "seeds of one side's moves (default both)")
        ->check(CLI::IsMember({"white", "black", "both"}));
    command->add_flag("--accept", options->accept,
                      "the file's evaluations count in the analysis (with --analysis)");
    command->add_option("--format", options->format, "pgn, epd or jsonl (default: by the name)")
        ->check(CLI::IsMember({"pgn", "epd", "jsonl"}));
    command->add_flag("--json", options->print_json, "print the report as one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

} // namespace adjourn::server
