#include "writer.hpp"

#include <utility>

namespace adjourn::storage {

SqliteTarget::SqliteTarget(Database& database, int checkpoint_pages,
                           std::function<std::string()> trouble)
    : database_{database},
      checkpoint_pages_{checkpoint_pages}, tables_{database}, trouble_{std::move(trouble)} {}

std::vector<Outcome> SqliteTarget::commit(std::span<const TablesWork* const> group) {
    if (const std::string trouble = trouble_ ? trouble_() : ""; !trouble.empty()) {
        throw StoreError{trouble};
    }
    auto outcomes = attempt(group, Mode::fast);
    return outcomes ? std::move(*outcomes) : attempt(group, Mode::careful).value();
}

std::optional<std::vector<Outcome>> SqliteTarget::attempt(std::span<const TablesWork* const> group,
                                                          Mode mode) {
    std::vector<Outcome> outcomes;
    outcomes.reserve(group.size());
    try {
        Transaction transaction{database_, Transaction::Kind::write};
        for (const TablesWork* work : group) {
            outcomes.push_back(mode == Mode::careful ? run_alone(*work) : (*work)(tables_));
        }
        tables_.settle();
        transaction.commit();
        return outcomes;
    } catch (const SqliteError& error) {
        tables_.after_rollback();
        if (mode == Mode::fast && error.data_fault()) {
            return std::nullopt;
        }
        throw;
    }
}

Outcome SqliteTarget::run_alone(const TablesWork& work) {
    database_.execute("SAVEPOINT job");
    try {
        Outcome outcome = work(tables_);
        tables_.settle();
        database_.execute("RELEASE job");
        return outcome;
    } catch (const SqliteError& error) {
        if (!error.data_fault()) {
            throw;
        }
        database_.execute("ROLLBACK TO job");
        database_.execute("RELEASE job");
        tables_.after_rollback();
        return std::unexpected(std::string{"refused: "} + error.what());
    }
}

TablesWork SqliteTarget::probe() const {
    return [](Tables& tables) { return tables.probe(); };
}

bool SqliteTarget::for_good(const std::exception& error) const {
    const auto* of_sqlite = dynamic_cast<const SqliteError*>(&error);
    return of_sqlite != nullptr && of_sqlite->damaged_file();
}

// What was acknowledged is in the log and safe; where this throws, the disk takes no more.
void SqliteTarget::afterwards() {
    if (database_.wal_pages() >= checkpoint_pages_) {
        database_.checkpoint();
    }
}

} // namespace adjourn::storage
