// Questions: what a walk asks for. Keeps the questions in order of need, each once, at most as many
// as were wanted.
#pragma once

#include "analysis/growth/grow.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace adjourn::analysis {

class Questions {
public:
    // `plan` gets the number of pending questions; its questions when finish() is called.
    Questions(const PlanRequest& request, Plan& plan) : request_{request}, plan_{plan} {}

    // The position that a question is about.
    struct Subject {
        NodeId node{};
        const NodeDirectives* directives = nullptr; // may be null
        std::span<const chess::Move> line;          // from the root
        double need = 0;                            // smaller ones first, equal ones as they come
        bool urgent = false;                        // before all that are not
    };

    // first() and alternative() return whether an answer is still to come.
    bool first(const Subject& subject);
    // The best move outside the fresh candidates.
    bool alternative(const Subject& subject, std::span<const Candidate> candidates, double need);
    // One move, all others excluded.
    void alone(QuestionKind kind, const Subject& subject, chess::Move move, const Limit& limit);
    // Moves that people named and no search of the limit has judged.
    void included(const Subject& subject, std::span<const Candidate> candidates);
    // Of an established position. A seed that has a score, from whatever limit, is a move like any
    // other.
    void seeds(const Subject& subject, std::span<const Candidate> candidates);

    void finish();
    std::size_t open() const { return ranked_.size(); } // that are kept so far

private:
    struct Asked {
        Limit limit;
        std::vector<chess::Move> excluded;
        double need;
    };
    struct Ranked {
        double need;
        PlannedQuestion question;
    };

    QuestionState ask(QuestionKind kind, const Subject& subject, const Limit& limit,
                      std::vector<chess::Move> excluded, double need);
    bool remember(NodeId node, const Limit& limit, const std::vector<chess::Move>& excluded,
                  QuestionState state, double need);
    void keep_most_needed();

    const PlanRequest& request_;
    Plan& plan_;
    std::vector<Ranked> ranked_;
    std::unordered_map<NodeId, std::vector<Asked>> asked_;
};

// Sorted, without doubles; empty if there are none.
std::vector<chess::Move> excluded_by(const NodeDirectives* directives);
// What a search for an alternative leaves out: these, and the fresh candidates. Sorted, without
// doubles.
std::vector<chess::Move> known_moves(const NodeDirectives* directives,
                                     std::span<const Candidate> candidates);

} // namespace adjourn::analysis
