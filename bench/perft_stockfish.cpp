#include "perft_stockfish.hpp"

#include <cassert>
#include <cstdlib>
#include <stdexcept>

namespace adjourn::bench {

using Clock = EnginePipe::Clock;

StockfishPerft::StockfishPerft(const std::string& program) {
    try {
        engine_.emplace(std::vector{program});
        engine_->send("setoption name UCI_Chess960 value true");
        engine_->send("isready");
        await("readyok", Clock::now() + std::chrono::seconds{20});
    } catch (const std::runtime_error&) {
        engine_.reset();
    }
}

std::string StockfishPerft::await(const std::string& prefix, Clock::time_point deadline) {
    for (;;) {
        const std::string line = engine_->line(deadline);
        if (line.starts_with(prefix)) {
            return line.substr(prefix.size());
        }
    }
}

std::optional<StockfishPerft::Count> StockfishPerft::count(const std::string& fen, int depth) {
    assert(ready());
    const auto start = Clock::now();
    try {
        engine_->send("position fen " + fen);
        engine_->send("go perft " + std::to_string(depth));
        const std::string answer = await("Nodes searched: ", start + std::chrono::minutes{30});
        const std::chrono::duration<double> elapsed = Clock::now() - start;
        return Count{std::strtoull(answer.c_str(), nullptr, 10), elapsed.count()};
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

} // namespace adjourn::bench
