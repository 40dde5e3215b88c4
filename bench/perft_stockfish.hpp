// Stockfish as a node counter.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

namespace adjourn::bench {

// A Stockfish process on two pipes. Every wait ends by a deadline; what fails gives nothing.
class StockfishPerft {
public:
    explicit StockfishPerft(const std::string& program);
    ~StockfishPerft();
    StockfishPerft(const StockfishPerft&) = delete;
    StockfishPerft& operator=(const StockfishPerft&) = delete;

    // Started and answering.
    bool ready() const { return ready_; }
    struct Count {
        std::uint64_t nodes;
        double seconds; // from the command to the answer
    };
    std::optional<Count> count(const std::string& fen, int depth);

private:
    using Clock = std::chrono::steady_clock;
    bool send(const std::string& line);
    // The rest of the first line that starts with `prefix`.
    std::optional<std::string> await(const std::string& prefix, Clock::time_point deadline);

    pid_t process_ = -1;
    int to_ = -1;
    int from_ = -1;
    bool ready_ = false;
    std::string buffer_;
};

} // namespace adjourn::bench
