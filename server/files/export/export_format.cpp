#include "files/export/export_format.hpp"

#include "files/openings/openings.hpp"

#include <array>

namespace adjourn::server {

namespace {

constexpr std::array<ExportFormat, 4> formats{
    {{"pgn", "application/x-chess-pgn; charset=utf-8", ".pgn", write_pgn},
     {"epd", "text/plain; charset=utf-8", ".epd", write_epd},
     {"polyglot", "application/octet-stream", ".bin", write_polyglot},
     {"json", "application/json", ".json", write_json}}};

// Small letters and digits with '-' between words.
std::string plain(const std::string& text) {
    constexpr std::size_t longest = 60;
    std::string name;
    for (const char c : folded(text)) {
        const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (kept) {
            name += c;
        } else if (!name.empty() && name.back() != '-') {
            name += '-';
        }
    }
    name = name.substr(0, longest);
    while (name.ends_with('-')) {
        name.pop_back();
    }
    return name;
}

} // namespace

std::span<const ExportFormat> export_formats() {
    return formats;
}

std::string export_file_name(const RunView& run, std::string_view ending) {
    const GameLabels& game = run.spec.labels.game;
    std::string name = plain(game.white + " " + game.black);
    name = name.empty() ? plain(run.record.name) : name;
    return (name.empty() ? "adjourn-" + std::to_string(static_cast<std::int64_t>(run.record.id))
                         : name) +
           std::string{ending};
}

} // namespace adjourn::server
