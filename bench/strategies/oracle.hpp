// Oracle: whoever answers a strategy's questions, one at a time. The answer is a function of the
// question, or of all questions so far, so that a measurement can be replayed.
#pragma once

#include "analysis/records.hpp"
#include "chess/position.hpp"

#include <span>

namespace adjourn::bench {

class Oracle {
public:
    virtual ~Oracle() = default;

    // What every question carries, and every answer therefore too.
    virtual analysis::EngineId engine() const = 0;
    // May block. An evaluation without move or score says that there is none to be had.
    virtual analysis::Evaluation ask(const analysis::Question& question) = 0;
    // The same, where it matters on which line from the root the position was met.
    virtual analysis::Evaluation ask_on(const analysis::Question& question,
                                        std::span<const chess::Move> /*line*/) {
        return ask(question);
    }
};

} // namespace adjourn::bench
