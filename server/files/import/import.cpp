#include "files/import/import.hpp"

#include "files/import/sink.hpp"

#include <algorithm>
#include <sstream>

namespace adjourn::server {

namespace {
// Indexed by ImportFormat.
constexpr std::array<std::string_view, 3> format_words{"pgn", "epd", "jsonl"};
} // namespace

std::string_view to_text(ImportFormat format) {
    return format_words.at(static_cast<std::size_t>(format));
}

std::optional<ImportFormat> parse_import_format(std::string_view text) {
    const auto found = std::ranges::find(format_words, text);
    return found == format_words.end()
               ? std::nullopt
               : std::optional{static_cast<ImportFormat>(found - format_words.begin())};
}

void ImportReport::add(const ImportReport& other) {
    for (const auto& [place, count] : import_counts) {
        this->*count += other.*count;
    }
    const auto add_first = [](std::vector<ImportError>& into,
                              const std::vector<ImportError>& more) {
        const std::size_t room = most_errors - std::min(most_errors, into.size());
        into.insert(into.end(), more.begin(),
                    more.begin() + static_cast<std::ptrdiff_t>(std::min(room, more.size())));
    };
    add_first(errors, other.errors);
    add_first(warnings, other.warnings);
    engines.insert(other.engines.begin(), other.engines.end());
    sources.insert(other.sources.begin(), other.sources.end());
    file = other.file ? other.file : file;
}

void ImportReport::warn(ImportError warning) {
    ++warned;
    if (warnings.size() < most_errors) {
        warnings.push_back(std::move(warning));
    }
}

std::string to_text(const ImportError& error, ImportFormat format, const std::string& file) {
    const std::string record =
        format == ImportFormat::pgn ? "game " + std::to_string(error.record) + ", " : "";
    return file + ": " +
           (error.line == 0 ? "" : record + "line " + std::to_string(error.line) + ": ") +
           error.message;
}

storage::EngineRecord imported_engine(ImportSource source, const std::string& file) {
    storage::EngineRecord record;
    constexpr std::array<const char*, import_sources> names{"pgn %eval", "pgn cutechess",
                                                            "pgn tcec", "epd", "lichess"};
    record.name = names.at(static_cast<std::size_t>(source));
    std::string name = file;
    std::replace(name.begin(), name.end(), '\n', ' ');
    record.options = "File=" + name + "\n";
    return record;
}

std::expected<ImportReport, std::string> import_text(storage::Store& store, ImportFormat format,
                                                     std::istream& in,
                                                     const ImportOptions& options) {
    ImportSink sink{store, options};
    switch (format) {
    case ImportFormat::pgn: read_pgn(in, sink); break;
    case ImportFormat::epd: read_epd(in, sink); break;
    case ImportFormat::lichess: read_lichess(in, sink); break;
    }
    return sink.finish();
}

std::expected<ImportReport, std::string> import_games(storage::Store& store,
                                                      const std::string& text, GamesText games,
                                                      ImportOptions options, bool seeds) {
    const auto kept = keep(store, options.target->analysis, options.name, games.games, options.at);
    if (!kept) {
        return std::unexpected(kept.error());
    }
    if (!seeds) {
        options.target.reset();
    }
    std::istringstream in{text};
    auto report = import_text(store, ImportFormat::pgn, in, options);
    if (report) {
        report->file =
            ImportedFile{kept->file, kept->known, games.games.size(), std::move(games.told)};
    }
    return report;
}

} // namespace adjourn::server
