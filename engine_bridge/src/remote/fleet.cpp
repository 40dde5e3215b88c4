// Fleet: machines and what they ask. fleet_answers.cpp: what they tell, and what ends;
// fleet_machines.cpp: what people are shown.
#include "engine_bridge/remote/fleet.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <utility>

namespace adjourn::engine_bridge {

namespace {

constexpr std::chrono::seconds look_interval{1};
constexpr std::size_t most_refusals = 20;

std::string random_id() {
    std::random_device device; // getrandom()
    std::string id;
    for (int i = 0; i < 32; ++i) {
        id += "0123456789abcdef"[device() & 15];
    }
    return id;
}

std::string version_text(const std::string& whose, int version) {
    return whose + " version of what they say to each other is " + std::to_string(version);
}

std::unexpected<FleetError> error(FleetError::Kind kind, std::string message) {
    return std::unexpected(FleetError{kind, std::move(message)});
}

} // namespace

std::string difference(int here, int there) {
    if (std::abs(here - there) <= 1) {
        return "";
    }
    return (there > here
                ? std::string{"the server is older than the machine: update Adjourn on the server"}
                : std::string{"the machine is older than the server: update Adjourn on the "
                              "machine"}) +
           " (" + version_text("the server's", here) + ", " + version_text("the machine's", there) +
           ")";
}

Fleet::Fleet(boost::asio::io_context& core, std::shared_ptr<Dispatcher> dispatcher, Options options)
    : options_{std::move(options)}, timer_{core}, scope_{core}, dispatcher_{std::move(dispatcher)} {
    dispatcher_->set_known(
        [this](ProfileId profile, const Job& job) { return kept_answer(profile, job); });
    if (options_.ticking) {
        tick();
    }
}

Fleet::~Fleet() {
    dispatcher_->set_known({});
}

void Fleet::tick() {
    timer_.expires_after(look_interval);
    timer_.async_wait(scope_.bind([this](boost::system::error_code failed) {
        if (!failed && !closed_) {
            look_after();
            tick();
        }
    }));
}

std::optional<ProfileId> Fleet::index_of(const std::string& profile) const {
    const auto known = dispatcher_->named(profile);
    return known ? std::optional{known->id} : std::nullopt;
}

Fleet::Machine* Fleet::find(const std::string& id) {
    const auto found = machines_.find(id);
    return found == machines_.end() ? nullptr : &found->second;
}

// ---- machines ----

bool Fleet::of_closed(const Machine& machine) const {
    return std::ranges::any_of(machine.parts,
                               [&](const auto& part) { return dispatcher_->closed(part.first); });
}

// The machines that answered for an engine that has gone offer themselves again, to whoever has its
// name then.
void Fleet::forget_closed() {
    for (auto it = machines_.begin(); it != machines_.end();) {
        if (of_closed(it->second)) {
            dispatcher_->leave(it->second.place);
            wake(it->second);
            it = machines_.erase(it);
        } else {
            ++it;
        }
    }
}

std::string Fleet::refusal_of(const Offer& offer) const {
    const auto known = dispatcher_->named(offer.profile);
    if (!known) {
        return "the server has no engine named '" + offer.profile + "'";
    }
    if (known->reproducible) {
        return "engine '" + offer.profile +
               "' is reproducible: one process of the server answers all of its questions";
    }
    const std::string differs = difference(*known->identity, offer.identity);
    return differs.empty() ? "" : "engine '" + offer.profile + "' is another one: " + differs;
}

void Fleet::note_refusal(const std::string& machine, const std::string& reasons) {
    std::erase_if(refusals_, [&](const auto& each) { return each.name == machine; });
    if (reasons.empty()) {
        return;
    }
    spdlog::warn("machine {} is refused: {}", machine, reasons);
    refusals_.push_back({machine, reasons, options_.wall()});
    if (refusals_.size() > most_refusals) {
        refusals_.pop_front();
    }
}

std::expected<Welcome, FleetError> Fleet::hello(const Hello& hello) {
    if (const std::string older = difference(machine_version, hello.version); !older.empty()) {
        note_refusal(hello.name, older);
        return error(FleetError::Kind::other_version, older);
    }
    forget_closed();
    for (const Offer& offer : hello.offers) {
        const auto known = dispatcher_->named(offer.profile);
        if (known && !known->identity) {
            return error(FleetError::Kind::not_ready,
                         "the server's engine '" + offer.profile + "' has not started yet");
        }
    }
    Machine machine;
    Welcome welcome;
    std::string reasons;
    for (const Offer& offer : hello.offers) {
        std::string refusal = refusal_of(offer);
        if (refusal.empty()) {
            machine.parts[*index_of(offer.profile)] = {offer.processes};
        } else {
            reasons += (reasons.empty() ? "" : "; ") + refusal;
        }
        welcome.parts.push_back({offer.profile, std::move(refusal)});
    }
    note_refusal(hello.name, reasons);
    if (machine.parts.empty()) {
        return error(FleetError::Kind::refused, reasons);
    }
    std::erase_if(machines_, [&](const auto& each) { // who comes again stands there once
        const bool same = each.second.away && each.second.name == hello.name;
        if (same) {
            dispatcher_->leave(each.second.place);
        }
        return same;
    });
    if (machines_.size() >= most_machines && !forget_longest_away()) {
        return error(FleetError::Kind::not_ready,
                     "there are " + std::to_string(most_machines) + " machines already");
    }
    machine.id = random_id();
    machine.name = hello.name;
    machine.place = dispatcher_->enter(
        [this, scope = scope_.poster(), id = machine.id] {
            scope.post([this, id] {
                if (Machine* const there = find(id)) {
                    wake(*there);
                }
            });
        },
        machine.name);
    machine.seen = machine.asked = options_.clock();
    welcome.id = machine.id;
    spdlog::info("machine {} answers questions from now on", machine.name);
    Machine& added = machines_.emplace(machine.id, std::move(machine)).first->second;
    set_capacities(added);
    return welcome;
}

std::expected<Fleet::Machine*, FleetError> Fleet::contact(const std::string& id) {
    Machine* machine = find(id);
    if (machine != nullptr && of_closed(*machine)) {
        forget_closed();
        machine = nullptr;
    }
    if (machine == nullptr) {
        return error(FleetError::Kind::unknown_machine,
                     "no machine is known by this id: say hello by POST workers");
    }
    machine->seen = options_.clock();
    if (machine->away) {
        spdlog::info("machine {} is back", machine->name);
        machine->away = false;
        set_capacities(*machine);
    }
    return machine;
}

// It has what it holds and what it wishes besides; before it has asked, two for each process.
void Fleet::set_capacities(Machine& machine) {
    for (const auto& [profile, part] : machine.parts) {
        const auto wish = machine.wishes.find(profile);
        const std::size_t wished = dispatcher_->leases(machine.place, profile) +
                                   (wish == machine.wishes.end() ? 0 : wish->second);
        const std::size_t most =
            machine.drain || machine.away ? 0 : std::max(2 * part.processes, wished);
        dispatcher_->offer(machine.place, profile, {part.processes, most});
    }
}

std::expected<Taken, FleetError> Fleet::take(const std::string& id,
                                             const std::vector<Wish>& wishes) {
    const auto found = contact(id);
    if (!found) {
        return std::unexpected(found.error());
    }
    Machine& machine = **found;
    machine.asked = options_.clock();
    machine.wishes.clear();
    for (const Wish& wish : wishes) {
        const auto index = index_of(wish.profile);
        if (index && machine.parts.contains(*index)) {
            machine.wishes[*index] = wish.most;
        }
    }
    set_capacities(machine);
    Taken taken;
    taken.drain = machine.drain;
    for (const auto& [profile, most] : machine.wishes) {
        if (machine.drain) {
            break;
        }
        const std::string name = dispatcher_->name_of(profile);
        for (Dispatcher::Lease& lease :
             dispatcher_->take(machine.place, profile, most, options_.clock())) {
            taken.leases.push_back(
                {lease.id, name, question_key(name, lease.job), std::move(lease.job)});
        }
    }
    taken.news = dispatcher_->news(machine.place);
    return taken;
}

void Fleet::keep_only(const std::string& id, const std::vector<LeaseId>& held) {
    if (const Machine* machine = find(id)) {
        dispatcher_->keep_only(machine->place, held);
    }
}

void Fleet::wake(Machine& machine) {
    dispatcher_->wait(machine.place, false);
    if (const auto wake = std::exchange(machine.wake, nullptr)) {
        wake();
    }
}

Fleet::Poll Fleet::begin_to_wait(const std::string& id) {
    Machine* machine = find(id);
    if (machine == nullptr) {
        return 0;
    }
    ++machine->poll;
    wake(*machine);
    return machine->poll;
}

bool Fleet::waits(const std::string& id, Poll poll) const {
    const auto found = machines_.find(id);
    return !closed_ && found != machines_.end() && found->second.poll == poll;
}

bool Fleet::wait(const std::string& id, Poll poll, std::function<void()> wake) {
    if (!waits(id, poll)) {
        return false;
    }
    Machine& machine = machines_.at(id);
    machine.wake = std::move(wake);
    dispatcher_->wait(machine.place, true);
    return true;
}

void Fleet::do_not_wake(const std::string& id, Poll poll) {
    if (waits(id, poll)) {
        machines_.at(id).wake = nullptr;
        dispatcher_->wait(machines_.at(id).place, false);
    }
}

void Fleet::set_pulses(Machine& machine, const std::vector<Pulse>& pulses) {
    for (const Pulse& pulse : pulses) {
        const auto index = index_of(pulse.profile);
        const auto part = index ? machine.parts.find(*index) : machine.parts.end();
        if (part != machine.parts.end()) {
            part->second.busy = pulse.busy;
            part->second.nps = pulse.nps;
        }
    }
}

std::expected<Taken, FleetError> Fleet::beat(const std::string& id,
                                             const std::vector<LeaseId>& held,
                                             const std::vector<Pulse>& pulses) {
    const auto found = contact(id);
    if (!found) {
        return std::unexpected(found.error());
    }
    Machine& machine = **found;
    set_pulses(machine, pulses);
    dispatcher_->beat(machine.place, held, options_.clock());
    Taken taken;
    taken.news = dispatcher_->news(machine.place);
    taken.drain = machine.drain;
    return taken;
}

bool Fleet::goodbye(const std::string& id) {
    Machine* machine = find(id);
    if (machine == nullptr) {
        return false;
    }
    spdlog::info("machine {} has said goodbye", machine->name);
    dispatcher_->leave(machine->place);
    wake(*machine);
    machines_.erase(id);
    return true;
}

bool Fleet::drain(const std::string& id, bool on) {
    Machine* machine = find(id);
    if (machine == nullptr) {
        return false;
    }
    machine->drain = on;
    set_capacities(*machine);
    wake(*machine);
    return true;
}

} // namespace adjourn::engine_bridge
