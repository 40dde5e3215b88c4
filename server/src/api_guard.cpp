// Api, under guard: a call that goes wrong is answered, whatever it is.
#include "server/api.hpp"
#include "server/guard.hpp"

namespace adjourn::server {

using http::Error;
using http::ErrorCode;
using http::Request;
using http::Response;

namespace {

std::string place_of(const Request& request) {
    return std::string{http::name_of(request.method)} + " " + request.path;
}

Response response_to(const Trouble& trouble) {
    if (trouble.kind == Trouble::Kind::other) {
        return http::to_response(
            {ErrorCode::internal, "this request failed inside the server", ""});
    }
    return http::to_response(
        {ErrorCode::unavailable, "the store cannot be used: " + trouble.what, ""});
}

} // namespace

Response Api::operator()(const Request& request) const {
    const HoldWatch::Hold hold{core_.watch(), "call"};
    Response response;
    if (const auto trouble = guarded(place_of(request), [&] { response = router_(request); })) {
        core_.take(*trouble);
        response = response_to(*trouble);
    }
    return response;
}

std::optional<Api::Deferred> Api::prepare(const Request& request) const {
    const HoldWatch::Hold hold{core_.watch(), "call"};
    std::optional<Deferred> prepared;
    if (const auto trouble = guarded(place_of(request), [&] { prepared = deferred(request); })) {
        core_.take(*trouble);
        return [trouble = *trouble] { return response_to(trouble); };
    }
    if (!prepared) {
        return std::nullopt;
    }
    return [finish = std::move(*prepared), place = place_of(request)] {
        Response response;
        if (const auto trouble = guarded(place, [&] { response = finish(); })) {
            response = response_to(*trouble);
        }
        return response;
    };
}

} // namespace adjourn::server
