#include "program/doctor/checks.hpp"

#include "core/engines/installed_engines.hpp"
#include "engine_bridge/dispatch/pool.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <spdlog/fmt/fmt.h>

#include <optional>

namespace adjourn::server {

namespace {

using Kind = Finding::Kind;

constexpr std::chrono::seconds patience{30};
constexpr chess::Limit question{chess::Limit::Kind::depth, 6};

Finding asked(engine_bridge::Profile profile) {
    const std::string name = "engine '" + profile.name + "'";
    const std::string command = profile.command.front();
    profile.count = 1;
    boost::asio::io_context context;
    std::optional<engine_bridge::Identity> identity;
    std::optional<engine_bridge::Result> result;
    boost::asio::steady_timer deadline{context, patience};
    const auto dispatcher = std::make_shared<engine_bridge::Dispatcher>();
    const engine_bridge::ProfileId index = dispatcher->add(profile.name);
    engine_bridge::Pool pool{
        context, dispatcher, index, std::move(profile), {}, {.identified = [&](auto who) {
            if (who) {
                identity = std::move(*who);
            }
        }}};
    deadline.async_wait([&](const boost::system::error_code&) { pool.stop([] {}); });
    pool.start();
    dispatcher->submit(index, {dispatcher->next_id(), chess::Position::initial(), question, {}},
                       [&](engine_bridge::Result done) {
                           result = std::move(done);
                           deadline.cancel();
                       });
    context.run();
    if (result && *result) {
        return {Kind::good,
                fmt::format("{}: {}, depth {} of the start position in {} ms", name,
                            identity ? identity->name : command, (*result)->depth,
                            (*result)->time_ms),
                ""};
    }
    const bool cancelled =
        !result || result->error().kind == engine_bridge::Failure::Kind::cancelled;
    return {Kind::bad,
            name + ": " +
                (cancelled ? fmt::format("no answer within {} s", patience.count())
                           : result->error().reason),
            "try it by hand: start " + command + ", type uci, isready, go depth 6"};
}

} // namespace

Findings check_engines(const Config& config) {
    Findings findings;
    for (const engine_bridge::Profile& profile : config.engines) {
        findings.push_back(asked(profile));
    }
    if (is_built_in(config.engines.front()) && findings.front().kind == Kind::good) {
        findings.front().cure =
            "no Stockfish is installed, so the built-in engine answers, which is far weaker: "
            "apt install stockfish (docs/operate/engines.md)";
    }
    return findings;
}

} // namespace adjourn::server
