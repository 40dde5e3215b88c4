// Health: what went wrong on the core's thread, as long as it matters, and how long tasks held that
// thread. Used on that thread alone; it looks at the store on another one.
#pragma once

#include "base/task_scope.hpp"
#include "core/guards/guard.hpp"
#include "storage/store_health.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::server {

class Health {
public:
    // Runs a task on another thread, one after the other.
    using Elsewhere = std::function<void(std::function<void()>)>;

    // The store must outlive it. It looks at the store at once, until it is told where else.
    Health(storage::Store& store, storage::StoreHealth::Rules rules)
        : the_store_{store}, store_{store, rules} {}
    // From now on it looks there, and what is seen comes back by `core`.
    void look_elsewhere(base::TaskScope::Poster core, Elsewhere elsewhere) {
        elsewhere_.emplace(std::move(core), std::move(elsewhere));
    }

    // Why nothing can be stored at present, or soon; "" while all is well. Nothing is asked then;
    // what is known is shown.
    const std::string& store_problem() const { return store_.problem(); }
    // Disk or database do not answer: nobody is to begin to wait for them.
    bool store_silent() const { return store_.silent(); }
    // Somebody has waited too long for the store.
    void found_silent(const std::string& why);
    // To be called a few times a second. True: the problem is another than before, or gone.
    bool look_at_store();
    // The next look is not put off.
    void look_soon() { store_.look_soon(); }
    // As the store was seen last.
    const storage::StoreEnvironment& environment() const { return store_.environment(); }
    // Evaluations in the store; none while nobody has counted them.
    std::optional<std::uint64_t> evaluations() const;
    // What somebody ought to know while the work goes on: why there are evaluations or analyses
    // that cannot be read, or what is missing; "" if there is nothing.
    const std::string& unreadable() const { return unreadable_; }
    void found_unreadable(const std::string& problem) {
        if (unreadable_.empty()) {
            unreadable_ = problem;
        }
    }
    // Somebody knows of all this, and of what is damaged: it is no problem any more, until the next
    // start or until more is found. What is set aside stays listed.
    void known();
    // What of the store is not used since it is not sound: row and reason, the first hundred.
    const std::vector<std::string>& set_aside() const { return set_aside_; }
    // Rows that were told before are not told again.
    void set_aside(const std::vector<std::string>& rows);
    // How many of them, the first ones, somebody knows of.
    std::size_t known_rows() const { return known_rows_; }
    // Keeps the first trouble of each kind that is the store's. Whether it is somebody's own, who
    // has to fail.
    bool take(const Trouble& trouble);
    // Runs a task under a guard, and takes its trouble; that which is somebody's own is returned.
    struct Attempt {
        bool done = true;
        std::optional<Trouble> own = std::nullopt;
        explicit operator bool() const { return done; }
    };
    Attempt attempt(std::string_view place, const std::function<void()>& task);
    // Told when a write has failed for its environment (may be empty).
    std::function<void()> on_store_problem;

    HoldWatch& watch() { return watch_; }

private:
    storage::Store& the_store_;
    storage::StoreHealth store_;
    std::optional<std::pair<base::TaskScope::Poster, Elsewhere>> elsewhere_;
    bool changed_ = false; // by what was seen elsewhere
    std::string unreadable_;
    std::vector<std::string> set_aside_;
    std::size_t known_rows_ = 0;
    HoldWatch watch_;
};

} // namespace adjourn::server
