// Writes of files: versions follow each other, and nobody's is lost by somebody else's.
#include "storage_rows/writes.hpp"

#include <algorithm>
#include <array>

namespace adjourn::storage {

Outcome Writes::write(const FileChange& change) {
    if (change.rows.empty()) {
        return refuse("file", "nothing to write");
    }
    const FileRecord& first = change.rows.front();
    for (const FileRecord& row : change.rows) {
        const bool other = row.file != first.file || row.analysis != first.analysis;
        const std::string trouble = other ? "rows of several files" : file_trouble(row);
        if (!trouble.empty()) {
            return refuse("file", trouble);
        }
    }
    if (first.file == 0 && first.number != 0) {
        return refuse("file", "a game without its file");
    }
    if (first.analysis != AnalysisId{} && !has_analysis(first.analysis)) {
        return refuse("file", no_such("analysis", first.analysis));
    }
    if (first.file != 0 && owner_of_file(first.file) != first.analysis) {
        return refuse("file", no_such("file", first.file));
    }
    std::vector<FileRecord> rows = change.rows;
    for (FileRecord& row : rows) {
        if (const auto there = follow_last(row)) {
            return Written{*there, false};
        }
    }
    for (FileRecord& row : rows) {
        row.id = next_id(tables::files);
        row.file = first.file == 0 ? rows.front().id : first.file;
        put(tables::files, row_of(row));
    }
    return Written{rows.front().id, true};
}

std::optional<AnalysisId> Writes::owner_of_file(std::int64_t file) {
    std::optional<AnalysisId> owner;
    run("SELECT analysis FROM files WHERE file = $1 LIMIT 1", std::array{Cell{file}},
        [&](Cells row) { owner = AnalysisId{integer(row[0])}; });
    return owner;
}

// Of damaged versions nobody knows who reads: the next one comes after them.
std::optional<std::int64_t> Writes::follow_last(FileRecord& file) {
    static const std::string later =
        select_rows(tables::files) +
        " WHERE file = $1 AND number = $2 AND version >= $3 ORDER BY version";
    std::optional<std::int64_t> known;
    std::int64_t last = 0;
    run(later, std::array{Cell{file.file}, Cell{file.number}, Cell{file.version}}, [&](Cells row) {
        last = integer(row[4]);
        known = is_sound(tables::files, row) ? std::optional{integer(row[0])} : known;
    });
    file.version = std::max(file.version, last + 1);
    return known;
}

} // namespace adjourn::storage
