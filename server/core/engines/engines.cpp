#include "core/engines/engines.hpp"

#include "engine_bridge/dispatch/pool.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <spdlog/fmt/chrono.h>

namespace adjourn::server {

namespace {

std::string canonical_options(const engine_bridge::Identity& who) {
    std::string lines;
    for (const auto& [name, value] : who.options) {
        lines += name + "=" + value + "\n";
    }
    return lines;
}

// "Stockfish 15.1" → version "15.1": the last word, where it starts with a digit.
std::string version_of(const std::string& name) {
    const std::size_t blank = name.rfind(' ');
    if (blank == std::string::npos || blank + 1 >= name.size() || name[blank + 1] < '0' ||
        name[blank + 1] > '9') {
        return "";
    }
    return name.substr(blank + 1);
}

} // namespace

storage::EngineRecord engine_record(const engine_bridge::Identity& who) {
    storage::EngineRecord record;
    record.name = who.name;
    record.version = version_of(who.name);
    record.options = canonical_options(who);
    record.network = who.network;
    return record;
}

analysis::Evaluation evaluation_of(const engine_bridge::Answer& answer, analysis::Question question,
                                   analysis::UnixMs at) {
    analysis::Evaluation evaluation;
    evaluation.question = std::move(question);
    evaluation.move = answer.move;
    evaluation.score = answer.score;
    evaluation.bound = answer.bound;
    evaluation.depth = answer.depth;
    evaluation.seldepth = answer.seldepth;
    evaluation.nodes = answer.nodes;
    evaluation.time_ms = answer.time_ms;
    evaluation.pv = answer.pv;
    evaluation.wdl = answer.wdl;
    evaluation.machine = answer.machine;
    evaluation.at = at;
    return evaluation;
}

std::map<std::string, std::expected<engine_bridge::Identity, std::string>>
introductions(const std::vector<engine_bridge::Profile>& engines,
              std::chrono::milliseconds patience) {
    std::map<std::string, std::expected<engine_bridge::Identity, std::string>> told;
    boost::asio::io_context context;
    boost::asio::steady_timer deadline{context, patience};
    engine_bridge::Timeouts timeouts;
    timeouts.quit = std::chrono::milliseconds{300}; // nothing is lost by being killed
    const auto dispatcher = std::make_shared<engine_bridge::Dispatcher>();
    std::vector<std::unique_ptr<engine_bridge::Pool>> pools;
    std::size_t open = engines.size();
    const auto stop = [&](engine_bridge::Pool& pool) {
        pool.stop([&] {
            if (--open == 0) {
                deadline.cancel();
            }
        });
    };
    for (const engine_bridge::Profile& engine : engines) {
        const std::size_t number = pools.size();
        engine_bridge::Processes::Callbacks callbacks;
        callbacks.identified = [&, number, name = engine.name](auto who) {
            if (told.emplace(name, std::move(who)).second) { // the pool would try again for ever
                boost::asio::post(context, [&, number] { stop(*pools[number]); });
            }
        };
        pools.push_back(std::make_unique<engine_bridge::Pool>(context, dispatcher,
                                                              dispatcher->add(engine.name), engine,
                                                              timeouts, std::move(callbacks)));
    }
    deadline.async_wait([&](const boost::system::error_code& cancelled) {
        for (std::size_t number = 0; !cancelled && number < pools.size(); ++number) {
            if (told.emplace(engines[number].name,
                             std::unexpected(fmt::format("no answer within {}", patience)))
                    .second) {
                stop(*pools[number]);
            }
        }
    });
    if (engines.empty()) {
        return told;
    }
    for (const auto& pool : pools) {
        pool->start();
    }
    context.run();
    return told;
}

} // namespace adjourn::server
