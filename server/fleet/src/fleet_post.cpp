#include "fleet/fleet_post.hpp"

#include "fleet_workers.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

FleetPost::FleetPost(Fleet& fleet, std::function<void()> changed)
    : fleet_{fleet}, changed_{std::move(changed)}, place_{fleet.next_place_++} {
    fleet_.post_ = this;
}

FleetPost::~FleetPost() {
    fleet_.post_ = nullptr;
}

Fleet::Machine* FleetPost::machine_of(Number number) const {
    const auto member = members_.find(number);
    return member == members_.end() ? nullptr : fleet_.find(member->second.id);
}

std::optional<FleetPost::Number> FleetPost::number_at(std::optional<PlaceId> place) const {
    for (const auto& [number, member] : members_) {
        const Fleet::Machine* machine = fleet_.find(member.id);
        if (machine != nullptr && machine->place == place) {
            return number;
        }
    }
    return std::nullopt;
}

std::vector<FleetPost::Number> FleetPost::known() const {
    std::vector<Number> numbers;
    for (const auto& [number, member] : members_) {
        numbers.push_back(number);
    }
    return numbers;
}

void FleetPost::excuse() {
    const auto now = fleet_.options_.clock();
    for (const auto& [number, member] : members_) {
        Fleet::Machine* machine = fleet_.find(member.id);
        if (machine != nullptr && !machine->away) {
            machine->seen = machine->asked = now;
            fleet_.book_.keep(machine->place, now);
        }
    }
}

void FleetPost::keep_offered() {
    fleet_.book_.keep(place_, fleet_.options_.clock());
}

FleetPost::Orders FleetPost::exchange(const Seen& seen) {
    Orders orders;
    for (const Seen::Machine& machine : seen.machines) {
        meet(machine, orders);
        hear(machine);
    }
    to_come_.clear();
    for (const Seen::Machine& machine : seen.machines) {
        if (!members_.contains(machine.number)) {
            to_come_.insert(machine.number);
        }
    }
    see_taken(seen);
    read_answers(seen, orders);
    find_lost(seen);
    forget_gone(seen, orders);
    fleet_.bring_home();
    offer(orders);
    remove_ended(seen, orders);
    tell_members(orders);
    call_for_open(seen, orders);
    return orders;
}

// ---- machines ----

void FleetPost::meet(const Seen::Machine& machine, Orders& orders) {
    if (!machine.hello || members_.contains(machine.number)) {
        return;
    }
    std::expected<Welcome, FleetError> welcome =
        *machine.hello
            ? fleet_.hello(**machine.hello)
            : std::unexpected(FleetError{FleetError::Kind::refused, machine.hello->error()});
    if (!welcome && welcome.error().kind == FleetError::Kind::not_ready) {
        orders.waited_for = true;
        return;
    }
    Member& member = members_[machine.number];
    if (welcome) {
        member.id = welcome->id;
        orders.welcomed.push_back({machine.number, std::move(*welcome)});
    } else {
        orders.welcomed.push_back({machine.number, std::unexpected(welcome.error().message)});
    }
    orders.woken.insert(machine.number);
}

void FleetPost::hear(const Seen::Machine& told) {
    Fleet::Machine* machine = machine_of(told.number);
    if (machine == nullptr) {
        return;
    }
    Member& member = members_[told.number];
    if (std::exchange(member.beats, told.beats) != told.beats) {
        static_cast<void>(fleet_.contact(member.id)); // it is known
        const auto now = fleet_.options_.clock();
        fleet_.book_.keep(machine->place, now);
        fleet_.set_pulses(*machine, told.pulses);
        if (!told.ahead.empty()) {
            machine->asked = now;
            member.ahead = told.ahead;
        }
    }
    machine->wishes.clear();
    for (const auto& [profile, most] : member.ahead) {
        const auto index = fleet_.index_of(profile);
        if (index && machine->parts.contains(*index)) {
            const std::size_t has = fleet_.book_.leases(machine->place, *index);
            machine->wishes[*index] = most - std::min(most, has);
        }
    }
    if (machine->asked + fleet_.options_.life > fleet_.options_.clock()) {
        fleet_.set_capacities(*machine);
    }
}

// The fleet gives up machines by itself: long silent ones, all of an engine that is another one
// now. Who lives yet enters again.
void FleetPost::forget_gone(const Seen& seen, Orders& orders) {
    std::set<Number> there;
    for (const Seen::Machine& machine : seen.machines) {
        there.insert(machine.number);
        const auto member = members_.find(machine.number);
        if (machine.gone && !is_to_come(machine.number)) {
            if (member != members_.end()) {
                fleet_.goodbye(member->second.id);
            }
            orders.forgotten.insert(machine.number);
        } else if (member != members_.end() && !member->second.id.empty() &&
                   fleet_.find(member->second.id) == nullptr) {
            orders.forgotten.insert(machine.number);
        }
    }
    std::erase_if(members_, [&](const auto& each) {
        const auto& [number, member] = each;
        if (!there.contains(number)) { // somebody deleted its row
            fleet_.goodbye(member.id);
            return true;
        }
        return orders.forgotten.contains(number);
    });
}

// ---- questions ----

void FleetPost::take_over(LeaseId lease, Number number) {
    Fleet::Machine* machine = machine_of(number);
    const auto place = fleet_.book_.place_of(lease);
    if (machine == nullptr || !place || *place == machine->place ||
        (*place != place_ && !number_at(place))) {
        return;
    }
    static_cast<void>(fleet_.contact(members_[number].id)); // who takes, lives
    machine->asked = fleet_.options_.clock();
    fleet_.book_.move(lease, machine->place, machine->asked);
    const ProfileIndex profile = fleet_.book_.profile_of(lease);
    if (FleetWorkers* workers = fleet_.workers_of(profile)) {
        workers->shows({lease, profile, *fleet_.book_.question(lease, machine->place)},
                       machine->place, machine->name, machine->parts[profile].processes);
    }
}

void FleetPost::see_taken(const Seen& seen) {
    for (const Seen::Row& row : seen.rows) {
        if (row.machine) {
            take_over(row.lease, *row.machine);
        }
    }
}

void FleetPost::read_answers(const Seen& seen, Orders& orders) {
    std::map<Number, std::vector<Delivery>> by_machine;
    for (const Seen::Answer& answer : seen.answers) {
        if (is_to_come(answer.machine)) {
            continue; // what it found is read when it is known
        }
        orders.read.push_back(answer.number);
        take_over(answer.delivery.lease, answer.machine); // the row has gone with the answer
        by_machine[answer.machine].push_back(answer.delivery);
    }
    for (const auto& [number, deliveries] : by_machine) {
        if (const auto member = members_.find(number); member != members_.end()) {
            static_cast<void>(fleet_.answers(member->second.id, deliveries)); // or it is unknown
        }
    }
}

// Whatever was granted stands in the tables, or was lost there.
void FleetPost::find_lost(const Seen& seen) {
    std::set<LeaseId> there;
    for (const Seen::Row& row : seen.rows) {
        if (!row.machine || machine_of(*row.machine) != nullptr || is_to_come(*row.machine)) {
            there.insert(row.lease);
        }
    }
    std::vector<PlaceId> places{place_};
    for (const auto& [number, member] : members_) {
        if (const Fleet::Machine* machine = fleet_.find(member.id)) {
            places.push_back(machine->place);
        }
    }
    for (const PlaceId place : places) {
        for (const LeaseId lease : fleet_.book_.leases_of(place)) {
            if (!there.contains(lease)) {
                fleet_.book_.give_back(lease);
            }
        }
    }
}

void FleetPost::offer(Orders& orders) {
    std::map<Number, std::size_t> room; // of who may be woken
    for (ProfileIndex profile = 0; profile < fleet_.workers_.size(); ++profile) {
        const FleetWorkers* workers = fleet_.workers_of(profile);
        if (workers == nullptr) {
            continue;
        }
        std::size_t most = 0, out = fleet_.book_.leases(place_, profile);
        room.clear();
        for (const auto& [number, member] : members_) {
            if (const Fleet::Machine* machine = fleet_.find(member.id)) {
                const std::size_t could = fleet_.book_.capacity(machine->place, profile);
                const std::size_t has = fleet_.book_.leases(machine->place, profile);
                most += could;
                out += has;
                room[number] = could - std::min(could, has);
            }
        }
        if (most == 0) {
            for (const LeaseId lease : fleet_.book_.leases_of(place_)) {
                if (fleet_.book_.profile_of(lease) == profile) {
                    fleet_.book_.give_back(lease);
                }
            }
            continue;
        }
        const auto now = fleet_.options_.clock();
        for (LeaseBook::Lease& lease :
             fleet_.book_.take(place_, profile, most - std::min(most, out), now)) {
            const auto warm = fleet_.book_.server_of(profile, lease.job.affinity);
            const auto prefers = number_at(warm);
            const std::string& name = workers->profile().name;
            std::string key = question_key(name, lease.job);
            orders.offers.push_back({{lease.id, name, std::move(key), std::move(lease.job)},
                                     prefers,
                                     number_at(fleet_.book_.avoided_by(lease.id))});
            auto chosen =
                std::ranges::max_element(room, {}, [](const auto& each) { return each.second; });
            if (prefers && room.contains(*prefers) && room[*prefers] > 0) {
                chosen = room.find(*prefers);
            }
            chosen->second -= std::min<std::size_t>(chosen->second, 1);
            orders.woken.insert(chosen->first);
        }
    }
    fleet_.bring_home();
}

// A machine may go on with a question that is open, though its lease is past, and with those of a
// server before this one.
void FleetPost::remove_ended(const Seen& seen, Orders& orders) const {
    const LeaseBook& book = fleet_.book_;
    for (const Seen::Row& row : seen.rows) {
        bool stays = book.stands(row.lease);
        if (row.machine && !stays) {
            const Fleet::Machine* machine = machine_of(*row.machine);
            stays = is_to_come(*row.machine) ||
                    (machine != nullptr && (row.lease < book.first() ||
                                            book.question(row.lease, machine->place) != nullptr));
        }
        if (!stays) {
            orders.removed.push_back(row.lease);
            if (row.machine) {
                orders.woken.insert(*row.machine);
            }
        }
    }
}

void FleetPost::tell_members(Orders& orders) {
    const auto hurry = [&](PlaceId place) {
        const auto hurried = fleet_.book_.news(place).hurried;
        orders.hurried.insert(orders.hurried.end(), hurried.begin(), hurried.end());
        return !hurried.empty();
    };
    hurry(place_);
    for (auto& [number, member] : members_) {
        Fleet::Machine* machine = fleet_.find(member.id);
        if (machine == nullptr) {
            continue;
        }
        const bool drain_changed = std::exchange(member.drain, machine->drain) != machine->drain;
        if (drain_changed) {
            orders.drained[number] = machine->drain;
        }
        if (hurry(machine->place) || drain_changed) {
            orders.woken.insert(number);
        }
    }
}

// Who was called for a question may have had no use for it; others wait to be called.
void FleetPost::call_for_open(const Seen& seen, Orders& orders) {
    constexpr std::chrono::seconds patience{1};
    const auto now = fleet_.options_.clock();
    std::map<LeaseId, Fleet::Time> open;
    bool overdue = false;
    for (const Seen::Row& row : seen.rows) {
        if (!row.machine) {
            const auto known = open_since_.find(row.lease);
            const auto since = known == open_since_.end() ? now : known->second;
            const bool too_long = now - since >= patience;
            overdue = overdue || too_long;
            open.emplace(row.lease, too_long ? now : since);
        }
    }
    open_since_ = std::move(open);
    if (overdue) {
        for (const auto& [number, member] : members_) {
            orders.woken.insert(number);
        }
    }
}

} // namespace adjourn::server
