// PostgresTarget: what PostgreSQL does with a group of writes (storage_base/group_writer.hpp). A
// connection that was lost is made anew with the next group that is tried.
#pragma once

#include "storage_base/group_writer.hpp"
#include "writes.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace adjourn::storage::postgresql {

// Facts that stand beside each other are written together; everything else for itself.
using Work = std::variant<Fact, std::function<Outcome(Writes&)>>;

class PostgresTarget final : public GroupTarget<Work> {
public:
    // Takes the owner's lock and brings the schema up to date. Throws StoreError, StoreInUse.
    PostgresTarget(std::string url, std::string shown);
    // Gives the lock back before it returns: the database may notice the end of a connection later.
    ~PostgresTarget() override;
    PostgresTarget(const PostgresTarget&) = delete;
    PostgresTarget& operator=(const PostgresTarget&) = delete;

    std::vector<Outcome> commit(std::span<const Work* const> group) override;
    Work probe() const override;
    bool for_good(const std::exception& error) const override;
    // Says how others reach the owner, and again whenever the lock was taken anew: somebody else
    // may have had it, and said something.
    Work announcement(const std::string& url, const std::string& to_workers);
    // Any thread.
    bool taken() const { return taken_; }

private:
    void connect();
    void count(); // evaluations
    // Careful: each work in a savepoint of its own, so that one that is refused fails alone.
    enum class Mode : std::uint8_t { fast, careful };
    std::optional<std::vector<Outcome>> attempt(std::span<const Work* const> group, Mode mode);
    void take_facts(std::span<const Fact* const> facts, std::vector<Outcome>& outcomes);
    Outcome run_alone(const std::function<Outcome(Writes&)>& work);

    const std::string url_, shown_;
    std::unique_ptr<Connection> connection_; // none: lost
    std::unique_ptr<Writes> writes_;
    std::map<std::string, std::string> announced_; // properties; of the writer's thread
    std::atomic<bool> taken_ = false;              // somebody else had the lock at the last try
};

} // namespace adjourn::storage::postgresql
