// Simulated processes: engines without processes, together one place of the dispatcher's, which
// takes questions at once and as many as there are (as it stands for several, Rules of tests let it
// try a question three times). They answer from hash_engine's opinion, in any
// order the test likes; time passes when the test says so.
#pragma once

#include "engine_bridge/dispatch/dispatcher.hpp"
#include "evaluation.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace adjourn::server {

// What the test sees of all processes of an engine.
struct Bench {
    std::uint64_t seed = 1;
    std::size_t processes = 2;
    std::size_t threads = 0; // of a reserved one, as it was wanted
    bool shuffle = false;    // complete running jobs in random order, else oldest first
    std::mt19937_64 random{7};
    std::vector<engine_bridge::Job> asked;    // every job ever submitted, in order
    std::vector<engine_bridge::Job> answered; // and those that were answered
    std::deque<engine_bridge::Job> queue;     // not finished; the first `processes` are running
    std::set<std::string> poison;             // engine FENs no engine survives
    std::optional<std::string> missing;       // the engine can't be started, and why
    std::set<engine_bridge::JobId> cancelled;
    std::string name = "Simulated 1.0";
    std::map<std::string, std::string> options;
    std::uint64_t least_free = 0; // bytes on the disk, see CoreOptions
    // Where it is given, answers take so long, and the first to be ready comes first.
    std::function<double(const engine_bridge::Job&)> duration;
    std::uint64_t deepest = 1'000; // depth that is told at most
    double spends = 1;             // share of a limit in nodes that a search needs
    double clock = 0;              // as long as that took
    double busy = 0;               // of it, all processes together
    std::map<engine_bridge::JobId, double> ready;

    engine_bridge::Processes::Callbacks callbacks;
    bool stopped = false;
    std::vector<std::unique_ptr<Bench>> looking; // of those who look, a process each
    std::size_t takes = std::numeric_limits<std::size_t>::max(); // questions at a time
    std::shared_ptr<engine_bridge::Dispatcher> dispatcher;
    engine_bridge::ProfileId profile = 0;
    engine_bridge::PlaceId place = 0;
    std::map<engine_bridge::JobId, engine_bridge::LeaseId> leases;

    void take() {
        const std::size_t most = takes - std::min(takes, queue.size());
        for (auto& lease : dispatcher->take(place, profile, most, {})) {
            asked.push_back(lease.job);
            leases.emplace(lease.job.id, lease.id);
            const std::size_t running = std::min(processes, queue.size());
            queue.insert(lease.job.urgent ? queue.begin() + static_cast<std::ptrdiff_t>(running)
                                          : queue.end(),
                         std::move(lease.job));
        }
    }
    // What the dispatcher has to tell.
    void look() {
        if (!dispatcher) {
            return; // another profile shared this bench, and is gone
        }
        const auto news = dispatcher->news(place);
        for (const auto& [job, lease] : leases) {
            if (std::ranges::count(news.withdrawn, lease) > 0) {
                cancelled.insert(job);
            }
            if (std::ranges::count(news.hurried, lease) > 0) {
                hurry(job);
            }
        }
        take();
    }
    void hurry(engine_bridge::JobId job) {
        const auto running = static_cast<std::ptrdiff_t>(std::min(processes, queue.size()));
        const auto waiting = queue.begin() + running;
        const auto found = std::ranges::find(waiting, queue.end(), job, &engine_bridge::Job::id);
        if (found != queue.end()) {
            engine_bridge::Job moved = std::move(*found);
            moved.urgent = true;
            queue.erase(found);
            queue.insert(queue.begin() + running, std::move(moved));
        }
    }
    void done(engine_bridge::JobId job, engine_bridge::Result result) {
        dispatcher->answer(leases.extract(job).mapped(), place, std::move(result));
        take();
    }
    void identify() {
        const engine_bridge::Identity identity{name, "nobody", options, ""};
        dispatcher->identify(profile, identity);
        if (callbacks.identified) {
            callbacks.identified(identity);
        }
    }

    // What it says of a move depends a little on what else it may look at, as with real engines.
    bool sways = false;
    int leans = 0; // cp: by so much it likes White's side better

    engine_bridge::Answer answer(const engine_bridge::Job& job) const {
        std::vector<chess::Move> moves = job.searchmoves;
        if (moves.empty()) {
            for (const chess::Move move : job.position.legal_moves()) {
                moves.push_back(move);
            }
        }
        const hash_engine::Evaluation opinion{seed};
        const auto best = opinion.search(job.position, moves, job.limit.amount, 4).front();
        engine_bridge::Answer answer{
            best.move,
            best.score,
            chess::Bound::exact,
            static_cast<int>(std::min(job.limit.amount, deepest)),
            0,
            job.limit.kind == chess::Limit::Kind::nodes
                ? static_cast<std::uint64_t>(static_cast<double>(job.limit.amount) * spends)
                : 1000,
            duration ? static_cast<std::uint32_t>(duration(job)) : 20,
            {best.move},
            0};
        if (sways && answer.score->is_cp()) {
            const int by = static_cast<int>(hash_engine::mix(job.searchmoves.size(), 5) % 7) - 3;
            answer.score = chess::Score::cp(answer.score->rank() + by);
        }
        if (leans != 0 && answer.score->is_cp()) {
            const int by = job.position.turn() == chess::Color::white ? leans : -leans;
            answer.score = chess::Score::cp(answer.score->rank() + by);
        }
        return answer;
    }

    // What a running search has told so far, where a test says so.
    std::map<engine_bridge::JobId, engine_bridge::BestLine> told;
    std::uint64_t told_nodes = 0; // with it

    // The running job that is ready first; time goes on until then.
    std::size_t soonest(std::size_t running) {
        std::size_t first = 0;
        for (std::size_t i = 0; i < running; ++i) {
            ready.try_emplace(queue[i].id, clock + duration(queue[i]));
            first = ready[queue[i].id] < ready[queue[first].id] ? i : first;
        }
        busy += static_cast<double>(running) * (ready[queue[first].id] - clock);
        clock = ready[queue[first].id];
        return first;
    }

    // Finishes one running job; false if none is.
    bool step() {
        if (queue.empty()) {
            return false;
        }
        const std::size_t running = std::min(processes, queue.size());
        const std::size_t chosen = duration ? soonest(running) : shuffle ? random() % running : 0;
        const engine_bridge::Job job = queue[chosen];
        queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(chosen));
        if (poison.contains(job.position.engine_fen())) {
            die_of(job);
        } else {
            answered.push_back(job);
            done(job.id, answer(job));
        }
        return true;
    }
    // As real processes do: what is cancelled ends without an answer.
    void stop_cancelled() {
        for (const engine_bridge::JobId job : std::exchange(cancelled, {})) {
            if (std::erase_if(queue, [&](const auto& each) { return each.id == job; }) > 0) {
                done(job, std::unexpected(engine_bridge::Failure{
                              engine_bridge::Failure::Kind::cancelled, "cancelled", 1}));
            }
        }
    }
    // As often as it is given the question.
    void die_of(const engine_bridge::Job& job) {
        for (auto again = queue.end();; queue.erase(again)) {
            done(job.id, std::unexpected(engine_bridge::Failure{
                             engine_bridge::Failure::Kind::crashed, "died of signal 11", 1}));
            again = std::ranges::find(queue, job.id, &engine_bridge::Job::id);
            if (again == queue.end()) {
                return;
            }
            if (asked.back().id == job.id) {
                asked.pop_back(); // as if it had been asked once
            }
        }
    }
};

class SimulatedProcesses final : public engine_bridge::Processes {
public:
    SimulatedProcesses(std::shared_ptr<engine_bridge::Dispatcher> dispatcher,
                       engine_bridge::ProfileId profile, Bench& bench, Callbacks callbacks)
        : bench_{bench}, dispatcher_{std::move(dispatcher)}, profile_{profile} {
        bench_.callbacks = std::move(callbacks);
        bench_.stopped = false;
        bench_.dispatcher = dispatcher_;
        bench_.profile = profile;
        bench_.place = bench_.dispatcher->enter([this] { bench_.look(); });
        bench_.dispatcher->offer(bench_.place, profile, {bench_.processes, 2 * bench_.processes});
        bench_.dispatcher->set_reserving(
            profile,
            {[this](engine_bridge::PlaceId place, std::size_t threads) { open(place, threads); },
             [this](engine_bridge::PlaceId place) { end(*beside(place)); },
             [this](engine_bridge::PlaceId place) { beside(place)->look(); }});
        bench_.take();
    }
    ~SimulatedProcesses() override {
        if (bench_.profile == profile_) { // else others have it by now
            bench_.leases.clear();
            bench_.dispatcher.reset();
            bench_.looking.clear();
        }
    }
    SimulatedProcesses(const SimulatedProcesses&) = delete;
    SimulatedProcesses& operator=(const SimulatedProcesses&) = delete;

    void start() override {
        if (bench_.missing) {
            bench_.callbacks.identified(std::unexpected(*bench_.missing));
        } else {
            bench_.identify();
        }
    }
    void stop(std::function<void()> stopped) override {
        end(bench_);
        for (const auto& beside : bench_.looking) {
            end(*beside);
        }
        dispatcher_->close(profile_);
        stopped();
    }
    std::vector<engine_bridge::ProcessStatus> status() const override {
        std::vector<engine_bridge::ProcessStatus> all;
        const auto add = [&all](const Bench& bench, bool reserved) {
            for (std::size_t i = 0; i < bench.processes; ++i) {
                engine_bridge::ProcessStatus& status = all.emplace_back();
                status.reserved = reserved;
                if (i >= bench.queue.size()) {
                    continue;
                }
                status.state = engine_bridge::ProcessStatus::State::searching;
                status.job = bench.queue[i].id;
                status.position = bench.queue[i].position;
                if (const auto told = bench.told.find(*status.job); told != bench.told.end()) {
                    status.line = told->second;
                    status.depth = told->second.depth;
                    status.nodes = bench.told_nodes;
                }
            }
        };
        add(bench_, false);
        for (const auto& beside : bench_.looking) {
            add(*beside, true);
        }
        return all;
    }

private:
    void open(engine_bridge::PlaceId place, std::size_t threads) {
        Bench& beside = *bench_.looking.emplace_back(std::make_unique<Bench>());
        beside.processes = 1;
        beside.seed = bench_.seed;
        beside.name = bench_.name;
        beside.threads = threads;
        beside.deepest = bench_.deepest;
        beside.dispatcher = dispatcher_;
        beside.profile = profile_;
        beside.place = place;
        beside.callbacks.changed = [this](std::size_t) {
            bench_.callbacks.changed(bench_.processes);
        };
        dispatcher_->offer(place, profile_,
                           {1, bench_.missing ? 0u : 1u, false, bench_.missing.value_or("")});
        beside.take();
    }
    Bench* beside(engine_bridge::PlaceId place) const {
        const auto found =
            std::ranges::find(bench_.looking, place, [](const auto& each) { return each->place; });
        return found == bench_.looking.end() ? nullptr : found->get();
    }
    static void end(Bench& bench) {
        bench.queue.clear();
        bench.leases.clear();
        bench.stopped = true;
    }

    Bench& bench_;
    std::shared_ptr<engine_bridge::Dispatcher> dispatcher_;
    engine_bridge::ProfileId profile_;
};

} // namespace adjourn::server
