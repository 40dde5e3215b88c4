#include "import_report.hpp"

#include "files/import/import_file.hpp"
#include "program/cli/common.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iostream>

namespace adjourn::server {

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
