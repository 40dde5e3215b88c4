// Journal: what the writer's transactions did, one row each in the table `changes`, for whoever
// follows (storage/follower.hpp). On the writer's connection.
#pragma once

#include "connection.hpp"
#include "storage/store.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <set>
#include <utility>
#include <vector>

namespace adjourn::storage::postgresql {

class Journal {
public:
    void evaluation(std::int64_t id, std::optional<AnalysisId> asked_by);
    void analysis(AnalysisId analysis) { now_.analyses.insert(analysis); }
    void seeded(AnalysisId analysis);

    // What was noted in this transaction; to go back to where it is rolled back to a savepoint.
    struct Notes {
        std::vector<std::int64_t> facts, askers;
        std::set<AnalysisId> analyses, seeded;
    };
    struct Mark {
        std::size_t facts = 0;
        std::set<AnalysisId> analyses, seeded;
    };
    Mark mark() const { return {now_.facts.size(), now_.analyses, now_.seeded}; }
    void back_to(const Mark& mark);

    // At the begin of a transaction.
    void clear() { now_ = {}; }
    // At its end. Also takes away rows of long ago.
    void write(Connection& connection);

private:
    using Clock = std::chrono::steady_clock;

    void trim(Connection& connection);

    Notes now_;
    struct Passed {
        Clock::time_point at;
        std::int64_t number; // of the last row by then
    };
    std::deque<Passed> passed_; // once in a while
};

} // namespace adjourn::storage::postgresql
