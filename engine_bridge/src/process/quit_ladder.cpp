#include "engine_bridge/process/quit_ladder.hpp"

namespace adjourn::engine_bridge {

void QuitLadder::begin(bool searching, Time now) {
    next_ = searching ? Step::stop : Step::quit;
    due_ = now;
}

void QuitLadder::search_over(Time now) {
    if (next_ == Step::quit) {
        due_ = now;
    }
}

std::optional<QuitLadder::Step> QuitLadder::step(Time now) {
    if (!next_ || now < due_) {
        return std::nullopt;
    }
    const Step step = *next_;
    due_ = now + patience_;
    switch (step) {
    case Step::stop: next_ = Step::quit; break;
    case Step::quit: next_ = Step::terminate; break;
    case Step::terminate: next_ = Step::kill; break;
    case Step::kill:
        next_.reset();
        done_ = true;
        break;
    }
    return step;
}

std::optional<QuitLadder::Time> QuitLadder::deadline() const {
    return next_ ? std::optional{due_} : std::nullopt;
}

} // namespace adjourn::engine_bridge
