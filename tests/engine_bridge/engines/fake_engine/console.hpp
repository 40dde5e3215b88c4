// Console: lines in and out of fake_engine, spoiled as the switches say.
#pragma once

#include "switches.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace fake_engine {

class Console {
public:
    explicit Console(const Switches& switches) : switches_{switches} {}

    enum class Read : unsigned char { line, timeout, end };
    // Waits for a line; nullopt = for ever.
    Read read(std::string& line, std::optional<std::chrono::milliseconds> patience = std::nullopt);
    void print(std::string_view line);
    void write(std::string_view bytes); // as they are
    // A MiB of stderr.
    void flood();

private:
    void log(std::string_view line) const;

    const Switches& switches_;
    std::string input_;
};

} // namespace fake_engine
