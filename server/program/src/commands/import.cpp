#include "import.hpp"

#include "command.hpp"
#include "core/records/analysis_spec.hpp"
#include "files/import/import.hpp"
#include "http/requests/target.hpp"
#include "import_each.hpp"
#include "program/cli/common.hpp"
#include "program/client/remote.hpp"
#include "storage/open.hpp"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

namespace adjourn::server {

namespace {

constexpr std::size_t part_size = std::size_t{4} << 20; // of what a server gets at once

struct ImportCommand {
    CommonOptions common;
    std::filesystem::path location; // of the store, by options and configuration
    std::string file;
    std::int64_t analysis = 0;
    std::string moves = "all";
    std::size_t plies = 0;
    std::string side = "both";
    std::string format;
    bool accept = false;
    bool print_json = false;
    bool each = false;
    std::string at = "end";
    bool hold = false;
};

using Result = std::expected<ImportReport, std::string>;

// Part by part, by `take`, which is told what came before and whether the part is the whole file:
// such a one is kept as a file of the analysis.
Result in_parts(std::istream& in, ImportFormat format, const ImportCommand& command,
                const std::function<Result(const ImportParts::Part&, std::size_t records_before,
                                           bool whole)>& take) {
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
            const Result done = take(*part, report.records, whole);
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
    return report;
}

Result import_here(storage::Store& store, ImportFormat format, const ImportCommand& command,
                   std::istream& in) {
    ImportOptions options;
    options.name = import_name(command.file);
    options.variations = command.moves == "all";
    options.plies = command.plies == 0 ? std::nullopt : std::optional{command.plies};
    options.side = command.side == "white"   ? ImportSide::white
                   : command.side == "black" ? ImportSide::black
                                             : ImportSide::both;
    options.at = std::chrono::duration_cast<std::chrono::milliseconds>(
                     std::chrono::system_clock::now().time_since_epoch())
                     .count();
    if (command.analysis != 0) {
        options.target = import_target(store, analysis::AnalysisId{command.analysis});
        if (!options.target) {
            return std::unexpected("there is no analysis " + std::to_string(command.analysis));
        }
    }
    if (command.analysis == 0 || format != ImportFormat::pgn) { // nothing is kept of it as a whole
        return import_text(store, format, in, options);
    }
    return in_parts(in, format, command,
                    [&](const ImportParts::Part& part, std::size_t before, bool whole) {
                        options.records_before = before;
                        options.lines_before = part.lines_before;
                        std::istringstream text{part.text};
                        return whole ? import_whole(store, format, part.text, options)
                                     : import_text(store, format, text, options);
                    });
}

Result import_there(Remote& remote, ImportFormat format, const ImportCommand& command,
                    std::istream& in) {
    const std::string target =
        "/api/v1/import?format=" + std::string{to_text(format)} +
        "&name=" + http::percent_encoded(import_name(command.file)) + "&moves=" + command.moves +
        "&side=" + command.side +
        (command.plies == 0 ? "" : "&plies=" + std::to_string(command.plies)) +
        (command.analysis == 0 ? "" : "&analysis=" + std::to_string(command.analysis));
    return in_parts(in, format, command,
                    [&](const ImportParts::Part& part, std::size_t before, bool whole) -> Result {
                        const auto answer = remote.post_text(
                            target + "&records_before=" + std::to_string(before) +
                                "&lines_before=" + std::to_string(part.lines_before) +
                                (whole ? "" : "&keep=false"),
                            part.text);
                        const auto done = answer ? report_of(*answer) : std::nullopt;
                        if (!done) {
                            return std::unexpected(answer ? "the server's answer is not understood"
                                                          : answer.error());
                        }
                        return *done;
                    });
}

// Whose evaluations the analysis accepts, with those of the file's sources. Nothing to change:
// nothing.
std::optional<std::vector<std::string>> with_sources(std::vector<std::string> accepted,
                                                     const std::set<std::string>& sources) {
    const std::size_t before = accepted.size();
    for (const std::string& source : sources) {
        if (std::ranges::find(accepted, source) == accepted.end()) {
            accepted.push_back(source);
        }
    }
    return accepted.size() == before ? std::nullopt : std::optional{std::move(accepted)};
}

std::expected<void, std::string> accept_here(storage::Store& store, std::int64_t id,
                                             const std::set<std::string>& sources) {
    for (storage::AnalysisRecord& record : store.analyses()) {
        AnalysisSpec spec = parse_spec(record.parameters);
        auto accepted = record.id == analysis::AnalysisId{id} ? with_sources(spec.accept, sources)
                                                              : std::nullopt;
        if (!accepted) {
            continue;
        }
        if (accepted->size() > most_accepted) {
            return std::unexpected(
                fmt::format("--accept: analysis {} would accept more than {}", id, most_accepted));
        }
        spec.accept = std::move(*accepted);
        record.parameters = to_text(spec);
        std::string problem;
        store.update(record,
                     [&](const auto& written) { problem = written ? "" : written.error(); });
        store.flush();
        if (!problem.empty()) {
            return std::unexpected(problem);
        }
    }
    return {};
}

std::expected<void, std::string> accept_there(Remote& remote, std::int64_t id,
                                              const std::set<std::string>& sources) {
    const auto changed =
        remote.patch("/api/v1/analyses/" + std::to_string(id), {{"accept_also", sources}});
    return changed ? std::expected<void, std::string>{} : std::unexpected(changed.error());
}

// What was imported stays imported, also where it cannot be accepted.
Result and_accept(Result report, const ImportCommand& command, const auto& accept) {
    if (report && command.accept) {
        if (const auto done = accept(report->sources); !done) {
            return std::unexpected(done.error());
        }
    }
    return report;
}

Result import_anywhere(const ImportCommand& command, ImportFormat format, std::istream& in) {
    try {
        const auto store = storage::open_store(command.location, storage::OpenMode::owner);
        return and_accept(import_here(*store, format, command, in), command, [&](const auto& from) {
            return accept_here(*store, command.analysis, from);
        });
    } catch (const storage::StoreInUse& in_use) {
        if (in_use.holder().empty()) {
            return std::unexpected(in_use.what());
        }
        HttpRemote remote{in_use.holder()};
        return and_accept(
            import_there(remote, format, command, in), command,
            [&](const auto& from) { return accept_there(remote, command.analysis, from); });
    } catch (const storage::StoreError& broken) {
        return std::unexpected(broken.what());
    }
}

// Merging a whole store. A running server finds it staged in its own data directory: no request can
// name a file elsewhere.
Result merge_here(storage::Store& store, const StagedStore& staged) {
    try {
        const auto other = storage::open_store(staged.directory(), storage::OpenMode::read);
        auto report = import_store(store, *other);
        return report ? Result{std::move(*report)}
                      : std::unexpected(StagedStore::named_as_given(report.error().message,
                                                                    staged.directory()));
    } catch (const storage::StoreError& broken) {
        return std::unexpected(StagedStore::named_as_given(broken.what(), staged.directory()));
    }
}

Result merge_there(Remote& remote, const StagedStore& staged) {
    const auto answer =
        remote.post_text("/api/v1/import?format=db&name=" +
                             http::percent_encoded(staged.directory().filename().string()),
                         "");
    const auto report = answer ? report_of(*answer) : std::nullopt;
    return report
               ? Result{*report}
               : std::unexpected(answer ? "the server's answer is not understood" : answer.error());
}

Result merge_anywhere(const ImportCommand& command) {
    const bool remote_store = storage::is_url(command.location);
    const std::filesystem::path data =
        remote_store ? std::filesystem::temp_directory_path() : command.location;
    try {
        const auto store = storage::open_store(command.location, storage::OpenMode::owner);
        return merge_here(*store, StagedStore{command.file, data});
    } catch (const storage::StoreInUse& in_use) {
        if (in_use.holder().empty()) {
            return std::unexpected(in_use.what());
        }
        if (remote_store) { // its server may be on another machine
            return std::unexpected(std::string{in_use.what()} +
                                   ": a store is merged when no server runs on it");
        }
        HttpRemote remote{in_use.holder()};
        try {
            return merge_there(remote, StagedStore{command.file, data});
        } catch (const std::exception& broken) {
            return std::unexpected(broken.what());
        }
    } catch (const std::exception& broken) { // no store here, or nothing can be staged
        return std::unexpected(broken.what());
    }
}

int merge(const ImportCommand& command) {
    const Result report = merge_anywhere(command);
    if (!report) {
        return failed(command.file + ": " + report.error());
    }
    if (command.print_json) {
        std::cout << report_json(*report).dump() << std::endl;
        return exit_done;
    }
    std::cout << command.file << ": " << counted(report->records, "evaluation", "evaluations")
              << ": " << report->evaluations_added << " added, " << report->evaluations_known
              << " known before\n  " << counted(report->analyses_added, "analysis", "analyses")
              << " and " << counted(report->seeds_added, "seed", "seeds") << " added" << std::endl;
    return exit_done;
}

int run(ImportCommand& command) {
    spdlog::set_level(spdlog::level::warn);
    const auto config = command.common.load();
    if (!config) {
        return bad_use(config.error());
    }
    command.location = command.common.location(*config);
    std::error_code error;
    const std::filesystem::path file = command.file;
    if (std::filesystem::is_directory(file, error) &&
        !std::filesystem::exists(file / "adjourn.db", error)) {
        return bad_use(command.file + " is a directory, and holds no adjourn.db to be merged");
    }
    if (command.format == "db" || (command.format.empty() && is_store(command.file))) {
        if (!std::filesystem::exists(command.file, error)) {
            return bad_use("cannot read " + command.file);
        }
        if (command.accept) {
            return bad_use("--accept: " + command.file +
                           " is a store, whose engines keep their names; --accept is for files");
        }
        return merge(command);
    }
    if (command.hold && !command.each) {
        return bad_use("--hold: analyses are made with --each");
    }
    if (command.accept && command.analysis == 0) {
        return bad_use("--accept: whose? say --analysis ID");
    }
    const auto format = command.format.empty() ? import_format_of(command.file)
                                               : parse_import_format(command.format);
    if (!format) {
        return bad_use("what kind of file is " +
                       (command.file == "-" ? "the standard input" : command.file) +
                       "? Its name ends in none of .pgn, .epd, .jsonl and .db; say --format");
    }
    if (command.each && *format != ImportFormat::pgn) {
        return bad_use("--each: only games, from a PGN file, become analyses");
    }
    const auto in = open_import_file(command.file);
    if (!in) {
        return bad_use(in.error());
    }
    if (command.each) {
        return import_each(command.common, **in, import_name(command.file),
                           {command.at == "start", command.hold, command.print_json});
    }
    const Result report = import_anywhere(command, *format, **in);
    if (!report) {
        return failed(report.error());
    }
    print_report(*report, {*format, import_name(command.file), command.analysis, command.accept,
                           command.print_json});
    if ((*in)->bad()) {
        return failed(command.file + " cannot be read to its end: damaged or cut off");
    }
    const bool nothing = report->seeds_added + report->seeds_known + report->evaluations_added +
                             report->evaluations_known ==
                         0;
    return nothing && report->broken > 0 && report->broken >= report->records ? exit_failed
                                                                              : exit_done;
}

} // namespace

void add_import(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<ImportCommand>();
    CLI::App* command = app.add_subcommand(
        "import", "read games, EPD records, lichess' evaluations or another store into the store");
    command
        ->add_option(
            "file", options->file,
            "FILE.pgn, .epd or .jsonl, each also .gz or .zst; - or a pipe (say --format); or "
            "another store's .db")
        ->required()
        ->type_name("FILE");
    options->common.add_store(*command);
    options->common.add_config(*command);
    CLI::Option* analysis =
        command
            ->add_option("--analysis", options->analysis,
                         "moves become seeds of this analysis, and games its files")
            ->check(whole_number(1, std::numeric_limits<std::int64_t>::max()))
            ->type_name("ID");
    CLI::Option* each =
        command
            ->add_flag("--each", options->each,
                       "one new analysis for each game or chapter, which is kept as its file; "
                       "settings as of analyse")
            ->excludes(analysis);
    command
        ->add_option("--at", options->at,
                     "with --each: root of an analysis, the end of the game or its start, which "
                     "is the position that a chapter is set up with (default end)")
        ->check(CLI::IsMember({"end", "start"}))
        ->needs(each);
    command->add_flag("--hold", options->hold, "with --each: make them paused");
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
    command->add_option("--format", options->format, "pgn, epd, jsonl or db (default: by the name)")
        ->check(CLI::IsMember({"pgn", "epd", "jsonl", "db"}));
    command->add_flag("--json", options->print_json, "print the report as one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

namespace {

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

} // namespace

void print_report(const ImportReport& report, const ReportedImport& of) {
    const std::string& name = of.name;
    const ImportFormat format = of.format;
    print(report.errors, report.broken, "errors", format, name);
    print(report.warnings, report.warned, "warnings", format, name);
    print_told(report, name);
    if (of.as_json) {
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

} // namespace adjourn::server
