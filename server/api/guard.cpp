// Api, under guard: a call that goes wrong is answered, whatever it is.
#include "api/guard.hpp"

#include "api/call.hpp"
#include "api/names.hpp"
#include "core/guards/guard.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace adjourn::server {

std::string place_of(const Request& request) {
    return std::string{http::name_of(request.method)} + " " + request.path;
}

Error error_of(const Trouble& trouble) {
    if (trouble.kind == Trouble::Kind::other) {
        return {ErrorCode::internal, "this request failed inside the server", ""};
    }
    if (trouble.kind == Trouble::Kind::late) {
        return {ErrorCode::unavailable, trouble.what, ""};
    }
    return {ErrorCode::unavailable, "the store cannot be used: " + trouble.what, ""};
}

namespace {

Response response_to(const Trouble& trouble) {
    return http::to_response(error_of(trouble));
}

Api::Later under_guard(Api::Later finish, std::string place) {
    return [finish = std::move(finish), place = std::move(place)] {
        Response response;
        if (const auto trouble = guarded(place, [&] { response = finish(); })) {
            response = response_to(*trouble);
        }
        return response;
    };
}

// All of it at once.
struct InOneGo {
    Response operator()(Response& now) const { return std::move(now); }
    Response operator()(Api::Later& later) const { return later(); }
    Response operator()(Api::Wait& wait) const {
        auto seen = wait.look();
        return seen ? std::move(*seen) : wait.give_up();
    }
};

} // namespace

Response Api::operator()(Request request) const {
    const HoldWatch::Hold hold{core_.watch(), "call"};
    const auto route = route_of(request.method, request.path);
    if (!route) {
        return to_response(route.error(), request.method);
    }
    Response response;
    const auto trouble = guarded(place_of(request), [&] {
        auto reply = answered(request, *route, true);
        response = std::visit(InOneGo{}, reply);
    });
    if (trouble) {
        core_.take(*trouble);
        response = response_to(*trouble);
    }
    return response;
}

Api::Reply Api::begin(Request request) const {
    const auto route = route_of(request.method, request.path);
    return route ? begin(std::move(request), *route) : to_response(route.error(), request.method);
}

Api::Reply Api::begin(Request request, const Route& route) const {
    const HoldWatch::Hold hold{core_.watch(), "call"};
    const std::string place = place_of(request);
    Reply reply;
    if (const auto trouble = guarded(place, [&] { reply = answered(request, route, false); })) {
        core_.take(*trouble);
        return response_to(*trouble);
    }
    if (auto* later = std::get_if<Later>(&reply)) {
        *later = under_guard(std::move(*later), place);
    } else if (auto* wait = std::get_if<Wait>(&reply)) {
        wait->look = [this, place, look = std::move(wait->look)]() -> std::optional<Response> {
            const HoldWatch::Hold each{core_.watch(), "call"};
            std::optional<Response> seen;
            const auto trouble = guarded(place, [&] { seen = look(); });
            if (trouble) {
                core_.take(*trouble);
                return response_to(*trouble);
            }
            return seen;
        };
    }
    return reply;
}

Error to_http(const WorkError& error) {
    switch (error.kind) {
    case WorkError::Kind::no_analysis: return {ErrorCode::not_found, error.message, "id"};
    case WorkError::Kind::no_engine: return {ErrorCode::unknown_engine, error.message, "engine"};
    case WorkError::Kind::needs_move: return {ErrorCode::bad_value, error.message, "moves"};
    case WorkError::Kind::futile_line: return {ErrorCode::conflict, error.message, "moves"};
    case WorkError::Kind::futile_more: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::no_note: return {ErrorCode::conflict, error.message, "at"};
    case WorkError::Kind::futile_now: return {ErrorCode::conflict, error.message, "action"};
    case WorkError::Kind::past_moment: return {ErrorCode::bad_value, error.message, "budget.until"};
    case WorkError::Kind::changed_meanwhile: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::no_link: return {ErrorCode::not_found, error.message, "link"};
    case WorkError::Kind::too_many_links: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::no_board_search:
    case WorkError::Kind::no_verifying: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::store_failed: return {ErrorCode::unavailable, error.message, ""};
    }
    return {};
}

} // namespace adjourn::server
