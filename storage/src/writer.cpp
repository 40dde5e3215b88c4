#include "writer.hpp"

#include <utility>

namespace adjourn::storage {

SqliteTarget::SqliteTarget(Database& database, int checkpoint_pages,
                           std::function<std::string()> trouble, HighWater* noted)
    : database_{database}, checkpoint_pages_{checkpoint_pages}, writes_{database},
      trouble_{std::move(trouble)}, noted_{noted} {
    count();
}

std::vector<Outcome> SqliteTarget::commit(std::span<const Write* const> group) {
    if (const std::string trouble = trouble_ ? trouble_() : ""; !trouble.empty()) {
        throw StoreError{trouble};
    }
    auto outcomes = attempt(group, Mode::fast);
    return outcomes ? std::move(*outcomes) : attempt(group, Mode::careful).value();
}

std::optional<std::vector<Outcome>> SqliteTarget::attempt(std::span<const Write* const> group,
                                                          Mode mode) {
    std::vector<Outcome> outcomes;
    outcomes.reserve(group.size());
    try {
        Transaction transaction{database_, Transaction::Kind::write};
        for (const Write* work : group) {
            alive();
            outcomes.push_back(mode == Mode::careful ? run_alone(*work) : (*work)(writes_));
        }
        writes_.settle();
        alive();
        transaction.commit();
        count();
        return outcomes;
    } catch (const SqliteError& error) {
        writes_.after_rollback();
        if (mode == Mode::fast && error.data_fault()) {
            return std::nullopt;
        }
        throw;
    }
}

void SqliteTarget::count() {
    try {
        counted(static_cast<std::uint64_t>(
            database_.integer("SELECT value FROM totals WHERE name = 'evaluations'")));
    } catch (const SqliteError&) {
        // The table is damaged: the last number stays. What was committed is.
    }
}

Outcome SqliteTarget::run_alone(const Write& work) {
    database_.execute("SAVEPOINT job");
    try {
        Outcome outcome = work(writes_);
        writes_.settle();
        database_.execute("RELEASE job");
        return outcome;
    } catch (const SqliteError& error) {
        if (!error.data_fault()) {
            throw;
        }
        database_.execute("ROLLBACK TO job");
        database_.execute("RELEASE job");
        writes_.after_rollback();
        return std::unexpected(std::string{"refused: "} + error.what());
    }
}

Write SqliteTarget::probe() const {
    return [](Writes& writes) { return writes.probe(); };
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
