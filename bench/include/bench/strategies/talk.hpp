// Talk: a conversation as an oracle. Unless it is cold, answers depend on the order of the
// questions.
#pragma once

#include "bench/strategies/conversation.hpp"
#include "bench/strategies/oracle.hpp"

namespace adjourn::bench {

class Talk final : public Oracle {
public:
    // The conversation must outlive it. `cold`: each search begins with an empty memory.
    explicit Talk(Conversation& engine, bool cold = false) : engine_{engine}, cold_{cold} {}

    analysis::EngineId engine() const override { return analysis::EngineId{1}; }
    // REQUIRES: a limit of nodes or of depth.
    analysis::Evaluation ask(const analysis::Question& question) override;

private:
    Conversation& engine_;
    bool cold_;
    std::int64_t answers_ = 0;
};

} // namespace adjourn::bench
