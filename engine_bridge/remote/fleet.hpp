// Fleet: engines on other machines, each a place of the dispatcher's. What the machines ask for and
// tell comes in by the functions of the calls. On the core's thread, all of it.
#pragma once

#include "base/task_scope.hpp"
#include "base/text.hpp"
#include "engine_bridge/dispatch/dispatcher.hpp"
#include "engine_bridge/process/job.hpp"
#include "engine_bridge/process/profile.hpp"

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace adjourn::engine_bridge {

// Claim: what a machine says it found, as it stands in its message. None of it is believed before
// believed() has compared it with the question.
struct Claim {
    std::string move;           // UCI
    std::optional<int> cp = {}; // of one of these two; White's point of view
    std::optional<int> mate = {};
    int depth = 0;
    int seldepth = 0;
    std::uint64_t nodes = 0;
    std::uint32_t time_ms = 0;
    std::vector<std::string> pv;                // UCI; begins with the move
    std::optional<chess::WinDrawLoss> wdl = {}; // White's
};

// Numbers are within process/text.hpp, as those of engines here are.
inline constexpr std::size_t claim_max_pv = 100; // plies

// The answer; or why it cannot be one to this question, for people.
std::expected<Answer, std::string> believed(const Claim& told, const Job& question);
// The inverse; the pv is cut at claim_max_pv. REQUIRES: the answer has a score.
Claim claim_of(const Answer& answer, const Job& question);

// Equal for equal questions to one engine: position, limit, moves to search. 16 hexadecimal digits.
std::string question_key(const std::string& profile, const Job& question);

// What differs between two engines, for people; "" if nothing does. An engine answers for another
// one only if they are equal in all of it.
std::string difference(const Identity& here, const Identity& there);

// Of what machines and servers say to each other. One apart they understand each other: the newer
// one leaves out what the older one does not know, and the server overlooks it in a greeting. 0: of
// before it was told.
inline constexpr int machine_version = 1;
// Why they do not work together, and what is to be updated, for people; "" if they do.
std::string difference(int here, int there);

// ---- what a machine says ----
struct Offer { // of one engine profile
    std::string profile;
    std::size_t processes = 1;
    Identity identity;
};
struct Hello {
    int version = 0; // machine_version, there
    std::string name;
    std::vector<Offer> offers;
};
struct Demand { // of a profile
    std::string profile;
    std::size_t most = 0; // questions, at once
};
struct Pulse { // of a profile; for people
    std::string profile;
    double busy = 0; // share of the time of its processes, since the last one
    std::uint64_t nps = 0;
};
struct Delivery {
    LeaseId lease = 0;
    std::string profile;
    std::string question; // question_key(), as it was told with the lease
    std::variant<Claim, Failure> found;
};

// ---- what it is told ----
struct Welcome {
    struct Engine {
        std::string profile;
        std::string refusal; // why not, for people; "" = accepted
    };
    std::string id;
    std::vector<Engine> parts;
};
struct Granted {
    LeaseId lease;
    std::string profile;
    std::string question;
    Job job;
};
struct Taken {
    std::vector<Granted> leases;
    Dispatcher::News news;
    bool drain = false;

    bool empty() const { return leases.empty() && news.empty(); }
};
enum class Verdict : std::uint8_t {
    taken,
    late,    // nobody waits for it any more
    refused, // it cannot be an answer to that question
};
struct Judged {
    LeaseId lease;
    Verdict verdict;
    std::string reason = {}; // if refused
};
struct FleetError {
    enum class Kind : std::uint8_t { unknown_machine, refused, other_version, not_ready };
    Kind kind;
    std::string message; // for people
};

// ---- what people are shown ----
struct MachineView {
    struct Engine {
        std::string profile;
        std::size_t processes;
        std::size_t leases;
        double busy;
        std::uint64_t nps;
    };
    enum class State : std::uint8_t { working, idle, draining, drained, away };
    std::string id;
    std::string name;
    State state;
    std::vector<Engine> parts;
    double seconds_silent;
    std::uint64_t answered, failed, late, refused;
    std::string last_refusal; // why an answer was not believed; "" if none was
    // Answers that were asked for again on this machine.
    std::uint64_t compared, different; // … beyond the engine's noise
    double mean_difference;            // cp, of all that were compared, signs left out
};
struct RefusedMachine {
    std::string name;
    std::string reason;
    std::int64_t at; // ms since 1970
};

class Fleet {
public:
    using Time = Dispatcher::Time;
    struct Options {
        std::function<Time()> clock;
        std::function<std::int64_t()> wall;     // ms since 1970
        std::chrono::milliseconds life{60'000}; // of a lease without a beat, as the dispatcher's
        // Of so many answers of a machine one is asked again here; 0: none.
        std::uint64_t repeat_one_in = 200;
        // How far two searches of the same position lie apart, cp; of a profile. May be empty.
        std::function<double(const std::string& profile)> sigma = {};
        bool ticking = true; // looks after leases by itself; else somebody else does
        // Of a machine; nobody can guess it.
        std::function<std::string()> new_id = base::random_secret;
    };

    // The context is that of the core's thread; it outlives the fleet.
    Fleet(boost::asio::io_context& core, std::shared_ptr<Dispatcher> dispatcher, Options options);
    ~Fleet();
    Fleet(const Fleet&) = delete;
    Fleet& operator=(const Fleet&) = delete;

    // Lease ids go on from the wall clock, so that a server that was started again does not use one
    // twice; they stay below 2^53, which JSON has room for.
    static LeaseId first_lease(std::int64_t wall) { return static_cast<LeaseId>(wall) * 4'096; }

    // ---- what machines ask ----
    std::expected<Welcome, FleetError> hello(const Hello& hello);
    // Questions, at once; may be none. The demands stand until the machine asks again: that many it
    // could have.
    std::expected<Taken, FleetError> take(const std::string& id,
                                          const std::vector<Demand>& demands);
    // Gives back what it has by this book and did not name: the answer that told it was lost.
    void keep_only(const std::string& id, const std::vector<LeaseId>& held);
    // A machine waits in one place; who begins to wait makes the one before stop. 0: unknown.
    using Poll = std::uint64_t;
    Poll begin_to_wait(const std::string& id);
    // `wake` is called once when another take() may bring something, or waiting is over. Returns
    // whether waiting makes sense.
    bool wait(const std::string& id, Poll poll, std::function<void()> wake);
    bool waits(const std::string& id, Poll poll) const;
    void do_not_wake(const std::string& id, Poll poll);
    std::expected<std::vector<Judged>, FleetError> answers(const std::string& id,
                                                           const std::vector<Delivery>& all);
    std::expected<Taken, FleetError> beat(const std::string& id, const std::vector<LeaseId>& held,
                                          const std::vector<Pulse>& pulses);
    bool goodbye(const std::string& id); // false: unknown

    // ---- people ----
    bool drain(const std::string& id, bool on); // false: unknown
    std::vector<MachineView> machines() const;
    const std::deque<RefusedMachine>& refusals() const { return refusals_; }
    std::chrono::milliseconds life() const { return options_.life; }

    // Ends what is over. What the clock drives.
    void look_after();
    // Nobody is to wait from now on.
    void close();

    // The one that is away for longest makes room for a new one.
    static constexpr std::size_t most_machines = 1'024;
    static constexpr std::size_t most_processes = 1'024; // of a profile of a machine
    static constexpr std::chrono::hours remembered{24};  // machines that went away

private:
    struct Load {
        std::size_t processes = 0;
        double busy = 0;
        std::uint64_t nps = 0;
    };
    struct Machine {
        std::string id;
        std::string name;
        PlaceId place = 0;
        std::map<ProfileId, Load> parts;
        std::map<ProfileId, std::size_t> demands;
        Time seen{};
        Time asked{}; // the last take()
        bool drain = false;
        bool away = false;
        std::uint64_t answered = 0, failed = 0, late = 0, refused = 0;
        std::string last_refusal;
        std::uint64_t compared = 0, different = 0;
        double sum_of_differences = 0;
        Poll poll = 0;
        std::function<void()> wake;
    };
    struct Kept { // an answer that came before its question
        std::string profile;
        Claim told;
        std::string machine;
        Time until;
    };

    std::optional<Answer> kept_answer(ProfileId profile, const Job& job);
    void check(const Machine& machine, ProfileId profile, const std::string& name, Job job,
               chess::Score score);
    void compared(const std::string& id, const std::string& profile, chess::Score there,
                  chess::Score here);

    std::optional<ProfileId> index_of(const std::string& profile) const;
    std::string refusal_of(const Offer& offer) const;
    void note_refusal(const std::string& machine, const std::string& reasons); // "" = it was taken
    Machine* find(const std::string& id);
    std::expected<Machine*, FleetError> contact(const std::string& id);
    Judged judge(Machine& machine, const Delivery& delivery);
    bool answers_open_question(Machine& machine, const Delivery& delivery, const Claim& claim);
    void keep(const Machine& machine, const Delivery& delivery, const Claim& told);
    bool forget_longest_away(); // false: none is
    void set_capacities(Machine& machine);
    bool of_closed(const Machine& machine) const; // one of its engines has gone
    void forget_closed();
    void set_pulses(Machine& machine, const std::vector<Pulse>& pulses);
    void wake(Machine& machine);
    void tick();

    Options options_;
    boost::asio::steady_timer timer_;
    base::TaskScope scope_;
    std::shared_ptr<Dispatcher> dispatcher_;
    std::map<std::string, Machine> machines_; // by id
    std::deque<RefusedMachine> refusals_;     // the last ones
    std::map<std::string, Kept> kept_;        // by question
    bool closed_ = false;
};

} // namespace adjourn::engine_bridge
