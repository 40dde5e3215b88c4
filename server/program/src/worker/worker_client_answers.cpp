// WorkerClient, what it tells: answers until the server has them, and that it lives.
#include "program/worker/worker_client.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace adjourn::server {

using engine_bridge::Failure;
using engine_bridge::JobId;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds brief{1'500}; // at the end
constexpr std::size_t most_at_once = 32;          // answers
constexpr std::size_t remembered = 32;            // moments of answers

const char* word(Failure::Kind kind) {
    switch (kind) {
    case Failure::Kind::crashed: return "crashed";
    case Failure::Kind::hung: return "hung";
    case Failure::Kind::no_result: return "no_result";
    case Failure::Kind::ignored_searchmoves: return "no_result";
    case Failure::Kind::unfit: return "unfit";
    case Failure::Kind::unavailable: return "unavailable";
    case Failure::Kind::cancelled: return "returned";
    }
    return "returned";
}

json told_json(const engine_bridge::Claim& told) {
    json told_here{{"move", told.move},
                   {"score", told.cp ? json{{"cp", *told.cp}} : json{{"mate", *told.mate}}},
                   {"depth", told.depth},
                   {"seldepth", told.seldepth},
                   {"nodes", told.nodes},
                   {"time_ms", told.time_ms},
                   {"pv", told.pv}};
    if (told.wdl) {
        told_here["wdl"] = {told.wdl->win, told.wdl->draw, told.wdl->loss};
    }
    return told_here;
}

} // namespace

void WorkerClient::done(JobId id, engine_bridge::Result result) {
    const std::lock_guard lock{mutex_};
    const auto node = held_.extract(id);
    if (node.empty()) {
        return;
    }
    const Held& held = node.mapped();
    Engine& engine = engines_[held.engine];
    --engine.out;
    changed_.notify_all();
    if (!result && result.error().kind == Failure::Kind::cancelled) {
        return; // withdrawn, or it goes back with the goodbye
    }
    json answer;
    if (result) {
        answer = told_json(engine_bridge::claim_of(*result, held.job));
        engine.done.push_back(Clock::now());
        if (engine.done.size() > remembered) {
            engine.done.pop_front();
        }
    } else {
        std::string reason = result.error().reason.substr(0, 1'000);
        answer["failure"] = {{"kind", word(result.error().kind)},
                             {"reason", std::move(reason)},
                             {"attempts", std::clamp(result.error().attempts, 0, 1'000)}};
    }
    answer["lease"] = held.lease;
    answer["profile"] = engine.profile.name;
    answer["question"] = held.question;
    answers_.push_back(std::move(answer));
}

void WorkerClient::deliver(Lock& lock) {
    json answers = json::array();
    const std::size_t count = std::min(answers_.size(), most_at_once);
    for (std::size_t i = 0; i < count; ++i) {
        answers.push_back(answers_[i]);
    }
    const std::string machine = machine_;
    const bool last = stopping_;
    const auto teller = teller_;
    lock.unlock();
    const auto began = Clock::now();
    const auto reply = teller->answers(machine, answers, last ? brief : WorkerLink::usual_patience);
    const std::chrono::duration<double> way = Clock::now() - began;
    lock.lock();
    const bool useless = !reply && reply.error().kind == LinkTrouble::Kind::useless;
    if (took(reply, machine) || useless) {
        answers_.erase(answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(count));
    } else if (machine == machine_ && !stopping_) {
        pause(lock);
    }
    if (reply) {
        way_seconds_ = way_seconds_ == 0 ? way.count() : 0.9 * way_seconds_ + 0.1 * way.count();
        for (const json& result : reply->at("results")) {
            if (result.at("verdict") == "refused") {
                spdlog::error("the server does not take an answer: {}",
                              result.at("reason").get<std::string>());
            }
        }
    }
}

void WorkerClient::beat(Lock& lock) {
    json profiles = json::array();
    for (Engine& engine : engines_) {
        Clock::duration busy{};
        std::uint64_t nps = 0;
        for (const engine_bridge::ProcessStatus& status : engine.pool->status()) {
            busy += status.busy;
            nps += status.state == engine_bridge::ProcessStatus::State::searching ? status.nps : 0;
        }
        const auto now = Clock::now();
        const std::chrono::duration<double> worked = busy - engine.busy;
        const std::chrono::duration<double> passed =
            (now - engine.told) * static_cast<long>(engine.profile.count);
        const double share = engine.told == Clock::time_point{}
                                 ? 0
                                 : worked.count() / std::max(passed.count(), 1e-9);
        engine.busy = busy;
        engine.told = now;
        profiles.push_back(
            {{"name", engine.profile.name}, {"busy", std::clamp(share, 0.0, 1.0)}, {"nps", nps}});
    }
    const std::string machine = machine_;
    const auto leases = held();
    const auto teller = teller_;
    lock.unlock();
    const auto reply = teller->beat(machine, profiles, leases);
    lock.lock();
    if (took(reply, machine) && machine == machine_) {
        heed(*reply);
        changed_.notify_all();
    }
}

void WorkerClient::tell() {
    Lock lock{mutex_};
    auto next_beat = Clock::now() + 1s;
    while (!stopping_) {
        try {
            changed_.wait_until(lock, next_beat, [this] {
                return stopping_ || (!answers_.empty() && !machine_.empty());
            });
            if (!stopping_ && !answers_.empty() && !machine_.empty()) {
                deliver(lock);
            }
            if (!stopping_ && Clock::now() >= next_beat) {
                next_beat = Clock::now() + beat_every_;
                if (!machine_.empty()) {
                    beat(lock);
                }
            }
        } catch (const std::exception& error) {
            if (!lock.owns_lock()) {
                lock.lock();
            }
            spdlog::error("the server's answer is not understood: {}", error.what());
            pause(lock);
        }
    }
    if (machine_.empty()) {
        return;
    }
    try {
        if (!answers_.empty()) {
            deliver(lock);
        }
        const std::string machine = machine_;
        const auto teller = teller_;
        lock.unlock();
        const auto goodbye = teller->goodbye(machine, brief);
        if (!goodbye) {
            spdlog::warn("the server was not told goodbye: {}", goodbye.error().message);
        }
    } catch (const std::exception& error) {
        spdlog::warn("the server was not told goodbye: {}", error.what());
    }
}

} // namespace adjourn::server
