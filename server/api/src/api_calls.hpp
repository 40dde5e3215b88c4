// Calls of the API: those that change something, and health.
#pragma once

#include "http/error.hpp"
#include "http/json.hpp"
#include "http/query.hpp"
#include "work/core.hpp"

#include <expected>

namespace adjourn::server {

std::expected<http::Response, http::Error> post_analysis(Core& core, const http::Request& request);
std::expected<http::Response, http::Error> patch_analysis(Core& core, const AnalysisRun& run,
                                                          const http::Request& request);
// The body of POST analyses.
std::expected<NewAnalysis, http::Error> read_new_analysis(http::ObjectReader& reader);
// {text} as the position that it means: {start_fen, moves, fen, opening}.
std::expected<http::Response, http::Error> read_position(const http::Request& request);
std::expected<http::Response, http::Error> post_directive(Core& core, const AnalysisRun& run,
                                                          const http::Request& request);

// 200, or 503 with the reason where the store cannot be used. Never throws for the store.
std::expected<http::Response, http::Error> health(const Core& core);

// For calls without query parameters: any is an error.
template <class Call>
auto no_query(const http::Request& request, Call call) -> decltype(call()) {
    http::QueryReader query{request};
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    return call();
}

} // namespace adjourn::server
