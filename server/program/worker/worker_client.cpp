#include "program/worker/worker_client.hpp"

#include "chess/notation.hpp"
#include "core/records/strategy_json.hpp"
#include "host/worker_address.hpp"
#include "storage/open.hpp"

#include <boost/asio/post.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <latch>
#include <utility>

namespace adjourn::server {

using nlohmann::json;
using namespace std::chrono_literals;
using engine_bridge::Failure;
using engine_bridge::Job;
using engine_bridge::JobId;

namespace {

constexpr std::chrono::seconds longest_poll{25}; // that the server may keep a question waiting

std::string message_of(const HttpLink::Reply& reply) {
    const json body = json::parse(reply.body, nullptr, false);
    if (body.is_object() && body.contains("error") && body["error"].is_object()) {
        return body["error"].value("message", "the request is refused");
    }
    return "status " + std::to_string(reply.status);
}

std::string target_of(const std::string& machine) {
    return "/api/v1/workers/" + machine;
}

std::string body_of(const json& body) {
    return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::unexpected<LinkTrouble> trouble(LinkTrouble::Kind kind, std::string message) {
    return std::unexpected(LinkTrouble{kind, std::move(message)});
}

constexpr std::chrono::milliseconds first_pause{250};
constexpr std::chrono::milliseconds longest_pause{4'000}; // another server may work by then
constexpr std::size_t most_ahead = 16;                    // questions for each process
constexpr std::chrono::milliseconds brief{1'500};         // at the end
constexpr std::size_t most_at_once = 32;                  // answers
constexpr std::size_t remembered = 32;                    // moments of answers

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

// WorkerLink: the way from this machine to a server that asks it: the calls of "Machines"
// (docs/api/reference.md). Messages are JSON. For one thread, but for close(). Everything blocks
// until the server has answered.
class WorkerLink {
public:
    template <class T>
    using Or = std::expected<T, LinkTrouble>;
    static constexpr std::chrono::milliseconds usual_patience{30'000};

    explicit WorkerLink(const Server& server)
        : shown_{server.shown}, link_{server.url, server.token} {}

    // {"version", "name", "profiles"} → {"id", "version", "profiles", "beat_seconds"}
    Or<json> hello(const json& greeting) {
        const auto greet = [&](const json& body) {
            return link_.send("POST", "/api/v1/workers", body_of(body), usual_patience);
        };
        Reply reply = greet(greeting);
        if (reply && reply->status == 400) { // one of before versions were told takes none
            json without = greeting;
            without.erase("version");
            reply = greet(without);
        }
        const auto refused = [](std::string message) {
            return std::unexpected(LinkTrouble{LinkTrouble::Kind::refused, std::move(message)});
        };
        if (!reply && reply.error().untrusted) {
            return refused(
                "the server on " + shown_ +
                " shows a certificate that this machine does not trust: " + reply.error().message);
        }
        if (reply && reply->status >= 400 && reply->status < 500 && reply->status != 429) {
            return refused(
                reply->status == 401
                    ? "the server on " + shown_ + " does not know this token: " + message_of(*reply)
                : reply->status == 404 || reply->status == 405
                    ? "there is no Adjourn that takes workers on " + shown_
                    : "the server on " + shown_ + " refuses this machine: " + message_of(*reply));
        }
        return checked(reply);
    }

    // Questions: {"leases", "withdrawn", "hurried", "drain"}. Where there is nothing, the server
    // waits some seconds for it. `held`: the leases that are here, so that those of an answer that
    // was lost go to others; where the server knows that field.
    Or<json> take(const std::string& machine, const json& wishes,
                  const std::optional<std::vector<std::uint64_t>>& held) {
        json body{{"profiles", wishes}, {"wait_seconds", longest_poll.count()}};
        if (held) {
            body["held"] = *held;
        }
        return checked(
            link_.send("POST", target_of(machine) + "/take", body_of(body), longest_poll + 15s));
    }

    // Returns the verdicts: {"results"}.
    Or<json> answers(const std::string& machine, const json& answers,
                     std::chrono::milliseconds patience) {
        return checked(link_.send("POST", target_of(machine) + "/answers",
                                  body_of({{"answers", answers}}), patience));
    }

    // `held`: the leases that are here. → {"withdrawn", "hurried", "drain"}
    Or<json> beat(const std::string& machine, const json& profiles,
                  const std::vector<std::uint64_t>& held) {
        return checked(link_.send("POST", target_of(machine) + "/beat",
                                  body_of({{"held", held}, {"profiles", profiles}}),
                                  usual_patience));
    }

    Or<void> goodbye(const std::string& machine, std::chrono::milliseconds patience) {
        const Reply reply = link_.send("DELETE", target_of(machine), "", patience);
        if (!reply || reply->status >= 300) {
            return std::unexpected(trouble_of(reply));
        }
        return {};
    }

    // What is under way fails, and whatever comes. Any thread.
    void close() { link_.close(); }

private:
    using Reply = std::expected<HttpLink::Reply, HttpLink::Trouble>;
    LinkTrouble trouble_of(const Reply& reply) const {
        if (!reply) {
            return {LinkTrouble::Kind::away,
                    "the server on " + shown_ + " does not answer: " + reply.error().message};
        }
        const auto kind = reply->status == 404 ? LinkTrouble::Kind::unknown_machine
                          : reply->status == 400 || reply->status == 413
                              ? LinkTrouble::Kind::useless
                              : LinkTrouble::Kind::away;
        return {kind, "the server on " + shown_ + " says: " + message_of(*reply)};
    }

    Or<json> checked(const Reply& reply) const {
        if (!reply || reply->status >= 300) {
            return std::unexpected(trouble_of(reply));
        }
        return json::parse(reply->body);
    }

    const std::string shown_;
    HttpLink link_;
};

FindServers server_of(const std::filesystem::path& store, const std::string& ca_file) {
    return [store, ca_file]() -> std::expected<std::vector<Server>, LinkTrouble> {
        using Kind = LinkTrouble::Kind;
        std::optional<std::string> announced;
        try {
            announced = storage::announced_to_workers(store);
        } catch (const storage::StoreError& error) {
            return trouble(Kind::away, error.what());
        }
        if (!announced || announced->empty()) {
            return trouble(Kind::away, "no server works on " + storage::shown(store) +
                                           " now: is 'adjourn serve' running there?");
        }
        const auto address = worker_address_in(*announced);
        if (!address) {
            return trouble(Kind::refused, address.error());
        }
        const auto url = url_from(*address, this_network());
        if (!url) {
            return trouble(Kind::refused, url.error());
        }
        auto parsed = parse_server_url(*url);
        if (!parsed) {
            return trouble(Kind::refused, parsed.error());
        }
        parsed->ca_file = ca_file;
        return std::vector{Server{std::move(*parsed), *url, address->token}};
    };
}

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
bool WorkerClient::took(const std::expected<json, LinkTrouble>& reply, const std::string& machine) {
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

void WorkerClient::not_understood(Lock& lock, const std::exception& error) {
    if (!lock.owns_lock()) {
        lock.lock();
    }
    spdlog::error("the server's answer is not understood: {}", error.what());
    pause(lock);
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
            not_understood(lock, error);
        }
    }
}

// ---- what it tells: answers until the server has them, and that it lives ----

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
            not_understood(lock, error);
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

// ---- what it is asked ----

// Else what of it is not understood.
std::expected<WorkerClient::Held, std::string> WorkerClient::question_of(const json& lease) {
    try {
        const std::string profile = lease.at("profile");
        const auto engine = std::ranges::find_if(
            engines_, [&](const Engine& each) { return each.profile.name == profile; });
        const auto position = chess::Position::from_fen(lease.at("fen").get<std::string>());
        const auto limit = parse_limit_json(lease.at("limit"));
        if (engine == engines_.end() || !position || !limit) {
            return std::unexpected(engine == engines_.end() ? "its engine is not known here"
                                   : !position              ? "its position"
                                                            : "its limit");
        }
        Held held{lease.at("lease"), static_cast<std::size_t>(engine - engines_.begin()),
                  lease.at("question"), Job{dispatcher_->next_id(), *position, *limit, {}}};
        for (const json& text : lease.at("searchmoves")) {
            const auto move = chess::parse_uci(*position, text.get<std::string>());
            if (!move) {
                return std::unexpected("its moves");
            }
            held.job.searchmoves.push_back(*move);
        }
        held.job.affinity = std::stoull(lease.at("affinity").get<std::string>());
        held.job.game = std::stoull(lease.at("game").get<std::string>());
        held.job.urgent = lease.at("urgent");
        return held;
    } catch (const std::exception&) { // json's, or of a number
        return std::unexpected("a field is missing or of another kind");
    }
}

void WorkerClient::accept(const json& lease) {
    auto held = question_of(lease);
    if (!held) {
        const std::string problem = "a question of the server is not understood: " + held.error();
        if (not_understood_.insert(problem).second) {
            spdlog::error("{}; such questions go back", problem);
        }
        answers_.push_back(
            {{"lease", lease.at("lease")},
             {"profile", lease.at("profile")},
             {"question", lease.at("question")},
             {"failure", {{"kind", "no_result"}, {"reason", problem}, {"attempts", 0}}}});
        changed_.notify_all();
        return;
    }
    Engine& engine = engines_[held->engine];
    const Job job = held->job;
    held_.emplace(job.id, std::move(*held));
    ++engine.out;
    // Not at once: the lock is held here.
    dispatcher_->submit(engine.index, job, [this, id = job.id](engine_bridge::Result result) {
        boost::asio::post(loop_.context(), [this, id, result = std::move(result)]() mutable {
            done(id, std::move(result));
        });
    });
}

void WorkerClient::heed(const json& news) {
    drain_ = news.at("drain");
    for (const char* what : {"withdrawn", "hurried"}) {
        for (const json& lease : news.at(what)) {
            for (const auto& [id, held] : held_) {
                if (held.lease == lease) {
                    *what == 'w' ? dispatcher_->cancel(id) : dispatcher_->hurry(id);
                }
            }
        }
    }
}

} // namespace adjourn::server
