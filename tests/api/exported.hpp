// The text of an export, in one go.
#pragma once

#include "files/export/export.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::server {

// `format`: its name; `games`: the person's. REQUIRES: run.slot.
inline std::string exported(std::string_view format, const Core& core, const AnalysisRun& run,
                            const std::vector<chess::Move>& line, const ExportLimits& limits,
                            std::vector<chess::AnnotatedGame> games = {}) {
    const auto brought = std::make_shared<const OwnGames>(
        own_games(std::move(games), {}, limits, line_end(run, line).position));
    const OwnWork own = own_work(run, brought, limits.mine);
    const ExportTree tree = export_tree(run, GraphReading{nullptr}, line, limits, own);
    const auto all = export_formats();
    return std::ranges::find(all, format, &ExportFormat::name)
        ->write({core.store(), core.now(), run, line, limits, own}, tree);
}

} // namespace adjourn::server
