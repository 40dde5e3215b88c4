#include "storage/postgresql/postgres_store.hpp"

#include "storage/open.hpp"
#include "storage/postgresql/open.hpp"
#include "storage/postgresql/schema.hpp"

#include <utility>

namespace adjourn::storage::postgresql {

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

PostgresStore::PostgresStore(std::string url, std::string shown, OpenMode mode)
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

void PostgresStore::read_rows(const std::function<void(PostgresReads&)>& work) const {
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

void PostgresStore::read(const std::function<void(Reads&)>& work) const {
    read_rows([&](PostgresReads& reads) { work(reads); });
}

void PostgresStore::announce(const std::string& url, const std::string& to_workers) {
    if (!target_) {
        throw StoreError{"only the owner of a store announces"};
    }
    writer_->await(Announcement{{owner_property, url}, {workers_property, to_workers}});
}

// ---- the environment ----

// By a connection of its own, which reads what reads for people need: so that a table that somebody
// has locked is seen here, too.
StoreEnvironment PostgresStore::environment() const {
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

std::vector<std::string> PostgresStore::check() const {
    std::vector<std::string> findings;
    read_rows([&](PostgresReads& reads) { findings = reads.check(); });
    return findings;
}

PostgresTarget::PostgresTarget(std::string url, std::string shown)
    : url_{std::move(url)}, shown_{std::move(shown)} {
    connect();
}

PostgresTarget::~PostgresTarget() {
    try {
        if (connection_) {
            unlock_as_owner(*connection_);
        }
    } catch (const StoreError& error) { // it is lost, and with it the lock
        static_cast<void>(error);
    }
}

void PostgresTarget::connect() {
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

Outcome PostgresTarget::announce(const Announcement& announcement) {
    announced_ = announcement;
    for (const auto& [name, value] : announced_) {
        set_property(*connection_, name, value);
    }
    return Written{};
}

void PostgresTarget::drop() {
    writes_.reset();
    connection_.reset();
}

void PostgresTarget::prepare() {
    if (connection_ && connection_->lost()) {
        drop();
    }
    if (!connection_) {
        connect(); // the lock may be somebody else's by now
    }
}

void PostgresTarget::transact(const std::function<void()>& work) {
    Transaction transaction{*connection_, Transaction::Kind::write};
    work();
    transaction.commit();
}

bool PostgresTarget::refused(const StoreError& error) const {
    const auto* of_postgres = dynamic_cast<const PostgresError*>(&error);
    return of_postgres != nullptr && of_postgres->data_fault();
}

void PostgresTarget::broke() {
    if (connection_->lost()) {
        drop();
    } else {
        writes_->forget();
    }
}

// A server comes back, a disk gets room; damaged pages do not heal.
bool PostgresTarget::for_good(const std::exception& error) const {
    const auto* of_postgres = dynamic_cast<const PostgresError*>(&error);
    return of_postgres != nullptr && of_postgres->damage();
}

} // namespace adjourn::storage::postgresql
