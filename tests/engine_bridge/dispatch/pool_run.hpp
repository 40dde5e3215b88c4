// PoolRun: a pool on a loop of its own, and everything it told.
#pragma once

#include "engine_bridge/dispatch/pool.hpp"
#include "loop.hpp"
#include "temporary_directory.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::engine_bridge {

Profile fake(std::vector<std::string> switches = {}, std::size_t count = 1);
Profile hash_engine(std::size_t count = 1, int answer_ms = 1);

// Replaces processes soon.
Timeouts quick();
// And gives up soon: for engines of which nothing else is expected.
Timeouts impatient();

struct PoolRun : Loop {
    explicit PoolRun(Profile profile, Timeouts timeouts = {});
    ~PoolRun();

    // Job ids count from 1.
    JobId submit(std::string_view fen = "", chess::Limit limit = {chess::Limit::Kind::depth, 5},
                 std::vector<std::string> searchmoves = {}, bool urgent = false);
    // Waits for the answer.
    Result result(JobId id);
    Result ask(std::string_view fen = "", chess::Limit limit = {chess::Limit::Kind::depth, 5},
               std::vector<std::string> searchmoves = {});
    void submit(Job job); // by an id of its own
    void cancel(JobId id) { dispatcher->cancel(id); }
    std::size_t room() const { return dispatcher->room(index); }
    bool wait_for_all(); // jobs submitted
    bool wait_for(ProcessStatus::State state, std::size_t process = 0);
    bool stop(); // and waits for it

    std::map<JobId, Result> results;
    std::vector<JobId> order; // of the answers
    std::vector<Identity> identities;
    std::vector<std::string> problems;
    std::vector<std::string> deaths;
    std::size_t changes = 0;
    int stops = 0;
    std::shared_ptr<Dispatcher> dispatcher = std::make_shared<Dispatcher>();
    ProfileId index = 0;
    std::optional<Pool> pool;
    JobId last = 0;
};

std::vector<std::string> lines_of_file(const std::string& path);
std::size_t count_of(const std::vector<std::string>& lines, std::string_view line);

} // namespace adjourn::engine_bridge
