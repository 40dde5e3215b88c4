// Player: an engine of a match, as a process that is talked to line by line.
#pragma once

#include "engine_bridge/process/child.hpp"
#include "engine_bridge/process/text.hpp"

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace adjourn::match {

// The engine died, hung, or never said hello.
class PlayerError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct PlayerSetup {
    std::string name;
    std::vector<std::string> command;
    std::map<std::string, std::string> options;
};

class Player {
public:
    using Clock = std::chrono::steady_clock;

    // Starts the engine and sets its options; blocks until it is ready. Throws PlayerError.
    explicit Player(const PlayerSetup& setup);
    ~Player(); // "quit", and kills what does not go within five seconds

    const std::string& name() const { return name_; }
    void send(const std::string& line);
    // The next line; nullopt at the deadline. Throws PlayerError when the engine is gone.
    std::optional<std::string> read(Clock::time_point deadline);
    // Reads until a line begins with `word`.
    void wait_for(const std::string& word, std::chrono::seconds patience);

private:
    std::string name_;
    engine_bridge::Spawned process_;
    engine_bridge::LineBuffer buffer_;
    std::deque<std::string> lines_;
};

} // namespace adjourn::match
