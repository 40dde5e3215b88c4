// Queries, the facts.
#include "read_around.hpp"
#include "row_reading.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::storage {

namespace {

// All but the position. Reuses the memory of `out`. `shared`: the sum of the engine's fingerprint
// and the position's key.
void read_evaluation(const Database& database, const Statement& from, Checksum shared,
                     Evaluation& out) {
    out.id = static_cast<EvaluationId>(from.integer(0));
    out.question.engine = static_cast<EngineId>(from.integer(1));
    const auto what = [&] { return "evaluation " + std::to_string(row(out.id)); };
    shared.add(from.integer(0)).add(from.integer(2)).add(from.integer(3)).add(from.bytes(4));
    if (shared.add(from.integer(5)).add(from.bytes(6)).value() != from.integer(7)) {
        throw_damaged(database, what(), wrong_checksum);
    }
    if (from.integer(2) < 0 || from.integer(2) > 2 || from.integer(3) < 1) {
        read_limit(database, what(), from.integer(2), from.integer(3)); // says what is wrong
    }
    out.question.limit = {static_cast<analysis::Limit::Kind>(from.integer(2)),
                          static_cast<std::uint64_t>(from.integer(3))};
    auto decoded = decode_moves(from.bytes(4), out.question.excluded);
    out.at = from.integer(5);
    if (decoded) {
        decoded = decode_answer(from.bytes(6), out);
    }
    if (!decoded) {
        throw_damaged(database, what(), decoded.error());
    }
    if (const std::string trouble = question_trouble(out.question); !trouble.empty()) {
        throw_damaged(database, what(), trouble);
    }
}

} // namespace

void Queries::for_each_evaluation(EngineId engine,
                                  const std::function<void(const Evaluation&)>& visit,
                                  const Damaged& damaged, const Wanted& wanted) {
    visit_evaluations(
        engine, {},
        [&](const Evaluation& evaluation) {
            visit(evaluation);
            return true;
        },
        damaged, wanted);
}

std::vector<Evaluation> Queries::evaluations_after(EngineId engine, EvaluationId after,
                                                   std::size_t most, const Damaged& damaged) {
    std::vector<Evaluation> result;
    const auto visit = [&](const Evaluation& evaluation) {
        result.push_back(evaluation);
        return result.size() < most;
    };
    visit_evaluations(engine, after, visit, damaged);
    return result;
}

void Queries::visit_evaluations(EngineId engine, EvaluationId after,
                                const std::function<bool(const Evaluation&)>& visit,
                                const Damaged& damaged, const Wanted& wanted) {
    // Both tables in the order of the position's number, side by side: each page is read once.
    const Transaction snapshot{database_, Transaction::Kind::read};
    // One whose engine is none, who else would miss it?
    Statement facts{database_, select_evaluations +
                                   "WHERE (engine = ? OR engine NOT IN (SELECT id FROM engines)) "
                                   "AND id > ? ORDER BY id"};
    Statement positions{database_, "SELECT id, key FROM positions WHERE id >= ? ORDER BY id"};
    const Checksum of_engine = begun_with(engine);
    Checksum of_position;
    std::int64_t position = 0;
    bool more = true, sound = false; // positions; the one that stands
    Evaluation evaluation;
    // Where few are wanted, a position is found sooner by its number.
    constexpr std::int64_t far = 64;
    // On behind those that cannot be read: their evaluations are told of one by one.
    const auto next_position = [&] {
        try {
            return positions.step();
        } catch (const SqliteError& error) {
            if (!error.damage()) {
                throw;
            }
        }
        const auto readable = [&](std::int64_t behind) -> std::optional<bool> {
            try {
                positions.bind(behind + 1);
                return positions.step();
            } catch (const SqliteError&) {
                return std::nullopt;
            }
        };
        const auto next = next_readable(readable, position);
        return next && readable(*next).value_or(false);
    };
    const auto take = [&](std::int64_t needed) {
        if (facts.integer(1) != row(engine)) {
            throw_damaged(database_, "evaluation " + std::to_string(facts.integer(0)),
                          "its engine is missing");
        }
        if (position != needed) {
            sound = false;
            if (wanted && needed > position + far) {
                positions.bind(needed);
                more = true;
            }
            while (more && position < needed && (more = next_position())) {
                position = positions.integer(0);
            }
        }
        if (position != needed) {
            throw_damaged(database_, "evaluation " + std::to_string(facts.integer(0)),
                          "its position is missing");
        }
        if (!sound) {
            evaluation.question.position = read_key(database_, position, positions.bytes(1));
            of_position = Checksum{of_engine}.add(positions.bytes(1));
            sound = true;
        }
        read_evaluation(database_, facts, of_position, evaluation);
    };
    positions.bind(row(after) >> position_shift);
    const auto ask = [&](Statement& from, std::int64_t behind) {
        // From the beginning also rows whose number is damaged, below 0, too.
        from.bind(row(engine), after == EvaluationId{} ? behind : std::max(behind, row(after)));
    };
    const auto each = [&] {
        if (wanted && !wanted({static_cast<EvaluationId>(facts.integer(0)), facts.integer(5),
                               facts.integer(7)})) {
            return true;
        }
        try {
            take(facts.integer(0) >> position_shift);
        } catch (const DamagedRow& found) {
            if (damaged) {
                damaged(found.what());
            }
            return true;
        }
        return visit(evaluation);
    };
    read_around(facts, 0, ask, each,
                [&](std::int64_t from, std::optional<std::int64_t> next, const std::string& why) {
                    tell(database_, damaged, unreadable_rows("evaluations", from, next, why));
                });
}

std::vector<Evaluation> Queries::evaluations(const chess::PackedPosition& position,
                                             const Damaged& damaged) {
    std::vector<Evaluation> result;
    const Transaction snapshot{database_, Transaction::Kind::read};
    const auto read = [&] {
        Evaluation evaluation;
        evaluation.question.position = position;
        const auto engine = static_cast<EngineId>(of_position_.integer(1));
        const Checksum shared = begun_with(engine).add(position_key(position));
        read_evaluation(database_, of_position_, shared, evaluation);
        return evaluation;
    };
    try {
        if (const auto id = this->position(position)) {
            of_position_.bind(*id << position_shift, ((*id + 1) << position_shift) - 1);
            const ResetAtEnd reset{of_position_};
            while (of_position_.step()) {
                take_row(result, damaged, read);
            }
        }
    } catch (const SqliteError& error) {
        if (!error.damage()) {
            throw;
        }
        tell(database_, damaged,
             std::string{"evaluations of a position cannot all be read: "} + error.what());
    }
    return result;
}

Checksum Queries::begun_with(EngineId engine) {
    if (const auto known = begun_.find(engine); known != begun_.end()) {
        return known->second;
    }
    find_fingerprint_.bind(row(engine));
    const ResetAtEnd reset{find_fingerprint_};
    Checksum begun;
    begun.add(find_fingerprint_.step() ? find_fingerprint_.bytes(0) : Bytes{});
    return begun_.emplace(engine, begun).first->second;
}

std::optional<Evaluation> Queries::answer(const Question& question) {
    if (!question_trouble(question).empty()) {
        return std::nullopt;
    }
    std::optional<Evaluation> found; // the last one: any before it has no exact score
    for (Evaluation& evaluation : evaluations(question.position)) {
        if (evaluation.question == question) {
            found = std::move(evaluation);
        }
    }
    return found;
}

} // namespace adjourn::storage
