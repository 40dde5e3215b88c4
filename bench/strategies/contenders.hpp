// Contenders: who takes part in a comparison, and what each of them says at a root.
#pragma once

#include "bench/strategies/assessments.hpp"
#include "bench/strategies/conversation.hpp"
#include "bench/strategies/options.hpp"

#include <map>
#include <string>
#include <vector>

namespace adjourn::bench {

// The engine processes of a comparison, started when they are first needed, with the searches that
// are kept.
class Crew {
public:
    // `options` must outlive it. Throws std::runtime_error where kept searches cannot be read.
    explicit Crew(const StrategiesOptions& options);

    // Throw std::runtime_error if the engine does not start.
    Conversation& member(); // one thread
    Conversation& with_threads();
    Conversation& reference();

    Conversation::Counts counts() const;

private:
    Conversation& get(const std::string& name, int threads, int hash);

    const StrategiesOptions& options_;
    KeptSearches kept_;
    std::map<std::string, Conversation> members_;
};

std::vector<std::string> names_of(const StrategiesOptions& options);
// In their order: the rivals, then the strategies. Throws std::runtime_error where one has no
// answer.
std::vector<Assessment> assessments_of(const StrategiesOptions& options,
                                       const chess::Position& root, Crew& crew);

} // namespace adjourn::bench
