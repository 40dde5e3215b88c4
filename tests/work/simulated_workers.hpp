// Simulated workers: engines without processes. They answer from hash_engine's opinion, in any
// order the test likes; time passes when the test says so.
#pragma once

#include "engines/workers.hpp"
#include "evaluation.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace adjourn::server {

// What the test sees of all workers of a core.
struct Bench {
    std::uint64_t seed = 1;
    std::size_t processes = 2;
    bool shuffle = false; // complete running jobs in random order, else oldest first
    std::mt19937_64 random{7};
    std::vector<engine_bridge::Job> asked;    // every job ever submitted, in order
    std::vector<engine_bridge::Job> answered; // and those that were answered
    std::deque<engine_bridge::Job> queue;     // not finished; the first `processes` are running
    std::set<std::string> poison;             // engine FENs no engine survives
    std::optional<std::string> missing;       // the engine can't be started, and why
    std::set<engine_bridge::JobId> cancelled;
    std::string name = "Simulated 1.0";
    std::uint64_t least_free = 0; // bytes on the disk, see CoreOptions
    // Where it is given, answers take so long, and the first to be ready comes first.
    std::function<double(const engine_bridge::Job&)> duration;
    std::uint64_t deepest = 1'000; // depth that is told at most
    double spends = 1;             // share of a limit in nodes that a search needs
    double clock = 0;              // as long as that took
    double busy = 0;               // of it, all processes together
    std::map<engine_bridge::JobId, double> ready;

    Workers::Callbacks callbacks;
    std::function<void()> on_stopped;
    bool stopped = false;

    // What it says of a move depends a little on what else it may look at, as with real engines.
    bool sways = false;

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
        return answer;
    }

    // What a running search has told so far, where a test says so.
    std::map<engine_bridge::JobId, engine_bridge::BestLine> told;

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
            callbacks.done(job.id,
                           std::unexpected(engine_bridge::Failure{
                               engine_bridge::Failure::Kind::crashed, "died of signal 11", 3}));
        } else {
            answered.push_back(job);
            callbacks.done(job.id, answer(job));
        }
        return true;
    }
};

class SimulatedWorkers final : public Workers {
public:
    SimulatedWorkers(Bench& bench, Callbacks callbacks) : bench_{bench} {
        bench_.callbacks = std::move(callbacks);
        bench_.stopped = false;
    }
    void start() override {
        if (bench_.missing) {
            bench_.callbacks.identified(std::unexpected(*bench_.missing));
        } else {
            bench_.callbacks.identified(engine_bridge::Identity{bench_.name, "nobody", {}, ""});
        }
    }
    void submit(engine_bridge::Job job) override {
        bench_.asked.push_back(job);
        if (job.urgent) {
            const auto running =
                static_cast<std::ptrdiff_t>(std::min(bench_.processes, bench_.queue.size()));
            bench_.queue.insert(bench_.queue.begin() + running, std::move(job));
        } else {
            bench_.queue.push_back(std::move(job));
        }
    }
    void cancel(engine_bridge::JobId job) override { bench_.cancelled.insert(job); }
    void hurry(engine_bridge::JobId job) override {
        const std::size_t running = std::min(bench_.processes, bench_.queue.size());
        const auto waiting = bench_.queue.begin() + static_cast<std::ptrdiff_t>(running);
        const auto found = std::find_if(waiting, bench_.queue.end(),
                                        [&](const auto& other) { return other.id == job; });
        if (found != bench_.queue.end()) {
            engine_bridge::Job moved = std::move(*found);
            moved.urgent = true;
            bench_.queue.erase(found);
            bench_.queue.insert(bench_.queue.begin() + static_cast<std::ptrdiff_t>(running),
                                std::move(moved));
        }
    }
    void stop(std::function<void()> stopped) override {
        std::deque<engine_bridge::Job> left = std::move(bench_.queue);
        bench_.queue.clear();
        for (const engine_bridge::Job& job : left) {
            bench_.callbacks.done(job.id,
                                  std::unexpected(engine_bridge::Failure{
                                      engine_bridge::Failure::Kind::cancelled, "stopped", 0}));
        }
        bench_.stopped = true;
        stopped();
    }
    std::vector<engine_bridge::ProcessStatus> status() const override {
        std::vector<engine_bridge::ProcessStatus> all(bench_.processes);
        for (std::size_t i = 0; i < all.size() && i < bench_.queue.size(); ++i) {
            all[i].state = engine_bridge::ProcessStatus::State::searching;
            all[i].job = bench_.queue[i].id;
            all[i].position = bench_.queue[i].position;
            if (const auto told = bench_.told.find(bench_.queue[i].id); told != bench_.told.end()) {
                all[i].line = told->second;
                all[i].depth = told->second.depth;
            }
        }
        return all;
    }
    std::size_t room() const override {
        const std::size_t wanted = 2 * bench_.processes;
        return wanted - std::min(wanted, bench_.queue.size());
    }

private:
    Bench& bench_;
};

} // namespace adjourn::server
