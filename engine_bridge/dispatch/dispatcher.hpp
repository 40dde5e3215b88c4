// Dispatcher: every question in flight, where it is, and how often it was tried. Each question ends
// exactly once: with an answer or a failure, by whoever is first, or as cancelled.
//
//   submit ─▶ waiting ── take ─▶ leased ── answer ─▶ ended
//                ▲                  │
//                └─ no answer, expire ┘  a past lease's answer is still good while the question is
//                                        open
//
// A place is a process here, a machine elsewhere, or a process reserved for somebody who looks.
// Places take questions when they have room; nobody assigns them. The one policy of trying again:
// Rules::tries in all, Rules::tries_at_a_place of them at one place, elsewhere if there is an
// elsewhere; then the question has failed, with the last reason. A question that is given back
// unsearched was not tried.
//
// Threads: any thread may call anything; nothing blocks. What a call leads to (`done`, `look` and
// the other functions given) is called before it returns, on the same thread, without a lock held;
// these must not block or throw. Time comes from outside; only differences count.
#pragma once

#include "engine_bridge/dispatch/job_queue.hpp"
#include "engine_bridge/dispatch/processes.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace adjourn::engine_bridge {

using LeaseId = std::uint64_t; // never used again, also not after a restart
using PlaceId = std::size_t;   // never used again

// A process that somebody wants for himself.
struct Reservation {
    std::uint64_t who = 0;
    std::size_t threads = 0; // of the process, and so much more hash; 0: as the profile says
};

class Dispatcher {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Done = std::function<void(Result)>;

    struct Rules {
        std::chrono::milliseconds life{60'000}; // of a machine's lease, from its last beat
        std::size_t tries = 3;
        std::size_t tries_at_a_place = 2;
        LeaseId first = 1;
    };
    struct Lease {
        LeaseId id;
        Job job;
    };
    struct News {
        std::vector<LeaseId> withdrawn; // nobody waits for these any more
        std::vector<LeaseId> hurried;   // these go before the others

        bool empty() const { return withdrawn.empty() && hurried.empty(); }
    };

    Dispatcher() : Dispatcher{Rules{}} {}
    explicit Dispatcher(Rules rules) : rules_{rules}, next_lease_{rules.first} {}

    // ---- profiles ----
    // `room`: called when there is room for more questions than before; may be empty.
    ProfileId add(std::string name, bool reproducible = false, std::function<void()> room = {});
    void identify(ProfileId profile, Identity identity);
    // All its questions end as cancelled, also those that are submitted later.
    void close(ProfileId profile);
    struct Known {
        ProfileId id;
        bool reproducible;
        std::optional<Identity> identity; // once it has told
    };
    std::optional<Known> named(const std::string& name) const; // none that is closed
    std::string name_of(ProfileId profile) const {
        const Locked now{*this};
        return profiles_.at(profile).name;
    }
    bool closed(ProfileId profile) const {
        const Locked now{*this};
        return profiles_.at(profile).closed;
    }

    // ---- questions ----
    // Of all profiles together; none is given twice.
    JobId next_id();
    // `done` is called once. REQUIRES: job.id is of next_id(), or else unique.
    void submit(ProfileId profile, Job job, Done done);
    // One that waits, or is at a machine, ends now; a process here stops, and ends it with what it
    // has found. An answer that comes all the same is one.
    void cancel(JobId job);
    // It goes before all that are not urgent.
    void hurry(JobId job);
    // Asked before a question is queued: its answer, if somebody has it already.
    void set_known(std::function<std::optional<Answer>(ProfileId, const Job&)> known);
    void set_priority(JobId job, int priority);
    // A process here that searches it stops, and it waits again; it was not tried.
    void put_back(JobId job);
    bool waits(JobId job) const; // it is open, and no place has it
    // Questions that may be submitted so that all places always have one to go on with, as if so
    // many were not there.
    std::size_t room(ProfileId profile, std::size_t but = 0) const;
    std::size_t idle(ProfileId profile) const; // processes here that may take what is not urgent

    // ---- places ----
    // `look`: the place is to see news() and to take(). `machine`: "" = a process here.
    PlaceId enter(std::function<void()> look, std::string machine = "");
    // What a place can do for a profile.
    struct Offer {
        std::size_t processes = 1;
        std::size_t most = 0;     // questions that it wants to have at a time; 0: no more for now
        bool comes_back = false;  // where `most` is 0
        std::string problem = {}; // why it does not, for people
    };
    void offer(PlaceId place, ProfileId profile, Offer offer);
    std::vector<Lease> take(PlaceId place, ProfileId profile, std::size_t most, Time now);
    // It has nothing to do, and is to be told by `look`. A process here that got less than it
    // wanted waits without a word.
    void wait(PlaceId place, bool on);
    void beat(PlaceId place, const std::vector<LeaseId>& held, Time now); // still has these
    News news(PlaceId place);                                             // told once
    // Gives back what it has but these: it never got the rest, and nobody is to blame.
    void keep_only(PlaceId place, const std::vector<LeaseId>& held);
    // Gives back what it has, and offers nothing. `blamed`: it went without a word, which counts as
    // a try of each.
    void vacate(PlaceId place, bool blamed);
    void leave(PlaceId place); // for good
    // A process was replaced: its hash is cold.
    void forget(PlaceId place);

    // ---- answers ----
    // The question of a lease that stands, or is past and still open; nothing if an answer to it
    // would be late. The lease must be this place's own.
    std::optional<Job> question(LeaseId lease, PlaceId place) const;
    // Whether it ended the question. A failure `unavailable` or `cancelled` gives it back.
    bool answer(LeaseId lease, PlaceId place, Result result);
    // The same of a question that is open, whoever has it: of an answer from before a restart.
    std::optional<Job> find(ProfileId profile, const std::function<bool(const Job&)>& fits) const;
    bool answer_open(JobId job, Answer answer);
    LeaseId first_lease() const { return rules_.first; }
    // Ends leases whose time is over, and lets all look that wait while there is something to take.
    void look_after(Time now);

    // ---- processes for those who look ----
    struct Reserving {
        // A process with so many threads is to be started for that place.
        std::function<void(PlaceId, std::size_t threads)> open;
        std::function<void(PlaceId)> close; // it is to go
        std::function<void(PlaceId)> look;  // as that of enter()
    };
    void set_reserving(ProfileId profile, Reserving reserving);
    // A process that takes only questions with its Job::place: one that is free and has these
    // threads, best the last one of `who`, else a new one; where there are most_reserved, a free
    // one of another kind goes for it.
    PlaceId reserve(ProfileId profile, Reservation wanted);
    void release(PlaceId place, Time now);
    // Sends those away that nobody has used for so long.
    void dismiss_idle(Time now, std::chrono::milliseconds longer_than);
    // Until the place is released, so many of its profile's processes here get nothing new but what
    // is urgent. What they search goes on.
    void lend(PlaceId place, std::size_t processes);
    std::size_t lent(ProfileId profile) const; // for all its places together
    static constexpr std::size_t most_reserved = 4;

    // ---- looking ----
    std::size_t leases(PlaceId place) const;
    std::size_t leases(PlaceId place, ProfileId profile) const;
    // What machines search: the oldest leases of each, as many as it has processes.
    std::vector<ProcessStatus> elsewhere(ProfileId profile) const;
    std::size_t reserved(bool in_use = false) const; // places; those that search only
    bool works(PlaceId place) const;                 // it offers something at present
    std::size_t most(ProfileId profile) const;       // that all places want, without reserved ones

private:
    struct Question {
        ProfileId profile;
        Job job;
        Done done;
        std::vector<PlaceId> tried = {}; // places that had no answer
        Failure last = {};               // of these the last one's
        std::optional<PlaceId> avoid = {};
        std::optional<LeaseId> lease = {}; // that stands
        std::vector<LeaseId> past = {};
        bool cancelled = false;
    };
    struct Standing {
        JobId job;
        PlaceId place;
        std::optional<Time> until; // a process here is watched by its session
    };
    struct Load : Offer {
        std::size_t leases = 0;
    };
    struct Reserved {
        ProfileId profile = 0;
        Reservation wanted = {};
        bool used = false;
        std::size_t lent = 0;
        Time idle_since{};
        JobQueue waiting = {};
    };
    struct Place {
        std::function<void()> look;
        std::string machine;
        std::map<ProfileId, Load> parts = {};
        std::set<LeaseId> leases = {};
        News news = {};
        bool waits = false;
        std::optional<Reserved> reserved = {};

        bool here() const { return machine.empty(); }
    };
    struct Profile {
        std::string name;
        bool reproducible;
        std::function<void()> room;
        Reserving reserving = {};
        std::optional<Identity> identity = {};
        bool closed = false;
        JobQueue waiting = {};
        std::size_t open = 0; // these four without reserved places
        std::size_t most_here = 0;
        std::size_t most_elsewhere = 0;
        std::size_t processes_here = 0;
        std::size_t leases_here = 0;
        std::size_t lent = 0;
    };
    // The lock, and what is told once it is open.
    class Locked {
    public:
        explicit Locked(const Dispatcher& dispatcher) : lock_{dispatcher.mutex_} {}
        ~Locked() {
            lock_.unlock();
            for (auto& [done, result] : ended_) {
                done(std::move(result));
            }
            for (const std::function<void()>& call : calls_) {
                call();
            }
        }
        Locked(const Locked&) = delete;
        Locked& operator=(const Locked&) = delete;

        void end(Done done, Result result) {
            ended_.emplace_back(std::move(done), std::move(result));
        }
        void call(std::function<void()> call) {
            if (call) {
                calls_.push_back(std::move(call));
            }
        }

    private:
        std::unique_lock<std::mutex> lock_;
        std::vector<std::pair<Done, Result>> ended_;
        std::vector<std::function<void()>> calls_;
    };

    JobQueue& queue_of(const Question& question);
    bool may_have(PlaceId id, const Place& place, const Question& question) const;
    JobQueue::Suits suits(PlaceId id, const Question& question) const;
    static bool is_lent(const Place& place, const Profile& profile);
    bool may_take_more(const Place& place, const Load& part, ProfileId profile) const;
    void set_offer(Place& place, ProfileId profile, Offer offer, Locked& now);
    void end_lease(LeaseId lease);
    void end(JobId job, Result result, Locked& now);
    void give_up(JobId job, Locked& now);
    Place& withdraw(LeaseId lease, Locked& now);
    void wait_again(Question& question, std::optional<PlaceId> avoid, Locked& now);
    void no_answer(JobId job, PlaceId place, Failure failure, Locked& now);
    void give_back(PlaceId place, bool blamed, Locked& now);
    void give_back(LeaseId lease, Locked& now);
    void end_stranded(ProfileId profile, Locked& now);
    bool stranded(const Question& question) const;
    void rouse(const Question& question, Locked& now);
    void rouse_all(ProfileId profile, Locked& now);
    void dismiss(PlaceId place, Locked& now);
    void set_lent(Place& place, std::size_t processes, Locked& now);
    const Question* question_of(LeaseId lease, PlaceId place) const;

    const Rules rules_;
    mutable std::mutex mutex_; // guards the rest
    LeaseId next_lease_;
    JobId next_job_ = 1;
    PlaceId next_place_ = 1;
    std::vector<Profile> profiles_;
    std::unordered_map<JobId, Question> open_;
    std::map<LeaseId, Standing> standing_;
    std::unordered_map<LeaseId, std::pair<JobId, PlaceId>> past_; // of open questions
    std::map<PlaceId, Place> places_;
    std::function<std::optional<Answer>(ProfileId, const Job&)> known_;
};

} // namespace adjourn::engine_bridge
