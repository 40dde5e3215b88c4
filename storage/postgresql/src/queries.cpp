#include "queries.hpp"

#include "base/utf8.hpp"
#include "writes.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace adjourn::storage::postgresql {

namespace {

constexpr std::int64_t rows_at_once = 10'000;
const std::string other_sum = "its checksum is another";

int read_int(std::int64_t value) { // what is beyond an int becomes its end
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(value, -most, most));
}

std::string read_position(Bytes key, chess::PackedPosition& out) {
    const auto packed = decode_key(key);
    if (packed) {
        out = *packed;
    }
    return packed ? "" : packed.error();
}

std::string read_moves(Bytes bytes, std::vector<chess::Move>& out) {
    const auto decoded = decode_moves(bytes, out);
    return decoded ? "" : decoded.error();
}

std::string read_move(std::int64_t raw, chess::Move& out) {
    if (raw < 0 || raw > 0xffff) {
        return "a move of unknown kind";
    }
    out = chess::Move::from_raw(static_cast<std::uint16_t>(raw));
    return "";
}

std::string read_limit(std::int64_t kind, std::int64_t amount, analysis::Limit& out) {
    if (kind < 0 || kind > 2 || amount < 1) {
        return "a limit that is none";
    }
    out = {static_cast<analysis::Limit::Kind>(kind), static_cast<std::uint64_t>(amount)};
    return "";
}

// Any bytes stand as text; what is not UTF-8 is read as Latin-1.
void make_text(std::initializer_list<std::string*> texts) {
    for (std::string* text : texts) {
        *text = base::to_utf8(*text);
    }
}

// The first that says something.
template <class... Texts>
std::string first_of(const Texts&... texts) {
    std::string found;
    ((found.empty() ? void(found = texts) : void()), ...);
    return found;
}

} // namespace

void Queries::tell(const Damaged& damaged, const std::string& row, const std::string& why) {
    if (damaged) {
        damaged(connection_.shown() + ": " + row + " is damaged (" + why +
                "); restore a backup, or see what else 'adjourn check' finds");
    }
}

template <class Record, class Read>
std::vector<Record> Queries::take(const Rows& rows, const Damaged& damaged, Read read) {
    std::vector<Record> result;
    for (int i = 0; i < rows.size(); ++i) {
        Record record;
        std::string name;
        if (const std::string why = read(i, record, name); why.empty()) {
            result.push_back(std::move(record));
        } else {
            tell(damaged, name, why);
        }
    }
    return result;
}

std::string Queries::fingerprint(EngineId engine) {
    if (engine == EngineId{}) {
        return "";
    }
    if (const auto known = fingerprints_.find(engine); known != fingerprints_.end()) {
        return known->second;
    }
    const Rows rows = connection_.run("SELECT fingerprint FROM engines WHERE id = $1", row(engine));
    return rows.size() == 0 ? "" : fingerprints_.emplace(engine, rows.text(0, 0)).first->second;
}

std::optional<EngineId> Queries::find_engine(const std::string& fingerprint) {
    const Rows rows = connection_.run("SELECT id FROM engines WHERE fingerprint = $1", fingerprint);
    return rows.size() == 0 ? std::nullopt : std::optional{EngineId{rows.integer(0, 0)}};
}

std::vector<EngineRecord> Queries::engines(const Damaged& damaged) {
    const Rows rows = connection_.run(
        "SELECT id, name, version, options, network, fingerprint FROM engines ORDER BY id");
    return take<EngineRecord>(rows, damaged, [&](int i, EngineRecord& engine, std::string& name) {
        engine = {EngineId{rows.integer(i, 0)}, rows.text(i, 1), rows.text(i, 2), rows.text(i, 3),
                  rows.text(i, 4)};
        name = "engine " + std::to_string(row(engine.id));
        const bool sound = engine.fingerprint() == rows.text(i, 5);
        make_text({&engine.name, &engine.version, &engine.options, &engine.network});
        return sound ? "" : "its fingerprint is another";
    });
}

std::uint64_t Queries::evaluation_count() {
    const Rows rows = connection_.run("SELECT value FROM totals WHERE name = 'evaluations'");
    return rows.size() == 0
               ? 0
               : static_cast<std::uint64_t>(std::max<std::int64_t>(rows.integer(0, 0), 0));
}

std::vector<FailureRecord> Queries::failures(EngineId engine, const Damaged& damaged) {
    const Rows rows = connection_.run(
        "SELECT position, key, limit_kind, limit_amount, excluded, reason, attempts, at, checksum "
        "FROM failures LEFT JOIN positions ON positions.id = position WHERE engine = $1 "
        "ORDER BY at, position",
        row(engine));
    return take<FailureRecord>(
        rows, damaged, [&](int i, FailureRecord& failure, std::string& name) {
            name = "failure at position " + std::to_string(rows.integer(i, 0));
            Question& question = failure.question;
            question.engine = engine;
            failure.reason = rows.text(i, 5);
            failure.attempts = read_int(rows.integer(i, 6));
            failure.at = rows.integer(i, 7);
            const std::string why =
                first_of(read_position(rows.bytes(i, 1), question.position),
                         read_limit(rows.integer(i, 2), rows.integer(i, 3), question.limit),
                         read_moves(rows.bytes(i, 4), question.excluded));
            const bool sound = failure_sum(failure, fingerprint(engine)) == rows.integer(i, 8);
            make_text({&failure.reason});
            return !why.empty() ? why : !sound ? other_sum : question_trouble(question);
        });
}

std::vector<AnalysisRecord> Queries::analyses(const Damaged& damaged) {
    const Rows rows = connection_.run(
        "SELECT id, name, root_fen, root_moves, profile, engine, limit_kind, limit_amount, "
        "parameters, priority, rank, state, state_reason, created_at, checksum "
        "FROM analyses ORDER BY rank, id");
    return take<AnalysisRecord>(rows, damaged, [&](int i, AnalysisRecord& a, std::string& name) {
        name = "analysis " + std::to_string(rows.integer(i, 0));
        a.id = AnalysisId{rows.integer(i, 0)};
        a.name = rows.text(i, 1);
        a.root_fen = rows.text(i, 2);
        a.profile = rows.text(i, 4);
        a.engine = EngineId{rows.integer(i, 5)}; // NULL reads as 0
        a.parameters = rows.text(i, 8);
        a.priority = read_int(rows.integer(i, 9));
        a.rank = rows.real(i, 10);
        a.state_reason = rows.text(i, 12);
        a.created_at = rows.integer(i, 13);
        const auto state = state_of(rows.text(i, 11));
        if (!state) {
            return "unknown state " + rows.text(i, 11);
        }
        a.state = *state;
        const std::string why =
            first_of(read_moves(rows.bytes(i, 3), a.root_moves),
                     read_limit(rows.integer(i, 6), rows.integer(i, 7), a.limit));
        const bool sound =
            why.empty() &&
            analysis_sum(a, rows.bytes(i, 3), fingerprint(a.engine)) == rows.integer(i, 14);
        a.rank = std::isfinite(a.rank) ? a.rank : 0;
        make_text({&a.name, &a.root_fen, &a.profile, &a.parameters, &a.state_reason});
        return sound || !why.empty() ? why : other_sum;
    });
}

std::vector<DirectiveRecord> Queries::directives(AnalysisId analysis, const Damaged& damaged) {
    const Rows rows = connection_.run(
        "SELECT directives.id, key, move, line, action, text, at, checksum FROM directives "
        "LEFT JOIN positions ON positions.id = position WHERE analysis = $1 ORDER BY directives.id",
        row(analysis));
    return take<DirectiveRecord>(
        rows, damaged, [&](int i, DirectiveRecord& d, std::string& name) -> std::string {
            name = "directive " + std::to_string(rows.integer(i, 0));
            d.id = rows.integer(i, 0);
            d.analysis = analysis;
            if (!rows.is_null(i, 2)) {
                d.move = chess::Move::from_raw(0);
                if (const std::string why = read_move(rows.integer(i, 2), *d.move); !why.empty()) {
                    return why;
                }
            }
            d.action = rows.text(i, 4);
            d.text = rows.text(i, 5);
            d.at = rows.integer(i, 6);
            const std::string why = first_of(read_position(rows.bytes(i, 1), d.position),
                                             read_moves(rows.bytes(i, 3), d.line));
            const bool sound = directive_sum(d, rows.bytes(i, 3)) == rows.integer(i, 7);
            make_text({&d.action, &d.text});
            return !why.empty() ? why : sound ? "" : other_sum;
        });
}

std::vector<SnapshotRecord> Queries::snapshots(AnalysisId analysis, const Damaged& damaged) {
    const Rows rows = connection_.run("SELECT id, refine, at, data, checksum FROM snapshots "
                                      "WHERE analysis = $1 ORDER BY id",
                                      row(analysis));
    return take<SnapshotRecord>(rows, damaged, [&](int i, SnapshotRecord& s, std::string& name) {
        s = {rows.integer(i, 0), analysis, read_int(rows.integer(i, 1)), rows.integer(i, 2),
             rows.text(i, 3)};
        name = "snapshot " + std::to_string(s.id);
        const bool sound = snapshot_sum(s) == rows.integer(i, 4);
        make_text({&s.data});
        return sound ? std::string{} : other_sum;
    });
}

std::vector<SeedRecord> Queries::seeds(AnalysisId analysis, const Damaged& damaged) {
    const Rows rows = connection_.run(
        "SELECT seeds.id, key, move, text, at, checksum FROM seeds "
        "LEFT JOIN positions ON positions.id = position LEFT JOIN sources ON sources.id = source "
        "WHERE analysis = $1 ORDER BY seeds.id",
        row(analysis));
    return take<SeedRecord>(rows, damaged, [&](int i, SeedRecord& s, std::string& name) {
        name = "seed " + std::to_string(rows.integer(i, 0));
        s.analysis = analysis;
        s.source = rows.text(i, 3);
        s.at = rows.integer(i, 4);
        const std::string why = first_of(read_position(rows.bytes(i, 1), s.position),
                                         read_move(rows.integer(i, 2), s.move));
        const bool sound = seed_sum(rows.integer(i, 0), s) == rows.integer(i, 5);
        make_text({&s.source});
        return !why.empty() ? why : sound ? std::string{} : other_sum;
    });
}

UsageRecord Queries::usage(AnalysisId analysis, const Damaged& damaged) {
    const Rows rows = connection_.run("SELECT evaluations_new, nodes, engine_ms, checksum "
                                      "FROM usage WHERE analysis = $1",
                                      row(analysis));
    const auto found =
        take<UsageRecord>(rows, damaged, [&](int i, UsageRecord& usage, std::string& name) {
            name = "usage of analysis " + std::to_string(row(analysis));
            usage = {analysis, static_cast<std::uint64_t>(rows.integer(i, 0)),
                     static_cast<std::uint64_t>(rows.integer(i, 1)),
                     static_cast<std::uint64_t>(rows.integer(i, 2))};
            return usage_sum(usage) == rows.integer(i, 3) ? std::string{} : other_sum;
        });
    return found.empty() ? UsageRecord{.analysis = analysis} : found.front();
}

std::vector<EvaluationId> Queries::asked(AnalysisId analysis, const Damaged& damaged) {
    const Transaction snapshot{connection_, Transaction::Kind::read};
    std::vector<EvaluationId> result;
    std::int64_t sum = 0, last = 0;
    while (true) {
        const Rows rows = connection_.run("SELECT evaluation FROM asked WHERE analysis = $1 "
                                          "AND evaluation > $2 ORDER BY evaluation LIMIT $3",
                                          row(analysis), last, rows_at_once);
        for (int i = 0; i < rows.size(); ++i) {
            last = rows.integer(i, 0);
            result.push_back(EvaluationId{last});
            sum += asked_sum(analysis, result.back());
        }
        if (rows.size() < rows_at_once) {
            break;
        }
    }
    const Rows known =
        connection_.run("SELECT sum FROM asked_sums WHERE analysis = $1", row(analysis));
    if ((known.size() == 0 ? 0 : known.integer(0, 0)) != sum) {
        result.clear(); // which of them is wrong cannot be seen
        tell(damaged, "what analysis " + std::to_string(row(analysis)) + " asked for", other_sum);
    }
    return result;
}

void Queries::visit_evaluations(EngineId engine, EvaluationId after,
                                const std::function<bool(const Evaluation&)>& visit,
                                const Damaged& damaged, const Wanted& wanted) {
    const Transaction snapshot{connection_, Transaction::Kind::read};
    static const std::string facts = "SELECT " + evaluation_columns +
                                     " FROM evaluations WHERE engine = $1::bigint AND id > $2 "
                                     "ORDER BY id LIMIT $3";
    const Checksum of_engine = Checksum{}.add(fingerprint(engine));
    std::int64_t last = row(after);
    Evaluation evaluation;
    while (true) {
        const Rows rows = connection_.run(facts, row(engine), last, rows_at_once);
        if (rows.size() == 0) {
            return;
        }
        // Both tables in the order of the position's number, side by side.
        const Rows keys =
            connection_.run("SELECT id, key FROM positions WHERE id BETWEEN $1 AND $2 ORDER BY id",
                            rows.integer(0, 0) >> position_shift,
                            rows.integer(rows.size() - 1, 0) >> position_shift);
        int key = 0;
        for (int i = 0; i < rows.size(); ++i) {
            last = rows.integer(i, 0);
            if (wanted && !wanted({EvaluationId{last}, rows.integer(i, 5), rows.integer(i, 7)})) {
                continue;
            }
            const std::int64_t position = last >> position_shift;
            while (key < keys.size() && keys.integer(key, 0) < position) {
                ++key;
            }
            const bool found = key < keys.size() && keys.integer(key, 0) == position;
            std::string why = "its position is missing";
            if (found) {
                why = read_position(keys.bytes(key, 1), evaluation.question.position);
            }
            if (why.empty()) {
                why = read_evaluation(rows, i, Checksum{of_engine}.add(keys.bytes(key, 1)),
                                      evaluation);
            }
            if (!why.empty()) {
                tell(damaged, "evaluation " + std::to_string(last), why);
            } else if (!visit(evaluation)) {
                return;
            }
        }
        if (rows.size() < rows_at_once) {
            return;
        }
    }
}

std::vector<Evaluation> Queries::evaluations(const chess::PackedPosition& position,
                                             const Damaged& damaged) {
    static const std::string sql =
        "SELECT e.* FROM positions CROSS JOIN LATERAL (SELECT " + evaluation_columns +
        " FROM evaluations WHERE evaluations.id >= positions.id << 16 "
        "AND evaluations.id < (positions.id + 1) << 16 ORDER BY id) e WHERE key = $1";
    const Bytes key = position_key(position);
    const Rows rows = connection_.run(sql, key);
    return take<Evaluation>(rows, damaged, [&](int i, Evaluation& evaluation, std::string& name) {
        name = "evaluation " + std::to_string(rows.integer(i, 0));
        evaluation.question.position = position;
        const Checksum shared = Checksum{}.add(fingerprint(EngineId{rows.integer(i, 1)})).add(key);
        return read_evaluation(rows, i, shared, evaluation);
    });
}

std::vector<std::pair<Evaluation, AnalysisId>> Queries::followed(std::int64_t after,
                                                                 std::int64_t last) {
    static const std::string sql =
        "SELECT e.*, key, coalesce(asker, 0) FROM (SELECT number, fact, asker FROM changes, "
        "unnest(facts, askers) WITH ORDINALITY AS u (fact, asker, place) "
        "WHERE number > $1 AND number <= $2 ORDER BY number, place) AS wanted "
        "CROSS JOIN LATERAL (SELECT " +
        evaluation_columns +
        " FROM evaluations WHERE evaluations.id = fact) e "
        "JOIN positions ON positions.id = fact >> 16 ORDER BY number";
    const Rows rows = connection_.run(sql, after, last);
    std::vector<std::pair<Evaluation, AnalysisId>> result;
    for (int i = 0; i < rows.size(); ++i) {
        const Bytes key = rows.bytes(i, 8);
        Evaluation evaluation;
        const Checksum shared = Checksum{}.add(fingerprint(EngineId{rows.integer(i, 1)})).add(key);
        if (read_position(key, evaluation.question.position).empty() &&
            read_evaluation(rows, i, shared, evaluation).empty()) {
            result.emplace_back(std::move(evaluation), AnalysisId{rows.integer(i, 9)});
        }
    }
    return result;
}

std::optional<Evaluation> Queries::answer(const Question& question) {
    if (!question_trouble(question).empty()) {
        return std::nullopt;
    }
    std::optional<Evaluation> found; // the last one: any before it has no exact score
    for (Evaluation& evaluation : evaluations(question.position, {})) {
        if (evaluation.question == question) {
            found = std::move(evaluation);
        }
    }
    return found;
}

} // namespace adjourn::storage::postgresql
