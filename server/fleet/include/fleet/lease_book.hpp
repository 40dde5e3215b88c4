// LeaseBook: the questions that other machines answer, and where each of them is. Each question is
// answered once: by whoever is first, with an answer or a failure, or by who withdraws it. Pure;
// not thread-safe; time comes from outside and does not go back.
//
//   offer ─▶ waiting ── take ─▶ leased ── answer ─▶ ended
//               ▲                 │
//               └── expire, leave ┘  the lease is past; its answer is still good while the question
//               is open
#pragma once

#include "engine_bridge/job_queue.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace adjourn::server {

using LeaseId = std::uint64_t; // never used again, also not after a restart
using PlaceId = std::size_t;   // a machine; never used again
using ProfileIndex = std::size_t;

class LeaseBook {
public:
    using Time = std::chrono::steady_clock::time_point;
    using JobId = engine_bridge::JobId;

    struct Rules {
        std::chrono::milliseconds life{60'000}; // of a lease, from its last beat
        int most_failures = 3;                  // places that had no answer
        LeaseId first = 1;
    };
    struct Lease {
        LeaseId id;
        ProfileIndex profile;
        engine_bridge::Job job;
    };
    // A question that is over; to be told to whoever offered it.
    struct Ended {
        ProfileIndex profile;
        JobId job;
        engine_bridge::Result result;
    };
    struct News {
        std::vector<LeaseId> withdrawn; // nobody waits for these any more
        std::vector<LeaseId> hurried;   // these go before the others

        bool empty() const { return withdrawn.empty() && hurried.empty(); }
    };

    explicit LeaseBook(Rules rules) : rules_{rules}, next_{rules.first} {}

    // ---- questions; their ids are unique over all profiles ----
    void offer(ProfileIndex profile, engine_bridge::Job job);
    // Whether it was here. Its answer, if one comes, is late.
    bool withdraw(JobId job);
    // Whether it is here.
    bool hurry(JobId job);
    // All that no place has at present; they are not here any more.
    std::vector<engine_bridge::Job> take_back(ProfileIndex profile);
    // All that are open; none is any more.
    std::vector<JobId> clear(ProfileIndex profile);

    // ---- places ----
    // How many questions the place wants to have at a time; 0: no more of them.
    void set_capacity(PlaceId place, ProfileIndex profile, std::size_t most);
    std::size_t capacity(ProfileIndex profile) const;
    std::size_t capacity(PlaceId place, ProfileIndex profile) const;
    std::vector<Lease> take(PlaceId place, ProfileIndex profile, std::size_t most, Time now);
    // The place is alive and still has these.
    void beat(PlaceId place, const std::vector<LeaseId>& held, Time now);
    // What it has to know; told once.
    News news(PlaceId place);
    bool has_news(PlaceId place) const;
    // Gives back what it has. `blamed`: it went without a word, which counts as no answer.
    std::vector<Ended> leave(PlaceId place, bool blamed);

    // ---- answers ----
    // The question of a lease that stands, or is past and still open; else null: an answer to it is
    // late. The lease must be this place's own.
    const engine_bridge::Job* question(LeaseId lease, PlaceId place) const;
    // nullopt: late, or the question is asked again elsewhere. A failure `unavailable` or
    // `cancelled` gives the question back. An answer ends the question.
    std::optional<Ended> answer(LeaseId lease, PlaceId place, engine_bridge::Result result);
    // The same of a question that is open, whoever has it: of its answer from before a restart.
    std::optional<JobId> find(ProfileIndex profile,
                              const std::function<bool(const engine_bridge::Job&)>& fits) const;
    const engine_bridge::Job& job(JobId id) const { return open_.at(id).job; }
    Ended answer_open(JobId id, engine_bridge::Answer answer);
    // Ends leases whose time is over.
    std::vector<Ended> expire(Time now);

    // ---- looking ----
    LeaseId first() const { return rules_.first; }
    std::size_t open(ProfileIndex profile) const;
    std::size_t waiting(ProfileIndex profile) const;
    bool stands(LeaseId lease) const { return standing_.contains(lease); }
    // That stand.
    std::size_t leases(PlaceId place) const;
    std::size_t leases(PlaceId place, ProfileIndex profile) const;
    // Oldest first.
    std::vector<const engine_bridge::Job*> jobs(PlaceId place, ProfileIndex profile) const;
    // The place that has had questions of this kind.
    std::optional<PlaceId> server_of(ProfileIndex profile, std::uint64_t affinity) const;

private:
    struct Open {
        ProfileIndex profile;
        engine_bridge::Job job;
        int failures = 0;
        int attempts = 0; // by engines
        std::optional<PlaceId> avoid = {};
        std::optional<LeaseId> lease = {}; // that stands
        std::vector<LeaseId> past = {};
    };
    struct Standing {
        JobId job;
        PlaceId place;
        Time until;
    };
    struct Place {
        std::map<ProfileIndex, std::size_t> capacity;
        std::set<LeaseId> leases;
        News news;
    };
    struct Desk { // of a profile
        engine_bridge::JobQueue waiting;
        std::size_t open = 0;
        std::size_t capacity = 0;
        std::size_t places = 0; // with capacity
    };

    Desk& desk(ProfileIndex profile);
    void close(JobId job);
    void end_lease(LeaseId lease);
    void back_in_front(Open& open, std::optional<PlaceId> avoid);
    std::optional<Ended> without_answer(JobId job, PlaceId place, engine_bridge::Failure failure);

    Rules rules_;
    LeaseId next_;
    std::vector<Desk> desks_;
    std::unordered_map<JobId, Open> open_;
    std::map<LeaseId, Standing> standing_;
    std::unordered_map<LeaseId, std::pair<JobId, PlaceId>> past_; // of open questions
    std::map<PlaceId, Place> places_;
};

} // namespace adjourn::server
