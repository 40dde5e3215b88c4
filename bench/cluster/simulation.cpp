#include "cluster/simulation.hpp"

#include "cluster/scripted_answer.hpp"
#include "core/schedule/core.hpp"
#include "engine_bridge/remote/fleet.hpp"
#include "storage/open.hpp"

#include <boost/asio/io_context.hpp>

#include <ctime>
#include <deque>
#include <functional>
#include <iomanip>
#include <optional>
#include <queue>
#include <random>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace adjourn::bench {

namespace {

using engine_bridge::Dispatcher;
using engine_bridge::Granted;

constexpr double until_durable = 0.01; // seconds of the simulation
const std::string profile_name = "simulated";

double thread_seconds() {
    timespec spent{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

// The server's own process, which searches one question at a time.
class OwnProcess final : public engine_bridge::Processes {
public:
    OwnProcess(std::shared_ptr<Dispatcher> dispatcher, engine_bridge::ProfileId profile,
               Callbacks callbacks, std::function<void(Dispatcher::Lease)> ask)
        : dispatcher_{std::move(dispatcher)}, profile_{profile},
          callbacks_{std::move(callbacks)}, ask_{std::move(ask)} {
        place_ = dispatcher_->enter([this] { take(); });
        dispatcher_->offer(place_, profile_, {1, 2});
        take();
    }

    void start() override {
        const engine_bridge::Identity identity{"Simulated 1", "nobody", {}, ""};
        dispatcher_->identify(profile_, identity);
        callbacks_.identified(identity);
    }
    void stop(std::function<void()> stopped) override {
        dispatcher_->close(profile_);
        stopped();
    }
    std::vector<engine_bridge::ProcessStatus> status() const override { return {{}}; }

    void finish(const Dispatcher::Lease& lease) {
        busy_ = false;
        dispatcher_->answer(lease.id, place_, answer_to(lease.job));
        take();
    }

private:
    void take() {
        if (busy_) {
            return;
        }
        for (Dispatcher::Lease& lease : dispatcher_->take(place_, profile_, 1, {})) {
            busy_ = true;
            ask_(std::move(lease));
        }
    }

    std::shared_ptr<Dispatcher> dispatcher_;
    engine_bridge::ProfileId profile_;
    engine_bridge::PlaceId place_ = 0;
    Callbacks callbacks_;
    std::function<void(Dispatcher::Lease)> ask_;
    bool busy_ = false;
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
        engine_bridge::Fleet::Poll poll = 0;
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
    engine_bridge::Fleet::Time fleet_time() const {
        return engine_bridge::Fleet::Time{std::chrono::hours{1}} +
               std::chrono::duration_cast<engine_bridge::Fleet::Time::duration>(
                   std::chrono::duration<double>{now_});
    }
    server::CoreOptions core_options();
    void ask_own(Dispatcher::Lease lease);
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
    std::unique_ptr<engine_bridge::Fleet> fleet_;
    OwnProcess* own_ = nullptr;
    std::unique_ptr<server::Core> core_;
    std::vector<Machine> machines_;
    std::deque<std::size_t> woken_;
    std::priority_queue<Event> events_;
    std::uint64_t made_ = 0;
    double now_ = 0;   // seconds of the simulation
    double busy_ = 0;  // the same, of all processes
    double spent_ = 0; // of the scheduler's thread
    std::uint64_t answered_ = 0;
    std::optional<double> unstored_; // when the first answer came that may not be durable
};

server::CoreOptions Simulation::core_options() {
    engine_bridge::Profile profile;
    profile.name = profile_name;
    profile.command = {"none"};
    server::CoreOptions options;
    options.engines = {profile};
    options.clock = options.steady = [this] {
        return 1'700'000'000'000 + static_cast<analysis::UnixMs>(1e3 * now_);
    };
    options.ticking = false;
    return options;
}

Simulation::Simulation(const SimulationOptions& options)
    : options_{options}, random_{options.seed}, store_{storage::open_store(
                                                    options.directory, storage::OpenMode::owner)} {
    core_ = std::make_unique<server::Core>(
        context_, *store_, core_options(),
        [this](std::shared_ptr<Dispatcher> dispatcher, engine_bridge::ProfileId profile,
               const engine_bridge::Profile&, engine_bridge::Processes::Callbacks calls) {
            auto own = std::make_unique<OwnProcess>(
                std::move(dispatcher), profile, std::move(calls),
                [this](Dispatcher::Lease lease) { ask_own(std::move(lease)); });
            own_ = own.get();
            return own;
        });
    engine_bridge::Fleet::Options rules;
    rules.clock = [this] { return fleet_time(); };
    rules.wall = [] { return analysis::UnixMs{1'700'000'000'000}; };
    rules.ticking = false;
    fleet_ = std::make_unique<engine_bridge::Fleet>(context_, core_->engines().dispatcher(), rules);
    core_->start();
    let_store();
    machines_.resize(options_.processes / options_.of_machine);
    for (std::size_t i = 0; i < machines_.size(); ++i) {
        engine_bridge::Offer offer;
        offer.profile = profile_name;
        offer.processes = options_.of_machine;
        offer.identity = {"Simulated 1", "nobody", {}, ""};
        const auto welcome =
            fleet_->hello({engine_bridge::machine_version, "machine" + std::to_string(i), {offer}});
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

void Simulation::ask_own(Dispatcher::Lease lease) {
    const double takes = length();
    after(takes, [this, takes, lease = std::move(lease)] {
        busy_ += takes;
        count_answer();
        scheduler([&] { own_->finish(lease); });
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
    const engine_bridge::Delivery delivery{
        granted.lease, profile_name, granted.question,
        engine_bridge::claim_of(answer_to(granted.job), granted.job)};
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
            std::vector<engine_bridge::LeaseId> held;
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
        wanted.spec.strategy = analysis::default_parameters("halving");
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
