// Faults: what befalls a site while its trees grow, drawn by a seed. Each comes when so many
// answers are there, so that it does not matter how fast the machine is.
#pragma once

#include "cluster/site.hpp"
#include "postgres_cluster.hpp"

#include <array>
#include <chrono>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace adjourn::bench {

class Faults {
public:
    enum class Kind : std::uint8_t {
        worker_killed,
        worker_stopped, // until its leases are past
        engine_killed,
        server_killed,
        database_crashed,
        connections_cut,
    };
    static constexpr std::array<const char*, 6> words{"worker killed",    "worker stopped",
                                                      "engine killed",    "server killed",
                                                      "database crashed", "connections cut"};

    // `database` and `url` are null and empty where workers come by HTTP; then nothing befalls a
    // database. `each` of each kind, spread over the answers from `first` to `last`.
    Faults(Site& site, PostgresCluster* database, std::string url, int each, std::uint64_t seed,
           std::uint64_t first, std::uint64_t last);

    // Does what is due. To be called often. Throws std::runtime_error where something does not
    // start again.
    void look(std::uint64_t answers);
    // How often each happened.
    const std::map<Kind, int>& done() const { return done_; }
    // Of the evaluations that stood in the database before a fault, and of those that the server
    // had told, how many are not there. After the end.
    std::uint64_t lost();

private:
    using Clock = std::chrono::steady_clock;
    void happen(Kind kind, std::uint64_t answers);
    void wake();
    std::map<std::string, std::string> stored() const; // evaluations: number, moment

    Site& site_;
    PostgresCluster* const database_;
    const std::string url_;
    std::mt19937_64 random_;
    std::vector<std::pair<std::uint64_t, Kind>> due_; // the next one at the end
    std::map<Kind, int> done_;
    std::map<std::size_t, Clock::time_point> asleep_; // workers, until when
    std::map<std::string, std::string> seen_;
    std::uint64_t short_of_told_ = 0;
};

} // namespace adjourn::bench
