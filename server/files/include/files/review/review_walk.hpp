// ReviewWalk: a review, made position by position, so that nobody waits for a long game or for
// many.
#pragma once

#include "core/graphs/graph_walk.hpp"
#include "core/graphs/standing.hpp"
#include "files/review/review.hpp"

#include <cstddef>
#include <vector>

namespace adjourn::server {

class ReviewWalk : public GraphWalk {
public:
    // `line` leads on from the root. `run` must outlive go_on() and keep its graph and root.
    ReviewWalk(const AnalysisRun& run, std::vector<chess::Move> line,
               std::size_t better_plies = longest_better_line); // 0: without better lines

    bool go_on(const TimeUp& time_up) override;
    // Once, when go_on() has returned true; any thread.
    Review take();

private:
    void look();

    const AnalysisRun& run_;
    const std::vector<chess::Move> line_;
    const std::size_t better_plies_;
    const std::size_t book_; // moves of named openings
    Standing at_;
    Review made_;
};

// Whether a review has a score of the position. REQUIRES: run.slot.
bool is_known(const AnalysisRun& run, const chess::Position& position);

} // namespace adjourn::server
