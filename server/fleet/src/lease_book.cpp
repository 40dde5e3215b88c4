#include "fleet/lease_book.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace adjourn::server {

using engine_bridge::Failure;
using engine_bridge::Job;
using engine_bridge::QueuedJob;

LeaseBook::Desk& LeaseBook::desk(ProfileIndex profile) {
    if (desks_.size() <= profile) {
        desks_.resize(profile + 1);
    }
    return desks_[profile];
}

void LeaseBook::offer(ProfileIndex profile, Job job) {
    Desk& desk = this->desk(profile);
    assert(!open_.contains(job.id));
    desk.waiting.push(job);
    ++desk.open;
    const JobId id = job.id;
    open_.emplace(id, Open{profile, std::move(job)});
}

void LeaseBook::close(JobId id) {
    const auto found = open_.find(id);
    Open& open = found->second;
    Desk& desk = desks_[open.profile];
    if (open.lease) {
        end_lease(*open.lease);
    } else {
        desk.waiting.remove(id);
    }
    for (const LeaseId lease : open.past) {
        past_.erase(lease);
    }
    --desk.open;
    open_.erase(found);
}

// It is past from now on.
void LeaseBook::end_lease(LeaseId lease) {
    const auto found = standing_.find(lease);
    const auto [job, place, until] = found->second;
    standing_.erase(found);
    places_[place].leases.erase(lease);
    Open& open = open_.at(job);
    open.lease.reset();
    open.past.push_back(lease);
    past_.emplace(lease, std::pair{job, place});
}

void LeaseBook::back_in_front(Open& open, std::optional<PlaceId> avoid) {
    open.avoid = avoid;
    desks_[open.profile].waiting.push_retry({open.job, 0, avoid});
}

bool LeaseBook::withdraw(JobId id) {
    const auto found = open_.find(id);
    if (found == open_.end()) {
        return false;
    }
    if (const auto lease = found->second.lease) {
        places_[standing_.at(*lease).place].news.withdrawn.push_back(*lease);
    }
    close(id);
    return true;
}

bool LeaseBook::hurry(JobId id) {
    const auto found = open_.find(id);
    if (found == open_.end()) {
        return false;
    }
    found->second.job.urgent = true;
    if (const auto lease = found->second.lease) {
        places_[standing_.at(*lease).place].news.hurried.push_back(*lease);
    } else {
        desks_[found->second.profile].waiting.hurry(id);
    }
    return true;
}

std::vector<Job> LeaseBook::take_back(ProfileIndex profile) {
    std::vector<Job> jobs;
    for (QueuedJob& waiting : desk(profile).waiting.take_all()) {
        close(waiting.job.id);
        jobs.push_back(std::move(waiting.job));
    }
    return jobs;
}

std::vector<LeaseBook::JobId> LeaseBook::clear(ProfileIndex profile) {
    std::vector<JobId> jobs;
    for (const auto& [id, open] : open_) {
        if (open.profile == profile) {
            jobs.push_back(id);
        }
    }
    for (const JobId id : jobs) {
        withdraw(id);
    }
    return jobs;
}

void LeaseBook::set_capacity(PlaceId place, ProfileIndex profile, std::size_t most) {
    Desk& desk = this->desk(profile);
    std::size_t& had = places_[place].capacity[profile];
    desk.capacity = desk.capacity - had + most;
    desk.places = desk.places - (had > 0 ? 1 : 0) + (most > 0 ? 1 : 0);
    had = most;
}

std::size_t LeaseBook::capacity(ProfileIndex profile) const {
    return profile < desks_.size() ? desks_[profile].capacity : 0;
}

std::size_t LeaseBook::capacity(PlaceId place, ProfileIndex profile) const {
    const auto found = places_.find(place);
    if (found == places_.end()) {
        return 0;
    }
    const auto most = found->second.capacity.find(profile);
    return most == found->second.capacity.end() ? 0 : most->second;
}

std::vector<LeaseBook::Lease> LeaseBook::take(PlaceId place, ProfileIndex profile, std::size_t most,
                                              Time now) {
    Desk& desk = this->desk(profile);
    std::vector<Lease> taken;
    while (taken.size() < most) {
        const auto next = desk.waiting.take(place, desk.places <= 1);
        if (!next) {
            break;
        }
        const LeaseId lease = next_++;
        Open& open = open_.at(next->job.id);
        open.lease = lease;
        standing_.emplace(lease, Standing{next->job.id, place, now + rules_.life});
        places_[place].leases.insert(lease);
        taken.push_back({lease, profile, open.job});
    }
    return taken;
}

void LeaseBook::beat(PlaceId place, const std::vector<LeaseId>& held, Time now) {
    for (const LeaseId lease : held) {
        const auto standing = standing_.find(lease);
        if (standing != standing_.end() && standing->second.place == place) {
            standing->second.until = now + rules_.life;
        } else if (question(lease, place) == nullptr) {
            places_[place].news.withdrawn.push_back(lease); // it may not have heard
        }
    }
}

LeaseBook::News LeaseBook::news(PlaceId place) {
    return std::exchange(places_[place].news, {});
}

bool LeaseBook::has_news(PlaceId place) const {
    const auto found = places_.find(place);
    return found != places_.end() && !found->second.news.empty();
}

std::vector<LeaseBook::Ended> LeaseBook::leave(PlaceId place, bool blamed) {
    std::vector<Ended> ended;
    const auto found = places_.find(place);
    if (found == places_.end()) {
        return ended;
    }
    for (const auto& [profile, most] : std::map{found->second.capacity}) {
        set_capacity(place, profile, 0);
        desks_[profile].waiting.forget(place);
    }
    // The youngest first, so that the oldest stands in front at last.
    const std::vector<LeaseId> leases{found->second.leases.rbegin(), found->second.leases.rend()};
    for (const LeaseId lease : leases) {
        const JobId job = standing_.at(lease).job;
        end_lease(lease);
        if (blamed) {
            if (auto over = without_answer(
                    job, place, {Failure::Kind::hung, "the machine that had it went away", 0})) {
                ended.push_back(std::move(*over));
            }
        } else {
            back_in_front(open_.at(job), std::nullopt);
        }
    }
    places_.erase(place);
    return ended;
}

const Job* LeaseBook::question(LeaseId lease, PlaceId place) const {
    const auto standing = standing_.find(lease);
    if (standing != standing_.end()) {
        return standing->second.place == place ? &open_.at(standing->second.job).job : nullptr;
    }
    const auto past = past_.find(lease);
    return past != past_.end() && past->second.second == place ? &open_.at(past->second.first).job
                                                               : nullptr;
}

// The question waits; it has no lease.
std::optional<LeaseBook::Ended> LeaseBook::without_answer(JobId id, PlaceId place,
                                                          Failure failure) {
    Open& open = open_.at(id);
    ++open.failures;
    open.attempts += failure.attempts;
    const bool nowhere_else = failure.attempts > 0 && desks_[open.profile].places <= 1;
    if (open.failures < rules_.most_failures && !nowhere_else &&
        failure.kind != Failure::Kind::unfit) {
        back_in_front(open, place);
        return std::nullopt;
    }
    failure.attempts = std::max({open.attempts, open.failures, 1});
    const ProfileIndex profile = open.profile;
    close(id);
    return Ended{profile, id, std::unexpected(std::move(failure))};
}

std::optional<LeaseBook::Ended> LeaseBook::answer(LeaseId lease, PlaceId place,
                                                  engine_bridge::Result result) {
    const Job* job = question(lease, place);
    if (job == nullptr) {
        return std::nullopt;
    }
    const JobId id = job->id;
    Open& open = open_.at(id);
    const bool stands = open.lease == lease;
    if (result) {
        if (open.lease && !stands) { // somebody else has it now: in vain
            places_[standing_.at(*open.lease).place].news.withdrawn.push_back(*open.lease);
        }
        const ProfileIndex profile = open.profile;
        close(id);
        return Ended{profile, id, std::move(result)};
    }
    if (!stands) {
        return std::nullopt; // it is asked elsewhere already
    }
    end_lease(lease);
    const Failure::Kind kind = result.error().kind;
    if (kind == Failure::Kind::cancelled || kind == Failure::Kind::unavailable) {
        back_in_front(open, place);
        return std::nullopt;
    }
    return without_answer(id, place, std::move(result.error()));
}

std::optional<LeaseBook::JobId> LeaseBook::find(ProfileIndex profile,
                                                const std::function<bool(const Job&)>& fits) const {
    for (const auto& [id, open] : open_) {
        if (open.profile == profile && fits(open.job)) {
            return id;
        }
    }
    return std::nullopt;
}

LeaseBook::Ended LeaseBook::answer_open(JobId id, engine_bridge::Answer answer) {
    const ProfileIndex profile = open_.at(id).profile;
    withdraw(id);
    return {profile, id, std::move(answer)};
}

std::vector<LeaseBook::Ended> LeaseBook::expire(Time now) {
    std::vector<Ended> ended;
    std::vector<LeaseId> over;
    for (auto it = standing_.rbegin(); it != standing_.rend(); ++it) {
        if (it->second.until <= now) {
            over.push_back(it->first);
        }
    }
    for (const LeaseId lease : over) {
        const auto [job, place, until] = standing_.at(lease);
        end_lease(lease);
        if (auto failed = without_answer(
                job, place, {Failure::Kind::hung, "no machine that had it answered in time", 0})) {
            ended.push_back(std::move(*failed));
        }
    }
    return ended;
}

std::size_t LeaseBook::open(ProfileIndex profile) const {
    return profile < desks_.size() ? desks_[profile].open : 0;
}

std::size_t LeaseBook::waiting(ProfileIndex profile) const {
    return profile < desks_.size() ? desks_[profile].waiting.size() : 0;
}

std::size_t LeaseBook::leases(PlaceId place) const {
    const auto found = places_.find(place);
    return found == places_.end() ? 0 : found->second.leases.size();
}

std::size_t LeaseBook::leases(PlaceId place, ProfileIndex profile) const {
    return jobs(place, profile).size();
}

std::vector<const Job*> LeaseBook::jobs(PlaceId place, ProfileIndex profile) const {
    std::vector<const Job*> jobs;
    if (const auto found = places_.find(place); found != places_.end()) {
        for (const LeaseId lease : found->second.leases) {
            const Open& open = open_.at(standing_.at(lease).job);
            if (open.profile == profile) {
                jobs.push_back(&open.job);
            }
        }
    }
    return jobs;
}

std::optional<PlaceId> LeaseBook::server_of(ProfileIndex profile, std::uint64_t affinity) const {
    return profile < desks_.size() ? desks_[profile].waiting.server_of(affinity) : std::nullopt;
}

} // namespace adjourn::server
