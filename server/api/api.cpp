#include "api/api.hpp"

#include "api/call.hpp"
#include "api/guard.hpp"

#include <cassert>

namespace adjourn::server {

namespace {

[[maybe_unused]] bool of_analysis(std::string_view path) {
    constexpr std::string_view all = "/api/v1/analyses/{id}";
    return path == all || path.starts_with(std::string{all} + "/");
}

// All rows, and where they stand.
struct Table {
    std::vector<const Call*> calls;
    http::Routes routes;

    Table() {
        for (const auto rows :
             {calls_of_server(), calls_of_engines(), calls_of_analyses(), calls_of_going_on(),
              calls_of_links(), calls_of_trees(), calls_of_verdict(), calls_of_review(),
              calls_of_looks(), calls_of_facts(), calls_of_files(), calls_of_kept(),
              calls_of_edits(), calls_of_games(), calls_of_workers(), calls_of_webhooks()}) {
            for (const Call& call : rows) {
                assert(call.rules.readers != CallRules::Readers::links ||
                       (call.method == Method::get && of_analysis(call.path)));
                calls.push_back(&call);
                routes.add(call.method, call.path);
            }
        }
    }
};

const Table& table() {
    static const Table all;
    return all;
}

// The request may have the query and the body that it has.
std::expected<void, Error> allowed(const Call& row, const Context& call) {
    if (!row.query) {
        if (auto none = QueryReader{call.request}.finish(); !none) {
            return none;
        }
    }
    if (row.rules.body == CallRules::Body::none && !call.request.body.empty()) {
        return with_body(call, [](const JsonObject& reader) { return http::finished(reader); });
    }
    return {};
}

} // namespace

std::expected<Route, http::Routes::Miss> route_of(Method method, std::string_view path) {
    auto match = table().routes.match(method, path);
    if (!match) {
        return std::unexpected(std::move(match.error()));
    }
    const Call* call = table().calls[match->index];
    return Route{call, std::move(match->parameters), call->rules};
}

CallRules rules_for(Method method, std::string_view path) {
    const auto route = route_of(method, path);
    return route ? route->rules : CallRules{};
}

http::Readers readers_of(Method method, std::string_view path) {
    const auto route = route_of(method, path);
    if (!route) {
        return {};
    }
    switch (route->rules.readers) {
    case CallRules::Readers::token: break;
    case CallRules::Readers::links: {
        const auto analysis = route->path.integer("id");
        http::Readers readers;
        if (analysis) {
            readers.links = http::Shown{*analysis, route->path.integer("file").value_or(0)};
        }
        return readers;
    }
    case CallRules::Readers::none: return {false, std::nullopt};
    }
    return {};
}

std::vector<std::pair<Method, std::string_view>> all_calls() {
    std::vector<std::pair<Method, std::string_view>> all;
    for (const Call* call : table().calls) {
        all.emplace_back(call->method, call->path);
    }
    return all;
}

Api::Reply Api::answered(Request& request, const Route& route, bool alone) const {
    Context call{core_, fleet_, webhooks_, installed_, request, route.path, alone};
    const auto may = allowed(*route.call, call);
    auto answer = may ? route.call->handler(call) : std::unexpected(may.error());
    return answer ? std::move(*answer) : http::to_response(answer.error());
}

} // namespace adjourn::server
