// Fleet: what people are shown of the machines.
#include "engine_bridge/remote/fleet.hpp"

#include <algorithm>

namespace adjourn::engine_bridge {

std::vector<MachineView> Fleet::machines() const {
    std::vector<MachineView> all;
    const Time now = options_.clock();
    for (const auto& [id, machine] : machines_) {
        MachineView view;
        view.id = id;
        view.name = machine.name;
        const std::size_t leases = dispatcher_->leases(machine.place);
        using State = MachineView::State;
        view.state = machine.away    ? State::away
                     : machine.drain ? (leases > 0 ? State::draining : State::drained)
                                     : (leases > 0 ? State::working : State::idle);
        for (const auto& [profile, part] : machine.parts) {
            view.parts.push_back({dispatcher_->name_of(profile), part.processes,
                                  dispatcher_->leases(machine.place, profile),
                                  machine.away ? 0 : part.busy, machine.away ? 0 : part.nps});
        }
        view.seconds_silent = std::chrono::duration<double>(now - machine.seen).count();
        view.answered = machine.answered;
        view.failed = machine.failed;
        view.late = machine.late;
        view.refused = machine.refused;
        view.last_refusal = machine.last_refusal;
        view.compared = machine.compared;
        view.different = machine.different;
        view.mean_difference = machine.compared == 0 ? 0
                                                     : machine.sum_of_differences /
                                                           static_cast<double>(machine.compared);
        all.push_back(std::move(view));
    }
    std::ranges::sort(all, {}, [](const MachineView& view) {
        return std::pair{view.name, view.id};
    });
    return all;
}

// One that has vanished is remembered for people only, and no reason to refuse one that works.
bool Fleet::forget_longest_away() {
    auto longest = machines_.end();
    for (auto it = machines_.begin(); it != machines_.end(); ++it) {
        if (it->second.away &&
            (longest == machines_.end() || it->second.seen < longest->second.seen)) {
            longest = it;
        }
    }
    if (longest == machines_.end()) {
        return false;
    }
    dispatcher_->leave(longest->second.place);
    machines_.erase(longest);
    return true;
}

} // namespace adjourn::engine_bridge
