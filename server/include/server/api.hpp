// Api: the calls of docs/protocol.md as functions Request → Response, on the core's thread.
#pragma once

#include "server/core.hpp"
#include "server/http/router.hpp"

#include <optional>

namespace adjourn::server {

class Api {
public:
    explicit Api(Core& core);

    // On the core's thread. Changes are durable when it returns.
    // Never throws: trouble becomes 503 or 500, and the core is told of the store's.
    http::Response operator()(const http::Request& request) const;

    // Calls that read much from the store are prepared on the core's thread and finished anywhere:
    // the result of prepare(), if any, must be called instead of operator() and needs no core.
    using Deferred = std::function<http::Response()>;
    std::optional<Deferred> prepare(const http::Request& request) const;

private:
    std::optional<Deferred> deferred(const http::Request& request) const;

    Core& core_;
    http::Router router_;
};

} // namespace adjourn::server
