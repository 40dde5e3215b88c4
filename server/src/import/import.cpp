#include "sink.hpp"
#include "stored_analysis.hpp"

#include <algorithm>

namespace adjourn::server {

std::string_view to_text(ImportFormat format) {
    switch (format) {
    case ImportFormat::pgn: return "pgn";
    case ImportFormat::epd: return "epd";
    case ImportFormat::lichess: return "jsonl";
    }
    return "pgn";
}

std::optional<ImportFormat> parse_import_format(std::string_view text) {
    for (const ImportFormat format :
         {ImportFormat::pgn, ImportFormat::epd, ImportFormat::lichess}) {
        if (text == to_text(format)) {
            return format;
        }
    }
    return std::nullopt;
}

std::optional<ImportTarget> import_target(const storage::Store& store, analysis::AnalysisId id) {
    for (const storage::AnalysisRecord& record : store.analyses()) {
        if (record.id != id) {
            continue;
        }
        const auto root = root_of(record);
        return root ? std::optional{ImportTarget{id, root->root}} : std::nullopt;
    }
    return std::nullopt;
}

void ImportReport::add(const ImportReport& other) {
    records += other.records;
    moves += other.moves;
    seeds_added += other.seeds_added;
    seeds_known += other.seeds_known;
    evaluations_added += other.evaluations_added;
    evaluations_known += other.evaluations_known;
    analyses_added += other.analyses_added;
    skipped += other.skipped;
    broken += other.broken;
    for (const ImportError& error : other.errors) {
        if (errors.size() < most_errors) {
            errors.push_back(error);
        }
    }
    engines.insert(other.engines.begin(), other.engines.end());
}

std::string to_text(const ImportError& error, ImportFormat format, const std::string& file) {
    return file + ": " +
           (format == ImportFormat::pgn ? "game " + std::to_string(error.record) + ", " : "") +
           "line " + std::to_string(error.line) + ": " + error.message;
}

storage::EngineRecord imported_engine(ImportFormat format, const std::string& file) {
    storage::EngineRecord record;
    switch (format) {
    case ImportFormat::pgn: record.name = "pgn %eval"; break;
    case ImportFormat::epd: record.name = "epd"; break;
    case ImportFormat::lichess: record.name = "lichess"; break;
    }
    std::string name = file;
    std::replace(name.begin(), name.end(), '\n', ' ');
    record.options = "File=" + name + "\n";
    return record;
}

std::expected<ImportReport, std::string> import_text(storage::Store& store, ImportFormat format,
                                                     std::istream& in,
                                                     const ImportOptions& options) {
    ImportSink sink{store, format, options};
    switch (format) {
    case ImportFormat::pgn: read_pgn(in, sink); break;
    case ImportFormat::epd: read_epd(in, sink); break;
    case ImportFormat::lichess: read_lichess(in, sink); break;
    }
    return sink.finish();
}

} // namespace adjourn::server
