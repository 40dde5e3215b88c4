#include "analysis/growth/questions.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace adjourn::analysis {

namespace {

void normalise(std::vector<chess::Move>& moves) {
    std::sort(moves.begin(), moves.end());
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
}

bool may_be_answered(QuestionState state) {
    return state == QuestionState::open || state == QuestionState::pending;
}

} // namespace

std::vector<chess::Move> excluded_by(const NodeDirectives* directives) {
    std::vector<chess::Move> result;
    if (directives != nullptr) {
        result = directives->excluded;
        normalise(result);
    }
    return result;
}

std::vector<chess::Move> known_moves(const NodeDirectives* directives,
                                     std::span<const Candidate> candidates) {
    std::vector<chess::Move> result = excluded_by(directives);
    for (const Candidate& candidate : candidates) {
        if (candidate.fresh) {
            result.push_back(candidate.move.move);
        }
    }
    normalise(result);
    return result;
}

bool Questions::first(const Subject& subject) {
    std::vector<chess::Move> excluded = excluded_by(subject.directives);
    return excluded.size() < request_.graph.position(subject.node).legal_moves().size() &&
           may_be_answered(ask(QuestionKind::first, subject, request_.limit, std::move(excluded),
                               subject.need));
}

bool Questions::alternative(const Subject& subject, std::span<const Candidate> candidates,
                            double need) {
    std::vector<chess::Move> known = known_moves(subject.directives, candidates);
    return known.size() < request_.graph.position(subject.node).legal_moves().size() &&
           may_be_answered(
               ask(QuestionKind::alternative, subject, request_.limit, std::move(known), need));
}

void Questions::alone(QuestionKind kind, const Subject& subject, chess::Move move,
                      const Limit& limit) {
    std::vector<chess::Move> others;
    for (const chess::Move other : request_.graph.position(subject.node).legal_moves()) {
        if (other != move) {
            others.push_back(other);
        }
    }
    normalise(others);
    ask(kind, subject, limit, std::move(others), subject.need);
}

void Questions::included(const Subject& subject, std::span<const Candidate> candidates) {
    if (subject.directives == nullptr) {
        return;
    }
    for (const chess::Move move : subject.directives->included) {
        if (std::none_of(candidates.begin(), candidates.end(),
                         [&](const Candidate& c) { return c.fresh && c.move.move == move; })) {
            alone(QuestionKind::redo, subject, move, request_.limit);
        }
    }
}

void Questions::seeds(const Subject& subject, std::span<const Candidate> candidates) {
    for (const chess::Move move : seeds_at(request_, subject.node)) {
        const bool left_out =
            subject.directives != nullptr && base::contains(subject.directives->excluded, move);
        if (!left_out && std::none_of(candidates.begin(), candidates.end(),
                                      [&](const Candidate& c) { return c.move.move == move; })) {
            alone(QuestionKind::seed, subject, move, request_.limit);
        }
    }
}

QuestionState Questions::ask(QuestionKind kind, const Subject& subject, const Limit& limit,
                             std::vector<chess::Move> excluded, double need) {
    const QuestionState state = request_.state(subject.node, limit, excluded);
    need = subject.urgent ? -1.0 : need;
    if (state == QuestionState::dead || !remember(subject.node, limit, excluded, state, need)) {
        return state;
    }
    if (state == QuestionState::failed) {
        if (!plan_.unanswered) {
            plan_.unanswered = {
                kind,  subject.node,        {subject.line.begin(), subject.line.end()},
                limit, std::move(excluded), subject.urgent};
        }
        return state;
    }
    if (state == QuestionState::pending) {
        ++plan_.pending;
        return state;
    }
    ranked_.push_back({need,
                       {kind,
                        subject.node,
                        {subject.line.begin(), subject.line.end()},
                        limit,
                        std::move(excluded),
                        subject.urgent}});
    if (ranked_.size() >= 4 * (request_.max_questions + 16)) {
        keep_most_needed();
    }
    return state;
}

// Whether it is to be kept: it is new, or open and needed by a cheaper line than before.
bool Questions::remember(NodeId node, const Limit& limit, const std::vector<chess::Move>& excluded,
                         QuestionState state, double need) {
    auto& here = asked_[node];
    const auto known = std::ranges::find_if(here, [&](const Asked& asked) {
        return asked.limit == limit && asked.excluded == excluded;
    });
    if (known == here.end()) {
        here.push_back({limit, excluded, need});
        return true;
    }
    if (state != QuestionState::open || need >= known->need) {
        return false;
    }
    known->need = need;
    std::erase_if(ranked_, [&](const Ranked& ranked) {
        return ranked.question.node == node && ranked.question.limit == limit &&
               ranked.question.excluded == excluded;
    });
    return true;
}

void Questions::keep_most_needed() {
    std::stable_sort(ranked_.begin(), ranked_.end(),
                     [](const Ranked& a, const Ranked& b) { return a.need < b.need; });
    if (ranked_.size() > request_.max_questions) {
        ranked_.erase(ranked_.begin() + static_cast<std::ptrdiff_t>(request_.max_questions),
                      ranked_.end());
        plan_.complete = false;
    }
}

void Questions::finish() {
    keep_most_needed();
    plan_.questions.reserve(ranked_.size());
    for (Ranked& ranked : ranked_) {
        plan_.questions.push_back(std::move(ranked.question));
    }
    ranked_.clear();
}

} // namespace adjourn::analysis
