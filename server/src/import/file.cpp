#include "server/import_file.hpp"

#include "chess/pgn.hpp"
#include "zstd_stream.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

namespace adjourn::server {

namespace {

constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";

} // namespace

std::optional<ImportFormat> import_format_of(const std::filesystem::path& file) {
    std::filesystem::path plain = file;
    if (plain.extension() == ".zst") {
        plain.replace_extension();
    }
    std::string ending = plain.extension().string();
    for (char& c : ending) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (ending == ".pgn") {
        return ImportFormat::pgn;
    }
    if (ending == ".epd" || ending == ".fen") {
        return ImportFormat::epd;
    }
    if (ending == ".jsonl" || ending == ".ndjson") {
        return ImportFormat::lichess;
    }
    return std::nullopt;
}

std::expected<std::unique_ptr<std::istream>, std::string>
open_import_file(const std::filesystem::path& file) {
    std::error_code error;
    auto in = std::make_unique<std::ifstream>(file, std::ios::binary);
    if (!*in || std::filesystem::is_directory(file, error)) {
        return std::unexpected("cannot read " + file.string());
    }
    std::string start(zstd_magic.size(), '\0');
    in->read(start.data(), static_cast<std::streamsize>(start.size()));
    in->clear();
    in->seekg(0);
    if (start == zstd_magic) {
        return unpack_zstd(std::move(in));
    }
    return in;
}

ImportParts::ImportParts(std::istream& in, ImportFormat format, std::size_t size)
    : in_{in}, format_{format}, size_{size} {}

std::optional<ImportParts::Part> ImportParts::next() {
    Part part;
    part.lines_before = lines_;
    std::string line;
    while (has_held_ || std::getline(in_, line)) {
        if (has_held_) {
            line = std::move(held_);
            has_held_ = false;
        }
        // A game begins with its first tag; a reader sees one there whatever came before.
        const bool begins = format_ != ImportFormat::pgn || line.starts_with("[Event \"");
        if (part.text.size() >= size_ && begins) {
            held_ = std::move(line);
            has_held_ = true;
            return part;
        }
        part.text += chess::to_utf8(line);
        part.text += '\n';
        ++lines_;
    }
    return part.text.empty() ? std::nullopt : std::optional{std::move(part)};
}

nlohmann::json report_json(const ImportReport& report) {
    nlohmann::json errors = nlohmann::json::array();
    for (const ImportError& error : report.errors) {
        errors.push_back(
            {{"record", error.record}, {"line", error.line}, {"message", error.message}});
    }
    return {
        {"records", report.records},
        {"moves", report.moves},
        {"seeds", {{"added", report.seeds_added}, {"known", report.seeds_known}}},
        {"evaluations", {{"added", report.evaluations_added}, {"known", report.evaluations_known}}},
        {"analyses_added", report.analyses_added},
        {"skipped", report.skipped},
        {"broken", report.broken},
        {"errors", std::move(errors)}};
}

std::optional<ImportReport> report_of(const nlohmann::json& json) {
    try {
        ImportReport report;
        report.records = json.at("records");
        report.moves = json.at("moves");
        report.seeds_added = json.at("seeds").at("added");
        report.seeds_known = json.at("seeds").at("known");
        report.evaluations_added = json.at("evaluations").at("added");
        report.evaluations_known = json.at("evaluations").at("known");
        report.analyses_added = json.at("analyses_added");
        report.skipped = json.at("skipped");
        report.broken = json.at("broken");
        for (const nlohmann::json& error : json.at("errors")) {
            report.errors.push_back({error.at("record"), error.at("line"), error.at("message")});
        }
        return report;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

} // namespace adjourn::server
