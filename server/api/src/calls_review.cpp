// The game along a line of an analysis, as the analysis sees it.
#include "api/work_errors.hpp"
#include "call.hpp"
#include "files/review/review.hpp"
#include "place.hpp"
#include "request_parts.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

namespace {

Answer get_review(Context& call) {
    QueryReader query{call.request};
    auto place = place_of(call, query);
    const auto format = query.choice("format", {"json", "pgn"});
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    const Review made = review(*place->run, place->line);
    if (format.value_or(0) == 0) {
        return json_response(review_json(made));
    }
    Response response;
    response.content_type = "application/x-chess-pgn; charset=utf-8";
    response.body = review_pgn(made, place->run->slot->engine().name);
    return response;
}

Answer search_game(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        auto line = read_line(reader.at("moves"), run.root);
        if (!line) {
            return std::unexpected(line.error());
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        if (run.slot == nullptr) {
            return std::unexpected(no_tree(run));
        }
        const Review known = review(run, *line);
        std::vector<Pending<Core::Given>> said;
        for (std::size_t ply = 0; ply <= line->size(); ++ply) {
            if (!known.scores[ply]) {
                said.push_back(call.core.direct(
                    run.record.id,
                    {line->begin(), line->begin() + static_cast<std::ptrdiff_t>(ply)}, "now", ""));
            }
        }
        using Results = std::vector<Pending<Core::Given>::Result>;
        return when_durable(
            call, all_of(said).map([](const Results& results) -> Pending<Response>::Result {
                for (const auto& result : results) {
                    if (!result) {
                        return std::unexpected(result.error());
                    }
                }
                return json_response({{"asked", results.size()}});
            }));
    });
}

constexpr std::array review_calls{
    Call{Method::get, "/api/v1/analyses/{id}/review", get_review, true},
    Call{Method::post, "/api/v1/analyses/{id}/review", of_run<search_game>, false, json_body},
};

} // namespace

std::span<const Call> calls_of_review() {
    return review_calls;
}

} // namespace adjourn::server
