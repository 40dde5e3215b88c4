// Work: what lichess asks an external engine for, as a value. Pure.
#pragma once

#include "chess/uci/command.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace adjourn::server::lichess {

// Letters, digits, '-' and '_': fit for a path.
bool is_id(const std::string& text);

struct Work {
    std::string id;           // is_id()
    std::string session;      // of the page that asks
    std::int64_t threads = 1; // that it may use
    int lines = 1;            // MultiPV
    std::string position;     // the UCI command
    chess::uci::Game game;    // the same, read; without a problem
    // One of them at most; none: until the page goes away.
    std::optional<std::chrono::milliseconds> movetime;
    std::optional<std::int64_t> depth; // plies
    std::optional<std::int64_t> nodes;
};

// `body`: JSON, as the call that waits for work is answered. What it has besides is passed over.
// The error is for people.
std::expected<Work, std::string> read_work(std::string_view body);

} // namespace adjourn::server::lichess
