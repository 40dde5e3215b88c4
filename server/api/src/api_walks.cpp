#include "api_walks.hpp"

#include "api_place.hpp"
#include "exchange/export_format.hpp"
#include "views/view_walks.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace adjourn::server {

using http::Error;
using http::ErrorCode;
using http::PathParameters;
using http::QueryReader;
using http::Request;
using http::Response;

namespace {

// A graph lives as long as the core, but an analysis may lose it between two looks.
std::function<std::expected<bool, Error>(const TimeUp&)>
look(const Core& core, const AnalysisRun& run, const std::shared_ptr<GraphWalk>& walk) {
    return [&core, id = run.record.id, slot = run.slot,
            walk](const TimeUp& time_up) -> std::expected<bool, Error> {
        const AnalysisRun* now = core.find(id);
        if (now == nullptr) {
            return std::unexpected(
                Error{ErrorCode::not_found, "the analysis was deleted while it was read", "id"});
        }
        if (now->slot != slot) {
            return std::unexpected(Error{
                ErrorCode::unavailable,
                "the analysis came to rest on other engines while it was read: ask again", "id"});
        }
        return walk->go_on(time_up);
    };
}

Api::Walk json_walk(const Core& core, const AnalysisRun& run,
                    const std::shared_ptr<JsonWalk>& walk) {
    return {look(core, run, walk), [walk] {
                Response response;
                response.body = walk->result().dump();
                return response;
            }};
}

} // namespace

std::expected<Api::Walk, Error> tree_walk(const Core& core, const Request& request,
                                          const PathParameters& path) {
    QueryReader query{request};
    auto place = place_of(core, path, query);
    const auto plies = query.integer("plies", 1, 64);
    const auto margin = query.integer("margin", 0, 100'000);
    const auto limit = query.integer("limit", 1, 20'000);
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    TreeLimits limits;
    limits.plies = static_cast<std::size_t>(plies->value_or(4));
    limits.margin = static_cast<int>(margin->value_or(50));
    limits.limit = static_cast<std::size_t>(limit->value_or(500));
    return json_walk(core, *place->run, walk_tree(*place->run, place->line, limits));
}

std::expected<Api::Walk, Error> disagreements_walk(const Core& core, const Request& request,
                                                   const PathParameters& path) {
    QueryReader query{request};
    auto place = place_of(core, path, query);
    const auto gap = query.integer("gap", 1, 2'000);
    const auto margin = query.integer("margin", 0, 100'000);
    const auto limit = query.integer("limit", 1, 200);
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    DisagreementLimits limits;
    limits.gap = static_cast<int>(gap->value_or(limits.gap));
    limits.margin = static_cast<int>(margin->value_or(limits.margin));
    limits.limit =
        static_cast<std::size_t>(limit->value_or(static_cast<std::int64_t>(limits.limit)));
    return json_walk(core, *place->run, walk_disagreements(*place->run, place->line, limits));
}

std::expected<Api::Walk, Error> export_walk(const Core& core, const Request& request,
                                            const PathParameters& path) {
    QueryReader query{request};
    auto place = place_of(core, path, query);
    std::vector<std::string_view> names;
    for (const ExportFormat& format : export_formats()) {
        names.push_back(format.name);
    }
    const auto named = query.choice("format", names);
    const auto margin = query.integer("margin", 0, 100'000);
    const auto plies = query.integer("plies", 1, 400);
    const auto most = query.integer("max_moves", 1, 1'000'000);
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    ExportLimits limits;
    limits.margin = static_cast<int>(margin->value_or(limits.margin));
    limits.plies =
        static_cast<std::size_t>(plies->value_or(static_cast<std::int64_t>(limits.plies)));
    limits.max_moves =
        static_cast<std::size_t>(most->value_or(static_cast<std::int64_t>(limits.max_moves)));
    const AnalysisRun& run = *place->run;
    const ExportFormat& format = export_formats()[named->value_or(0)];
    const std::string id = std::to_string(static_cast<std::int64_t>(run.record.id));
    Response response;
    response.content_type = format.content_type;
    response.headers["Content-Disposition"] =
        "attachment; filename=\"adjourn-" + id + std::string{format.ending} + "\"";
    const ExportWriter writer = format.writer(core, run, place->line, limits);
    const std::shared_ptr<ExportWalk> walk = walk_for_export(run, place->line, limits);
    return Api::Walk{look(core, run, walk), [walk, writer, response]() {
                         Response done = response;
                         done.body = writer(walk->take());
                         return done;
                     }};
}

} // namespace adjourn::server
