#include "cluster/simulation.hpp"

#include "cluster/scripted_answer.hpp"
#include "fleet/fleet.hpp"
#include "storage/open.hpp"
#include "work/core.hpp"

#include <boost/asio/io_context.hpp>

#include <ctime>
#include <deque>
#include <functional>
#include <iomanip>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace adjourn::bench {

namespace {

using engine_bridge::Job;
using server::Granted;

constexpr double until_durable = 0.01; // seconds of the simulation
const std::string profile_name = "simulated";

double thread_seconds() {
    timespec spent{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

// The server's own process, which searches one question at a time.
class OwnProcess final : public server::Workers {
public:
    OwnProcess(Callbacks callbacks, std::function<void(Job)> ask)
        : callbacks_{std::move(callbacks)}, ask_{std::move(ask)} {}

    void start() override {
        callbacks_.identified(engine_bridge::Identity{"Simulated 1", "nobody", {}, ""});
    }
    void submit(Job job) override {
        out_.insert(job.id);
        ask_(std::move(job));
    }
    void cancel(engine_bridge::JobId) override {}
    void hurry(engine_bridge::JobId) override {}
    void stop(std::function<void()> stopped) override {
        using engine_bridge::Failure;
        for (const engine_bridge::JobId job : std::exchange(out_, {})) {
            callbacks_.done(job, std::unexpected(Failure{Failure::Kind::cancelled, "stopped", 0}));
        }
        stopped();
    }
    std::vector<engine_bridge::ProcessStatus> status() const override { return {{}}; }
    std::size_t room() const override { return out_.size() < 2 ? 2 - out_.size() : 0; }

    void finish(const Job& job) {
        if (out_.erase(job.id) > 0) {
            callbacks_.done(job.id, answer_to(job));
        }
    }

private:
    Callbacks callbacks_;
    std::function<void(Job)> ask_;
    std::set<engine_bridge::JobId> out_;
};

class Simulation {
public:
    explicit Simulation(const SimulationOptions& options);
    ~Simulation();

    void run(std::ostream& out);

private:
    struct Machine {
        std::string id;
        std::deque<Granted> waiting;
        std::size_t running = 0;
        server::Fleet::Poll poll = 0;
    };
    struct Event {
        double at;
        std::uint64_t number; // of equal ones the first that was made
        std::function<void()> happens;
        bool operator<(const Event& other) const {
            return std::tie(other.at, other.number) < std::tie(at, number);
        }
    };
    void after(double seconds, std::function<void()> happens) {
        events_.push({now_ + seconds, ++made_, std::move(happens)});
    }
    double length() { return options_.seconds * (0.5 + uniform_(random_)); }
    server::Fleet::Time fleet_time() const {
        return server::Fleet::Time{std::chrono::hours{1}} +
               std::chrono::duration_cast<server::Fleet::Time::duration>(
                   std::chrono::duration<double>{now_});
    }
    server::CoreOptions core_options();
    void ask_own(Job job);
    void take(std::size_t machine);
    void begin(std::size_t machine);
    void finish(std::size_t machine, const Granted& granted);
    void tick();
    void look_after_leases();
    // Counts what the scheduler's thread does for a task.
    void scheduler(const std::function<void()>& task);
    void let_store();
    void count_answer() {
        ++answered_;
        unstored_ = unstored_.value_or(now_);
    }

    SimulationOptions options_;
    std::mt19937_64 random_;
    std::uniform_real_distribution<double> uniform_{0, 1};
    boost::asio::io_context context_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open_{
        context_.get_executor()};
    std::unique_ptr<storage::Store> store_;
    std::unique_ptr<server::Fleet> fleet_;
    OwnProcess* own_ = nullptr;
    std::unique_ptr<server::Core> core_;
    std::vector<Machine> machines_;
    std::deque<std::size_t> woken_;
    std::priority_queue<Event> events_;
    std::uint64_t made_ = 0;
    double now_ = 0;      // seconds of the simulation
    double busy_ = 0;     // the same, of all processes
    double own_free_ = 0; // when the server's own process has nothing to do
    double spent_ = 0;    // of the scheduler's thread
    std::uint64_t answered_ = 0;
    std::optional<double> unstored_; // when the first answer came that may not be durable
};

server::CoreOptions Simulation::core_options() {
    engine_bridge::Profile profile;
    profile.name = profile_name;
    profile.command = {"none"};
    server::CoreOptions options;
    options.engines = {profile};
    options.clock = [this] {
        return 1'700'000'000'000 + static_cast<analysis::UnixMs>(1e3 * now_);
    };
    options.ticking = false;
    return options;
}

Simulation::Simulation(const SimulationOptions& options)
    : options_{options}, random_{options.seed}, store_{storage::open_store(
                                                    options.directory, storage::OpenMode::owner)} {
    server::Fleet::Options rules;
    rules.clock = [this] { return fleet_time(); };
    rules.wall = [] { return analysis::UnixMs{1'700'000'000'000}; };
    rules.ticking = false;
    fleet_ = std::make_unique<server::Fleet>(context_, rules);
    core_ = std::make_unique<server::Core>(
        context_, *store_, core_options(),
        fleet_->around([this](const engine_bridge::Profile&, server::Workers::Callbacks calls) {
            auto own = std::make_unique<OwnProcess>(std::move(calls),
                                                    [this](Job job) { ask_own(std::move(job)); });
            own_ = own.get();
            return own;
        }));
    core_->start();
    let_store();
    machines_.resize(options_.processes / options_.of_machine);
    for (std::size_t i = 0; i < machines_.size(); ++i) {
        server::Offer offer;
        offer.profile = profile_name;
        offer.processes = options_.of_machine;
        offer.identity = {"Simulated 1", "nobody", {}, ""};
        const auto welcome = fleet_->hello({"machine" + std::to_string(i), {offer}});
        if (!welcome || !welcome->parts.front().refusal.empty()) {
            throw std::runtime_error{"the fleet refuses a machine"};
        }
        machines_[i].id = welcome->id;
    }
}

Simulation::~Simulation() {
    fleet_->close();
    bool gone = false;
    core_->stop([&gone] { gone = true; });
    while (!gone) {
        let_store();
    }
    core_.reset();
    let_store();
}

void Simulation::scheduler(const std::function<void()>& task) {
    const double before = thread_seconds();
    task();
    context_.restart();
    context_.poll();
    spent_ += thread_seconds() - before;
}

// What the store has acknowledged is told; of that the scheduler's part is counted, too.
void Simulation::let_store() {
    unstored_.reset();
    store_->flush();
    scheduler([] {});
}

void Simulation::ask_own(Job job) {
    const double begins = std::max(now_, own_free_);
    const double takes = length();
    own_free_ = begins + takes;
    after(own_free_ - now_, [this, takes, job = std::move(job)] {
        busy_ += takes;
        count_answer();
        scheduler([&] { own_->finish(job); });
    });
}

void Simulation::take(std::size_t index) {
    Machine& machine = machines_[index];
    const std::size_t wanted = 2 * options_.of_machine;
    const std::size_t has = machine.waiting.size() + machine.running;
    scheduler([&] {
        fleet_->do_not_wake(machine.id, machine.poll);
        machine.poll = fleet_->begin_to_wait(machine.id);
        auto taken = fleet_->take(machine.id, {{profile_name, wanted - std::min(wanted, has)}});
        if (!taken) {
            throw std::runtime_error{taken.error().message};
        }
        if (taken->leases.empty() && has < wanted) {
            fleet_->wait(machine.id, machine.poll, [this, index] { woken_.push_back(index); });
        }
        for (Granted& granted : taken->leases) {
            machine.waiting.push_back(std::move(granted));
        }
    });
    begin(index);
}

void Simulation::begin(std::size_t index) {
    Machine& machine = machines_[index];
    while (machine.running < options_.of_machine && !machine.waiting.empty()) {
        ++machine.running;
        const double takes = length();
        after(takes, [this, index, takes, granted = std::move(machine.waiting.front())] {
            busy_ += takes;
            finish(index, granted);
        });
        machine.waiting.pop_front();
    }
}

void Simulation::finish(std::size_t index, const Granted& granted) {
    --machines_[index].running;
    count_answer();
    const server::Delivery delivery{granted.lease, profile_name, granted.question,
                                    server::claim_of(answer_to(granted.job), granted.job)};
    scheduler([&] { (void)fleet_->answers(machines_[index].id, {delivery}); });
    begin(index);
    take(index);
}

void Simulation::tick() {
    scheduler([this] { core_->look_after(); });
    after(0.2, [this] { tick(); });
}

void Simulation::look_after_leases() {
    scheduler([this] {
        for (const Machine& machine : machines_) { // beats, of a quarter of them each time
            std::vector<server::LeaseId> held;
            for (const Granted& granted : machine.waiting) {
                held.push_back(granted.lease);
            }
            (void)fleet_->beat(machine.id, held, {});
        }
        fleet_->look_after();
    });
    after(15, [this] { look_after_leases(); });
}

void Simulation::run(std::ostream& out) {
    out << options_.processes << " simulated processes of " << options_.seconds << " s, "
        << options_.analyses
        << " analyses; time of the scheduler's one thread, and what it could do if it did nothing "
           "else\n"
        << std::right << std::setw(14) << "answers so far" << std::setw(9) << "busy"
        << std::setw(15) << "us an answer" << std::setw(18) << "so, answers/s" << std::setw(22)
        << "and busy processes" << std::endl;
    for (std::size_t i = 0; i < options_.analyses; ++i) {
        const chess::Move first = chess::Position::initial().legal_moves()[i % 20];
        const auto replies = chess::Position::initial().after(first).legal_moves();
        server::NewAnalysis wanted{"simulated",
                                   chess::Position::initial(),
                                   {first, replies[(i / 20 + 3 * i) % 20]},
                                   "",
                                   {},
                                   {},
                                   0,
                                   false};
        wanted.limit = {analysis::Limit::Kind::depth, 8};
        scheduler([&] { (void)core_->create(std::move(wanted)); });
    }
    tick();
    after(15, [this] { look_after_leases(); });
    for (std::size_t i = 0; i < machines_.size(); ++i) {
        take(i);
    }
    spent_ = 0;
    double spent_before = 0, busy_before = 0, now_before = 0;
    std::uint64_t answered_before = 0, next = options_.answers / 8;
    while (answered_ < options_.answers) {
        if (events_.empty()) {
            throw std::runtime_error{"nothing happens any more"};
        }
        const Event event = events_.top();
        if (unstored_ && event.at > *unstored_ + until_durable) {
            now_ = std::max(now_, *unstored_ + until_durable);
            let_store();
        } else {
            events_.pop();
            now_ = event.at;
            event.happens();
        }
        while (!woken_.empty()) {
            const std::size_t machine = woken_.front();
            woken_.pop_front();
            take(machine);
        }
        if (answered_ >= next) {
            const double each =
                (spent_ - spent_before) / static_cast<double>(answered_ - answered_before);
            out << std::setw(14) << answered_ << std::fixed << std::setprecision(3) << std::setw(9)
                << (busy_ - busy_before) /
                       ((now_ - now_before) * static_cast<double>(options_.processes))
                << std::setprecision(0) << std::setw(15) << 1e6 * each << std::setw(18) << 1 / each
                << std::setw(22) << options_.seconds / each << std::endl;
            spent_before = spent_;
            busy_before = busy_;
            now_before = now_;
            answered_before = answered_;
            next *= 2;
        }
    }
}

} // namespace

void simulate(const SimulationOptions& options, std::ostream& out) {
    Simulation simulation{options};
    simulation.run(out);
}

} // namespace adjourn::bench
