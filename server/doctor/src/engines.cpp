#include "doctor/checks.hpp"

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
    engine_bridge::Pool pool{context,
                             std::move(profile),
                             {},
                             {[&](engine_bridge::JobId, engine_bridge::Result done) {
                                  if (!result) {
                                      result = std::move(done);
                                      deadline.cancel();
                                  }
                              },
                              {},
                              [&](std::expected<engine_bridge::Identity, std::string> said) {
                                  if (said) {
                                      identity = std::move(*said);
                                  }
                              }}};
    deadline.async_wait([&](const boost::system::error_code&) { pool.stop([] {}); });
    pool.start();
    pool.submit({1, chess::Position::initial(), question, {}});
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
    return findings;
}

} // namespace adjourn::server
