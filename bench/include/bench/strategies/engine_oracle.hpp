// EngineOracle: a real engine behind a store. Every search starts from nothing (ucinewgame, so that
// hash tables are empty), and every answer is kept: a measurement can be stopped at any time, goes
// on where it was, and replayed gives the same.
#pragma once

#include "bench/strategies/oracle.hpp"
#include "engine_bridge/pool.hpp"
#include "storage/store.hpp"

#include <atomic>
#include <future>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace adjourn::bench {

class EngineOracle final : public Oracle {
public:
    // Starts the processes; `reproducible` is set whatever the profile says. Blocks until the
    // engine has said who it is; throws std::runtime_error if it cannot be started. The store must
    // outlive the oracle.
    EngineOracle(storage::Store& store, engine_bridge::Profile profile);
    // Waits for the store, then ends the processes.
    ~EngineOracle() override;
    EngineOracle(const EngineOracle&) = delete;
    EngineOracle& operator=(const EngineOracle&) = delete;

    analysis::EngineId engine() const override { return engine_; }
    // From any thread; blocks until the answer is there (or, new, until an engine gave it). Throws
    // std::runtime_error if the engine is gone for good.
    analysis::Evaluation ask(const analysis::Question& question) override;

    // Searches made, as opposed to answers found in the store.
    std::size_t searches() const { return searches_; }

private:
    using Future = std::shared_future<analysis::Evaluation>;
    struct Out {
        analysis::Question question;
        std::promise<analysis::Evaluation> promise;
    };

    void on_done(engine_bridge::JobId job, engine_bridge::Result result);

    storage::Store& store_;
    analysis::EngineId engine_{};
    std::mutex mutex_; // guards what follows
    std::unordered_map<analysis::Question, Future, analysis::QuestionHash> answers_;
    std::unordered_map<engine_bridge::JobId, Out> out_;
    engine_bridge::JobId next_job_ = 1;
    std::atomic<std::size_t> searches_ = 0;

    boost::asio::io_context context_;
    std::unique_ptr<engine_bridge::Pool> pool_;
    std::thread thread_;
};

} // namespace adjourn::bench
