// Dispatcher: profiles, questions and their ends. dispatcher_places.cpp: who takes them;
// dispatcher_reserved.cpp: processes for those who look, and what is shown.
#include "engine_bridge/dispatch/dispatcher.hpp"

#include "dispatcher_locked.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace adjourn::engine_bridge {

namespace {

Failure cancelled() {
    return {Failure::Kind::cancelled, "the search was cancelled"};
}

} // namespace

// ---- profiles ----

ProfileId Dispatcher::add(std::string name, bool reproducible, std::function<void()> room) {
    const Locked now{*this};
    profiles_.push_back({std::move(name), reproducible, std::move(room)});
    return profiles_.size() - 1;
}

void Dispatcher::identify(ProfileId profile, Identity identity) {
    const Locked now{*this};
    profiles_.at(profile).identity = std::move(identity);
}

void Dispatcher::close(ProfileId profile) {
    Locked now{*this};
    profiles_.at(profile).closed = true;
    std::vector<JobId> jobs;
    for (const auto& [id, question] : open_) {
        if (question.profile == profile) {
            jobs.push_back(id);
        }
    }
    std::ranges::sort(jobs);
    for (const JobId id : jobs) {
        if (const auto lease = open_.at(id).lease) {
            places_.at(standing_.at(*lease).place).news.withdrawn.push_back(*lease);
        }
        end(id, std::unexpected(cancelled()), now);
    }
    std::erase_if(places_, [&](const auto& entry) {
        return entry.second.reserved && entry.second.reserved->profile == profile;
    });
    for (auto& [id, place] : places_) {
        if (place.parts.contains(profile)) {
            now.call(place.look);
        }
    }
}

std::optional<Dispatcher::Known> Dispatcher::named(const std::string& name) const {
    const Locked now{*this};
    for (ProfileId id = 0; id < profiles_.size(); ++id) {
        const Profile& profile = profiles_[id];
        if (!profile.closed && profile.name == name) {
            return Known{id, profile.reproducible, profile.identity};
        }
    }
    return std::nullopt;
}

std::string Dispatcher::name_of(ProfileId profile) const {
    const Locked now{*this};
    return profiles_.at(profile).name;
}

bool Dispatcher::closed(ProfileId profile) const {
    const Locked now{*this};
    return profiles_.at(profile).closed;
}

// ---- questions ----

JobId Dispatcher::next_id() {
    const Locked now{*this};
    return next_job_++;
}

void Dispatcher::set_known(std::function<std::optional<Answer>(ProfileId, const Job&)> known) {
    const Locked now{*this};
    known_ = std::move(known);
}

void Dispatcher::submit(ProfileId profile, Job job, Done done) {
    std::function<std::optional<Answer>(ProfileId, const Job&)> known;
    {
        const Locked now{*this};
        known = known_;
    }
    if (known && !job.here && !job.place) {
        if (std::optional<Answer> answer = known(profile, job)) {
            done(std::move(*answer));
            return;
        }
    }
    Locked now{*this};
    Profile& of = profiles_.at(profile);
    if (of.closed) {
        now.end(std::move(done), std::unexpected(cancelled()));
        return;
    }
    const JobId id = job.id;
    assert(!open_.contains(id));
    of.open += job.place ? 0 : 1;
    const JobQueue::Waiting waiting{id, job.affinity, job.urgent, job.here, job.priority};
    Question& question =
        open_.emplace(id, Question{profile, std::move(job), std::move(done)}).first->second;
    if (stranded(question)) {
        give_up(id, now);
        return;
    }
    queue_of(question).push(waiting);
    rouse(question, now);
}

JobQueue& Dispatcher::queue_of(const Question& question) {
    return question.job.place ? places_.at(*question.job.place).reserved->waiting
                              : profiles_[question.profile].waiting;
}

void Dispatcher::end_lease(LeaseId lease) {
    const auto found = standing_.find(lease);
    const auto [job, id, until] = found->second;
    standing_.erase(found);
    Question& question = open_.at(job);
    Place& place = places_.at(id);
    place.leases.erase(lease);
    --place.parts.at(question.profile).leases;
    profiles_[question.profile].leases_here -= place.here() && !place.reserved ? 1 : 0;
    question.lease.reset();
    question.past.push_back(lease);
    past_.emplace(lease, std::pair{job, id});
}

void Dispatcher::end(JobId id, Result result, Locked& now) {
    const auto found = open_.find(id);
    Question& question = found->second;
    if (question.lease) {
        end_lease(*question.lease);
    } else if (!question.job.place || places_.contains(*question.job.place)) {
        queue_of(question).remove(id);
    }
    for (const LeaseId lease : question.past) {
        past_.erase(lease);
    }
    Profile& profile = profiles_[question.profile];
    profile.open -= question.job.place ? 0 : 1;
    now.end(std::move(question.done), std::move(result));
    const ProfileId of = question.profile;
    open_.erase(found);
    if (profile.lent > 0) { // a process here may go on now
        rouse_all(of, now);
    }
}

// No place may have it, now or later.
void Dispatcher::give_up(JobId id, Locked& now) {
    Question& question = open_.at(id);
    std::string problem;
    bool anybody = false;
    for (const auto& [place, record] : places_) {
        const auto part = record.parts.find(question.profile);
        if (part == record.parts.end() || (record.reserved && question.job.place != place)) {
            continue;
        }
        anybody = anybody || part->second.most > 0 || part->second.comes_back;
        problem = problem.empty() ? part->second.problem : problem;
    }
    if (question.tried.empty() || !anybody) {
        end(id, std::unexpected(Failure{Failure::Kind::unavailable, problem, 0}), now);
        return;
    }
    Failure last = std::move(question.last);
    last.attempts = static_cast<int>(question.tried.size());
    end(id, std::unexpected(std::move(last)), now);
}

void Dispatcher::wait_again(Question& question, std::optional<PlaceId> avoid, Locked& now) {
    question.avoid = avoid;
    queue_of(question).push_retry(
        {question.job.id, question.job.affinity, question.job.urgent, true, question.job.priority});
    rouse(question, now);
}

// The question has no lease and does not wait.
void Dispatcher::no_answer(JobId id, PlaceId place, Failure failure, Locked& now) {
    Question& question = open_.at(id);
    question.tried.push_back(place);
    const bool enough =
        question.tried.size() >= rules_.tries || failure.kind == Failure::Kind::unfit;
    question.last = std::move(failure);
    if (enough) {
        question.last.attempts = static_cast<int>(question.tried.size());
        end(id, std::unexpected(Failure{question.last}), now);
    } else if (stranded(question)) {
        give_up(id, now);
    } else {
        wait_again(question, place, now);
    }
}

void Dispatcher::cancel(JobId id) {
    Locked now{*this};
    const auto found = open_.find(id);
    if (found == open_.end()) {
        return;
    }
    Question& question = found->second;
    if (question.lease) {
        const PlaceId at = standing_.at(*question.lease).place;
        Place& place = places_.at(at);
        place.news.withdrawn.push_back(*question.lease);
        now.call(place.look);
        if (place.here()) {
            question.cancelled = true;
            return;
        }
    }
    end(id, std::unexpected(cancelled()), now);
}

void Dispatcher::set_priority(JobId id, int priority) {
    const Locked now{*this};
    if (const auto found = open_.find(id); found != open_.end()) {
        Job& job = found->second.job;
        job.priority = priority;
        if (JobQueue& queue = queue_of(found->second); queue.remove(id)) {
            queue.push({id, job.affinity, job.urgent, true, priority});
        }
    }
}

void Dispatcher::put_back(JobId id) {
    Locked now{*this};
    const auto found = open_.find(id);
    if (found == open_.end() || !found->second.lease) {
        return;
    }
    Place& place = places_.at(standing_.at(*found->second.lease).place);
    if (place.here()) {
        place.news.withdrawn.push_back(*found->second.lease);
        now.call(place.look);
    }
}

bool Dispatcher::waits(JobId id) const {
    const Locked now{*this};
    const auto found = open_.find(id);
    return found != open_.end() && !found->second.lease;
}

void Dispatcher::hurry(JobId id) {
    Locked now{*this};
    const auto found = open_.find(id);
    if (found == open_.end()) {
        return;
    }
    Question& question = found->second;
    question.job.urgent = true;
    if (question.lease) {
        Place& place = places_.at(standing_.at(*question.lease).place);
        place.news.hurried.push_back(*question.lease);
        now.call(place.look);
    } else {
        queue_of(question).hurry(id);
    }
}

std::size_t Dispatcher::room(ProfileId id, std::size_t but) const {
    const Locked now{*this};
    const Profile& profile = profiles_.at(id);
    const std::size_t here = profile.most_here - std::min(profile.most_here, 2 * profile.lent);
    const std::size_t wanted = profile.closed ? 0 : here + profile.most_elsewhere;
    return wanted - std::min(wanted, profile.open - std::min(profile.open, but));
}

std::size_t Dispatcher::idle(ProfileId id) const {
    const Locked now{*this};
    const Profile& profile = profiles_.at(id);
    const std::size_t taken = profile.leases_here + profile.lent;
    return profile.processes_here - std::min(profile.processes_here, taken);
}

// ---- answers ----

const Dispatcher::Question* Dispatcher::question_of(LeaseId lease, PlaceId place) const {
    if (const auto standing = standing_.find(lease); standing != standing_.end()) {
        return standing->second.place == place ? &open_.at(standing->second.job) : nullptr;
    }
    const auto past = past_.find(lease);
    return past != past_.end() && past->second.second == place ? &open_.at(past->second.first)
                                                               : nullptr;
}

std::optional<Job> Dispatcher::question(LeaseId lease, PlaceId place) const {
    const Locked now{*this};
    const Question* found = question_of(lease, place);
    return found == nullptr ? std::nullopt : std::optional{found->job};
}

bool Dispatcher::answer(LeaseId lease, PlaceId place, Result result) {
    Locked now{*this};
    const Question* found = question_of(lease, place);
    if (found == nullptr) {
        return false;
    }
    const JobId id = found->job.id;
    Question& question = open_.at(id);
    const bool stands = question.lease == lease;
    if (result) {
        if (question.lease && !stands) { // somebody else has it now: in vain
            const PlaceId other = standing_.at(*question.lease).place;
            places_.at(other).news.withdrawn.push_back(*question.lease);
            now.call(places_.at(other).look);
        }
        end(id, std::move(result), now);
        return true;
    }
    if (!stands) {
        return false; // it is asked elsewhere already
    }
    end_lease(lease);
    const Failure::Kind kind = result.error().kind;
    if (question.cancelled) {
        Failure over = cancelled();
        over.found = std::move(result.error().found);
        end(id, std::unexpected(std::move(over)), now);
    } else if (kind != Failure::Kind::cancelled && kind != Failure::Kind::unavailable) {
        no_answer(id, place, std::move(result.error()), now);
    } else if (stranded(question)) {
        give_up(id, now);
    } else {
        wait_again(question, place, now);
    }
    return !open_.contains(id);
}

std::optional<Job> Dispatcher::find(ProfileId profile,
                                    const std::function<bool(const Job&)>& fits) const {
    const Locked now{*this};
    for (const auto& [id, question] : open_) {
        if (question.profile == profile && fits(question.job)) {
            return question.job;
        }
    }
    return std::nullopt;
}

bool Dispatcher::answer_open(JobId id, Answer answer) {
    Locked now{*this};
    const auto found = open_.find(id);
    if (found == open_.end()) {
        return false;
    }
    if (const auto lease = found->second.lease) {
        Place& place = places_.at(standing_.at(*lease).place);
        place.news.withdrawn.push_back(*lease);
        now.call(place.look);
    }
    end(id, std::move(answer), now);
    return true;
}

} // namespace adjourn::engine_bridge
