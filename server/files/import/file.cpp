#include "files/import/import.hpp"

#include "base/text.hpp"
#include "files/import/unpacking_stream.hpp"
#include "files/kept/kept_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>

namespace adjourn::server {

namespace {

constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";
constexpr std::string_view gzip_magic = "\x1f\x8b";

// How files begin that nothing here can read, and what to do.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> unreadable{
    {{"\xff\xfe", "is UTF-16; save it as UTF-8"},
     {"\xfe\xff", "is UTF-16; save it as UTF-8"},
     {"BZh", "is packed with bzip2; unpack it first"},
     {"\xfd"
      "7zXZ",
      "is packed with xz; unpack it first"},
     {"PK\x03\x04", "is a zip archive; unpack it first"}}};

// Line by line: a file may hold what programs of several encodings wrote.
std::string in_utf8(std::string_view text) {
    std::string result;
    std::string converted;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        result += base::as_utf8(text.substr(0, end), converted);
        text.remove_prefix(end);
    }
    return result;
}

bool is_standard_input(const std::filesystem::path& file) {
    return file == "-";
}

} // namespace

bool is_packed(const std::filesystem::path& file) {
    return file.extension() == ".zst" || file.extension() == ".gz";
}

std::optional<ImportFormat> import_format_of(const std::filesystem::path& file) {
    std::filesystem::path plain = file;
    if (is_packed(file)) {
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
    if (std::filesystem::is_directory(file, error)) {
        return std::unexpected(file.string() + " is a directory");
    }
    std::unique_ptr<std::istream> in;
    if (is_standard_input(file)) {
        in = std::make_unique<std::istream>(std::cin.rdbuf());
    } else {
        in = std::make_unique<std::ifstream>(file, std::ios::binary);
    }
    if (!*in) {
        return std::unexpected("cannot read " + file.string());
    }
    PeekedStream peeked = peek_stream(std::move(in));
    if (peeked.start.starts_with(zstd_magic)) {
        return unpack_zstd(std::move(peeked.stream));
    }
    if (peeked.start.starts_with(gzip_magic)) {
        return unpack_gzip(std::move(peeked.stream));
    }
    for (const auto& [magic, trouble] : unreadable) {
        if (peeked.start.starts_with(magic)) {
            return std::unexpected(file.string() + " " + std::string{trouble});
        }
    }
    return std::move(peeked.stream);
}

std::string import_name(const std::filesystem::path& file) {
    if (is_standard_input(file) || file == "/dev/stdin") {
        return "stdin";
    }
    const std::string folder = file.parent_path().string();
    const bool descriptor = folder == "/dev/fd" ||
                            (folder.starts_with("/proc/") && file.parent_path().filename() == "fd");
    return descriptor ? "pipe" : file.filename().string();
}

ImportParts::ImportParts(std::istream& in, ImportFormat format, std::size_t size)
    : format_{format}, size_{size}, games_{in, size}, lines_{in} {}

std::optional<ImportParts::Part> ImportParts::next() {
    auto part = format_ == ImportFormat::pgn ? games_.next() : next_lines();
    if (part) {
        part->text = in_utf8(part->text);
    }
    return part;
}

std::optional<ImportParts::Part> ImportParts::next_lines() {
    Part part;
    part.lines_before = lines_.number();
    while (part.text.size() < size_ && lines_.next()) {
        part.text += lines_.text();
        part.text += '\n';
    }
    part.lines = lines_.number() - part.lines_before;
    return part.lines == 0 ? std::nullopt : std::optional{std::move(part)};
}

namespace {

nlohmann::json list_json(const std::vector<ImportError>& list) {
    nlohmann::json out = nlohmann::json::array();
    for (const ImportError& error : list) {
        out.push_back({{"record", error.record}, {"line", error.line}, {"message", error.message}});
    }
    return out;
}

std::vector<ImportError> list_of(const nlohmann::json& json) {
    std::vector<ImportError> list;
    for (const nlohmann::json& error : json) {
        list.push_back({error.at("record"), error.at("line"), error.at("message")});
    }
    return list;
}

} // namespace

nlohmann::json report_json(const ImportReport& report) {
    nlohmann::json file;
    if (report.file) {
        file = told_json(report.file->told);
        file.update({{"id", report.file->id},
                     {"known", report.file->known},
                     {"games", report.file->games}});
    }
    return {{"file", std::move(file)},
            {"records", report.records},
            {"moves", report.moves},
            {"seeds", {{"added", report.seeds_added}, {"known", report.seeds_known}}},
            {"evaluations",
             {{"added", report.evaluations_added},
              {"known", report.evaluations_known},
              {"unread", report.evaluations_unread}}},
            {"notes", {{"added", report.notes_added}}},
            {"analyses_added", report.analyses_added},
            {"skipped", report.skipped},
            {"broken", report.broken},
            {"errors", list_json(report.errors)},
            {"sources", report.sources},
            {"warned", report.warned},
            {"warnings", list_json(report.warnings)}};
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
        report.notes_added =
            json.value(nlohmann::json::json_pointer{"/notes/added"}, std::size_t{0});
        report.skipped = json.at("skipped");
        report.broken = json.at("broken");
        report.errors = list_of(json.at("errors"));
        report.evaluations_unread = json.at("evaluations").value("unread", std::size_t{0});
        report.sources = json.value("sources", std::set<std::string>{});
        report.warned = json.value("warned", std::size_t{0});
        report.warnings = list_of(json.value("warnings", nlohmann::json::array()));
        if (const auto file = json.find("file"); file != json.end() && !file->is_null()) {
            report.file =
                ImportedFile{file->at("id"), file->at("known"), file->at("games"), told_of(*file)};
        }
        return report;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

} // namespace adjourn::server
