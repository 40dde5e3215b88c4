// Dispatcher: places, and what they take.
#include "dispatcher_locked.hpp"
#include "engine_bridge/dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::engine_bridge {

PlaceId Dispatcher::enter(std::function<void()> look, std::string machine) {
    const Locked now{*this};
    places_.emplace(next_place_, Place{std::move(look), std::move(machine)});
    return next_place_++;
}

void Dispatcher::offer(PlaceId id, ProfileId profile, Offer offer) {
    Locked now{*this};
    if (const auto found = places_.find(id); found != places_.end()) { // else it was sent away
        set_offer(found->second, profile, std::move(offer), now);
    }
}

void Dispatcher::set_offer(Place& place, ProfileId profile, Offer offer, Locked& now) {
    Part& part = place.parts[profile];
    Profile& of = profiles_.at(profile);
    const bool more = offer.most > part.most;
    const bool rests = offer.most == 0;
    const bool goes = rests && !offer.comes_back;
    if (!place.reserved) {
        std::size_t& most = place.here() ? of.most_here : of.most_elsewhere;
        const auto processes = [](const Offer& of_place) {
            return of_place.most > 0 ? of_place.processes : 0;
        };
        most = most - part.most + offer.most;
        of.processes_here += place.here() ? processes(offer) : 0;
        of.processes_here -= place.here() ? processes(part) : 0;
    }
    static_cast<Offer&>(part) = std::move(offer);
    if (more && !place.reserved) {
        now.call(of.room);
    } else if (goes) {
        end_stranded(profile, now);
    }
    if (rests && !place.reserved) { // it may have been told to look
        rouse_all(profile, now);
    }
}

bool Dispatcher::may_have(PlaceId id, const Place& place, const Question& question) const {
    if (question.job.place ? *question.job.place != id : place.reserved.has_value()) {
        return false;
    }
    if (question.job.here && !place.here()) {
        return false;
    }
    const auto part = place.parts.find(question.profile);
    const bool there =
        part != place.parts.end() && (part->second.most > 0 || part->second.comes_back);
    return there && static_cast<std::size_t>(std::ranges::count(question.tried, id)) <
                        rules_.tries_at_a_place;
}

bool Dispatcher::others_may_have(PlaceId id, const Question& question) const {
    return std::ranges::any_of(places_, [&](const auto& entry) {
        return entry.first != id && may_have(entry.first, entry.second, question);
    });
}

bool Dispatcher::stranded(const Question& question) const {
    return std::ranges::none_of(
        places_, [&](const auto& entry) { return may_have(entry.first, entry.second, question); });
}

// What it had no answer to a place only gets if there is nothing else, unless nobody else may have
// it.
JobQueue::Suits Dispatcher::suits(PlaceId id, const Question& question) const {
    if (!may_have(id, places_.at(id), question)) {
        return JobQueue::Suits::no;
    }
    return question.avoid == id && others_may_have(id, question) ? JobQueue::Suits::at_last
                                                                 : JobQueue::Suits::yes;
}

void Dispatcher::end_stranded(ProfileId profile, Locked& now) {
    for (const JobId id : profiles_[profile].waiting.all()) {
        if (stranded(open_.at(id))) {
            give_up(id, now);
        }
    }
    for (auto& [place, record] : places_) {
        if (record.reserved && record.reserved->profile == profile) {
            for (const JobId id : record.reserved->waiting.all()) {
                if (stranded(open_.at(id))) {
                    give_up(id, now);
                }
            }
        }
    }
}

bool Dispatcher::is_lent(const Place& place, const Profile& profile) {
    return place.here() && !place.reserved && profile.lent > 0 &&
           profile.leases_here + profile.lent >= profile.processes_here;
}

// Who has something for each of its processes leaves one for each process elsewhere that has
// nothing.
bool Dispatcher::may_take_more(const Place& place, const Part& part, ProfileId id) const {
    if (place.reserved || part.leases < part.processes) {
        return true;
    }
    const Profile& profile = profiles_[id];
    std::size_t idle = 0;
    for (const auto& [other, record] : places_) {
        const auto there = record.parts.find(id);
        if (&record != &place && !record.reserved && there != record.parts.end() &&
            there->second.most > 0) {
            idle +=
                there->second.processes - std::min(there->second.processes, there->second.leases);
        }
        if (idle >= profile.waiting.size()) {
            return false;
        }
    }
    return true;
}

std::vector<Dispatcher::Lease> Dispatcher::take(PlaceId id, ProfileId profile, std::size_t most,
                                                Time now) {
    const Locked locked{*this};
    std::vector<Lease> taken;
    const auto found = places_.find(id);
    if (found == places_.end()) {
        return taken;
    }
    Place& place = found->second;
    Profile& of = profiles_.at(profile);
    Part& part = place.parts[profile];
    JobQueue& waiting = place.reserved ? place.reserved->waiting : of.waiting;
    const auto suits = [&](JobId job) { return this->suits(id, open_.at(job)); };
    while (taken.size() < most && !waiting.empty() && may_take_more(place, part, profile)) {
        const auto job = waiting.take(id, suits, is_lent(place, of));
        if (!job) {
            break;
        }
        const LeaseId lease = next_lease_++;
        Question& question = open_.at(*job);
        question.lease = lease;
        standing_.emplace(
            lease,
            Standing{*job, id, place.here() ? std::nullopt : std::optional{now + rules_.life}});
        place.leases.insert(lease);
        ++part.leases;
        of.leases_here += place.here() && !place.reserved ? 1 : 0;
        taken.push_back({lease, question.job});
    }
    place.waits = place.here() && taken.size() < most;
    return taken;
}

void Dispatcher::wait(PlaceId id, bool on) {
    const Locked now{*this};
    if (const auto found = places_.find(id); found != places_.end()) {
        found->second.waits = on;
    }
}

// One place that waits is enough: rather none that had no answer to it; the one whose hash is warm,
// else one here.
void Dispatcher::rouse(const Question& question, Locked& now) {
    const auto warm = profiles_[question.profile].waiting.server_of(question.job.affinity);
    std::pair<Place*, int> chosen{nullptr, 0};
    for (auto& [id, place] : places_) {
        if (place.waits && may_have(id, place, question)) {
            const int cost = (question.avoid == id ? 4 : 0) + (id == warm     ? 0
                                                               : place.here() ? 1
                                                                              : 2);
            if (chosen.first == nullptr || cost < chosen.second) {
                chosen = {&place, cost};
            }
            if (cost == (warm ? 0 : 1)) {
                break;
            }
        }
    }
    if (chosen.first != nullptr) {
        chosen.first->waits = false;
        now.call(chosen.first->look);
    }
}

void Dispatcher::rouse_all(ProfileId profile, Locked& now) {
    if (profiles_[profile].waiting.empty()) {
        return;
    }
    for (auto& [id, place] : places_) {
        if (place.waits && place.parts.contains(profile) && !place.reserved) {
            place.waits = false;
            now.call(place.look);
        }
    }
}

void Dispatcher::beat(PlaceId id, const std::vector<LeaseId>& held, Time now) {
    const Locked locked{*this};
    for (const LeaseId lease : held) {
        const auto standing = standing_.find(lease);
        if (standing != standing_.end() && standing->second.place == id) {
            standing->second.until = now + rules_.life;
        } else if (question_of(lease, id) == nullptr) {
            places_.at(id).news.withdrawn.push_back(lease); // it may not have heard
        }
    }
}

Dispatcher::News Dispatcher::news(PlaceId id) {
    const Locked now{*this};
    const auto found = places_.find(id);
    return found == places_.end() ? News{} : std::exchange(found->second.news, {});
}

void Dispatcher::give_back(PlaceId id, bool blamed, Locked& now) {
    Place& place = places_.at(id);
    for (auto& [profile, part] : place.parts) {
        set_offer(place, profile, Offer{part.processes}, now);
        profiles_[profile].waiting.forget(id);
    }
    // The youngest first, so that the oldest stands in front at last.
    const std::vector<LeaseId> leases{place.leases.rbegin(), place.leases.rend()};
    for (const LeaseId lease : leases) {
        if (blamed) {
            const JobId job = standing_.at(lease).job;
            end_lease(lease);
            no_answer(job, id, {Failure::Kind::hung, "the machine that had it went away"}, now);
        } else {
            give_back(lease, now);
        }
    }
}

void Dispatcher::give_back(LeaseId lease, Locked& now) {
    const JobId job = standing_.at(lease).job;
    end_lease(lease);
    Question& question = open_.at(job);
    if (stranded(question)) {
        give_up(job, now);
    } else {
        wait_again(question, std::nullopt, now);
    }
}

void Dispatcher::keep_only(PlaceId id, const std::vector<LeaseId>& held) {
    Locked now{*this};
    const std::set<LeaseId> leases = places_.at(id).leases;
    for (auto lease = leases.rbegin(); lease != leases.rend(); ++lease) { // as in give_back()
        if (std::ranges::find(held, *lease) == held.end()) {
            give_back(*lease, now);
        }
    }
}

void Dispatcher::vacate(PlaceId id, bool blamed) {
    Locked now{*this};
    give_back(id, blamed, now);
}

void Dispatcher::leave(PlaceId id) {
    Locked now{*this};
    give_back(id, false, now);
    places_.erase(id);
}

void Dispatcher::forget(PlaceId id) {
    const Locked now{*this};
    if (const auto found = places_.find(id); found != places_.end()) {
        for (const auto& [profile, part] : found->second.parts) {
            profiles_[profile].waiting.forget(id);
        }
    }
}

void Dispatcher::look_after(Time now) {
    Locked locked{*this};
    std::vector<LeaseId> over;
    for (auto it = standing_.rbegin(); it != standing_.rend(); ++it) {
        if (it->second.until && *it->second.until <= now) {
            over.push_back(it->first);
        }
    }
    for (const LeaseId lease : over) {
        const auto [job, place, until] = standing_.at(lease);
        end_lease(lease);
        no_answer(job, place, {Failure::Kind::hung, "no machine that had it answered in time"},
                  locked);
    }
    for (ProfileId profile = 0; profile < profiles_.size(); ++profile) {
        rouse_all(profile, locked);
    }
}

} // namespace adjourn::engine_bridge
