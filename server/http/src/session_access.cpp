// Session: who may ask, and what a stranger is told.
#include "session.hpp"

#include "base/counted.hpp"

#include "request_kind.hpp"
#include "session_body.hpp"

#include <boost/asio/steady_timer.hpp>
#include <spdlog/spdlog.h>

namespace adjourn::http {

namespace net = boost::asio;

net::awaitable<void> Session::refuse_stranger(const Request& request, Response refusal,
                                              ReplyForm form, bool has_body) {
    const auto& options = services_->options;
    const base::Counted stranger(services_->strangers);
    const bool few = stranger.count() <= options.max_strangers;
    const bool tried = request.headers.contains("authorization") || request.parameter("ticket");
    if (refusal.status == status_of(ErrorCode::unauthorised) && tried) {
        services_->tally.tried_wrong_token();
        const auto verdict = services_->wrong_tokens.tried(client_address_, Clock::now());
        if (verdict.to_log) {
            spdlog::warn("wrong tokens from {}: {} so far", client_address_, *verdict.to_log);
        }
        enter(Stage::leaving); // its place may be taken meanwhile
        pause_.expires_after(verdict.pause);
        const auto [ignored] = co_await pause_.async_wait(as_result);
        static_cast<void>(ignored);
        if (ending_) {
            co_return;
        }
    }
    co_await turn_down(std::move(refusal), form,
                       !few       ? 0
                       : has_body ? options.max_drain
                                  : short_drain,
                       has_body ? Clock::duration(options.body_timeout) : short_drain_time);
}

bool Session::is_for_page(const Request& request) const {
    return services_->files != nullptr && is_read(request.method) && !is_api(request.path);
}

std::expected<void, Error> Session::check(const Request& request, bool has_body,
                                          std::uint64_t body_size) {
    const auto host = request.header("host");
    const auto origin = request.header("origin");
    const auto type = request.header("content-type");
    const auto fetch_site = request.header("sec-fetch-site");
    const auto access = services_->access();
    auto result = access->check_host(as_view(host), local_address_);
    if (result) {
        result = access->check_origin(as_view(origin), local_address_);
    }
    if (result &&
        (request.method == Method::other || (is_events(request.path) && !is_read(request.method)) ||
         (is_tickets(request.path) && request.method != Method::post))) {
        result = std::unexpected(Error{ErrorCode::method_not_allowed,
                                       "this address does not answer that method", "method"});
    }
    if (result && !is_read(request.method)) {
        result = check_fetch_site(as_view(fetch_site));
    }
    // The page itself holds no data, and a browser cannot send a token for it.
    if (result && !(is_for_page(request) && services_->tokens.required())) {
        if (auto grant = grant_of(request); !grant) {
            result = std::unexpected(grant.error());
        } else {
            grant_ = std::move(*grant);
            trusted_ = !(grant_ == Right::shared); // a link may be known to anybody
        }
    }
    const std::size_t most = most_body(services_->options, request);
    if (result && body_size > most) {
        result = std::unexpected(too_large(most));
    }
    if (result && has_body) {
        result = check_content_type(as_view(type));
    }
    return result;
}

// Of one who may ask at all, what this request needs.
std::expected<Grant, Error> Session::grant_of(const Request& request) const {
    if (is_events(request.path) && request.parameter("token")) {
        return std::unexpected(
            Error{ErrorCode::unauthorised,
                  "a token in an address stays in histories and logs: send it as "
                  "\"Authorization: Bearer …\", or ask for a ticket by POST tickets",
                  "query.token"});
    }
    auto grant = is_events(request.path) && request.parameter("ticket")
                     ? services_->tokens.use_ticket(*request.parameter("ticket"), Clock::now())
                     : services_->tokens.check(as_view(request.header("authorization")));
    if (grant) {
        if (const auto allowed = allows(*grant, request); !allowed) {
            return std::unexpected(allowed.error());
        }
    }
    return grant;
}

std::expected<void, Error> Session::allows(const Grant& grant, const Request& request) const {
    const bool changes = !is_read(request.method) && !is_tickets(request.path);
    const auto refused = [&](ErrorCode code, const char* who, const char* why) {
        return std::unexpected(Error{code,
                                     std::string(who) + ": " +
                                         std::string(name_of(request.method)) + " " + request.path +
                                         " " + why,
                                     "header.authorization"});
    };
    if (grant == Right::full) {
        return {};
    }
    if (grant == Right::work) {
        if (!is_for_workers(request.method, request.path)) {
            return refused(ErrorCode::workers_only, "this token is for workers",
                           "needs another one");
        }
        return {};
    }
    const bool link = grant == Right::shared;
    if (changes) {
        return refused(ErrorCode::read_only,
                       link ? "a link is for reading" : "this token is for reading",
                       "needs the full one");
    }
    if (is_tickets(request.path) || is_events(request.path) || is_for_page(request)) {
        return {};
    }
    const auto& readers_of = services_->options.readers;
    const Readers readers = readers_of ? readers_of(request) : Readers{};
    if (link && !(readers.links && grant.shown.covers(*readers.links))) {
        return refused(ErrorCode::link_only, "a link shows one analysis, or a review",
                       "is no part of that");
    }
    if (!link && !readers.token) {
        return refused(ErrorCode::read_only, "this token is for reading", "needs the full one");
    }
    return {};
}

} // namespace adjourn::http
