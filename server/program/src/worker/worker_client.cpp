// WorkerClient: its life, and what it asks for. worker_client_answers.cpp: what it tells.
#include "program/worker/worker_client.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <latch>

namespace adjourn::server {

using engine_bridge::Failure;
using engine_bridge::JobId;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds first_pause{250};
constexpr std::chrono::milliseconds longest_pause{4'000}; // another server may work by then
constexpr std::size_t most_ahead = 16;                    // questions for each process

} // namespace

WorkerClient::WorkerClient(Options options) : options_{std::move(options)} {
    engine_bridge::Timeouts timeouts;
    timeouts.quit = 1'000ms; // each of three steps: gone within 5 s
    engines_.resize(options_.engines.size());
    for (std::size_t i = 0; i < engines_.size(); ++i) {
        engines_[i].profile = options_.engines[i];
        engine_bridge::Pool::Callbacks calls;
        calls.identified = [this, i](std::expected<engine_bridge::Identity, std::string> who) {
            identified(i, std::move(who));
        };
        calls.died = [name = options_.engines[i].name](std::size_t, const std::string& reason) {
            spdlog::warn("engine {}: a process is gone: {}", name, reason);
        };
        engines_[i].index = dispatcher_->add(options_.engines[i].name);
        engines_[i].pool =
            std::make_unique<engine_bridge::Pool>(loop_.context(), dispatcher_, engines_[i].index,
                                                  options_.engines[i], timeouts, std::move(calls));
    }
}

WorkerClient::~WorkerClient() = default;

void WorkerClient::start() {
    for (Engine& engine : engines_) {
        engine.pool->start();
    }
    asking_ = std::thread{[this] { ask(); }};
    telling_ = std::thread{[this] { tell(); }};
}

std::string WorkerClient::stop() {
    {
        const std::lock_guard lock{mutex_};
        stopping_ = true;
        if (asker_) {
            asker_->close();
        }
    }
    changed_.notify_all();
    std::latch stopped{static_cast<std::ptrdiff_t>(engines_.size())};
    for (Engine& engine : engines_) {
        engine.pool->stop([&stopped] { stopped.count_down(); });
    }
    asking_.join();
    telling_.join();
    stopped.wait();
    loop_.join();
    return failure_;
}

// ---- the engines' thread ----

void WorkerClient::identified(std::size_t index,
                              std::expected<engine_bridge::Identity, std::string> who) {
    const std::lock_guard lock{mutex_};
    Engine& engine = engines_[index];
    if (who) {
        engine.problem.clear();
        engine.identity = std::move(*who);
        machine_.clear(); // the server is to hear of it
    } else {
        engine.problem = who.error();
        spdlog::error("engine {}: {}", engine.profile.name, engine.problem);
    }
    changed_.notify_all();
}

// ---- questions ----

void WorkerClient::fail(const std::string& reason) {
    failure_ = reason;
    if (options_.hopeless) {
        options_.hopeless();
    }
}

// Longer and longer, until something goes well.
void WorkerClient::pause(Lock& lock) {
    next_pause_ = std::clamp<Clock::duration>(next_pause_ * 2, first_pause, longest_pause);
    changed_.wait_for(lock, next_pause_, [this] { return stopping_; });
}

// Whether the answer is one to go on with; says in the log what goes wrong, once for each reason.
// `machine`: in whose name it was asked.
bool WorkerClient::took(const WorkerLink::Or<json>& reply, const std::string& machine) {
    if (machine != machine_) {
        return reply.has_value(); // meanwhile another server has welcomed this machine
    }
    if (reply) {
        succeeded();
        return true;
    }
    if (reply.error().kind == LinkTrouble::Kind::unknown_machine) {
        machine_.clear(); // it was started again, or has given this machine up
        changed_.notify_all();
        return false;
    }
    if (reply.error().kind == LinkTrouble::Kind::away) {
        away_ = true;
        changed_.notify_all();
    }
    complain(reply.error().message);
    return false;
}

void WorkerClient::succeeded() {
    if (!told_problem_.empty()) {
        spdlog::info("the server on {} is back", server_->shown);
    }
    told_problem_.clear();
    next_pause_ = {};
}

void WorkerClient::complain(const std::string& problem) {
    if (problem != told_problem_ && !stopping_) {
        spdlog::warn("{}; it is tried again", problem);
        told_problem_ = problem;
    }
}

std::vector<std::uint64_t> WorkerClient::held() const {
    std::vector<std::uint64_t> leases;
    for (const auto& [id, each] : held_) {
        leases.push_back(each.lease);
    }
    for (const json& answer : answers_) {
        leases.push_back(answer.at("lease"));
    }
    return leases;
}

json WorkerClient::greeting() const {
    json profiles = json::array();
    for (const Engine& engine : engines_) {
        if (engine.identity) {
            profiles.push_back({{"name", engine.profile.name},
                                {"processes", engine.profile.count},
                                {"reproducible", engine.profile.reproducible},
                                {"identity",
                                 {{"name", engine.identity->name},
                                  {"network", engine.identity->network},
                                  {"options", engine.identity->options}}}});
        }
    }
    return {{"version", engine_bridge::machine_version},
            {"name", options_.name},
            {"profiles", std::move(profiles)}};
}

std::expected<std::vector<Server>, LinkTrouble> WorkerClient::find_servers(Lock& lock) const {
    lock.unlock();
    auto found = options_.servers();
    lock.lock();
    return found;
}

// To the first one that takes this machine.
bool WorkerClient::say_hello(Lock& lock) {
    const auto servers = find_servers(lock);
    bool refused = true; // by all
    std::string problems;
    const auto failed = [&](const LinkTrouble& trouble) {
        refused = refused && trouble.kind == LinkTrouble::Kind::refused;
        problems += (problems.empty() ? "" : "; ") + trouble.message;
    };
    if (!servers) {
        failed(servers.error());
    } else {
        for (const Server& server : *servers) {
            const auto welcome = say_hello(lock, server);
            if (welcome) {
                return true;
            }
            failed(welcome.error());
        }
    }
    if (refused && !welcomed_ && !stopping_) {
        fail(problems);
    } else {
        complain(problems);
    }
    return false;
}

// Where the server is away, another one may have taken its place. As long as none has, what is here
// is kept for the one that is away.
void WorkerClient::look_elsewhere(Lock& lock) {
    const auto servers = find_servers(lock);
    if (!servers) {
        return;
    }
    for (const Server& server : *servers) {
        if (server != *server_ && say_hello(lock, server)) {
            return;
        }
    }
}

std::expected<void, LinkTrouble> WorkerClient::say_hello(Lock& lock, const Server& server) {
    const auto asker = std::make_shared<WorkerLink>(server);
    const auto before = std::exchange(asker_, asker);
    const json body = greeting();
    const bool stopped = stopping_; // before it could be closed
    lock.unlock();
    const auto reply =
        stopped ? std::unexpected(LinkTrouble{LinkTrouble::Kind::away, ""}) : asker->hello(body);
    lock.lock();
    if (!reply) {
        asker_ = before;
        return std::unexpected(reply.error());
    }
    const json& welcome = *reply;
    for (const json& part : welcome.at("profiles")) {
        for (Engine& engine : engines_) {
            if (engine.profile.name == part.at("name")) {
                engine.accepted = part.at("accepted");
                if (!engine.accepted) {
                    spdlog::warn("the server refuses: {}", part.at("reason").get<std::string>());
                }
            }
        }
    }
    machine_ = welcome.at("id");
    server_version_ = welcome.value("version", 0);
    beat_every_ = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>{welcome.at("beat_seconds").get<double>()});
    server_ = server;
    if (teller_) {
        teller_->close(); // what it tells is of the former machine
    }
    teller_ = std::make_shared<WorkerLink>(server);
    welcomed_ = true;
    drain_ = false;
    away_ = false;
    succeeded();
    spdlog::info("answering questions of {} as {}", server.shown, options_.name);
    return {};
}

// Two for each process, and what is answered while a question and its answer are on their way.
std::size_t WorkerClient::ahead(const Engine& engine) const {
    double a_second = 0;
    if (engine.done.size() > 1) {
        const std::chrono::duration<double> took = engine.done.back() - engine.done.front();
        a_second = static_cast<double>(engine.done.size() - 1) / std::max(took.count(), 1e-3);
    }
    const auto on_the_way = static_cast<std::size_t>(std::ceil(a_second * way_seconds_ * 2));
    return std::min(2 * engine.profile.count + on_the_way, most_ahead * engine.profile.count);
}

json WorkerClient::wishes() {
    json wishes = json::array();
    for (const Engine& engine : engines_) {
        const std::size_t most = ahead(engine);
        const bool alive = dispatcher_->most(engine.index) > 0 || engine.out > 0;
        if (engine.accepted && engine.identity && alive && engine.out < most) {
            wishes.push_back({{"name", engine.profile.name}, {"most", most - engine.out}});
        }
    }
    return wishes;
}

void WorkerClient::take(Lock& lock, const json& wishes) {
    const std::string machine = machine_;
    const auto asker = asker_;
    const auto here = server_version_ > 0 ? std::optional{held()} : std::nullopt;
    lock.unlock();
    const auto reply = asker->take(machine, wishes, here);
    lock.lock();
    if (!took(reply, machine)) {
        if (!machine_.empty()) {
            pause(lock);
        }
        return;
    }
    if (!stopping_ && machine == machine_) {
        for (const json& lease : reply->at("leases")) {
            accept(lease);
        }
        heed(*reply);
    }
}

void WorkerClient::ask() {
    Lock lock{mutex_};
    while (!stopping_) {
        try {
            const bool ready = std::ranges::all_of(engines_, [](const Engine& engine) {
                return engine.identity || !engine.problem.empty();
            });
            const bool any = std::ranges::any_of(
                engines_, [](const Engine& engine) { return engine.identity.has_value(); });
            if (!ready || !any) {
                changed_.wait(lock);
            } else if (machine_.empty()) {
                if (!say_hello(lock) && !stopping_) {
                    if (!failure_.empty()) {
                        return;
                    }
                    pause(lock);
                }
            } else if (std::exchange(away_, false)) {
                look_elsewhere(lock);
            } else if (const json wanted = wishes(); wanted.empty()) {
                changed_.wait(lock);
            } else if (drain_) {
                changed_.wait_for(lock, beat_every_); // a beat tells when that is over
            } else {
                take(lock, wanted);
            }
        } catch (const std::exception& error) { // json's, of an answer
            if (!lock.owns_lock()) {
                lock.lock();
            }
            spdlog::error("the server's answer is not understood: {}", error.what());
            pause(lock);
        }
    }
}

} // namespace adjourn::server
