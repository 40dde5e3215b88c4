#include "journal.hpp"

#include <algorithm>

namespace adjourn::storage::postgresql {

namespace {

// Whoever was away for longer reads everything again.
constexpr std::chrono::minutes kept{15};
constexpr std::chrono::minutes between_trims{1};

std::vector<std::int64_t> rows_of(const std::set<AnalysisId>& analyses) {
    std::vector<std::int64_t> rows;
    std::ranges::transform(analyses, std::back_inserter(rows),
                           [](AnalysisId analysis) { return row(analysis); });
    return rows;
}

} // namespace

void Journal::evaluation(std::int64_t id, std::optional<AnalysisId> asked_by) {
    now_.facts.push_back(id);
    now_.askers.push_back(asked_by ? row(*asked_by) : 0);
}

void Journal::seeded(AnalysisId analysis) {
    now_.analyses.insert(analysis);
    now_.seeded.insert(analysis);
}

void Journal::back_to(const Mark& mark) {
    now_.facts.resize(mark.facts);
    now_.askers.resize(mark.facts);
    now_.analyses = mark.analyses;
    now_.seeded = mark.seeded;
}

void Journal::write(Connection& connection) {
    if (now_.facts.empty() && now_.analyses.empty()) {
        return;
    }
    if (std::ranges::all_of(now_.askers, [](std::int64_t asker) { return asker == 0; })) {
        now_.askers.clear(); // as of an import
    }
    connection.run("INSERT INTO changes (facts, askers, analyses, seeded) "
                   "VALUES ($1, $2, $3, $4)",
                   now_.facts, now_.askers, rows_of(now_.analyses), rows_of(now_.seeded));
    trim(connection);
}

// The last row of the time that is kept no longer stays: whoever has seen it has missed nothing.
void Journal::trim(Connection& connection) {
    const auto now = Clock::now();
    if (!passed_.empty() && now - passed_.back().at < between_trims) {
        return;
    }
    passed_.push_back({now, connection.run("SELECT max(number) FROM changes").integer(0, 0)});
    while (passed_.size() > 1 && now - passed_[1].at >= kept) {
        passed_.pop_front();
    }
    if (now - passed_.front().at >= kept) {
        connection.run("DELETE FROM changes WHERE number < $1", passed_.front().number);
    }
}

} // namespace adjourn::storage::postgresql
