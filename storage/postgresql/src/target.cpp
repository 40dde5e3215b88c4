#include "target.hpp"

#include "schema.hpp"
#include "storage/open.hpp"

#include <utility>

namespace adjourn::storage::postgresql {

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
