#include "engine_bridge/quit_ladder.hpp"

namespace adjourn::engine_bridge {

std::optional<QuitLadder::Step> QuitLadder::step(Time now) {
    if (!last_) {
        last_ = Step::ask;
    } else if (!deadline_ || now < *deadline_) {
        return std::nullopt;
    } else {
        last_ = *last_ == Step::ask ? Step::terminate : Step::kill;
    }
    deadline_ = *last_ == Step::kill ? std::nullopt : std::optional{now + patience_};
    return last_;
}

} // namespace adjourn::engine_bridge
