// Writes, the facts: evaluations and who asked for them.
#include "writes.hpp"

#include <algorithm>
#include <limits>

namespace adjourn::storage {

namespace {

// Beyond it no number of an evaluation can be made: only a damaged store has such positions.
constexpr std::int64_t most_positions =
    std::numeric_limits<std::int64_t>::max() / numbers_per_position - 1;

} // namespace

Outcome Writes::append(const Evaluation& evaluation, std::optional<AnalysisId> asked_by) {
    const Question& question = evaluation.question;
    for (const std::string& trouble : {question_trouble(question), answer_trouble(evaluation)}) {
        if (!trouble.empty()) {
            return refuse("evaluation", trouble);
        }
    }
    if (!has_engine(question.engine)) {
        return refuse("evaluation", no_such("engine", question.engine));
    }
    excluded_.clear();
    encode_moves(question.excluded, excluded_);
    const auto amount = static_cast<std::int64_t>(question.limit.amount);
    const std::int64_t position_id = position(question.position);
    if (position_id < 0 || position_id > most_positions) {
        return refuse("evaluation", "its position has the number " + std::to_string(position_id) +
                                        ", which is damage");
    }
    const Checksum shared =
        Checksum{known_engines_.at(question.engine)}.add(position_key(question.position));
    const std::int64_t first = position_id * numbers_per_position;
    const std::int64_t end = first + numbers_per_position;
    std::int64_t id = first; // the next free one
    std::optional<std::int64_t> known, damaged;
    std::shared_ptr<const Evaluation> stands;
    {
        find_answers_.bind(first, end - 1);
        const ResetAtEnd reset{find_answers_};
        while (!known && find_answers_.step()) {
            id = find_answers_.integer(0) + 1;
            if (find_answers_.integer(1) != row(question.engine) ||
                find_answers_.integer(2) != static_cast<int>(question.limit.kind) ||
                find_answers_.integer(3) != amount ||
                !std::ranges::equal(find_answers_.bytes(4), excluded_)) {
                continue;
            }
            stands = stored_answer(shared, question);
            if (!stands) {
                damaged = find_answers_.integer(0);
            } else if (has_exact_score(*stands) || !has_exact_score(evaluation)) {
                known = find_answers_.integer(0);
            }
        }
    }
    if (asked_by && !has_analysis(*asked_by)) {
        asked_by.reset();
    }
    if (known) {
        if (asked_by) {
            spend(*asked_by, evaluation, std::nullopt);
        }
        return Written{*known, false, std::move(stands)};
    }
    if (id == end && !damaged) {
        return refuse("evaluation", "the position has 65,536 of them");
    }
    answer_.clear();
    encode_answer(evaluation, answer_);
    id = damaged.value_or(id);
    const std::int64_t checksum = Checksum{shared}
                                      .add(id)
                                      .add(std::int64_t{static_cast<int>(question.limit.kind)})
                                      .add(amount)
                                      .add(Bytes{excluded_})
                                      .add(evaluation.at)
                                      .add(Bytes{answer_})
                                      .value();
    if (damaged) {
        const WithoutTriggers open{database_}; // they keep facts from being changed: this is none
        replace_evaluation_.run(evaluation.at, Bytes{answer_}, checksum, id);
    } else {
        add_evaluation_.run(id, row(question.engine), static_cast<int>(question.limit.kind), amount,
                            Bytes{excluded_}, evaluation.at, Bytes{answer_}, checksum);
        ++uncounted_;
    }
    if (has_failures_) {
        drop_failure_.run(row(question.engine), position_id, static_cast<int>(question.limit.kind),
                          amount, Bytes{excluded_});
    }
    if (asked_by) {
        const bool noted = damaged && is_asked(id); // who asked for it first stays
        spend(*asked_by, evaluation, noted ? std::nullopt : std::optional{id});
    }
    return Written{id, true};
}

// The answer that find_answers_ is at; null if the row is damaged.
std::shared_ptr<const Evaluation> Writes::stored_answer(Checksum checksum,
                                                        const Question& question) {
    checksum.add(find_answers_.integer(0)).add(find_answers_.integer(2));
    checksum.add(find_answers_.integer(3)).add(find_answers_.bytes(4));
    checksum.add(find_answers_.integer(6)).add(find_answers_.bytes(5));
    const auto stored = std::make_shared<Evaluation>();
    stored->id = EvaluationId{find_answers_.integer(0)};
    stored->question = question;
    stored->at = find_answers_.integer(6);
    const bool sound = checksum.value() == find_answers_.integer(7) &&
                       decode_answer(find_answers_.bytes(5), *stored);
    return sound ? stored : nullptr;
}

bool Writes::is_asked(std::int64_t evaluation) {
    is_asked_.bind(evaluation);
    const ResetAtEnd reset{is_asked_};
    return is_asked_.step();
}

// `added`: the evaluation's row, if it is new.
void Writes::spend(AnalysisId analysis, const Evaluation& evaluation,
                   std::optional<std::int64_t> added) {
    if (added) {
        add_asked_.run(row(analysis), *added);
        unsummed_[analysis] += Checksum{}.add(row(analysis)).add(*added).value();
    }
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    add_usage_.run(row(analysis), added ? 1 : 0, std::min(evaluation.nodes, most),
                   evaluation.time_ms);
}

} // namespace adjourn::storage
