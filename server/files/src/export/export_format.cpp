#include "files/export/export_format.hpp"

#include <array>

namespace adjourn::server {

namespace {

using Line = std::vector<chess::Move>;

ExportWriter pgn(const Core& core, const AnalysisRun& run, const Line& line,
                 const ExportLimits& limits) {
    return pgn_writer(core, run, line, limits.pgn);
}

ExportWriter epd(const Core& core, const AnalysisRun&, const Line&, const ExportLimits&) {
    return epd_writer(core);
}

ExportWriter polyglot(const Core&, const AnalysisRun&, const Line&, const ExportLimits&) {
    return polyglot_writer();
}

constexpr std::array<ExportFormat, 4> formats{
    {{"pgn", "application/x-chess-pgn; charset=utf-8", ".pgn", pgn},
     {"epd", "text/plain; charset=utf-8", ".epd", epd},
     {"polyglot", "application/octet-stream", ".bin", polyglot},
     {"json", "application/json", ".json", json_writer}}};

} // namespace

std::span<const ExportFormat> export_formats() {
    return formats;
}

} // namespace adjourn::server
