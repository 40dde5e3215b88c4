// Talk: conversations as an oracle. Unless it is cold, answers depend on the order of the
// questions.
#pragma once

#include "bench/strategies/conversation.hpp"
#include "bench/strategies/oracle.hpp"

#include <span>

namespace adjourn::bench {

class Talk final : public Oracle {
public:
    // With several conversations the root belongs to the first, and each of its moves with all that
    // is below to one of the others. `cold`: each search begins with an empty memory. REQUIRES: one
    // conversation; they outlive this.
    Talk(std::span<Conversation* const> engines, bool cold) : engines_{engines}, cold_{cold} {}

    analysis::EngineId engine() const override { return analysis::EngineId{1}; }
    // REQUIRES: a limit of nodes or of depth.
    analysis::Evaluation ask(const analysis::Question& question) override;
    analysis::Evaluation ask_on(const analysis::Question& question,
                                std::span<const chess::Move> line) override;

private:
    std::span<Conversation* const> engines_;
    bool cold_;
    std::int64_t answers_ = 0;
};

} // namespace adjourn::bench
