// Affinity: lines that share their beginning are one, all others differ.
#include "core/schedule/scheduler.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

using analysis::AnalysisId;
using server::affinity_of;

TEST_CASE("affinity: analyses with equal first moves differ, lines with equal ones do not") {
    const chess::Position start = chess::Position::initial();
    const auto line = *chess::parse_line(start, "1. e4 e5 2. Nf3");
    std::set<std::uint64_t> seen;
    std::size_t lines = 0;
    for (std::int64_t id = -50; id < 1'000; ++id) {
        for (const chess::Move first : start.legal_moves()) {
            const chess::Position next = start.after(first);
            for (const chess::Move second : next.legal_moves()) {
                seen.insert(affinity_of(AnalysisId{id}, std::vector{first, second}));
                ++lines;
            }
            seen.insert(affinity_of(AnalysisId{id}, std::vector{first}));
            ++lines;
        }
        seen.insert(affinity_of(AnalysisId{id}, {}));
        ++lines;
    }
    CHECK(seen.size() == lines);
    CHECK_FALSE(seen.contains(0));
    CHECK(affinity_of(AnalysisId{1}, line) == affinity_of(AnalysisId{1}, std::span{line}.first(2)));
    CHECK(affinity_of(AnalysisId{1}, line) != affinity_of(AnalysisId{2}, line));
}
