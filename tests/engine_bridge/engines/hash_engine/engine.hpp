// Engine: the UCI side of hash_engine. Lines and times in, text out; does no I/O and reads no
// clock.
#pragma once

#include "evaluation.hpp"

#include "chess/uci/command.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace hash_engine {

namespace uci = adjourn::chess::uci;

class Engine {
public:
    using Time = std::chrono::steady_clock::time_point;

    // False after quit.
    bool command(std::string_view line, Time now);
    // Answers a search whose time has come.
    void time(Time now);
    // When the running search will answer by itself.
    std::optional<Time> deadline() const;
    // What is to be printed. Empties it.
    std::string take_output();

private:
    struct Settings {
        int answer_ms = 20;
        int jitter = 0; // percent
        std::uint64_t seed = 0;
        bool chess960 = false;
        bool warm = false;
    };
    struct Running {
        std::vector<chess::Move> moves;
        int depth = 1;
        std::uint64_t nodes = 1;
        std::uint64_t salt = 0; // stands for the limit
        Time started;
        std::optional<Time> deadline; // none: until stop
    };

    void set_option(const uci::SetOption& option);
    void go(const uci::Go& limits, Time now);
    void report(int depth, std::uint64_t nodes, std::uint64_t salt, Time now);
    void answer(bool complete, Time now);
    std::string move_text(const chess::Position& position, chess::Move move) const;

    Settings settings_;
    Evaluation evaluation_{0};
    chess::Position position_ = chess::Position::initial();
    bool position_known_ = true;
    std::optional<Running> running_;
    std::optional<chess::Move> best_;
    std::uint64_t searched_ = 0;                    // grows by every search since ucinewgame
    std::minstd_rand pace_{std::random_device{}()}; // for jitter only, never for scores
    std::string output_;
};

} // namespace hash_engine
