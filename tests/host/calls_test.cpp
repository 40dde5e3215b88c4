// How calls share the server.
#include "host/calls.hpp"

#include "api_fixture.hpp"

#include <boost/asio/co_spawn.hpp>

TEST_CASE("calls: so many large ones at a time, and ordinary ones always") {
    GrownTree f;
    boost::asio::io_context front;
    Calls calls{f.api, f.core.context};
    std::vector<int> statuses;
    const auto ask = [&](http::Request request) {
        boost::asio::co_spawn(front, calls.answer(std::move(request)),
                              [&](const std::exception_ptr& problem, http::Response response) {
                                  CHECK_FALSE(problem);
                                  statuses.push_back(response.status);
                              });
    };
    const auto run_front = [&] {
        front.restart();
        front.poll();
    };
    for (std::size_t i = 0; i < Calls::most_large; ++i) {
        ask(get_request(f.path("/tree")));
    }
    run_front();
    CHECK(statuses.empty()); // they wait for the core
    ask(get_request(f.path("/export?format=pgn")));
    run_front();
    CHECK(statuses == std::vector<int>{503});
    http::Request note{http::Method::post, "/api/v1" + f.path("/directives"), {}, {}, ""};
    note.body = json{{"moves", ""}, {"action", "note"}, {"text", std::string(9'000, 'x')}}.dump();
    ask(note);
    ask(get_request(f.path("/node")));
    while (statuses.size() < Calls::most_large + 3) {
        f.core.context.poll();
        run_front();
    }
    CHECK(std::ranges::count(statuses, 503) == 1);
    CHECK(std::ranges::count(statuses, 201) == 1);
    CHECK(std::ranges::count(statuses, 200) == static_cast<long>(Calls::most_large) + 1);
    calls.join();
}
