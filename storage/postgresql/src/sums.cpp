// What rows prove themselves by, and reading an evaluation's.
#include "writes.hpp"

namespace adjourn::storage::postgresql {

namespace {

std::int64_t number(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

std::int64_t kind_of(const analysis::Limit& limit) {
    return static_cast<std::int64_t>(limit.kind);
}

} // namespace

std::int64_t failure_sum(const FailureRecord& failure, const std::string& fingerprint) {
    const Question& question = failure.question;
    Buffer excluded;
    encode_moves(question.excluded, excluded);
    return Checksum{}
        .add(fingerprint)
        .add(position_key(question.position))
        .add(kind_of(question.limit))
        .add(number(question.limit.amount))
        .add(Bytes{excluded})
        .add(failure.reason)
        .add(std::int64_t{failure.attempts})
        .add(failure.at)
        .value();
}

std::int64_t analysis_sum(const AnalysisRecord& a, Bytes root_moves,
                          const std::string& fingerprint) {
    return Checksum{}
        .add(row(a.id))
        .add(a.name)
        .add(a.root_fen)
        .add(root_moves)
        .add(a.profile)
        .add(fingerprint)
        .add(kind_of(a.limit))
        .add(number(a.limit.amount))
        .add(a.parameters)
        .add(std::int64_t{a.priority})
        .add(a.rank)
        .add(name_of(a.state))
        .add(a.state_reason)
        .add(a.created_at)
        .value();
}

std::int64_t directive_sum(const DirectiveRecord& d, Bytes line) {
    return Checksum{}
        .add(d.id)
        .add(row(d.analysis))
        .add(position_key(d.position))
        .add(d.move ? std::int64_t{d.move->raw()} : std::int64_t{-1})
        .add(line)
        .add(d.action)
        .add(d.text)
        .add(d.at)
        .value();
}

std::int64_t snapshot_sum(const SnapshotRecord& s) {
    return Checksum{}
        .add(s.id)
        .add(row(s.analysis))
        .add(std::int64_t{s.refine})
        .add(s.at)
        .add(s.data)
        .value();
}

std::int64_t seed_sum(std::int64_t id, const SeedRecord& s) {
    return Checksum{}
        .add(id)
        .add(row(s.analysis))
        .add(position_key(s.position))
        .add(std::int64_t{s.move.raw()})
        .add(s.source)
        .add(s.at)
        .value();
}

std::int64_t usage_sum(const UsageRecord& u) {
    return Checksum{}
        .add(row(u.analysis))
        .add(number(u.evaluations_new))
        .add(number(u.nodes))
        .add(number(u.engine_ms))
        .value();
}

std::int64_t asked_sum(AnalysisId analysis, EvaluationId evaluation) {
    return Checksum{}.add(row(analysis)).add(row(evaluation)).value();
}

std::string read_evaluation(const Rows& rows, int at, Checksum shared, Evaluation& out) {
    out.id = EvaluationId{rows.integer(at, 0)};
    out.question.engine = EngineId{rows.integer(at, 1)};
    const std::int64_t kind = rows.integer(at, 2), amount = rows.integer(at, 3);
    const Bytes excluded = rows.bytes(at, 4), answer = rows.bytes(at, 6);
    out.at = rows.integer(at, 5);
    shared.add(rows.integer(at, 0)).add(kind).add(amount).add(excluded).add(out.at).add(answer);
    if (shared.value() != rows.integer(at, 7)) {
        return "its checksum is another";
    }
    if (kind < 0 || kind > 2 || amount < 1) {
        return "a limit that is none";
    }
    out.question.limit = {static_cast<analysis::Limit::Kind>(kind),
                          static_cast<std::uint64_t>(amount)};
    auto decoded = decode_moves(excluded, out.question.excluded);
    if (decoded) {
        decoded = decode_answer(answer, out);
    }
    return decoded ? question_trouble(out.question) : decoded.error();
}

} // namespace adjourn::storage::postgresql
