#include "writes.hpp"

#include "schema.hpp"

#include <algorithm>
#include <limits>

namespace adjourn::storage::postgresql {

std::uint64_t Writes::evaluations() {
    if (!evaluations_) {
        const Rows total = connection_.run("SELECT value FROM totals WHERE name = 'evaluations'");
        evaluations_ = total.size() == 0 ? 0 : static_cast<std::uint64_t>(total.integer(0, 0));
    }
    return *evaluations_;
}

void Writes::forget() {
    evaluations_.reset();
    engines_.clear();
    analyses_.clear();
    failures_.reset();
}

Outcome Writes::fail(const FailureRecord& failure) {
    const Question& question = failure.question;
    if (const std::string trouble = question_trouble(question); !trouble.empty()) {
        return refuse("failure", trouble);
    }
    if (!has_engine(question.engine)) {
        return refuse("failure", no_such("engine", question.engine));
    }
    connection_.run(
        "INSERT INTO failures (engine, position, limit_kind, limit_amount, excluded, reason, "
        "attempts, at, checksum) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) "
        "ON CONFLICT (engine, position, limit_kind, limit_amount, excluded) DO UPDATE SET "
        "reason = excluded.reason, attempts = excluded.attempts, at = excluded.at, "
        "checksum = excluded.checksum",
        row(question.engine), position(question.position), static_cast<int>(question.limit.kind),
        question.limit.amount, Bytes{moves_blob(question.excluded)}, failure.reason,
        failure.attempts, failure.at, failure_sum(failure, engines_.at(question.engine)));
    failures_ = true;
    return Written{row(question.engine), true};
}

Outcome Writes::clear_failures(EngineId engine) {
    connection_.run("DELETE FROM failures WHERE engine = $1", row(engine));
    return Written{row(engine), true};
}

Outcome Writes::insert(const AnalysisRecord& given) {
    if (const std::string trouble = limit_trouble(given.limit); !trouble.empty()) {
        return refuse("analysis", trouble);
    }
    AnalysisRecord a = given;
    a.id = AnalysisId{next_id("analyses")};
    const Buffer moves = moves_blob(a.root_moves);
    connection_.run("INSERT INTO analyses (id, name, root_fen, root_moves, profile, engine, "
                    "limit_kind, limit_amount, parameters, priority, rank, state, state_reason, "
                    "created_at, checksum) VALUES "
                    "($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
                    row(a.id), a.name, a.root_fen, Bytes{moves}, a.profile, row_or_null(a.engine),
                    static_cast<int>(a.limit.kind), a.limit.amount, a.parameters, a.priority,
                    a.rank, name_of(a.state), a.state_reason, a.created_at,
                    analysis_sum(a, moves, fingerprint(a.engine)));
    journal_.analysis(a.id);
    return Written{row(a.id), true};
}

Outcome Writes::update(const AnalysisRecord& given) {
    if (const std::string trouble = limit_trouble(given.limit); !trouble.empty()) {
        return refuse("analysis", trouble);
    }
    if (!has_analysis(given.id)) {
        return refuse("change", no_such("analysis", given.id));
    }
    const AnalysisRecord& a = given;
    const Buffer moves = moves_blob(a.root_moves);
    connection_.run("UPDATE analyses SET name = $2, root_fen = $3, root_moves = $4, profile = $5, "
                    "engine = $6, limit_kind = $7, limit_amount = $8, parameters = $9, "
                    "priority = $10, rank = $11, state = $12, state_reason = $13, "
                    "created_at = $14, checksum = $15 WHERE id = $1",
                    row(a.id), a.name, a.root_fen, Bytes{moves}, a.profile, row_or_null(a.engine),
                    static_cast<int>(a.limit.kind), a.limit.amount, a.parameters, a.priority,
                    a.rank, name_of(a.state), a.state_reason, a.created_at,
                    analysis_sum(a, moves, fingerprint(a.engine)));
    journal_.analysis(a.id);
    return Written{row(a.id), true};
}

Outcome Writes::remove(AnalysisId analysis) {
    if (!has_analysis(analysis)) {
        return refuse("removal", no_such("analysis", analysis));
    }
    // And by reference its directives, snapshots, seeds, usage.
    connection_.run("DELETE FROM analyses WHERE id = $1", row(analysis));
    analyses_.erase(analysis);
    journal_.analysis(analysis);
    return Written{row(analysis), true};
}

Outcome Writes::append(const DirectiveRecord& given) {
    if (!has_analysis(given.analysis)) {
        return refuse("directive", no_such("analysis", given.analysis));
    }
    if (position_key(given.position).empty()) {
        return refuse("directive", "a position of no bytes");
    }
    DirectiveRecord d = given;
    const Buffer line = moves_blob(d.line);
    const std::int64_t position_id = position(d.position);
    d.id = next_id("directives");
    connection_.run("INSERT INTO directives (id, analysis, position, move, line, action, text, at, "
                    "checksum) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                    d.id, row(d.analysis), position_id, raw_or_null(d.move), Bytes{line}, d.action,
                    d.text, d.at, directive_sum(d, line));
    journal_.analysis(d.analysis);
    return Written{d.id, true};
}

Outcome Writes::append(const SnapshotRecord& given) {
    if (!has_analysis(given.analysis)) {
        return refuse("snapshot", no_such("analysis", given.analysis));
    }
    SnapshotRecord s = given;
    s.id = next_id("snapshots");
    connection_.run("INSERT INTO snapshots (id, analysis, refine, at, data, checksum) "
                    "VALUES ($1, $2, $3, $4, $5, $6)",
                    s.id, row(s.analysis), s.refine, s.at, s.data, snapshot_sum(s));
    journal_.analysis(s.analysis);
    return Written{s.id, true};
}

Outcome Writes::append(const SeedRecord& seed) {
    if (!has_analysis(seed.analysis)) {
        return refuse("seed", no_such("analysis", seed.analysis));
    }
    if (position_key(seed.position).empty()) {
        return refuse("seed", "a position of no bytes");
    }
    const std::int64_t position_id = position(seed.position);
    if (const Rows found =
            connection_.run("SELECT id FROM seeds WHERE analysis = $1 AND position = $2 "
                            "AND move = $3",
                            row(seed.analysis), position_id, seed.move.raw());
        found.size() > 0) {
        return Written{found.integer(0, 0), false};
    }
    Rows source = connection_.run("SELECT id FROM sources WHERE text = $1", seed.source);
    if (source.size() == 0) {
        source =
            connection_.run("INSERT INTO sources (text) VALUES ($1) RETURNING id", seed.source);
    }
    const std::int64_t id = next_id("seeds");
    connection_.run("INSERT INTO seeds (id, analysis, position, move, source, at, checksum) "
                    "VALUES ($1, $2, $3, $4, $5, $6, $7)",
                    id, row(seed.analysis), position_id, seed.move.raw(), source.integer(0, 0),
                    seed.at, seed_sum(id, seed));
    journal_.seeded(seed.analysis);
    return Written{id, true};
}

Outcome Writes::set(const UsageRecord& usage) {
    if (!has_analysis(usage.analysis)) {
        return refuse("usage", no_such("analysis", usage.analysis));
    }
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (std::max({usage.evaluations_new, usage.nodes, usage.engine_ms}) > most) {
        return refuse("usage", "a number beyond 2^63");
    }
    connection_.run("INSERT INTO usage (analysis, evaluations_new, nodes, engine_ms, checksum) "
                    "VALUES ($1, $2, $3, $4, $5) ON CONFLICT (analysis) DO UPDATE SET "
                    "evaluations_new = excluded.evaluations_new, nodes = excluded.nodes, "
                    "engine_ms = excluded.engine_ms, checksum = excluded.checksum",
                    row(usage.analysis), usage.evaluations_new, usage.nodes, usage.engine_ms,
                    usage_sum(usage));
    journal_.analysis(usage.analysis);
    return Written{row(usage.analysis), true};
}

Outcome Writes::engine(const EngineRecord& engine) {
    const std::string fingerprint = engine.fingerprint();
    if (const Rows found =
            connection_.run("SELECT id FROM engines WHERE fingerprint = $1", fingerprint);
        found.size() > 0) {
        return Written{found.integer(0, 0), false};
    }
    const Rows added =
        connection_.run("INSERT INTO engines (fingerprint, name, version, options, network) "
                        "VALUES ($1, $2, $3, $4, $5) RETURNING id",
                        fingerprint, engine.name, engine.version, engine.options, engine.network);
    return Written{added.integer(0, 0), true};
}

Outcome Writes::announce(const std::map<std::string, std::string>& properties) {
    for (const auto& [name, value] : properties) {
        set_property(connection_, name, value);
    }
    return Written{};
}

Outcome Writes::probe() {
    connection_.run("UPDATE totals SET value = value");
    return Written{};
}

std::int64_t Writes::next_id(const char* table) {
    return connection_.run("SELECT nextval($1::text::regclass)", std::string{table} + "_id_seq")
        .integer(0, 0);
}

std::int64_t Writes::position(const chess::PackedPosition& packed) {
    const Bytes key = position_key(packed);
    Rows found = connection_.run("SELECT id FROM positions WHERE key = $1", key);
    if (found.size() == 0) {
        found = connection_.run("INSERT INTO positions (key) VALUES ($1) RETURNING id", key);
    }
    return found.integer(0, 0);
}

bool Writes::has_engine(EngineId engine) {
    if (engines_.contains(engine)) {
        return true;
    }
    const Rows found =
        connection_.run("SELECT fingerprint FROM engines WHERE id = $1", row(engine));
    if (found.size() == 0) {
        return false;
    }
    engines_.emplace(engine, found.text(0, 0));
    return true;
}

std::string Writes::fingerprint(EngineId engine) {
    return has_engine(engine) ? engines_.at(engine) : "";
}

bool Writes::has_analysis(AnalysisId analysis) {
    if (!analyses_.contains(analysis) &&
        connection_.run("SELECT 1 FROM analyses WHERE id = $1", row(analysis)).size() > 0) {
        analyses_.insert(analysis);
    }
    return analyses_.contains(analysis);
}

bool Writes::has_failures() {
    if (!failures_) {
        failures_ = connection_.run("SELECT 1 FROM failures LIMIT 1").size() > 0;
    }
    return *failures_;
}

} // namespace adjourn::storage::postgresql
