// Desk: a store and the engine in front of it, as the options want them.
#pragma once

#include "bench/strategies/engine_oracle.hpp"
#include "bench/strategies/options.hpp"

#include <memory>
#include <mutex>
#include <string>

namespace adjourn::bench {

class Desk {
public:
    // Throws std::runtime_error (store in use, engine missing).
    Desk(const StrategiesOptions& options, const char* name, std::size_t processes,
         std::size_t threads, int hash_mb);

    EngineOracle& oracle() { return oracle_; }

private:
    std::unique_ptr<storage::Store> store_;
    EngineOracle oracle_;
};

// Each has a store of its own, so that two stages can run at the same time.
Desk evaluation_desk(const StrategiesOptions& options);
Desk reference_desk(const StrategiesOptions& options);
Desk thread_desk(const StrategiesOptions& options); // one process, options.threads threads

analysis::Limit nodes_limit(std::uint64_t count);
analysis::Limit reference_limit(const StrategiesOptions& options);

// A line on the terminal's error stream that says how far a loop is. step() from any thread.
class Progress {
public:
    Progress(std::string what, std::size_t of) : what_{std::move(what)}, of_{of} {}
    void step();

private:
    std::mutex mutex_;
    std::string what_;
    std::size_t of_;
    std::size_t done_ = 0;
};

} // namespace adjourn::bench
