#include "writes.hpp"

#include "seals.hpp"
#include "storage_base/columns.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace adjourn::storage {

namespace {

// Sets the checksum of a row that has just been written.
std::string sealing(const Seal& seal) {
    return std::string{"UPDATE "} + seal.table + " SET checksum = " + seal.checksum + " WHERE " +
           seal.id + " = ?";
}

// Also where the table is damaged: what is written there says so.
bool may_have_failures(Database& database) {
    try {
        return database.integer("SELECT EXISTS (SELECT 1 FROM failures)") != 0;
    } catch (const SqliteError& error) {
        if (!error.damage()) {
            throw;
        }
        return true;
    }
}

} // namespace

Writes::Writes(Database& database)
    : database_{database}, find_position_{database, "SELECT id FROM positions WHERE key = ?"},
      find_key_{database, "SELECT key FROM positions WHERE id = ?"},
      add_position_{database, "INSERT INTO positions (key) VALUES (?)"},
      find_answers_{database,
                    "SELECT id, engine, limit_kind, limit_amount, excluded, answer, at, checksum "
                    "FROM evaluations WHERE id BETWEEN ? AND ? ORDER BY id"},
      add_evaluation_{database,
                      "INSERT INTO evaluations (id, engine, limit_kind, limit_amount, excluded, "
                      "at, answer, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
      replace_evaluation_{database, "UPDATE evaluations SET at = ?, answer = ?, checksum = ? "
                                    "WHERE id = ?"},
      add_failure_{database,
                   "INSERT INTO failures (engine, position, limit_kind, limit_amount, excluded, "
                   "reason, attempts, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
                   "ON CONFLICT DO UPDATE SET reason = excluded.reason, "
                   "attempts = excluded.attempts, at = excluded.at"},
      seal_failure_{database, std::string{"UPDATE failures SET checksum = "} +
                                  failure_seal.checksum +
                                  " WHERE engine = ? AND position = ? AND limit_kind = ? "
                                  "AND limit_amount = ? AND excluded = ?"},
      drop_failure_{database,
                    "DELETE FROM failures WHERE engine = ? AND position = ? AND limit_kind = ? "
                    "AND limit_amount = ? AND excluded = ?"},
      drop_failures_{database, "DELETE FROM failures WHERE engine = ?"},
      find_engine_id_{database, "SELECT fingerprint FROM engines WHERE id = ?"},
      find_engine_{database, "SELECT id FROM engines NOT INDEXED WHERE fingerprint = ?"},
      add_engine_{database, "INSERT INTO engines (fingerprint, name, version, options, network) "
                            "VALUES (?, ?, ?, ?, ?)"},
      find_analysis_{database, "SELECT 1 FROM analyses WHERE id = ?"},
      add_analysis_{database,
                    "INSERT INTO analyses (name, root_fen, root_moves, profile, engine, "
                    "limit_kind, limit_amount, parameters, priority, rank, state, "
                    "state_reason, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
      change_analysis_{database,
                       "UPDATE analyses SET name = ?, root_fen = ?, root_moves = ?, profile = ?, "
                       "engine = ?, limit_kind = ?, limit_amount = ?, parameters = ?, "
                       "priority = ?, rank = ?, state = ?, state_reason = ?, created_at = ? "
                       "WHERE id = ?"},
      seal_analysis_{database, sealing(analysis_seal)},
      drop_analysis_{database, "DELETE FROM analyses WHERE id = ?"},
      add_directive_{database,
                     "INSERT INTO directives (analysis, position, move, line, action, text, at) "
                     "VALUES (?, ?, ?, ?, ?, ?, ?)"},
      seal_directive_{database, sealing(directive_seal)},
      add_snapshot_{database,
                    "INSERT INTO snapshots (analysis, refine, at, data) VALUES (?, ?, ?, ?)"},
      seal_snapshot_{database, sealing(snapshot_seal)},
      find_source_{database, "SELECT id FROM sources WHERE text = ?"},
      add_source_{database, "INSERT INTO sources (text) VALUES (?)"},
      find_seed_{database, "SELECT id FROM seeds WHERE analysis = ? AND position = ? AND move = ?"},
      add_seed_{database,
                "INSERT INTO seeds (analysis, position, move, source, at) VALUES (?, ?, ?, ?, ?)"},
      seal_seed_{database, sealing(seed_seal)},
      set_usage_{database, "INSERT INTO usage (analysis, evaluations_new, nodes, engine_ms, "
                           "checksum) VALUES (?1, ?2, ?3, ?4, adjourn_checksum(?1, ?2, ?3, ?4)) "
                           "ON CONFLICT DO UPDATE SET "
                           "evaluations_new = excluded.evaluations_new, nodes = excluded.nodes, "
                           "engine_ms = excluded.engine_ms, checksum = excluded.checksum"},
      // A sum beyond 2^63 is real, and the smaller one is taken. What is damaged stays so.
      add_usage_{database,
                 "INSERT INTO usage (analysis, evaluations_new, nodes, engine_ms, checksum) "
                 "VALUES (?1, ?2, ?3, ?4, adjourn_checksum(?1, ?2, ?3, ?4)) "
                 "ON CONFLICT DO UPDATE SET "
                 "evaluations_new = evaluations_new + excluded.evaluations_new, "
                 "nodes = min(nodes + excluded.nodes, 9223372036854775807), "
                 "engine_ms = min(engine_ms + excluded.engine_ms, 9223372036854775807), "
                 "checksum = CASE WHEN checksum = "
                 "adjourn_checksum(analysis, evaluations_new, nodes, engine_ms) THEN "
                 "adjourn_checksum(analysis, evaluations_new + excluded.evaluations_new, "
                 "min(nodes + excluded.nodes, 9223372036854775807), "
                 "min(engine_ms + excluded.engine_ms, 9223372036854775807)) ELSE checksum END"},
      add_asked_{database, "INSERT INTO asked (analysis, evaluation) VALUES (?, ?)"},
      is_asked_{database, "SELECT 1 FROM asked WHERE evaluation = ?"},
      add_to_sum_{database, "INSERT INTO asked_sums (analysis, sum) VALUES (?, ?) "
                            "ON CONFLICT DO UPDATE SET sum = sum + excluded.sum"},
      add_to_total_{database, "UPDATE totals SET value = value + ? WHERE name = 'evaluations'"},
      has_failures_{may_have_failures(database)} {}

Outcome Writes::fail(const FailureRecord& failure) {
    const Question& question = failure.question;
    if (const std::string trouble = question_trouble(question); !trouble.empty()) {
        return refuse("failure", trouble);
    }
    if (!has_engine(question.engine)) {
        return refuse("failure", no_such("engine", question.engine));
    }
    excluded_.clear();
    encode_moves(question.excluded, excluded_);
    const std::int64_t position_id = position(question.position);
    add_failure_.run(row(question.engine), position_id, static_cast<int>(question.limit.kind),
                     question.limit.amount, Bytes{excluded_}, failure.reason, failure.attempts,
                     failure.at);
    seal_failure_.run(row(question.engine), position_id, static_cast<int>(question.limit.kind),
                      question.limit.amount, Bytes{excluded_});
    has_failures_ = true;
    return Written{row(question.engine), true};
}

Outcome Writes::clear_failures(EngineId engine) {
    drop_failures_.run(row(engine));
    return Written{row(engine), true};
}

Outcome Writes::insert(const AnalysisRecord& a) {
    if (const std::string trouble = limit_trouble(a.limit); !trouble.empty()) {
        return refuse("analysis", trouble);
    }
    const Buffer moves = moves_blob(a.root_moves);
    add_analysis_.run(a.name, a.root_fen, Bytes{moves}, a.profile, row_or_null(a.engine),
                      static_cast<int>(a.limit.kind), a.limit.amount, a.parameters, a.priority,
                      a.rank, name_of(a.state), a.state_reason, a.created_at);
    return sealed(seal_analysis_);
}

Outcome Writes::update(const AnalysisRecord& a) {
    if (const std::string trouble = limit_trouble(a.limit); !trouble.empty()) {
        return refuse("analysis", trouble);
    }
    if (!has_analysis(a.id)) {
        return refuse("change", no_such("analysis", a.id));
    }
    const Buffer moves = moves_blob(a.root_moves);
    change_analysis_.run(a.name, a.root_fen, Bytes{moves}, a.profile, row_or_null(a.engine),
                         static_cast<int>(a.limit.kind), a.limit.amount, a.parameters, a.priority,
                         a.rank, name_of(a.state), a.state_reason, a.created_at, row(a.id));
    seal_analysis_.run(row(a.id));
    return Written{row(a.id), true};
}

Outcome Writes::remove(AnalysisId analysis) {
    if (!has_analysis(analysis)) {
        return refuse("removal", no_such("analysis", analysis));
    }
    drop_analysis_.run(row(analysis)); // and by reference its directives, snapshots, seeds, usage
    return Written{row(analysis), true};
}

Outcome Writes::append(const DirectiveRecord& directive) {
    if (!has_analysis(directive.analysis)) {
        return refuse("directive", no_such("analysis", directive.analysis));
    }
    if (position_key(directive.position).empty()) {
        return refuse("directive", "a position of no bytes");
    }
    const Buffer line = moves_blob(directive.line);
    add_directive_.run(row(directive.analysis), position(directive.position),
                       raw_or_null(directive.move), Bytes{line}, directive.action, directive.text,
                       directive.at);
    return sealed(seal_directive_);
}

Outcome Writes::append(const SnapshotRecord& snapshot) {
    if (!has_analysis(snapshot.analysis)) {
        return refuse("snapshot", no_such("analysis", snapshot.analysis));
    }
    add_snapshot_.run(row(snapshot.analysis), snapshot.refine, snapshot.at, snapshot.data);
    return sealed(seal_snapshot_);
}

Outcome Writes::append(const SeedRecord& seed) {
    if (!has_analysis(seed.analysis)) {
        return refuse("seed", no_such("analysis", seed.analysis));
    }
    if (position_key(seed.position).empty()) {
        return refuse("seed", "a position of no bytes");
    }
    const std::int64_t position_id = position(seed.position);
    find_seed_.bind(row(seed.analysis), position_id, seed.move.raw());
    {
        const ResetAtEnd reset{find_seed_};
        if (find_seed_.step()) {
            return Written{find_seed_.integer(0), false};
        }
    }
    add_seed_.run(row(seed.analysis), position_id, seed.move.raw(), source(seed.source), seed.at);
    return sealed(seal_seed_);
}

Outcome Writes::set(const UsageRecord& usage) {
    if (!has_analysis(usage.analysis)) {
        return refuse("usage", no_such("analysis", usage.analysis));
    }
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (std::max({usage.evaluations_new, usage.nodes, usage.engine_ms}) > most) {
        return refuse("usage", "a number beyond 2^63");
    }
    set_usage_.run(row(usage.analysis), usage.evaluations_new, usage.nodes, usage.engine_ms);
    return Written{row(usage.analysis), true};
}

Outcome Writes::engine(const EngineRecord& engine) {
    const std::string fingerprint = engine.fingerprint();
    find_engine_.bind(fingerprint);
    {
        const ResetAtEnd reset{find_engine_};
        if (find_engine_.step()) {
            return Written{find_engine_.integer(0), false};
        }
    }
    add_engine_.run(fingerprint, engine.name, engine.version, engine.options, engine.network);
    return Written{database_.last_insert_id(), true};
}

// The row just inserted gets its checksum, which its number is part of.
Written Writes::sealed(Statement& seal) {
    const std::int64_t id = database_.last_insert_id();
    seal.run(id);
    return {id, true};
}

Outcome Writes::probe() {
    // What is the same already would not be written.
    database_.execute("UPDATE totals SET value = value + 1; UPDATE totals SET value = value - 1");
    return Written{};
}

void Writes::settle() {
    for (const auto& [analysis, sum] : unsummed_) {
        add_to_sum_.run(row(analysis), sum);
    }
    unsummed_.clear();
    if (uncounted_ > 0) {
        add_to_total_.run(uncounted_);
        uncounted_ = 0;
    }
}

void Writes::after_rollback() {
    uncounted_ = 0;
    unsummed_.clear();
    known_engines_.clear();
}

template <class Key>
Written Writes::found_or_added(Statement& find, Statement& add, const Key& key) {
    find.bind(key);
    {
        const ResetAtEnd reset{find};
        if (find.step()) {
            return {find.integer(0), false};
        }
    }
    add.run(key);
    return {database_.last_insert_id(), true};
}

std::int64_t Writes::position(const chess::PackedPosition& packed) {
    const Bytes key = position_key(packed);
    const Written found = found_or_added(find_position_, add_position_, key);
    if (!found.inserted) { // the index said so: is it right?
        find_key_.bind(found.id);
        const ResetAtEnd reset{find_key_};
        if (!find_key_.step() || !std::ranges::equal(find_key_.bytes(0), key)) {
            database_.refuse("position " + std::to_string(found.id) +
                             " is damaged (its key is another)");
        }
    }
    return found.id;
}

std::int64_t Writes::source(const std::string& text) {
    return found_or_added(find_source_, add_source_, text).id;
}

bool Writes::has_engine(EngineId engine) {
    if (known_engines_.contains(engine)) {
        return true;
    }
    find_engine_id_.bind(row(engine));
    const ResetAtEnd reset{find_engine_id_};
    if (!find_engine_id_.step()) {
        return false;
    }
    known_engines_.emplace(engine, Checksum{}.add(find_engine_id_.bytes(0)));
    return true;
}

bool Writes::has_analysis(AnalysisId analysis) {
    find_analysis_.bind(row(analysis));
    const ResetAtEnd reset{find_analysis_};
    return find_analysis_.step();
}

} // namespace adjourn::storage
