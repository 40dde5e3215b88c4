#include "core/engines/bill.hpp"

#include <algorithm>

namespace adjourn::server {

namespace {

storage::Cost beyond(const storage::Cost& paid, const storage::Cost& all) {
    return {all.nodes - std::min(all.nodes, paid.nodes),
            all.engine_ms - std::min(all.engine_ms, paid.engine_ms)};
}

} // namespace

storage::Cost Bill::pay(const storage::Cost& so_far) {
    const storage::Cost part = beyond(paid_, so_far);
    paid_ = {paid_.nodes + part.nodes, paid_.engine_ms + part.engine_ms};
    return part;
}

std::optional<storage::Cost> Bill::part(const storage::Cost& so_far) {
    const std::scoped_lock lock{mutex_};
    if (settled_) {
        return std::nullopt;
    }
    const storage::Cost part = pay(so_far);
    parts_ = paid_;
    return part;
}

storage::Cost Bill::rest(const storage::Cost& all) {
    const std::scoped_lock lock{mutex_};
    settled_ = true;
    return pay(all);
}

storage::Cost Bill::unpaid(const storage::Cost& so_far) const {
    const std::scoped_lock lock{mutex_};
    return beyond(paid_, so_far);
}

storage::Cost Bill::parts() const {
    const std::scoped_lock lock{mutex_};
    return parts_;
}

bool Bill::settled() const {
    const std::scoped_lock lock{mutex_};
    return settled_;
}

void Bill::begin_again() {
    const std::scoped_lock lock{mutex_};
    paid_ = {};
    parts_ = {};
}

} // namespace adjourn::server
