// How far a long command is, and scores for people.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace adjourn::server {

// A score of the API, from White's side: "+0.31", "#-3"; "–" for null.
std::string score_text(const nlohmann::json& score);

// One line of a terminal that is rewritten; nothing elsewhere. To standard error.
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
