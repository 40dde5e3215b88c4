// Talk: a conversation as an oracle. Answers depend on the order of the questions.
#pragma once

#include "strategies/conversation.hpp"
#include "strategies/oracle.hpp"

namespace adjourn::bench {

class Talk final : public Oracle {
public:
    // The conversation must outlive it.
    explicit Talk(Conversation& engine) : engine_{engine} {}

    analysis::EngineId engine() const override { return analysis::EngineId{1}; }
    // REQUIRES: a limit of nodes or of depth.
    analysis::Evaluation ask(const analysis::Question& question) override;

private:
    Conversation& engine_;
    std::int64_t answers_ = 0;
};

} // namespace adjourn::bench
