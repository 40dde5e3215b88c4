// Recording: a transcript of a real engine, one line each way with a time
// ("  57.731 > go nodes 200000", "  59.493 < info depth 1 …", "  99.1 ! exit 0").
#pragma once

#include "chess/position.hpp"
#include "engine_bridge/process/session.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::engine_bridge {

struct Recording {
    struct Line {
        double ms;
        char direction; // '>' sent to the engine, '<' received from it, '!' an event
        std::string text;
    };
    std::string name; // "stockfish_nodes1M"
    std::vector<Line> lines;

    std::string engine() const { return name.substr(0, name.find('_')); }
};

// Sorted by name; empty where the data is not there.
std::vector<Recording> recordings();
Recording recording(const std::string& name);

// Every search of the recording whose position is legal and whose limit is one of ours, replayed
// through a session: the engine's own handshake, then what it said from go to bestmove.
struct Replayed {
    Search search;
    std::optional<Result> result; // nullopt: the recording ends without bestmove
    std::vector<std::string> info_with_score;
};
std::vector<Replayed> replay(const Recording& recording);

} // namespace adjourn::engine_bridge
