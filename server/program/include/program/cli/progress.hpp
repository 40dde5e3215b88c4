// Progress of an analysis on the terminal, and the report at its end.
#pragma once

#include <nlohmann/json.hpp>

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

} // namespace adjourn::server
