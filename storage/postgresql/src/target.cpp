#include "target.hpp"

#include "schema.hpp"
#include "storage/open.hpp"

#include <algorithm>
#include <iterator>
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
    writes_ = std::make_unique<Writes>(*connection_);
    count();
}

Work PostgresTarget::announcement(const std::string& url, const std::string& to_workers) {
    return std::function<Outcome(Writes&)>{[this, url, to_workers](Writes& writes) {
        announced_ = {{owner_property, url}, {workers_property, to_workers}};
        return writes.announce(announced_);
    }};
}

void PostgresTarget::count() {
    try {
        counted(writes_->evaluations());
    } catch (const PostgresError& error) {
        // The last number stays; what was committed is, and the next write finds what is wrong.
        static_cast<void>(error);
    }
}

std::vector<Outcome> PostgresTarget::commit(std::span<const Work* const> group) {
    if (group.empty()) {
        return {};
    }
    if (connection_ && connection_->lost()) {
        writes_.reset();
        connection_.reset();
    }
    if (!connection_) {
        connect(); // the lock may be somebody else's by now
    }
    try {
        auto outcomes = attempt(group, Mode::fast);
        return outcomes ? std::move(*outcomes) : attempt(group, Mode::careful).value();
    } catch (const StoreError&) {
        if (connection_->lost()) {
            writes_.reset();
            connection_.reset();
        } else {
            writes_->forget();
        }
        throw;
    }
}

// nullopt, in fast mode only: the database refuses something, and nothing is written.
std::optional<std::vector<Outcome>> PostgresTarget::attempt(std::span<const Work* const> group,
                                                            Mode mode) {
    std::vector<Outcome> outcomes;
    outcomes.reserve(group.size());
    std::vector<const Fact*> facts;
    writes_->journal().clear();
    const auto run = [&](const std::function<Outcome(Writes&)>& work) {
        return mode == Mode::careful ? run_alone(work) : work(*writes_);
    };
    const auto take = [&] {
        if (mode == Mode::careful) {
            take_facts(facts, outcomes);
        } else if (!facts.empty()) {
            std::ranges::move(writes_->append(facts), std::back_inserter(outcomes));
        }
        facts.clear();
    };
    try {
        Transaction transaction{*connection_, Transaction::Kind::write};
        for (const Work* work : group) {
            if (const auto* fact = std::get_if<Fact>(work)) {
                facts.push_back(fact);
                continue;
            }
            take();
            outcomes.push_back(run(std::get<1>(*work)));
        }
        take();
        writes_->journal().write(*connection_);
        transaction.commit();
        count();
        return outcomes;
    } catch (const PostgresError& error) {
        if (mode == Mode::fast && error.data_fault()) {
            writes_->forget();
            return std::nullopt;
        }
        throw;
    }
}

// Facts that the database refuses are found by taking each for itself.
void PostgresTarget::take_facts(std::span<const Fact* const> facts,
                                std::vector<Outcome>& outcomes) {
    if (facts.empty()) {
        return;
    }
    std::vector<Outcome> done;
    const Outcome all = run_alone([&](Writes& writes) -> Outcome {
        done = writes.append(facts);
        return Written{};
    });
    if (all) {
        std::ranges::move(done, std::back_inserter(outcomes));
    } else if (facts.size() == 1) {
        outcomes.push_back(all);
    } else {
        for (std::size_t i = 0; i < facts.size(); ++i) {
            take_facts(facts.subspan(i, 1), outcomes);
        }
    }
}

Outcome PostgresTarget::run_alone(const std::function<Outcome(Writes&)>& work) {
    connection_->execute("SAVEPOINT work");
    auto noted = writes_->journal().mark();
    try {
        Outcome outcome = work(*writes_);
        connection_->execute("RELEASE SAVEPOINT work");
        return outcome;
    } catch (const PostgresError& error) {
        if (!error.data_fault()) {
            throw;
        }
        connection_->execute("ROLLBACK TO SAVEPOINT work; RELEASE SAVEPOINT work");
        writes_->forget();
        writes_->journal().back_to(std::move(noted));
        return std::unexpected(std::string{"refused: "} + error.what());
    }
}

Work PostgresTarget::probe() const {
    return std::function<Outcome(Writes&)>{[](Writes& writes) { return writes.probe(); }};
}

// A server comes back, a disk gets room; damaged pages do not heal.
bool PostgresTarget::for_good(const std::exception& error) const {
    const auto* of_postgres = dynamic_cast<const PostgresError*>(&error);
    return of_postgres != nullptr && of_postgres->damage();
}

} // namespace adjourn::storage::postgresql
