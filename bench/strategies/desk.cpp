#include "desk.hpp"

#include "server/config.hpp"
#include "storage/sqlite.hpp"

#include <iostream>

namespace adjourn::bench {

namespace {

engine_bridge::Profile profile_of(const StrategiesOptions& options, std::size_t processes,
                                  std::size_t threads, int hash_mb) {
    engine_bridge::Profile profile;
    profile.name = "stockfish";
    profile.command = {options.stockfish.empty()
                           ? server::find_program("stockfish").value_or("stockfish")
                           : options.stockfish};
    profile.count = processes;
    profile.options = {{"Threads", std::to_string(threads)}, {"Hash", std::to_string(hash_mb)}};
    return profile;
}

std::filesystem::path store_of(const StrategiesOptions& options, const char* name) {
    return (options.cache.empty() ? server::default_data_directory() / "bench" : options.cache) /
           name;
}

constexpr int evaluation_hash_mb = 16;
constexpr int reference_hash_mb = 128;

} // namespace

Desk::Desk(const StrategiesOptions& options, const char* name, std::size_t processes,
           std::size_t threads, int hash_mb)
    : store_{storage::open_sqlite(store_of(options, name), storage::OpenMode::owner)},
      oracle_{*store_, profile_of(options, processes, threads, hash_mb)} {}

Desk evaluation_desk(const StrategiesOptions& options) {
    return {options, "evaluations", options.processes, 1, evaluation_hash_mb};
}

Desk reference_desk(const StrategiesOptions& options) {
    return {options, "reference", options.processes, 1, reference_hash_mb};
}

Desk thread_desk(const StrategiesOptions& options) {
    return {options, "threads", 1, options.threads, reference_hash_mb};
}

analysis::Limit nodes_limit(std::uint64_t count) {
    return {analysis::Limit::Kind::nodes, count};
}

analysis::Limit reference_limit(const StrategiesOptions& options) {
    return nodes_limit(options.nodes * options.reference);
}

void Progress::step() {
    const std::lock_guard lock{mutex_};
    ++done_;
    std::cerr << '\r' << what_ << ' ' << done_ << '/' << of_ << (done_ == of_ ? "\n" : "")
              << std::flush;
}

} // namespace adjourn::bench
