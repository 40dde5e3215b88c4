// What an answer rests on, and work that is spent on that.
#include "api/work_errors.hpp"
#include "call.hpp"
#include "place.hpp"
#include "request_parts.hpp"

namespace adjourn::server {

namespace {

constexpr std::int64_t most_evaluations = 10'000;
constexpr std::int64_t most_nodes = 1'000'000'000'000'000;
constexpr std::uint64_t usual_evaluations = 8;

Answer walk_of_verdict(Context& call) {
    QueryReader query{call.request};
    const auto place = finished_in_tree(place_of(call, query), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    const AnalysisRun& run = *place->run;
    return json_walk(call.core, run, walk_verdict(call.core, run, place->line));
}

// {moves?, evaluations? | nodes?}
Answer verify(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        std::vector<chess::Move> line;
        if (const auto moves = reader.find("moves"); moves.there()) {
            auto read = read_line(moves, run.root);
            if (!read) {
                return std::unexpected(read.error());
            }
            line = std::move(*read);
        }
        const auto evaluations = reader.find("evaluations").integer(1, most_evaluations);
        const auto nodes = reader.find("nodes").integer(1, most_nodes);
        if (evaluations && nodes) {
            reader.wrong("nodes", "one of evaluations and nodes at a time");
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        Verify work;
        if (nodes) {
            work.nodes = static_cast<std::uint64_t>(*nodes);
        } else {
            work.evaluations =
                evaluations ? static_cast<std::uint64_t>(*evaluations) : usual_evaluations;
        }
        return when_durable(
            call, call.core.verify(run.record.id, std::move(line), work).map([work](Core::Given) {
                return json_response(verifying_json(work));
            }));
    });
}

constexpr std::array verdict_calls{
    Call{Method::get, "/api/v1/analyses/{id}/verdict", walk_of_verdict, true, by_link(large_call)},
    Call{Method::post, "/api/v1/analyses/{id}/verify", of_run<verify>, false, json_body},
};

} // namespace

std::span<const Call> calls_of_verdict() {
    return verdict_calls;
}

} // namespace adjourn::server
