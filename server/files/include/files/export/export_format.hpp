// The formats that an analysis can be exported in: one row each.
#pragma once

#include "files/export/export_tree.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace adjourn::server {

struct ExportFormat {
    std::string_view name; // in requests and on the command line
    std::string_view content_type;
    std::string_view ending; // of a file's name
    ExportWriter (*writer)(const Core& core, const AnalysisRun& run,
                           const std::vector<chess::Move>& line, const ExportLimits& limits);
};

// The default first.
std::span<const ExportFormat> export_formats();

} // namespace adjourn::server
