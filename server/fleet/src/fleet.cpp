// Fleet: machines and what they ask. fleet_answers.cpp: what they tell, and what ends;
// fleet_machines.cpp: what people are shown.
#include "fleet/fleet.hpp"

#include "fleet_workers.hpp"

#include <spdlog/spdlog.h>

#include <array>
#include <random>
#include <utility>

namespace adjourn::server {

using engine_bridge::Job;

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

std::unexpected<FleetError> error(FleetError::Kind kind, std::string message) {
    return std::unexpected(FleetError{kind, std::move(message)});
}

} // namespace

// Lease ids go on from the wall clock, so that a server that was started again does not use one
// twice; they stay below 2^53, which JSON has room for.
Fleet::Fleet(boost::asio::io_context& core, Options options)
    : options_{std::move(options)}, timer_{core}, scope_{core},
      book_{{options_.life, 3, static_cast<LeaseId>(options_.wall()) * 4'096}} {
    if (options_.ticking) {
        tick();
    }
}

Fleet::~Fleet() = default;

void Fleet::tick() {
    timer_.expires_after(look_interval);
    timer_.async_wait(scope_.bind([this](boost::system::error_code failed) {
        if (!failed && !closed_) {
            look_after();
            tick();
        }
    }));
}

WorkersFactory Fleet::around(WorkersFactory local) {
    return [this, local = std::move(local)](const engine_bridge::Profile& profile,
                                            Workers::Callbacks callbacks) {
        return std::make_unique<FleetWorkers>(*this, local, profile, std::move(callbacks));
    };
}

void Fleet::set_sigma(std::function<double(const std::string&)> sigma) {
    options_.sigma = std::move(sigma);
}

ProfileIndex Fleet::add(FleetWorkers& workers) {
    workers_.push_back(&workers);
    return workers_.size() - 1;
}

void Fleet::remove(ProfileIndex profile) {
    workers_[profile] = nullptr;
}

FleetWorkers* Fleet::workers_of(ProfileIndex profile) const {
    return profile < workers_.size() ? workers_[profile] : nullptr;
}

std::optional<ProfileIndex> Fleet::index_of(const std::string& profile) const {
    for (ProfileIndex i = 0; i < workers_.size(); ++i) {
        if (workers_[i] != nullptr && !workers_[i]->leaving() &&
            workers_[i]->profile().name == profile) {
            return i;
        }
    }
    return std::nullopt;
}

Fleet::Machine* Fleet::find(const std::string& id) {
    const auto found = machines_.find(id);
    return found == machines_.end() ? nullptr : &found->second;
}

// ---- questions, from the workers of a profile ----

// One machine that waits is enough; the one whose hash is warm, if it does.
void Fleet::offer(ProfileIndex profile, Job job) {
    const auto warm = book_.server_of(profile, job.affinity);
    book_.offer(profile, std::move(job));
    Machine* chosen = nullptr;
    for (auto& [id, machine] : machines_) {
        const auto wish = machine.wishes.find(profile);
        if (machine.wake && !machine.drain && wish != machine.wishes.end() && wish->second > 0 &&
            (chosen == nullptr || machine.place == warm)) {
            chosen = &machine;
        }
    }
    if (chosen != nullptr) {
        wake(*chosen);
    }
}

bool Fleet::withdraw(engine_bridge::JobId job) {
    if (!book_.withdraw(job)) {
        return false;
    }
    for (auto& [id, machine] : machines_) {
        if (book_.has_news(machine.place)) {
            wake(machine);
        }
    }
    return true;
}

bool Fleet::hurry(engine_bridge::JobId job) {
    if (!book_.hurry(job)) {
        return false;
    }
    for (auto& [id, machine] : machines_) {
        if (book_.has_news(machine.place)) {
            wake(machine);
        }
    }
    return true;
}

// The machines that answered for it offer themselves again, to whoever has its name then.
void Fleet::clear(ProfileIndex profile) {
    for (auto it = machines_.begin(); it != machines_.end();) {
        if (it->second.parts.contains(profile)) {
            leave(it->second, false);
            it = machines_.erase(it);
        } else {
            ++it;
        }
    }
    std::vector<LeaseBook::Ended> ended;
    for (const engine_bridge::JobId job : book_.clear(profile)) {
        ended.push_back({profile, job,
                         std::unexpected(engine_bridge::Failure{
                             engine_bridge::Failure::Kind::cancelled, "it was stopped", 0})});
    }
    tell(std::move(ended));
}

// ---- machines ----

std::string Fleet::refusal_of(const Offer& offer) const {
    const auto index = index_of(offer.profile);
    if (!index) {
        return "the server has no engine named '" + offer.profile + "'";
    }
    const FleetWorkers& workers = *workers_[*index];
    if (workers.profile().reproducible && !offer.reproducible) {
        return "engine '" + offer.profile +
               "' is reproducible on the server: set reproducible = true";
    }
    const std::string differs = difference(*workers.identity(), offer.identity);
    return differs.empty() ? "" : "engine '" + offer.profile + "' is another one: " + differs;
}

std::expected<Welcome, FleetError> Fleet::hello(const Hello& hello) {
    for (const Offer& offer : hello.offers) {
        const auto index = index_of(offer.profile);
        if (index && !workers_[*index]->identity()) {
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
    if (!reasons.empty()) {
        spdlog::warn("machine {} is refused: {}", hello.name, reasons);
        std::erase_if(refusals_, [&](const auto& each) { return each.name == hello.name; });
        refusals_.push_back({hello.name, reasons, options_.wall()});
        if (refusals_.size() > most_refusals) {
            refusals_.pop_front();
        }
    } else {
        std::erase_if(refusals_, [&](const auto& each) { return each.name == hello.name; });
    }
    if (machine.parts.empty()) {
        return error(FleetError::Kind::refused, reasons);
    }
    std::erase_if(machines_, [&](const auto& each) { // who comes again stands there once
        return each.second.away && each.second.name == hello.name;
    });
    if (machines_.size() >= most_machines && !forget_longest_away()) {
        return error(FleetError::Kind::not_ready,
                     "there are " + std::to_string(most_machines) + " machines already");
    }
    machine.id = random_id();
    machine.name = hello.name;
    machine.place = next_place_++;
    machine.seen = machine.asked = options_.clock();
    welcome.id = machine.id;
    spdlog::info("machine {} answers questions from now on", machine.name);
    Machine& added = machines_.emplace(machine.id, std::move(machine)).first->second;
    set_capacities(added);
    return welcome;
}

std::expected<Fleet::Machine*, FleetError> Fleet::contact(const std::string& id) {
    Machine* machine = find(id);
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
        const std::size_t wished = book_.leases(machine.place, profile) +
                                   (wish == machine.wishes.end() ? 0 : wish->second);
        const std::size_t most =
            machine.drain || machine.away ? 0 : std::max(2 * part.processes, wished);
        const std::size_t before = book_.capacity(profile);
        book_.set_capacity(machine.place, profile, most);
        if (FleetWorkers* workers = workers_of(profile);
            workers != nullptr && book_.capacity(profile) > before) {
            workers->room_changed();
        }
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
        FleetWorkers* workers = workers_of(profile);
        if (machine.drain || workers == nullptr) {
            continue;
        }
        for (LeaseBook::Lease& lease : book_.take(machine.place, profile, most, options_.clock())) {
            workers->shows(lease, machine.place, machine.name, machine.parts[profile].processes);
            const std::string& name = workers->profile().name;
            taken.leases.push_back(
                {lease.id, name, question_key(name, lease.job), std::move(lease.job)});
        }
    }
    taken.news = book_.news(machine.place);
    return taken;
}

void Fleet::wake(Machine& machine) {
    if (const auto wake = std::exchange(machine.wake, nullptr)) {
        wake();
    }
}

void Fleet::wake_all() {
    for (auto& [id, machine] : machines_) {
        wake(machine);
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
    machines_.at(id).wake = std::move(wake);
    return true;
}

void Fleet::do_not_wake(const std::string& id, Poll poll) {
    if (waits(id, poll)) {
        machines_.at(id).wake = nullptr;
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
    book_.beat(machine.place, held, options_.clock());
    Taken taken;
    taken.news = book_.news(machine.place);
    taken.drain = machine.drain;
    return taken;
}

bool Fleet::goodbye(const std::string& id) {
    Machine* machine = find(id);
    if (machine == nullptr) {
        return false;
    }
    spdlog::info("machine {} has said goodbye", machine->name);
    leave(*machine, false);
    wake(*machine);
    machines_.erase(id);
    bring_home();
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
    bring_home();
    return true;
}

} // namespace adjourn::server
