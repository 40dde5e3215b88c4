// Stockfish as a node counter.
#pragma once

#include "engine_pipe.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace adjourn::bench {

// Every wait ends by a deadline; what fails gives nothing.
class StockfishPerft {
public:
    explicit StockfishPerft(const std::string& program);

    // Started and answering.
    bool ready() const { return engine_.has_value(); }
    struct Count {
        std::uint64_t nodes;
        double seconds; // from the command to the answer
    };
    // REQUIRES: ready().
    std::optional<Count> count(const std::string& fen, int depth);

private:
    // The rest of the first line that starts with `prefix`.
    std::string await(const std::string& prefix, EnginePipe::Clock::time_point deadline);

    std::optional<EnginePipe> engine_;
};

} // namespace adjourn::bench
