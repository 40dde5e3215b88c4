#include "http/client/streamed_body.hpp"

#include <utility>

namespace adjourn::server {

void StreamedBody::add(std::string_view text) {
    const std::lock_guard lock{mutex_};
    if (ended_) {
        return;
    }
    if (waiting_.size() + text.size() > most_waiting) {
        waiting_.clear();
    }
    waiting_ += text;
    if (changed_) {
        changed_();
    }
}

void StreamedBody::end() {
    const std::lock_guard lock{mutex_};
    ended_ = true;
    if (changed_) {
        changed_();
    }
}

bool StreamedBody::ended() const {
    const std::lock_guard lock{mutex_};
    return ended_;
}

std::pair<std::string, bool> StreamedBody::take() {
    const std::lock_guard lock{mutex_};
    return {std::exchange(waiting_, {}), ended_};
}

void StreamedBody::when_changed(std::function<void()> changed) {
    const std::lock_guard lock{mutex_};
    changed_ = std::move(changed);
}

} // namespace adjourn::server
