// Api, under guard: a call that goes wrong is answered, whatever it is.
#include "health/guard.hpp"
#include "call.hpp"

namespace adjourn::server {

using http::Error;
using http::ErrorCode;
using http::Request;
using http::Response;

std::string place_of(const Request& request) {
    return std::string{http::name_of(request.method)} + " " + request.path;
}

Error error_of(const Trouble& trouble) {
    if (trouble.kind == Trouble::Kind::other) {
        return {ErrorCode::internal, "this request failed inside the server", ""};
    }
    return {ErrorCode::unavailable, "the store cannot be used: " + trouble.what, ""};
}

namespace {

Response response_to(const Trouble& trouble) {
    return http::to_response(error_of(trouble));
}

Api::Deferred under_guard(Api::Deferred finish, std::string place) {
    return [finish = std::move(finish), place = std::move(place)] {
        Response response;
        if (const auto trouble = guarded(place, [&] { response = finish(); })) {
            response = response_to(*trouble);
        }
        return response;
    };
}

} // namespace

Response Api::operator()(const Request& request) const {
    const HoldWatch::Hold hold{core_.watch(), "call"};
    Response response;
    if (const auto trouble = guarded(place_of(request), [&] { response = answered(request); })) {
        core_.take(*trouble);
        response = response_to(*trouble);
    }
    return response;
}

std::optional<Api::Deferred> Api::prepare(const Request& request) const {
    Request own = request;
    return prepare_taking(own);
}

std::optional<Api::Deferred> Api::prepare_taking(Request& request) const {
    const HoldWatch::Hold hold{core_.watch(), "call"};
    std::optional<Deferred> prepared;
    if (const auto trouble = guarded(place_of(request), [&] { prepared = deferred(request); })) {
        core_.take(*trouble);
        return [trouble = *trouble] { return response_to(trouble); };
    }
    if (!prepared) {
        return std::nullopt;
    }
    return under_guard(std::move(*prepared), place_of(request));
}

std::optional<Api::Wait> Api::wait(const Request& request) const {
    const HoldWatch::Hold hold{core_.watch(), "call"};
    std::optional<Wait> begun;
    const auto told = [this](const Trouble& trouble) {
        core_.take(trouble);
        return response_to(trouble);
    };
    if (const auto trouble = guarded(place_of(request), [&] { begun = begun_wait(request); })) {
        return Wait{{}, [told, trouble = *trouble] { return told(trouble); }, {}, {}, [] {}};
    }
    if (!begun) {
        return std::nullopt;
    }
    begun->look = [this, told, look = std::move(begun->look), place = place_of(request)] {
        const HoldWatch::Hold each{core_.watch(), "call"};
        std::optional<Response> seen;
        const auto trouble = guarded(place, [&] { seen = look(); });
        return trouble ? std::optional{told(*trouble)} : seen;
    };
    return begun;
}

std::optional<Api::Walk> Api::walk(const Request& request) const {
    using Seen = std::expected<bool, Error>;
    std::optional<Walk> begun;
    const auto told = [this](const Trouble& trouble) -> Seen {
        core_.take(trouble);
        return std::unexpected(error_of(trouble));
    };
    if (const auto trouble = guarded(place_of(request), [&] { begun = begun_walk(request); })) {
        return Walk{[told, trouble = *trouble](const TimeUp&) { return told(trouble); }, {}, {}};
    }
    if (!begun) {
        return std::nullopt;
    }
    auto look = [told, look = std::move(begun->look),
                 place = place_of(request)](const TimeUp& time_up) -> Seen {
        Seen seen = true;
        const auto trouble = guarded(place, [&] { seen = look(time_up); });
        return trouble ? told(*trouble) : seen;
    };
    return Walk{std::move(look), under_guard(std::move(begun->finish), place_of(request)),
                std::move(begun->elsewhere)};
}

} // namespace adjourn::server
