// Page: who asks for analysis, and what of the engine's lines reaches it: lichess' broker reads
// them strictly, and passes on a state when the lines of all variations are there.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server::lichess {

// What the page is sent: the state after a line, when all variations are there.
struct Emit {
    int depth = 0;
    std::uint64_t nodes = 0;
    std::vector<std::vector<std::string>> variations;
    std::vector<nlohmann::json> scores; // {"cp": 13} or {"mate": 2}, of the side to move
};

// A page that has asked for analysis.
struct Page {
    std::vector<Emit> emits;
    std::vector<std::string> lines; // the stream as it came
    bool ended = false;             // by the engine
    bool gone = false;              // by the page
    std::string broken;             // what was no UCI

    // A line of the stream. Whether the stream goes on.
    bool hear(const std::string& line);

private:
    // Moves and their score, by their place; empty until the line of that place has come.
    using Variation = std::pair<std::vector<std::string>, nlohmann::json>;
    Emit state_;
    std::vector<std::optional<Variation>> variations_;
};

} // namespace adjourn::server::lichess
