#include "fleet_workers.hpp"

namespace adjourn::server {

using engine_bridge::Failure;
using engine_bridge::Job;
using engine_bridge::JobId;
using engine_bridge::ProcessStatus;
using engine_bridge::Result;

namespace {

// Of a question that is asked again only to compare; the scheduler's ids never come so far.
constexpr JobId check_mark = JobId{1} << 63;

} // namespace

FleetWorkers::FleetWorkers(Fleet& fleet, const WorkersFactory& local,
                           const engine_bridge::Profile& profile, Callbacks callbacks)
    : fleet_{fleet}, profile_{profile}, shared_{std::make_shared<Shared>()},
      poster_{fleet.scope_.poster()}, self_{std::make_shared<FleetWorkers*>(this)} {
    shared_->up = std::move(callbacks);
    index_ = fleet_.add(*this);
    local_ = local(profile, forwarding());
}

FleetWorkers::~FleetWorkers() {
    *self_ = nullptr;
    fleet_.remove(index_);
}

Workers::Callbacks FleetWorkers::forwarding() {
    Callbacks forward;
    forward.done = [shared = shared_, poster = poster_, self = self_](JobId job, Result result) {
        if ((job & check_mark) == 0) {
            --shared->out;
            shared->up.done(job, std::move(result));
            return;
        }
        poster.post([self, job, result = std::move(result)] {
            if (*self != nullptr) {
                (*self)->checked(job, result);
            }
        });
    };
    forward.changed = shared_->up.changed;
    forward.identified = [self = self_, shared = shared_](
                             std::expected<engine_bridge::Identity, std::string> identity) {
        if (*self != nullptr && identity) {
            (*self)->identity_ = *identity;
        }
        shared->up.identified(std::move(identity));
    };
    forward.died = shared_->up.died;
    return forward;
}

// Where fewer questions wait for each process; where the hash is warm, if there is room.
bool FleetWorkers::goes_out(const Job& job) const {
    const std::size_t there = fleet_.book_.capacity(index_);
    if (there == 0) {
        return false;
    }
    const std::size_t open = fleet_.book_.open(index_);
    if (open < there && fleet_.book_.server_of(index_, job.affinity)) {
        return true;
    }
    const std::size_t here = 2 * profile_.count;
    return static_cast<double>(open + 1) / static_cast<double>(there) <
           static_cast<double>(shared_->out + 1) / static_cast<double>(here);
}

void FleetWorkers::submit(Job job) {
    if (auto answer = fleet_.kept_answer(profile_.name, job)) {
        shared_->up.done(job.id, std::move(*answer));
    } else if (goes_out(job)) {
        fleet_.offer(index_, std::move(job));
    } else {
        submit_here(std::move(job));
    }
}

void FleetWorkers::submit_here(Job job) {
    ++shared_->out;
    local_->submit(std::move(job));
}

void FleetWorkers::cancel(JobId job) {
    if (!fleet_.withdraw(job)) {
        local_->cancel(job);
        return;
    }
    hides(job);
    ended({index_, job, std::unexpected(Failure{Failure::Kind::cancelled, "it was cancelled", 0})});
}

void FleetWorkers::hurry(JobId job) {
    if (!fleet_.hurry(job)) {
        local_->hurry(job);
    }
}

void FleetWorkers::stop(std::function<void()> stopped) {
    leaving_ = true;
    fleet_.clear(index_);
    checks_.clear();
    local_->stop(std::move(stopped));
}

std::size_t FleetWorkers::room() const {
    const std::size_t there = fleet_.book_.capacity(index_);
    return local_->room() + there - std::min(there, fleet_.book_.open(index_));
}

void FleetWorkers::ended(LeaseBook::Ended ended) {
    hides(ended.job);
    shared_->up.done(ended.job, std::move(ended.result));
}

void FleetWorkers::room_changed() const {
    if (shared_->up.changed) {
        shared_->up.changed(0);
    }
}

void FleetWorkers::check(Job job, const std::string& machine, chess::Score score) {
    job.id |= check_mark;
    job.urgent = false;
    job.watched = false;
    checks_.emplace(job.id, Check{machine, score});
    local_->submit(std::move(job));
}

void FleetWorkers::checked(JobId job, const Result& result) {
    const auto check = checks_.extract(job);
    if (!check.empty() && result && result->score) {
        fleet_.compared(check.mapped().machine, profile_.name, check.mapped().score,
                        *result->score);
    }
}

// ---- what is searched elsewhere ----

void FleetWorkers::shows(const LeaseBook::Lease& lease, PlaceId place, const std::string& machine,
                         std::size_t processes) {
    ProcessStatus status;
    status.state = ProcessStatus::State::searching;
    status.job = lease.job.id;
    status.position = lease.job.position;
    status.searchmoves = lease.job.searchmoves;
    status.machine = machine;
    const std::lock_guard lock{shown_mutex_};
    shown_.emplace(lease.id, Shown{place, processes, std::move(status)});
}

void FleetWorkers::hides(JobId job) {
    const std::lock_guard lock{shown_mutex_};
    std::erase_if(shown_, [job](const auto& each) { return each.second.status.job == job; });
}

void FleetWorkers::hides_ended(const LeaseBook& book) {
    const std::lock_guard lock{shown_mutex_};
    std::erase_if(shown_, [&](const auto& each) { return !book.stands(each.first); });
}

// The oldest leases of each machine, as many as it has processes: the others wait there.
std::vector<ProcessStatus> FleetWorkers::status() const {
    std::vector<ProcessStatus> all = local_->status();
    const std::lock_guard lock{shown_mutex_};
    std::map<PlaceId, std::size_t> told;
    for (const auto& [lease, shown] : shown_) {
        if (told[shown.place]++ < shown.processes) {
            all.push_back(shown.status);
        }
    }
    return all;
}

} // namespace adjourn::server
