// Dispatcher: processes for those who look, and what is shown.
#include "engine_bridge/dispatch/dispatcher.hpp"
#include "engine_bridge/dispatch/dispatcher_locked.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::engine_bridge {

void Dispatcher::set_reserving(ProfileId profile, Reserving reserving) {
    const Locked now{*this};
    profiles_.at(profile).reserving = std::move(reserving);
}

PlaceId Dispatcher::reserve(ProfileId profile, Reservation wanted) {
    Locked now{*this};
    std::optional<PlaceId> best, other; // free; of another kind
    std::size_t all = 0;
    for (const auto& [id, place] : places_) {
        all += place.reserved ? 1 : 0;
        if (!place.reserved || place.reserved->used) {
            continue;
        }
        if (place.reserved->profile != profile ||
            place.reserved->wanted.threads != wanted.threads) {
            other = id;
        } else if (!best || place.reserved->wanted.who == wanted.who) {
            best = id;
        }
    }
    if (!best) {
        if (all >= most_reserved && other) {
            dismiss(*other, now);
        }
        best = next_place_++;
        Place place;
        place.parts[profile].comes_back = true;
        place.reserved = Reserved{.profile = profile};
        const Reserving& reserving = profiles_.at(profile).reserving;
        place.look = [look = reserving.look, id = *best] { look(id); };
        now.call(
            [open = reserving.open, id = *best, threads = wanted.threads] { open(id, threads); });
        places_.emplace(*best, std::move(place));
    }
    Reserved& reserved = *places_.at(*best).reserved;
    reserved.used = true;
    reserved.wanted = wanted;
    return *best;
}

void Dispatcher::release(PlaceId id, Time at) {
    Locked now{*this};
    if (const auto found = places_.find(id); found != places_.end()) {
        set_lent(found->second, 0, now);
        found->second.reserved->used = false;
        found->second.reserved->idle_since = at;
    }
}

// What it searches still, cancelled, ends so.
void Dispatcher::dismiss(PlaceId id, Locked& now) {
    Place& place = places_.at(id);
    const std::vector<LeaseId> leases{place.leases.begin(), place.leases.end()};
    for (const LeaseId lease : leases) {
        end(standing_.at(lease).job,
            std::unexpected(Failure{Failure::Kind::cancelled, "the search was cancelled"}), now);
    }
    now.call([close = profiles_[place.reserved->profile].reserving.close, id] { close(id); });
    places_.erase(id);
}

void Dispatcher::dismiss_idle(Time at, std::chrono::milliseconds longer_than) {
    Locked now{*this};
    std::vector<PlaceId> idle;
    for (const auto& [id, place] : places_) {
        if (place.reserved && !place.reserved->used &&
            at - place.reserved->idle_since >= longer_than) {
            idle.push_back(id);
        }
    }
    for (const PlaceId id : idle) {
        dismiss(id, now);
    }
}

void Dispatcher::lend(PlaceId id, std::size_t processes) {
    Locked now{*this};
    if (const auto found = places_.find(id); found != places_.end()) {
        set_lent(found->second, processes, now);
    }
}

void Dispatcher::set_lent(Place& place, std::size_t processes, Locked& now) {
    Reserved& reserved = *place.reserved;
    Profile& of = profiles_[reserved.profile];
    const std::size_t before = std::exchange(reserved.lent, processes);
    of.lent = of.lent + reserved.lent - before;
    if (reserved.lent < before) {
        rouse_all(reserved.profile, now);
        now.call(of.room);
    }
}

std::size_t Dispatcher::lent(ProfileId profile) const {
    const Locked now{*this};
    return profiles_.at(profile).lent;
}

std::size_t Dispatcher::leases(PlaceId id) const {
    const Locked now{*this};
    const auto found = places_.find(id);
    return found == places_.end() ? 0 : found->second.leases.size();
}

std::size_t Dispatcher::leases(PlaceId id, ProfileId profile) const {
    const Locked now{*this};
    const auto found = places_.find(id);
    if (found == places_.end()) {
        return 0;
    }
    const auto part = found->second.parts.find(profile);
    return part == found->second.parts.end() ? 0 : part->second.leases;
}

std::vector<ProcessStatus> Dispatcher::elsewhere(ProfileId profile) const {
    const Locked now{*this};
    std::vector<ProcessStatus> all;
    for (const auto& [id, place] : places_) {
        const auto part = place.parts.find(profile);
        std::size_t left = place.here() || part == place.parts.end() ? 0 : part->second.processes;
        for (auto lease = place.leases.begin(); left > 0 && lease != place.leases.end(); ++lease) {
            const Question& question = open_.at(standing_.at(*lease).job);
            if (question.profile == profile) {
                ProcessStatus status;
                status.state = ProcessStatus::State::searching;
                status.job = question.job.id;
                status.position = question.job.position;
                status.searchmoves = question.job.searchmoves;
                status.machine = place.machine;
                all.push_back(std::move(status));
                --left;
            }
        }
    }
    return all;
}

std::size_t Dispatcher::reserved() const {
    const Locked now{*this};
    return static_cast<std::size_t>(std::ranges::count_if(
        places_, [](const auto& entry) { return entry.second.reserved.has_value(); }));
}

bool Dispatcher::works(PlaceId id) const {
    const Locked now{*this};
    const auto found = places_.find(id);
    return found != places_.end() &&
           std::ranges::any_of(found->second.parts,
                               [](const auto& entry) { return entry.second.most > 0; });
}

std::size_t Dispatcher::most(ProfileId profile) const {
    const Locked now{*this};
    const Profile& of = profiles_.at(profile);
    return of.most_here + of.most_elsewhere;
}

} // namespace adjourn::engine_bridge
