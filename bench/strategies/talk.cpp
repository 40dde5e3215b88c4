#include "strategies/talk.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::bench {

namespace {

Query query_of(const analysis::Question& question) {
    using Kind = analysis::Limit::Kind;
    assert(question.limit.kind == Kind::nodes || question.limit.kind == Kind::depth);
    Query query{chess::Position::unpack(question.position).value(), 1, {}};
    if (question.limit.kind == Kind::depth) {
        query.depth = static_cast<int>(question.limit.amount);
    } else {
        query.nodes = question.limit.amount;
    }
    if (!question.excluded.empty()) {
        for (const chess::Move move : query.position.legal_moves()) {
            if (!std::ranges::binary_search(question.excluded, move)) {
                query.only.push_back(move);
            }
        }
        std::ranges::sort(query.only);
    }
    return query;
}

} // namespace

analysis::Evaluation Talk::ask(const analysis::Question& question) {
    const Found found = engine_.ask(query_of(question));
    analysis::Evaluation fact;
    fact.id = analysis::EvaluationId{++answers_};
    fact.at = answers_;
    fact.question = question;
    fact.depth = found.depth;
    fact.nodes = found.nodes;
    fact.time_ms = static_cast<std::uint32_t>(found.ms);
    if (found.lines.empty()) {
        fact.bound = analysis::Bound::lower;
    } else {
        fact.move = found.lines.front().move;
        fact.score = found.lines.front().score;
        fact.pv = {*fact.move};
    }
    return fact;
}

} // namespace adjourn::bench
