// Writes, the facts: many evaluations and who asked for them, in a few statements for all.
#include "writes.hpp"

#include "base/capped_sum.hpp"

#include <algorithm>
#include <memory>

namespace adjourn::storage::postgresql {

namespace {

using base::capped_sum;

// More rows than this are copied in: that is faster, but two round trips more for each table.
constexpr std::size_t few = 500;

std::vector<Bytes> bytes_of(const std::vector<Buffer>& buffers) {
    return {buffers.begin(), buffers.end()};
}

struct Answer {
    Evaluation evaluation; // its question and answer, if sound
    bool sound = true;
};

} // namespace

// New rows of `evaluations`.
struct Writes::Columns {
    std::vector<std::int64_t> id, amount, at, engine, checksum, kind;
    std::vector<Buffer> excluded, answer;
};

// A position while the group is written.
struct Writes::Known {
    std::int64_t id = 0;
    std::int64_t next = 0; // number of the next fact there
    std::vector<Answer> answers;
};

struct Writes::Group {
    std::map<chess::PackedPosition, Known> positions;
    Columns added; // evaluations
    std::vector<std::int64_t> askers, asked;
    std::map<AnalysisId, UsageRecord> spent;
    std::map<AnalysisId, std::int64_t> sums; // of the new rows of `asked`
};

std::vector<Outcome> Writes::append(std::span<const Fact* const> facts) {
    Group group;
    std::vector<std::string> troubles;
    for (const Fact* fact : facts) {
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
    write(group);
    return outcomes;
}

std::string Writes::trouble_of(const Evaluation& evaluation) {
    for (std::string trouble :
         {question_trouble(evaluation.question), answer_trouble(evaluation)}) {
        if (!trouble.empty()) {
            return trouble;
        }
    }
    const EngineId engine = evaluation.question.engine;
    return has_engine(engine) ? "" : no_such("engine", engine);
}

void Writes::find_positions(Group& group) {
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

void Writes::find_answers(Group& group) {
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
        "SELECT e.* FROM unnest($1::bigint[]) AS wanted (position) CROSS JOIN LATERAL (SELECT " +
        evaluation_columns +
        " FROM evaluations WHERE id >= position << 16 AND id < (position + 1) << 16 ORDER BY id) e";
    const Rows rows = connection_.run(sql, ids);
    for (int i = 0; i < rows.size(); ++i) {
        auto& [packed, known] = *by_id.at(rows.integer(i, 0) >> position_shift);
        known.next = std::max(known.next, rows.integer(i, 0) + 1);
        Answer& answer = known.answers.emplace_back();
        answer.evaluation.question.position = packed;
        const Checksum shared =
            Checksum{}.add(fingerprint(EngineId{rows.integer(i, 1)})).add(position_key(packed));
        answer.sound = read_evaluation(rows, i, shared, answer.evaluation).empty();
        if (!answer.sound) { // as far as it can be said what it answers
            Question& question = answer.evaluation.question;
            question.limit = {static_cast<analysis::Limit::Kind>(rows.integer(i, 2)),
                              static_cast<std::uint64_t>(rows.integer(i, 3))};
            if (!decode_moves(rows.bytes(i, 4), question.excluded)) {
                question.limit.amount = 0; // nothing
            }
        }
    }
}

Outcome Writes::decide(Group& group, const Fact& fact) {
    const Evaluation& evaluation = fact.evaluation;
    const Question& question = evaluation.question;
    Known& known = group.positions.at(question.position);
    const bool counted = fact.asked_by && has_analysis(*fact.asked_by);
    Answer* damaged = nullptr;
    const auto spend = [&](bool added) {
        UsageRecord& spent = group.spent[*fact.asked_by];
        spent.evaluations_new += added ? 1 : 0;
        spent.nodes = capped_sum(spent.nodes, evaluation.nodes);
        spent.engine_ms = capped_sum(spent.engine_ms, evaluation.time_ms);
    };
    for (Answer& answer : known.answers) {
        if (answer.evaluation.question != question) {
            continue;
        }
        if (!answer.sound) {
            damaged = &answer;
        } else if (has_exact_score(answer.evaluation) || !has_exact_score(evaluation)) {
            if (counted) {
                spend(false);
                journal_.analysis(*fact.asked_by);
            }
            return Written{row(answer.evaluation.id), false,
                           std::make_shared<const Evaluation>(answer.evaluation)};
        }
    }
    if (known.next == (known.id + 1) * numbers_per_position && damaged == nullptr) {
        return refuse("evaluation", "the position has 65,536 of them");
    }
    const std::int64_t id = damaged != nullptr ? row(damaged->evaluation.id) : known.next++;
    Buffer excluded, answer;
    encode_moves(question.excluded, excluded);
    encode_answer(evaluation, answer);
    const auto amount = static_cast<std::int64_t>(question.limit.amount);
    const std::int64_t kind = static_cast<int>(question.limit.kind);
    const std::int64_t checksum = Checksum{}
                                      .add(engines_.at(question.engine))
                                      .add(position_key(question.position))
                                      .add(id)
                                      .add(kind)
                                      .add(amount)
                                      .add(Bytes{excluded})
                                      .add(evaluation.at)
                                      .add(Bytes{answer})
                                      .value();
    bool noted = false; // who asked for it first stays
    if (damaged != nullptr) {
        connection_.execute("SET LOCAL adjourn.damaged = 'yes'");
        connection_.run("UPDATE evaluations SET at = $2, answer = $3, checksum = $4::bigint "
                        "WHERE id = $1",
                        id, evaluation.at, Bytes{answer}, checksum);
        connection_.execute("SET LOCAL adjourn.damaged = 'no'");
        noted = connection_.run("SELECT 1 FROM asked WHERE evaluation = $1", id).size() > 0;
        damaged->sound = true;
        damaged->evaluation = evaluation;
        damaged->evaluation.id = EvaluationId{id};
    } else {
        Columns& rows = group.added;
        rows.id.push_back(id);
        rows.amount.push_back(amount);
        rows.at.push_back(evaluation.at);
        rows.engine.push_back(row(question.engine));
        rows.checksum.push_back(checksum);
        rows.kind.push_back(kind);
        rows.excluded.push_back(excluded);
        rows.answer.push_back(std::move(answer));
        known.answers.push_back({evaluation, true});
        known.answers.back().evaluation.id = EvaluationId{id};
    }
    if (has_failures()) {
        connection_.run("DELETE FROM failures WHERE engine = $1 AND position = $2 "
                        "AND limit_kind = $3 AND limit_amount = $4 AND excluded = $5",
                        row(question.engine), known.id, kind, amount, Bytes{excluded});
    }
    if (counted) {
        spend(!noted);
        if (!noted) {
            group.askers.push_back(row(*fact.asked_by));
            group.asked.push_back(id);
            group.sums[*fact.asked_by] += asked_sum(*fact.asked_by, EvaluationId{id});
        } else {
            journal_.analysis(*fact.asked_by); // its usage
        }
    }
    journal_.evaluation(id, counted && !noted ? fact.asked_by : std::nullopt);
    return Written{id, true};
}

void Writes::add(const Group& group) {
    const Columns& rows = group.added;
    if (rows.id.empty() && group.asked.empty()) {
        return;
    }
    if (rows.id.size() <= few) {
        connection_.run(
            "WITH noted AS (INSERT INTO asked (analysis, evaluation) "
            "SELECT unnest($9::bigint[]), unnest($10::bigint[])) "
            "INSERT INTO evaluations (id, limit_amount, at, engine, checksum, limit_kind, "
            "excluded, answer) SELECT id, amount, at, engine, checksum, kind, excluded, answer "
            "FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], "
            "$6::bigint[], $7::bytea[], $8::bytea[]) "
            "AS e (id, amount, at, engine, checksum, kind, excluded, answer)",
            rows.id, rows.amount, rows.at, rows.engine, rows.checksum, rows.kind,
            bytes_of(rows.excluded), bytes_of(rows.answer), group.askers, group.asked);
        return;
    }
    CopyText evaluations, asked;
    for (std::size_t i = 0; i < rows.id.size(); ++i) {
        evaluations.begin_row(8);
        evaluations.add_int8(rows.id[i]);
        evaluations.add_int8(rows.amount[i]);
        evaluations.add_int8(rows.at[i]);
        evaluations.add_int4(rows.engine[i]);
        evaluations.add_int4(rows.checksum[i]);
        evaluations.add_int2(rows.kind[i]);
        evaluations.add(Bytes{rows.excluded[i]});
        evaluations.add(Bytes{rows.answer[i]});
    }
    for (std::size_t i = 0; i < group.asked.size(); ++i) {
        asked.begin_row(2);
        asked.add_int8(group.askers[i]);
        asked.add_int8(group.asked[i]);
    }
    connection_.copy_in("evaluations (id, limit_amount, at, engine, checksum, limit_kind, "
                        "excluded, answer)",
                        evaluations);
    connection_.copy_in("asked (analysis, evaluation)", asked);
}

// What all analyses of the group have spent so far, by analysis; and whether that is sound.
std::map<AnalysisId, std::pair<UsageRecord, std::int64_t>>
Writes::spent_so_far(const Group& group) {
    std::vector<std::int64_t> analyses;
    for (const auto& [analysis, spent] : group.spent) {
        analyses.push_back(row(analysis));
    }
    std::map<AnalysisId, std::pair<UsageRecord, std::int64_t>> found;
    const Rows rows = connection_.run("SELECT analysis, evaluations_new, nodes, engine_ms, "
                                      "checksum FROM usage WHERE analysis = ANY ($1::bigint[])",
                                      analyses);
    for (int i = 0; i < rows.size(); ++i) {
        UsageRecord all{.analysis = AnalysisId{rows.integer(i, 0)}};
        all.evaluations_new = static_cast<std::uint64_t>(rows.integer(i, 1));
        all.nodes = static_cast<std::uint64_t>(rows.integer(i, 2));
        all.engine_ms = static_cast<std::uint64_t>(rows.integer(i, 3));
        found.emplace(all.analysis, std::pair{all, rows.integer(i, 4)});
    }
    return found;
}

void Writes::spend(const Group& group) {
    if (group.spent.empty()) {
        return;
    }
    const auto before = spent_so_far(group);
    std::vector<std::int64_t> analyses, evaluations, nodes, times, checksums;
    for (const auto& [analysis, spent] : group.spent) {
        const auto known = before.find(analysis);
        UsageRecord all =
            known == before.end() ? UsageRecord{.analysis = analysis} : known->second.first;
        const bool sound = known == before.end() || usage_sum(all) == known->second.second;
        all.evaluations_new += spent.evaluations_new;
        all.nodes = capped_sum(all.nodes, spent.nodes);
        all.engine_ms = capped_sum(all.engine_ms, spent.engine_ms);
        analyses.push_back(row(analysis));
        evaluations.push_back(static_cast<std::int64_t>(all.evaluations_new));
        nodes.push_back(static_cast<std::int64_t>(all.nodes));
        times.push_back(static_cast<std::int64_t>(all.engine_ms));
        // What is damaged stays so.
        checksums.push_back(sound ? usage_sum(all) : known->second.second);
    }
    connection_.run("INSERT INTO usage (analysis, evaluations_new, nodes, engine_ms, checksum) "
                    "SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], "
                    "$5::bigint[]) ON CONFLICT (analysis) DO UPDATE SET "
                    "evaluations_new = excluded.evaluations_new, nodes = excluded.nodes, "
                    "engine_ms = excluded.engine_ms, checksum = excluded.checksum",
                    analyses, evaluations, nodes, times, checksums);
}

void Writes::count(const Group& group) {
    std::vector<std::int64_t> analyses, sums;
    for (const auto& [analysis, sum] : group.sums) {
        analyses.push_back(row(analysis));
        sums.push_back(sum);
    }
    if (!group.added.id.empty() || !sums.empty()) {
        const Rows total = connection_.run(
            "WITH summed AS (INSERT INTO asked_sums (analysis, sum) "
            "SELECT unnest($2::bigint[]), unnest($3::bigint[]) ON CONFLICT (analysis) "
            "DO UPDATE SET sum = asked_sums.sum + excluded.sum) "
            "UPDATE totals SET value = value + $1 WHERE name = 'evaluations' "
            "RETURNING value",
            group.added.id.size(), analyses, sums);
        if (total.size() > 0) {
            evaluations_ = static_cast<std::uint64_t>(total.integer(0, 0));
        }
    }
}

void Writes::write(Group& group) {
    add(group);
    spend(group);
    count(group);
}

} // namespace adjourn::storage::postgresql
