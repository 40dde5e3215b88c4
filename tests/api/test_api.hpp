// The API as tests ask it: who calls has the core's thread, and lets the core go on until there is
// an answer.
#pragma once

#include "api/api.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

namespace adjourn::server {

class TestApi : public Api {
public:
    // `step`: the core does a little of what is due.
    template <class... Rest>
    TestApi(Core& core, std::function<void()> step, Rest... rest)
        : Api{core, rest...}, step_{std::move(step)} {}
    // `fixture`: a CoreFixture. It must outlive this.
    template <class Fixture, class... Rest>
    requires requires(Fixture& fixture) { fixture.context; }
    explicit TestApi(Fixture& fixture, Rest... rest)
        : TestApi{*fixture.core,
                  [&fixture] {
                      fixture.flush();
                      if (fixture.context.poll_one() == 0) {
                          fixture.core->look_after(); // what the clock drives, such as a verify
                      }
                  },
                  rest...} {}

    Reply begin(http::Request request) const {
        const auto route = route_of(request.method, request.path);
        return route ? Api::begin(std::move(request), *route)
                     : Reply{http::to_response(route.error(), request.method)};
    }

    http::Response operator()(http::Request request) const {
        Reply reply = begin(std::move(request));
        if (const auto* now = std::get_if<http::Response>(&reply)) {
            return *now;
        }
        if (const auto* later = std::get_if<Later>(&reply)) {
            return (*later)();
        }
        const Wait& wait = std::get<Wait>(reply);
        const auto end = std::chrono::steady_clock::now() + wait.patience;
        auto seen = wait.look();
        while (!seen && std::chrono::steady_clock::now() < end && wait.wake_me([] {})) {
            step_();
            std::this_thread::yield(); // some answers come from other threads
            seen = wait.look();
        }
        http::Response response = seen ? std::move(*seen) : wait.give_up();
        wait.leave();
        return response;
    }

private:
    std::function<void()> step_;
};

} // namespace adjourn::server
