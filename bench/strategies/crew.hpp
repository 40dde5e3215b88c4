// Crew: the engine processes of one worker, started when they are first needed. Crews: those of all
// workers of a comparison, with the searches they keep and the time they have.
#pragma once

#include "bench/strategies/conversation.hpp"
#include "bench/strategies/options.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace adjourn::bench {

class Crew {
public:
    // Both must outlive it.
    Crew(const StrategiesOptions& options, KeptSearches& kept) : options_{options}, kept_{kept} {}

    // Throw std::runtime_error if the engine does not start.
    Conversation& member(); // one thread
    Conversation& with_threads();
    Conversation& reference();

    Conversation::Counts counts() const;

private:
    struct Member {
        std::unique_ptr<Searcher> engine;
        std::unique_ptr<Conversation> conversation;
    };
    Conversation& get(const std::string& name, const std::string& command, int threads, int hash);

    const StrategiesOptions& options_;
    KeptSearches& kept_;
    std::map<std::string, Member> members_;
};

class Crews {
public:
    // Its minutes begin. `options` must outlive it. Throws std::runtime_error where kept searches
    // cannot be read.
    explicit Crews(const StrategiesOptions& options);

    Crew& front() { return *crews_.front(); }
    // Calls `work` for 0 … count − 1, started in that order, on one thread for each crew, until it
    // says false or the minutes are over. Blocks until all that began are done. The first exception
    // is thrown.
    void each(std::size_t count, const std::function<bool(std::size_t, Crew&)>& work);
    Conversation::Counts counts() const;

private:
    bool late() const;

    const StrategiesOptions& options_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    KeptSearches kept_;
    std::vector<std::unique_ptr<Crew>> crews_;
};

} // namespace adjourn::bench
