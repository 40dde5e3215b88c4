#include "engine_bridge/dispatch/dispatcher.hpp"

#include <algorithm>
#include <cassert>

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
    const auto known = [&] {
        const Locked now{*this};
        return known_;
    }();
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

// If any place may have it still.
void Dispatcher::wait_again(Question& question, std::optional<PlaceId> avoid, Locked& now) {
    if (stranded(question)) {
        give_up(question.job.id, now);
        return;
    }
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
    } else {
        wait_again(question, place, now);
    }
}

// Whoever has it is told. REQUIRES: it stands.
Dispatcher::Place& Dispatcher::withdraw(LeaseId lease, Locked& now) {
    Place& place = places_.at(standing_.at(lease).place);
    place.news.withdrawn.push_back(lease);
    now.call(place.look);
    return place;
}

void Dispatcher::cancel(JobId id) {
    Locked now{*this};
    const auto found = open_.find(id);
    if (found == open_.end()) {
        return;
    }
    Question& question = found->second;
    if (question.lease && withdraw(*question.lease, now).here()) {
        question.cancelled = true;
        return;
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
    const auto lease = found == open_.end() ? std::nullopt : found->second.lease;
    if (lease && places_.at(standing_.at(*lease).place).here()) {
        withdraw(*lease, now);
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
            withdraw(*question.lease, now);
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
        withdraw(*lease, now);
    }
    end(id, std::move(answer), now);
    return true;
}

// ---- places, and what they take ----

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
    Load& part = place.parts[profile];
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
    const auto others_may = [&] {
        return std::ranges::any_of(places_, [&](const auto& entry) {
            return entry.first != id && may_have(entry.first, entry.second, question);
        });
    };
    return question.avoid == id && others_may() ? JobQueue::Suits::at_last : JobQueue::Suits::yes;
}

void Dispatcher::end_stranded(ProfileId profile, Locked& now) {
    const auto end_of = [&](const JobQueue& waiting) {
        for (const JobId id : waiting.all()) {
            if (stranded(open_.at(id))) {
                give_up(id, now);
            }
        }
    };
    end_of(profiles_[profile].waiting);
    for (const auto& [place, record] : places_) {
        if (record.reserved && record.reserved->profile == profile) {
            end_of(record.reserved->waiting);
        }
    }
}

bool Dispatcher::is_lent(const Place& place, const Profile& profile) {
    return place.here() && !place.reserved && profile.lent > 0 &&
           profile.leases_here + profile.lent >= profile.processes_here;
}

// Who has something for each of its processes leaves one for each process elsewhere that has
// nothing.
bool Dispatcher::may_take_more(const Place& place, const Load& part, ProfileId id) const {
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
    Load& part = place.parts[profile];
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
    wait_again(open_.at(job), std::nullopt, now);
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

// ---- processes for those who look ----

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
        end(standing_.at(lease).job, std::unexpected(cancelled()), now);
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

// ---- looking ----

std::size_t Dispatcher::leases(PlaceId id) const {
    const Locked now{*this};
    const auto found = places_.find(id);
    return found == places_.end() ? 0 : found->second.leases.size();
}

std::size_t Dispatcher::leases(PlaceId id, ProfileId profile) const {
    const Locked now{*this};
    const auto found = places_.find(id);
    return found != places_.end() && found->second.parts.contains(profile)
               ? found->second.parts.at(profile).leases
               : 0;
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

std::size_t Dispatcher::reserved(bool in_use) const {
    const Locked now{*this};
    return static_cast<std::size_t>(std::ranges::count_if(places_, [&](const auto& entry) {
        return entry.second.reserved && (!in_use || entry.second.reserved->used);
    }));
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
