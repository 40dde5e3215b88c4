#include "target.hpp"

#include <utility>

namespace adjourn::storage {

SqliteTarget::SqliteTarget(Database& database, int checkpoint_pages,
                           std::function<std::string()> trouble, HighWater* noted)
    : database_{database}, checkpoint_pages_{checkpoint_pages}, writes_{database},
      trouble_{std::move(trouble)}, noted_{noted} {
    writes_.on_progress = [this] { answered(); };
    count();
}

void SqliteTarget::look() {
    if (const std::string trouble = trouble_ ? trouble_() : ""; !trouble.empty()) {
        throw StoreError{trouble};
    }
}

void SqliteTarget::transact(const std::function<void()>& work) {
    Transaction transaction{database_, Transaction::Kind::write};
    work();
    transaction.commit();
}

bool SqliteTarget::refused(const StoreError& error) const {
    const auto* of_sqlite = dynamic_cast<const SqliteError*>(&error);
    return of_sqlite != nullptr && of_sqlite->data_fault();
}

bool SqliteTarget::for_good(const std::exception& error) const {
    const auto* of_store = dynamic_cast<const StoreError*>(&error);
    return of_store != nullptr && of_store->damage();
}

// What was acknowledged is in the log and safe; where this throws, the disk takes no more.
void SqliteTarget::afterwards() {
    constexpr std::chrono::seconds between_notes{1};
    const auto now = std::chrono::steady_clock::now();
    if (noted_ != nullptr && now >= next_note_) {
        if (const auto level = level_of(database_)) {
            noted_->note(*level);
        }
        next_note_ = now + between_notes;
    }
    if (database_.wal_pages() >= checkpoint_pages_) {
        database_.checkpoint();
    }
}

} // namespace adjourn::storage
