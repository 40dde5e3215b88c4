// Files to import: what kind they are, and their text, unpacked where it is packed.
#pragma once

#include "base/line_reader.hpp"
#include "chess/pgn_parts.hpp"
#include "files/import/import.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <memory>

namespace adjourn::server {

// By its name: a file that `open_import_file` unpacks (.gz, .zst), of which nobody knows how much
// is inside.
bool is_packed(const std::filesystem::path& file);

// By the name's ending (.pgn, .epd, .fen, .jsonl, .ndjson, each also with .gz or .zst).
std::optional<ImportFormat> import_format_of(const std::filesystem::path& file);

// Opens a file, a pipe, or with "-" the standard input; gzip members and Zstandard frames are
// unpacked while they are read. Blocks for the first characters. The error names the file: it is
// none, a directory, or nothing that can be read (UTF-16, other packers). A stream that goes bad()
// while it is read has met damaged or truncated data.
std::expected<std::unique_ptr<std::istream>, std::string>
open_import_file(const std::filesystem::path& file);

// What the facts of a file name as their source: its name without folders; "stdin", "pipe".
std::string import_name(const std::filesystem::path& file);

// A text cut into parts of whole records (games, lines), so that each can be imported alone.
class ImportParts {
public:
    // Part sizes are about `size` bytes; a single game may exceed it. A line that is too long, for
    // whoever reads the part, stands in it as one that is.
    ImportParts(std::istream& in, ImportFormat format, std::size_t size);

    // The next part in UTF-8, as of PgnParts; nullopt at the end.
    using Part = chess::PgnParts::Part;
    std::optional<Part> next();

private:
    std::optional<Part> next_lines();

    ImportFormat format_;
    std::size_t size_;
    chess::PgnParts games_;
    base::LineReader lines_;
};

// As POST import answers.
nlohmann::json report_json(const ImportReport& report);
// The inverse, for reports of a server. `engines` stays empty.
std::optional<ImportReport> report_of(const nlohmann::json& json);

} // namespace adjourn::server
