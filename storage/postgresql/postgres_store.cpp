#include "storage/open.hpp"
#include "storage/postgresql/connection.hpp"
#include "storage/postgresql/open.hpp"
#include "storage/postgresql/schema.hpp"
#include "storage/rows/check.hpp"
#include "storage/rows/checksum.hpp"
#include "storage/rows/group_writer.hpp"
#include "storage/rows/reads.hpp"
#include "storage/rows/writes.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

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

// PostgresWrites: Writes on the connection that writes the database: facts that stand beside each
// other in a few statements for all.
class PostgresWrites final : public Writes {
public:
    explicit PostgresWrites(Connection& connection) : connection_{connection} {}

    std::vector<Outcome> append(std::span<const Answered* const> facts) override {
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

private:
    // A position while the group is written.
    struct Known {
        std::int64_t id = 0;
        std::int64_t next = 0; // number of the next fact there
        std::vector<Answer> answers;
    };
    struct Group {
        std::map<chess::PackedPosition, Known> positions;
        std::vector<Added> added; // evaluations
    };

    void run(const std::string& sql, Cells parameters, const TakeRow& take) override {
        const Rows rows = connection_.run_cells(sql, parameters);
        if (take) {
            rows.each(take);
        }
    }
    std::int64_t next_id(const Table& table) override {
        return connection_
            .run("SELECT nextval($1::text::regclass)", std::string{table.name} + "_id_seq")
            .integer(0, 0);
    }
    void ask(AnalysisId analysis, std::int64_t evaluation) override {
        askers_.push_back(row(analysis));
        asked_.push_back(evaluation);
    }

    void find_positions(Group& group) {
        const auto take = [&group](const Rows& rows) {
            for (int i = 0; i < rows.size(); ++i) {
                if (const auto packed = decode_key(rows.bytes(i, 1))) {
                    if (const auto at = group.positions.find(*packed);
                        at != group.positions.end()) {
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
    void find_answers(Group& group) {
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
            " FROM evaluations WHERE id >= position << 16 AND id < (position + 1) << 16 ORDER BY "
            "id) e "
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
            answer.sound = read(fact, answer.evaluation, by).empty() &&
                           checksum(fact, shared) == fact.checksum;
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
    Outcome decide(Group& group, const Answered& fact) {
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
    void add(const Group& group) {
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

    Connection& connection_;
    std::vector<std::int64_t> askers_, asked_; // new rows of `asked`, of the group
};

class PostgresTarget final : public GroupTarget {
public:
    // Takes the owner's lock and brings the schema up to date. Throws StoreError, StoreInUse.
    PostgresTarget(std::string url, std::string shown)
        : url_{std::move(url)}, shown_{std::move(shown)} {
        connect();
    }
    // Gives the lock back before it returns: the database may notice the end of a connection later.
    ~PostgresTarget() override {
        try {
            if (connection_) {
                unlock_as_owner(*connection_);
            }
        } catch (const StoreError& error) { // it is lost, and with it the lock
            static_cast<void>(error);
        }
    }

    // A server comes back, a disk gets room; damaged pages do not heal.
    bool for_good(const std::exception& error) const override {
        const auto* of_postgres = dynamic_cast<const PostgresError*>(&error);
        return of_postgres != nullptr && of_postgres->damage();
    }
    // Any thread.
    bool taken() const { return taken_; }

private:
    Writes& writes() override { return *writes_; }
    void prepare() override {
        if (connection_ && connection_->lost()) {
            drop();
        }
        if (!connection_) {
            connect(); // the lock may be somebody else's by now
        }
    }
    void transact(const std::function<void()>& work) override {
        Transaction transaction{*connection_, Transaction::Kind::write};
        work();
        transaction.commit();
    }
    void execute(const char* sql) override { connection_->execute(sql); }
    bool refused(const StoreError& error) const override {
        const auto* of_postgres = dynamic_cast<const PostgresError*>(&error);
        return of_postgres != nullptr && of_postgres->data_fault();
    }
    void broke() override {
        if (connection_->lost()) {
            drop();
        } else {
            writes_->forget();
        }
    }
    // Says how others reach the owner, and again whenever the lock was taken anew: somebody else
    // may have had it, and said something.
    Outcome announce(const Announcement& announcement) override {
        announced_ = announcement;
        for (const auto& [name, value] : announced_) {
            set_property(*connection_, name, value);
        }
        return Written{};
    }
    void connect() {
        auto fresh = std::make_unique<Connection>(url_, shown_, Access::write);
        fresh->on_answer = [this] { answered(); };
        schema_version(*fresh, migrations()); // before anything of a stranger's is changed
        try {
            lock_as_owner(*fresh);
            taken_ = false;
        } catch (const StoreInUse&) {
            taken_ = true;
            throw;
        }
        {
            const Connection::Unhurried all{*fresh};
            migrate(*fresh, migrations());
        }
        require_whole(*fresh);
        fresh->run("DELETE FROM adjourn WHERE name IN ($1, $2)", std::string{owner_property},
                   std::string{workers_property}); // a former one's
        for (const auto& [name, value] : announced_) {
            set_property(*fresh, name, value);
        }
        writes_.reset();
        connection_ = std::move(fresh);
        writes_ = std::make_unique<PostgresWrites>(*connection_);
        count();
    }
    void drop() {
        writes_.reset();
        connection_.reset();
    }

    const std::string url_, shown_;
    std::unique_ptr<Connection> connection_; // none: lost
    std::unique_ptr<PostgresWrites> writes_;
    Announcement announced_;
    std::atomic<bool> taken_ = false; // somebody else had the lock at the last try
};

// PostgresReads: Reads on one read connection.
constexpr std::int64_t rows_at_once = 10'000;

class PostgresReads final : public Reads {
public:
    // Throws PostgresError.
    PostgresReads(const std::string& url, const std::string& shown)
        : connection_{url, shown, Access::read} {}

    Connection& connection() { return connection_; }

    // The integrity of the whole database. One line a finding; empty = sound.
    std::vector<std::string> check() {
        const Connection::Unhurried all{connection_};
        Findings findings;
        const auto none = [&](const std::string& from_where, const std::string& what) {
            const Rows rows = connection_.run("SELECT count(*) FROM " + from_where);
            if (rows.integer(0, 0) > 0) {
                findings.add(what, std::to_string(rows.integer(0, 0)) + " rows");
            }
        };
        try {
            at_once([&] {
                connection_.execute("SET LOCAL enable_seqscan = on"); // all is read
                // What no reference in the schema says.
                none("evaluations e WHERE NOT EXISTS (SELECT 1 FROM positions p "
                     "WHERE p.id = e.id >> 16)",
                     "evaluations of positions that are missing");
                none("evaluations e WHERE NOT EXISTS (SELECT 1 FROM engines g WHERE g.id = "
                     "e.engine)",
                     "evaluations of engines that are missing");
                none("asked a WHERE NOT EXISTS (SELECT 1 FROM evaluations e "
                     "WHERE e.id = a.evaluation)",
                     "who asked for evaluations that are missing");
                connection_.execute("SET LOCAL enable_seqscan = off");
                check_rows(*this, findings);
            });
        } catch (const StoreError& error) {
            findings.add("reading ended early", error.what());
        }
        return findings.take();
    }

    std::uint64_t evaluation_count() override {
        const Rows rows = connection_.run("SELECT value FROM totals WHERE name = 'evaluations'");
        return rows.size() == 0
                   ? 0
                   : static_cast<std::uint64_t>(std::max<std::int64_t>(rows.integer(0, 0), 0));
    }

    std::string place() const override { return connection_.shown(); }
    // Those of a large table in parts; its key is of numbers.
    void each(const Table& table, const std::optional<Where>& where, const RowSink& sink) override {
        std::vector<Cell> parameters;
        std::string sql = select_rows(table), behind = " WHERE ";
        if (where) {
            sql += where_columns(table, where->column, 1);
            behind = " AND ";
            parameters.emplace_back(where->is);
        }
        const std::size_t said = parameters.size();
        const std::string order = " ORDER BY " + key_columns(table) +
                                  (table.large ? " LIMIT " + std::to_string(rows_at_once) : "");
        const std::string next = sql + behind + key_condition(table, ">", said + 1) + order;
        std::vector<Cell> cells;
        while (true) {
            const Rows rows =
                connection_.run_cells(parameters.size() == said ? sql + order : next, parameters);
            for (int i = 0; i < rows.size(); ++i) {
                rows.read(i, cells);
                sink.take(cells);
            }
            if (!table.large || rows.size() < rows_at_once) {
                return;
            }
            parameters.resize(said);
            parameters.insert(parameters.end(), cells.begin(),
                              cells.begin() + static_cast<std::ptrdiff_t>(table.key));
        }
    }

    void each_fact(std::optional<EngineId> engine, EvaluationId after, const Wanted& wanted,
                   const VisitFact& visit,
                   const std::function<void(const std::string&)>&) override {
        static const std::string select =
            "SELECT " + all_columns(tables::evaluations) + " FROM evaluations WHERE id > $1";
        static const std::string order = " ORDER BY id LIMIT " + std::to_string(rows_at_once);
        std::int64_t last = row(after);
        while (true) {
            const Rows rows = engine ? connection_.run(select + " AND engine = $2::bigint" + order,
                                                       last, row(*engine))
                                     : connection_.run(select + order, last);
            if (rows.size() == 0) {
                return;
            }
            // Both tables in the order of the position's number, side by side.
            const Rows keys = connection_.run(
                "SELECT id, key FROM positions WHERE id BETWEEN $1 AND $2 ORDER BY id",
                rows.integer(0, 0) >> position_shift,
                rows.integer(rows.size() - 1, 0) >> position_shift);
            int key = 0;
            for (int i = 0; i < rows.size(); ++i) {
                const FactRow fact = rows.fact(i);
                last = fact.id;
                if (wanted && !wanted({EvaluationId{last}, fact.at, fact.checksum})) {
                    continue;
                }
                const std::int64_t position = last >> position_shift;
                while (key < keys.size() && keys.integer(key, 0) < position) {
                    ++key;
                }
                const bool found = key < keys.size() && keys.integer(key, 0) == position;
                if (!visit(fact, found ? std::optional{keys.bytes(key, 1)} : std::nullopt)) {
                    return;
                }
            }
            if (rows.size() < rows_at_once) {
                return;
            }
        }
    }

    void each_fact_of(const chess::PackedPosition& position,
                      const std::function<void(const FactRow&)>& visit,
                      const std::function<void(const std::string&)>&) override {
        static const std::string sql =
            "SELECT e.* FROM positions CROSS JOIN LATERAL (SELECT " +
            all_columns(tables::evaluations) +
            " FROM evaluations WHERE evaluations.id >= positions.id << 16 "
            "AND evaluations.id < (positions.id + 1) << 16 ORDER BY id) e WHERE key = $1";
        const Rows rows = connection_.run(sql, position_key(position));
        for (int i = 0; i < rows.size(); ++i) {
            visit(rows.fact(i));
        }
    }

    void at_once(const std::function<void()>& work) override {
        const Transaction snapshot{connection_, Transaction::Kind::read};
        work();
    }

private:
    Connection connection_;
};

// PostgresStore: the Store in a database of PostgreSQL. Puts writer and readers together.
class PostgresStore final : public Store {
public:
    PostgresStore(std::string url, std::string shown, OpenMode mode)
        : url_{std::move(url)}, shown_{std::move(shown)} {
        if (mode == OpenMode::owner) {
            target_ = std::make_unique<PostgresTarget>(url_, shown_);
            writer_ = std::make_unique<GroupWriter>(*target_);
            watch_ = std::make_unique<PostgresReads>(url_, shown_);
            return;
        }
        auto reads = std::make_unique<PostgresReads>(url_, shown_);
        require_current(reads->connection(), migrations());
        idle_.push_back(std::move(reads));
        writer_ =
            std::make_unique<GroupWriter>("not stored: " + shown_ + " was opened for reading only");
    }

    void write(Change change, Done done) override {
        writer_->submit(std::move(change), std::move(done));
    }
    void flush() override { writer_->flush(); }
    void announce(const std::string& url, const std::string& to_workers) override {
        if (!target_) {
            throw StoreError{"only the owner of a store announces"};
        }
        writer_->await(Announcement{{owner_property, url}, {workers_property, to_workers}});
    }
    // By a connection of its own, which reads what reads for people need: so that a table that
    // somebody has locked is seen here, too.
    StoreEnvironment environment() const override {
        const std::lock_guard lock{watch_mutex_};
        StoreEnvironment seen;
        try {
            if (!watch_ || watch_->connection().lost()) {
                watch_.reset();
                watch_ = std::make_unique<PostgresReads>(url_, shown_);
            }
            watch_->connection().run("SELECT 1 FROM evaluations WHERE id = 0");
            seen.evaluations = watch_->evaluation_count();
        } catch (const StoreError& error) {
            seen.problem = error.what();
        }
        seen.damage = damage_.first();
        return seen;
    }
    Writing writing() const override { return writer_->writing(); }
    CommitTimes commit_times() const override { return writer_->commit_times(); }
    bool taken() const override { return target_ && target_->taken(); }
    void recover() override { writer_->recover(); }

    // On a connection that no other read uses now; one that was lost while it was idle is made
    // anew.
    void read(const std::function<void(Reads&)>& work) const override {
        read_rows([&](PostgresReads& reads) { work(reads); });
    }
    std::vector<std::string> check() const override {
        std::vector<std::string> findings;
        read_rows([&](PostgresReads& reads) { findings = reads.check(); });
        return findings;
    }

private:
    void read_rows(const std::function<void(PostgresReads&)>& work) const {
        std::unique_ptr<PostgresReads> reads;
        {
            const std::lock_guard lock{mutex_};
            if (!idle_.empty()) {
                reads = std::move(idle_.back());
                idle_.pop_back();
            }
        }
        if (reads && reads->connection().lost()) {
            reads.reset();
        }
        if (!reads) {
            reads = std::make_unique<PostgresReads>(url_, shown_);
        }
        try {
            work(*reads); // where it throws, the connection goes
        } catch (const StoreError& error) {
            if (error.damage()) {
                damage_.take(error.what());
            }
            throw;
        }
        const std::lock_guard lock{mutex_};
        idle_.push_back(std::move(reads));
    }

    const std::string url_, shown_;
    mutable DamageNote damage_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<PostgresReads>> idle_;
    mutable std::mutex watch_mutex_;               // of what follows
    mutable std::unique_ptr<PostgresReads> watch_; // by which one sees that the server has gone
    std::unique_ptr<PostgresTarget> target_;       // none when reading only
    std::unique_ptr<GroupWriter> writer_;
};

template <class Base>
class PostgresRows : public Base {
public:
    PostgresRows(const std::string& url, const std::string& shown, Access access)
        : connection_{url, shown, access} {}

    std::int64_t last_id(const Table& table) override {
        return connection_
            .run("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM " +
                 std::string{table.name} + "_id_seq")
            .integer(0, 0);
    }

protected:
    void run(const std::string& sql, const std::optional<OwnedRow>& key,
             const std::function<void(Cells)>& take) override {
        const OwnedRow none;
        connection_.run_cells(sql, view(key ? *key : none)).each(take);
    }

    Connection connection_;
};

class PostgresRowSource final : public PostgresRows<RowSource> {
public:
    PostgresRowSource(const std::string& url, const std::string& shown)
        : PostgresRows{url, shown, Access::read} {
        require_current(connection_, migrations());
        snapshot_.emplace(connection_, Transaction::Kind::read);
    }

private:
    std::optional<Transaction> snapshot_;
};

class PostgresRowTarget final : public PostgresRows<RowTarget> {
public:
    PostgresRowTarget(const std::string& url, const std::string& shown)
        : PostgresRows{url, shown, Access::write}, url_{url} {
        const bool made = schema_version(connection_, migrations()) > 0;
        lock_as_owner(connection_);
        if (made && property(connection_, copying).empty()) {
            throw StoreError{"there is a store in " + shown + " already; choose a new database"};
        }
        if (!made) { // the mark comes first: without it this would be an empty store
            connection_.execute("CREATE TABLE adjourn (name text PRIMARY KEY, value text NOT "
                                "NULL); INSERT INTO adjourn VALUES ('copying', 'yes')");
        }
        migrate(connection_, migrations());
    }

    void write(const Table& table, std::span<const OwnedRow> rows) override {
        CopyText text;
        for (const OwnedRow& row : rows) {
            text.begin_row(static_cast<int>(row.size()));
            const std::vector<Cell> cells = view(row);
            for (std::size_t i = 0; i < cells.size(); ++i) {
                text.add(table.columns[i].type, cells[i]);
            }
        }
        connection_.copy_in(std::string{table.name} + " (" + all_columns(table) + ")", text);
    }

    void clear(const Table& table) override {
        connection_.execute("TRUNCATE " + std::string{table.name} + " CASCADE");
    }

    void set_last_id(const Table& table, std::int64_t id) override {
        connection_.run(
            "SELECT setval($1::text::regclass, greatest($2::bigint, 1), $2::bigint > 0)",
            std::string{table.name} + "_id_seq", id);
    }

    std::vector<std::string> finish() override {
        // What the planner knows of the tables is from when they were empty.
        connection_.execute("ANALYZE");
        connection_.run("DELETE FROM adjourn WHERE name = $1", std::string{copying});
        std::vector<std::string> findings =
            postgresql::open(url_, connection_.shown(), OpenMode::read)->check();
        if (!findings.empty()) {
            set_property(connection_, copying, "yes");
        }
        return findings;
    }

private:
    const std::string url_;
};

} // namespace

std::unique_ptr<Store> open(const std::string& url, const std::string& shown, OpenMode mode) {
    return std::make_unique<PostgresStore>(url, shown, mode);
}

bool has_owner(const std::string& url, const std::string& shown) {
    Connection connection{url, shown, Access::read};
    return has_owner(connection);
}

std::optional<std::string> announced_to_workers(const std::string& url, const std::string& shown) {
    Connection connection{url, shown, Access::read};
    require_current(connection, migrations());
    if (!has_owner(connection)) {
        return std::nullopt;
    }
    return property(connection, workers_property);
}

// ---- the environment ----

std::unique_ptr<RowSource> read_rows(const std::string& url, const std::string& shown) {
    return std::make_unique<PostgresRowSource>(url, shown);
}

std::unique_ptr<RowTarget> write_rows(const std::string& url, const std::string& shown) {
    return std::make_unique<PostgresRowTarget>(url, shown);
}

} // namespace adjourn::storage::postgresql
