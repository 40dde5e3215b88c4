// World: one server with its engine, its disk and its clocks, in one thread. The server dies and
// starts again; the disk, the ledger and what people remember stay.
#pragma once

#include "api/api.hpp"
#include "chance.hpp"
#include "faulty_disk.hpp"
#include "simulated_store.hpp"
#include "simulated_workers.hpp"
#include "temporary_directory.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::simulation {

// What must never be.
class Violation : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum class FaultKind : std::uint8_t { kill, power, disk, hang, engine, clock };
inline constexpr std::array<std::string_view, 6> fault_names{"kill", "power",  "disk",
                                                             "hang", "engine", "clock"};

// What threads of the server's would do, in this order. One that waits for the disk in the middle
// of a task lets others go on.
struct Tasks {
    std::size_t threads = 1;
    std::deque<std::function<void()>> queue = {};
    std::size_t busy = 0; // threads in the middle of a task

    std::function<void(std::function<void()>)> executor() {
        return [this](std::function<void()> task) { queue.push_back(std::move(task)); };
    }
    bool may_begin() const { return !queue.empty() && busy < threads; }
    // Which of the first ones comes to its end first is left to chance.
    void run(Chance& chance) {
        const std::size_t which = chance.below(std::min(threads, queue.size()));
        auto task = std::move(queue[which]);
        queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(which));
        ++busy;
        task();
        --busy;
    }
};

// The server from its start to its end. Members go from the end: api before core before store.
struct Life {
    Life(struct World& world, int number);
    Life(const Life&) = delete;
    Life& operator=(const Life&) = delete;
    ~Life();

    const int number;
    boost::asio::io_context context;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open{
        context.get_executor()};
    Tasks writing, beside, elsewhere;
    Tasks reading{server::Reads::threads}, slow_reading{2}, slow; // for people
    bool core_at_work = false;
    SimulatedStore store;
    std::unique_ptr<server::Core> core;
    std::unique_ptr<engine_bridge::Fleet> fleet;
    std::unique_ptr<server::Api> api;
    server::Core::Links links; // that the server opens, as it was told last
};

struct World {
    World(std::uint64_t seed, std::set<FaultKind> faults, bool as_is);
    ~World();

    void log(const std::string& line);
    [[noreturn]] void violated(const std::string& what);

    // ---- time ----
    analysis::UnixMs clock = 1'700'000'000'000; // steady
    analysis::UnixMs set_by = 0;                // the wall clock is off by so much
    analysis::UnixMs ahead = 0;                 // the most that it was
    void pass(analysis::UnixMs ms);

    // ---- the server ----
    bool start(); // false: it could not, for its disk
    void end_life(bool power);
    // Does one of the things that the server could do now; false if there is none.
    bool work();
    bool work_of_core();
    // While a thread of the server's waits for the disk.
    void meanwhile();
    // A process of the engine ends a search, here or for somebody who looks; false if none does.
    bool search();
    // Until there is nothing.
    void settle_down();
    // Answers come while somebody reads that graph.
    void read_for_long(const server::GraphSlot& slot);
    // Each search that ended in this life is stored. REQUIRES: nothing is there to do.
    void look_at_ended();
    // Where nothing fails, and all is done that was to do: nothing was left behind.
    void look_when_calm();
    // A level that has settled needs nothing more.
    void look_at_levels();
    // Nobody has paid for more than was searched.
    void look_at_costs();
    // What games and people brought is known to the trees.
    void look_at_seeds();
    bool may_fail() const { return broken_until != 0 || (life && life->store.hangs()); }
    // The disk has failed, or hung, in this life.
    bool disk_was_bad = false;
    // Searches that ended in this life: each has to be stored, and none is made twice.
    std::vector<std::pair<engine_bridge::Job, const server::Bench*>> ended;
    std::set<std::string> ended_keys;
    int asked_in_vain = 0; // since the store takes no writes
    // Nodes that were searched for each analysis; 0: for whichever.
    std::map<std::int64_t, std::uint64_t> searched;
    void add_searched(engine_bridge::JobId job, std::uint64_t nodes);
    // A process says what it has found so far.
    void tell_part();
    void forget_parts();
    std::map<std::int64_t, int> settled; // levels of this life, by analysis

    // ---- faults ----
    void begin_fault();
    void heal();
    bool has(FaultKind kind) const { return faults.contains(kind); }

    // Everything asked of the engine here or elsewhere must be new, but for what was asked already
    // when somebody else's answer came.
    void look_at_questions();
    // The key of its answer in the ledger; "" where the engine is not known yet.
    std::string answer_key(const engine_bridge::Job& job, const server::Bench& of);
    std::map<std::string, std::int64_t> engines; // numbers of this life, by name; 0: not known
    void look_at_question(const engine_bridge::Job& job, const std::string& who,
                          const server::Bench& of);
    // Of the engine by that name in the store.
    const server::Bench& bench_of(const std::string& name) const {
        return name.starts_with("Simulated 2") ? second : bench;
    }

    Chance chance;
    const std::set<FaultKind> faults;
    // What is known is told, and the disk is let go first.
    TemporaryDirectory directory;
    storage::test::FaultyDisk disk;
    Ledger ledger;
    server::Bench bench;                        // of profile "simulated"
    server::Bench second;                       // of profile "second": another engine, for renewals
    std::array<std::size_t, 2> looked_at{0, 0}; // of what each was asked
    std::array<server::Bench*, 2> benches{&bench, &second};
    std::unique_ptr<Life> life;
    int lives = 0;
    analysis::UnixMs broken_until = 0; // the disk; 0: it is well
    analysis::UnixMs hangs_until = 0;
    analysis::UnixMs engine_until = 0;
    bool healed = false;
    std::string wrong;              // what was violated first: the server catches what is thrown
    analysis::UnixMs killed_at = 0; // soon after its disk began to fail; 0: it is not
    analysis::UnixMs next_look = 0; // of the server after itself
    std::uint64_t ids = 0;
    // Moments of this life, and the number that the next question would have had then.
    std::vector<std::pair<analysis::UnixMs, engine_bridge::JobId>> moments;
    const bool as_is;                             // lines of the log are printed as they come
    std::uint64_t trace = 1469598103934665603ULL; // of the log
    std::deque<std::string> last;                 // lines of it
    std::uint64_t lines = 0;
};

} // namespace adjourn::simulation
