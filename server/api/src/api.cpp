#include "api/api.hpp"

#include "api/work_errors.hpp"
#include "call.hpp"

namespace adjourn::server {

using http::Error;
using http::Method;
using http::Request;
using http::Response;

namespace {

// All rows, and where they stand.
struct Table {
    std::vector<const Call*> calls;
    http::Routes routes;

    Table() {
        for (const auto rows :
             {calls_of_server(), calls_of_analyses(), calls_of_trees(), calls_of_review(),
              calls_of_looks(), calls_of_facts(), calls_of_files(), calls_of_games(),
              calls_of_workers(), calls_of_webhooks()}) {
            for (const Call& call : rows) {
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

struct Found {
    const Call& call;
    http::PathParameters path;
};

std::expected<Found, http::Routes::Miss> find_call(Method method, std::string_view path) {
    auto match = table().routes.match(method, path);
    if (!match) {
        return std::unexpected(std::move(match.error()));
    }
    return Found{*table().calls[match->index], std::move(match->parameters)};
}

// What the handler says, if the request may have the query and the body that it has.
template <class Handler, class AnyRequest, class AnyCore>
auto asked(Handler handler, AnyCore& core, AnyRequest& request, const Found& found)
    -> decltype(handler(core, request, found.path)) {
    if (!found.call.query) {
        if (auto none = http::QueryReader{request}.finish(); !none) {
            return std::unexpected(none.error());
        }
    }
    if (found.call.rules.body == CallRules::Body::none && !request.body.empty()) {
        const auto none =
            with_body(request, [](http::ObjectReader& reader) { return reader.finish(); });
        if (!none) {
            return std::unexpected(none.error());
        }
    }
    return handler(core, request, found.path);
}

Response answer(std::expected<Response, Error> result) {
    return result ? std::move(*result) : http::to_response(result.error());
}

const char* missing(const Fleet*) {
    return "this server has no work for other machines";
}
const char* missing(const Webhooks*) {
    return "this server tells no webhooks";
}

// What is asked of a fleet, or of webhooks, that may not be there.
template <class Handler, class Part>
auto asked_of(Part* part, Handler handler, const Request& request, const Found& found)
    -> decltype(handler(*part, request, found.path)) {
    if (part != nullptr) {
        return asked(handler, *part, request, found);
    }
    const auto none = http::QueryReader{request}.finish();
    return std::unexpected(none ? Error{http::ErrorCode::conflict, missing(part), ""}
                                : none.error());
}

// For somebody who has the core's thread for himself.
Response in_one_go(std::expected<Api::Walk, Error> walk) {
    if (!walk) {
        return http::to_response(walk.error());
    }
    while (true) {
        const auto seen = walk->look(never_up);
        if (!seen) {
            return http::to_response(seen.error());
        }
        if (*seen) {
            return walk->finish();
        }
        if (const auto task = walk->elsewhere ? walk->elsewhere() : nullptr) {
            task();
        }
    }
}

} // namespace

CallRules rules_for(Method method, std::string_view path) {
    const auto found = find_call(method, path);
    return found ? found->call.rules : CallRules{};
}

Response Api::answered(const Request& request) const {
    const auto found = find_call(request.method, request.path);
    if (!found) {
        return to_response(found.error(), request.method);
    }
    if (const auto* at_once = std::get_if<AtOnce>(&found->call.handler)) {
        return answer(asked(*at_once, core_, request, *found));
    }
    if (const auto* changing = std::get_if<Changing>(&found->call.handler)) {
        const auto change = asked(*changing, core_, request, *found);
        if (!change) {
            return http::to_response(change.error());
        }
        auto result = change->wait();
        return result ? std::move(*result) : http::to_response(to_http(result.error()));
    }
    if (const auto* reading = std::get_if<server::Reading>(&found->call.handler)) {
        const auto asked_for = asked(*reading, core_, request, *found);
        return asked_for ? read(*asked_for, place_of(request))
                         : http::to_response(asked_for.error());
    }
    if (const auto* in_slices = std::get_if<InSlices>(&found->call.handler)) {
        return in_one_go(asked(*in_slices, core_, request, *found));
    }
    if (const auto* of_fleet = std::get_if<OfFleet>(&found->call.handler)) {
        return answer(asked_of(fleet_, *of_fleet, request, *found));
    }
    if (const auto* of_webhooks = std::get_if<OfWebhooks>(&found->call.handler)) {
        return answer(asked_of(webhooks_, *of_webhooks, request, *found));
    }
    if (std::holds_alternative<Waiting>(found->call.handler) ||
        std::holds_alternative<WaitingForWebhooks>(found->call.handler)) {
        const auto wait = begun_wait(request);
        auto seen = wait->look();
        return seen ? std::move(*seen) : wait->give_up();
    }
    Request own = request;
    return (*deferred(own))();
}

std::optional<Api::Walk> Api::begun_walk(const Request& request) const {
    const auto found = find_call(request.method, request.path);
    const auto* handler = found ? std::get_if<InSlices>(&found->call.handler) : nullptr;
    if (handler == nullptr) {
        return std::nullopt;
    }
    auto walk = asked(*handler, core_, request, *found);
    if (walk) {
        return std::move(*walk);
    }
    return Walk{[error = walk.error()](const TimeUp&) { return std::unexpected(error); }, {}, {}};
}

std::optional<Api::Wait> Api::begun_wait(const Request& request) const {
    const auto found = find_call(request.method, request.path);
    if (!found) {
        return std::nullopt;
    }
    std::expected<Wait, Error> wait;
    if (const auto* changing = std::get_if<Changing>(&found->call.handler)) {
        const auto change = asked(*changing, core_, request, *found);
        std::optional<analysis::AnalysisId> of;
        if (const auto id = found->path.integer("id")) {
            of = analysis::AnalysisId{*id};
        }
        wait = change ? std::expected<Wait, Error>{wait_for(*change, of)}
                      : std::unexpected(change.error());
    } else if (const auto* reading = std::get_if<server::Reading>(&found->call.handler)) {
        const auto asked_for = asked(*reading, core_, request, *found);
        wait = asked_for ? std::expected<Wait, Error>{wait_for(*asked_for, place_of(request))}
                         : std::unexpected(asked_for.error());
    } else if (const auto* of_fleet = std::get_if<Waiting>(&found->call.handler)) {
        wait = asked_of(fleet_, *of_fleet, request, *found);
    } else if (const auto* of_webhooks = std::get_if<WaitingForWebhooks>(&found->call.handler)) {
        wait = asked_of(webhooks_, *of_webhooks, request, *found);
    } else {
        return std::nullopt;
    }
    if (wait) {
        return std::move(*wait);
    }
    return Wait{{}, [error = wait.error()] { return http::to_response(error); }, {}, {}, [] {}};
}

std::optional<Api::Deferred> Api::deferred(Request& request) const {
    const auto found = find_call(request.method, request.path);
    const auto* handler = found ? std::get_if<Later>(&found->call.handler) : nullptr;
    if (handler == nullptr) {
        return std::nullopt;
    }
    auto later = asked(*handler, core_, request, *found);
    if (later) {
        return std::move(*later);
    }
    return [error = later.error()] { return http::to_response(error); };
}

} // namespace adjourn::server
