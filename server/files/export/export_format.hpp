// The formats that an analysis can be exported in: one row each.
#pragma once

#include "files/export/export_tree.hpp"

#include <span>
#include <string>
#include <string_view>

namespace adjourn::server {

struct ExportFormat {
    std::string_view name; // in requests and on the command line
    std::string_view content_type;
    std::string_view ending; // of a file's name
    std::string (*write)(const ExportOrder& order, const ExportTree& tree);
};

// The default first.
std::span<const ExportFormat> export_formats();

// Of a file about the analysis: its players, else its name, as most file systems take them:
// "short-timman.pgn".
std::string export_file_name(const RunView& run, std::string_view ending);

} // namespace adjourn::server
