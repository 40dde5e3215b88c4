// Progress of an analysis on the terminal, and the report at its end.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

namespace adjourn::server {

// On a terminal: one line that is rewritten. Else: a line for each settled level. To standard
// error.
class Progress {
public:
    explicit Progress(bool talkative);
    void show(const nlohmann::json& analysis);
    void end(); // leaves the cursor on a line of its own

private:
    bool talkative_;
    bool terminal_;
    bool dirty_ = false;
    int settled_ = 0;
    std::size_t width_ = 0;
};

// A score of the API, from White's side: "+0.31", "#-3"; "–" for null.
std::string score_text(const nlohmann::json& score);

void print_report(std::ostream& out, const nlohmann::json& analysis, const nlohmann::json& node,
                  const nlohmann::json& result, bool stopped);

// Bar: how far a long command is, as one line of a terminal that is rewritten; nothing elsewhere.
// To standard error.

class Bar {
public:
    explicit Bar(std::string what);
    ~Bar() { end(); }
    Bar(const Bar&) = delete;
    Bar& operator=(const Bar&) = delete;

    void show(std::uint64_t done, std::uint64_t of);
    std::function<void(std::uint64_t, std::uint64_t)> advance();
    void end(); // wipes it

private:
    const std::string what_;
    const bool terminal_;
    int percent_ = -1;
};

} // namespace adjourn::server
