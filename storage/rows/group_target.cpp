#include "storage/rows/group_target.hpp"

#include <algorithm>
#include <iterator>

namespace adjourn::storage {

std::vector<Outcome> GroupTarget::commit(std::span<const Work* const> group) {
    look();
    if (group.empty()) {
        return {};
    }
    prepare();
    try {
        auto outcomes = attempt(group, Mode::fast);
        return outcomes ? std::move(*outcomes) : attempt(group, Mode::careful).value();
    } catch (...) {
        broke();
        throw;
    }
}

std::optional<std::vector<Outcome>> GroupTarget::attempt(std::span<const Work* const> group,
                                                         Mode mode) {
    std::vector<Outcome> outcomes;
    outcomes.reserve(group.size());
    std::vector<const Answered*> facts; // that stand beside each other
    const auto take = [&] {
        take_facts(facts, mode, outcomes);
        facts.clear();
    };
    try {
        transact([&] {
            for (const Work* work : group) {
                const auto* const change = std::get_if<Change>(work);
                if (const auto* fact = change ? std::get_if<Answered>(change) : nullptr) {
                    facts.push_back(fact);
                    continue;
                }
                take();
                alive();
                outcomes.push_back(mode == Mode::careful ? run_alone([&] { return run(*work); })
                                                         : run(*work));
            }
            take();
            writes().settle();
            alive();
        });
        count();
        return outcomes;
    } catch (const StoreError& error) {
        if (mode == Mode::fast && refused(error)) {
            writes().forget();
            return std::nullopt;
        }
        throw;
    }
}

Outcome GroupTarget::run(const Work& work) {
    if (const auto* change = std::get_if<Change>(&work)) {
        return writes().write(*change);
    }
    const auto* const announcement = std::get_if<Announcement>(&work);
    return announcement != nullptr ? announce(*announcement) : writes().probe();
}

// Facts that the database refuses are found by taking each for itself.
void GroupTarget::take_facts(std::span<const Answered* const> facts, Mode mode,
                             std::vector<Outcome>& outcomes) {
    if (facts.empty()) {
        return;
    }
    alive();
    std::vector<Outcome> done;
    const auto all = [&]() -> Outcome {
        done = writes().append(facts);
        return Written{};
    };
    const Outcome outcome = mode == Mode::careful ? run_alone(all) : all();
    if (outcome) {
        std::ranges::move(done, std::back_inserter(outcomes));
    } else if (facts.size() == 1) {
        outcomes.push_back(outcome);
    } else {
        for (std::size_t i = 0; i < facts.size(); ++i) {
            take_facts(facts.subspan(i, 1), mode, outcomes);
        }
    }
}

Outcome GroupTarget::run_alone(const std::function<Outcome()>& work) {
    execute("SAVEPOINT work");
    try {
        Outcome outcome = work();
        writes().settle();
        execute("RELEASE SAVEPOINT work");
        return outcome;
    } catch (const StoreError& error) {
        if (!refused(error)) {
            throw;
        }
        execute("ROLLBACK TO SAVEPOINT work");
        execute("RELEASE SAVEPOINT work");
        writes().forget();
        return std::unexpected(std::string{"refused: "} + error.what());
    }
}

void GroupTarget::count() {
    try {
        evaluations_ = writes().evaluations();
    } catch (const StoreError&) {
        // The last number stays. What was committed is; the next write finds what is wrong.
    }
}

} // namespace adjourn::storage
