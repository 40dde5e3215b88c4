// AnswerLog: which answer each analysis had when, and how sure it was, as far as somebody looked.
// What is past cannot be asked of a graph: it has the values of now. No facts: without it nothing
// is lost but "before". One thread at a time.
#pragma once

#include "analysis/records.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace adjourn::server {

class AnswerLog {
public:
    struct Seen {
        std::string root; // FEN
        std::string best; // UCI
        char letter = 'F';
        int percent = 0;           // when it was seen last
        analysis::UnixMs from = 0; // when it was seen first
        analysis::UnixMs until = 0;
        std::uint64_t version = 0; // of the analysis, in this program; 0: another one's
    };

    // `kept` may be anything.
    explicit AnswerLog(const std::string& kept = "");

    // What an analysis answers at `now.until`. `from` is not read.
    void see(analysis::AnalysisId id, Seen now);
    // What it answers; null: nobody has looked at this root.
    const Seen* latest(analysis::AnalysisId id, const std::string& root) const;
    // What it answered at the moment, or the first that is known after it. Null as above.
    const Seen* at(analysis::AnalysisId id, const std::string& root, analysis::UnixMs moment) const;
    // Since when the latest has its letter, and until when the answer was another move; 0: always,
    // never.
    analysis::UnixMs letter_since(analysis::AnalysisId id) const;
    analysis::UnixMs other_until(analysis::AnalysisId id) const;
    analysis::UnixMs best_since(analysis::AnalysisId id) const;
    // Of other analyses nothing is kept.
    void keep_only(const std::vector<analysis::AnalysisId>& ids);

    // With which one the next look at all analyses begins, where one look is not enough.
    analysis::AnalysisId unseen() const { return unseen_; }
    void set_unseen(analysis::AnalysisId id) { unseen_ = id; }

    // For the next program, which gets it as `kept`.
    std::string text() const;

private:
    static constexpr std::size_t most = 50; // of an analysis; then the oldest are dropped
    // Of one root, oldest first; two neighbours differ in move or letter.
    std::map<analysis::AnalysisId, std::deque<Seen>> seen_;
    analysis::AnalysisId unseen_{};
};

} // namespace adjourn::server
