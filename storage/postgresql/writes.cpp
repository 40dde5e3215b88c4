#include "storage/postgresql/writes.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

namespace adjourn::storage::postgresql {

namespace {

// More rows than this are copied in: that is faster, but two round trips more for each table.
constexpr std::size_t few = 500;

struct Answer {
    Evaluation evaluation; // its question and answer, if sound
    bool sound = true;
};

// A new row of `evaluations`, with what it refers to.
struct Added {
    FactRow row;
    Buffer excluded, answer;
};

} // namespace

// A position while the group is written.
struct PostgresWrites::Known {
    std::int64_t id = 0;
    std::int64_t next = 0; // number of the next fact there
    std::vector<Answer> answers;
};

struct PostgresWrites::Group {
    std::map<chess::PackedPosition, Known> positions;
    std::vector<Added> added; // evaluations
};

void PostgresWrites::run(const std::string& sql, Cells parameters, const TakeRow& take) {
    const Rows rows = connection_.run_cells(sql, parameters);
    if (take) {
        rows.each(take);
    }
}

std::int64_t PostgresWrites::next_id(const Table& table) {
    return connection_
        .run("SELECT nextval($1::text::regclass)", std::string{table.name} + "_id_seq")
        .integer(0, 0);
}

void PostgresWrites::ask(AnalysisId analysis, std::int64_t evaluation) {
    askers_.push_back(row(analysis));
    asked_.push_back(evaluation);
}

std::vector<Outcome> PostgresWrites::append(std::span<const Answered* const> facts) {
    Group group;
    askers_.clear();
    asked_.clear();
    std::vector<std::string> troubles;
    for (const Answered* fact : facts) {
        troubles.push_back(trouble_of(fact->evaluation));
        if (troubles.back().empty()) {
            group.positions[fact->evaluation.question.position];
        }
    }
    find_positions(group);
    find_answers(group);
    std::vector<Outcome> outcomes;
    outcomes.reserve(facts.size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
        outcomes.push_back(troubles[i].empty() ? decide(group, *facts[i])
                                               : Outcome{refuse("evaluation", troubles[i])});
    }
    add(group);
    return outcomes;
}

void PostgresWrites::find_positions(Group& group) {
    const auto take = [&group](const Rows& rows) {
        for (int i = 0; i < rows.size(); ++i) {
            if (const auto packed = decode_key(rows.bytes(i, 1))) {
                if (const auto at = group.positions.find(*packed); at != group.positions.end()) {
                    at->second.id = rows.integer(i, 0);
                    at->second.next = at->second.id * numbers_per_position;
                }
            }
        }
    };
    std::vector<Bytes> keys;
    for (const auto& [packed, known] : group.positions) {
        keys.push_back(position_key(packed));
    }
    take(connection_.run("SELECT id, key FROM positions WHERE key = ANY ($1::bytea[])", keys));
    keys.clear();
    for (const auto& [packed, known] : group.positions) {
        if (known.id == 0) {
            keys.push_back(position_key(packed));
        }
    }
    if (!keys.empty()) {
        take(connection_.run(
            "INSERT INTO positions (key) SELECT unnest($1::bytea[]) RETURNING id, key", keys));
    }
}

void PostgresWrites::find_answers(Group& group) {
    std::vector<std::int64_t> ids;
    std::unordered_map<std::int64_t, std::pair<const chess::PackedPosition, Known>*> by_id;
    for (auto& entry : group.positions) {
        ids.push_back(entry.second.id);
        by_id.emplace(entry.second.id, &entry);
    }
    if (ids.empty()) {
        return;
    }
    static const std::string sql =
        "SELECT e.*, fingerprint FROM unnest($1::bigint[]) AS wanted (position) CROSS JOIN "
        "LATERAL (SELECT " +
        all_columns(tables::evaluations) +
        " FROM evaluations WHERE id >= position << 16 AND id < (position + 1) << 16 ORDER BY id) e "
        "LEFT JOIN engines ON engines.id = e.engine";
    const Rows rows = connection_.run(sql, ids);
    for (int i = 0; i < rows.size(); ++i) {
        const FactRow fact = rows.fact(i);
        auto& [packed, known] = *by_id.at(fact.id >> position_shift);
        known.next = std::max(known.next, fact.id + 1);
        Answer& answer = known.answers.emplace_back();
        answer.evaluation.question.position = packed;
        const Checksum shared = begun_with(rows.bytes(i, 8)).add(position_key(packed));
        std::int64_t by = 0;
        answer.sound =
            read(fact, answer.evaluation, by).empty() && checksum(fact, shared) == fact.checksum;
        answer.evaluation.machine = answer.sound ? machine_name(by) : "";
        if (!answer.sound) { // as far as it can be said what it answers
            Question& question = answer.evaluation.question;
            question.limit = {static_cast<analysis::Limit::Kind>(fact.limit_kind),
                              static_cast<std::uint64_t>(fact.limit_amount)};
            if (!decode_moves(fact.excluded, question.excluded)) {
                question.limit.amount = 0; // nothing
            }
        }
    }
}

Outcome PostgresWrites::decide(Group& group, const Answered& fact) {
    const Evaluation& evaluation = fact.evaluation;
    const Question& question = evaluation.question;
    Known& there = group.positions.at(question.position);
    const bool counted = is_counted(fact);
    Answer* damaged = nullptr;
    for (Answer& answer : there.answers) {
        if (answer.evaluation.question != question) {
            continue;
        }
        if (!answer.sound) {
            damaged = &answer;
        } else if (has_exact_score(answer.evaluation) || !has_exact_score(evaluation)) {
            known(fact, counted);
            return Written{row(answer.evaluation.id), false,
                           std::make_shared<const Evaluation>(answer.evaluation)};
        }
    }
    if (there.next == (there.id + 1) * numbers_per_position && damaged == nullptr) {
        return refuse("evaluation", "the position has 65,536 of them");
    }
    Added made;
    made.row = row_of(evaluation, machine(evaluation.machine), made.excluded, made.answer);
    made.row.id = damaged != nullptr ? row(damaged->evaluation.id) : there.next++;
    made.row.checksum = checksum(made.row, shared(question));
    if (damaged != nullptr) {
        connection_.execute("SET LOCAL adjourn.damaged = 'yes'");
        connection_.run("UPDATE evaluations SET at = $2, answer = $3, checksum = $4::bigint "
                        "WHERE id = $1",
                        made.row.id, made.row.at, made.row.answer, made.row.checksum);
        connection_.execute("SET LOCAL adjourn.damaged = 'no'");
    } else {
        damaged = &there.answers.emplace_back();
    }
    const bool replaced = damaged->evaluation.id != EvaluationId{};
    *damaged = {evaluation, true};
    damaged->evaluation.id = EvaluationId{made.row.id};
    stored(fact, counted, made.row, replaced);
    const std::int64_t id = made.row.id;
    if (!replaced) {
        group.added.push_back(std::move(made)); // what the row refers to stays where it is
    }
    return Written{id, true};
}

void PostgresWrites::add(const Group& group) {
    if (group.added.empty() && asked_.empty()) {
        return;
    }
    if (group.added.size() <= few) {
        std::vector<std::int64_t> id, amount, at, engine, sum, kind;
        std::vector<Bytes> excluded, answer;
        for (const auto& [row, of_excluded, of_answer] : group.added) {
            id.push_back(row.id);
            amount.push_back(row.limit_amount);
            at.push_back(row.at);
            engine.push_back(row.engine);
            sum.push_back(row.checksum);
            kind.push_back(row.limit_kind);
            excluded.push_back(row.excluded);
            answer.push_back(row.answer);
        }
        connection_.run(
            "WITH noted AS (INSERT INTO asked (analysis, evaluation) "
            "SELECT unnest($9::bigint[]), unnest($10::bigint[])) "
            "INSERT INTO evaluations (id, limit_amount, at, engine, checksum, limit_kind, "
            "excluded, answer) SELECT id, amount, at, engine, checksum, kind, excluded, answer "
            "FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], "
            "$6::bigint[], $7::bytea[], $8::bytea[]) "
            "AS e (id, amount, at, engine, checksum, kind, excluded, answer)",
            id, amount, at, engine, sum, kind, excluded, answer, askers_, asked_);
        return;
    }
    CopyText evaluations, asked;
    for (const auto& [row, of_excluded, of_answer] : group.added) {
        evaluations.begin_row(8);
        evaluations.add_int8(row.id);
        evaluations.add_int8(row.limit_amount);
        evaluations.add_int8(row.at);
        evaluations.add_int4(row.engine);
        evaluations.add_int4(row.checksum);
        evaluations.add_int2(row.limit_kind);
        evaluations.add(row.excluded);
        evaluations.add(row.answer);
    }
    for (std::size_t i = 0; i < asked_.size(); ++i) {
        asked.begin_row(2);
        asked.add_int8(askers_[i]);
        asked.add_int8(asked_[i]);
    }
    connection_.copy_in("evaluations (id, limit_amount, at, engine, checksum, limit_kind, "
                        "excluded, answer)",
                        evaluations);
    connection_.copy_in("asked (analysis, evaluation)", asked);
}

} // namespace adjourn::storage::postgresql
