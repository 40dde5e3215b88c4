#include "uci/deep_analysis.hpp"

#include "base/json_reader.hpp"
#include "chess/notation.hpp"
#include "core/guards/guard.hpp"
#include "core/records/strategy_json.hpp"
#include "host/worker_address.hpp"
#include "http/client/http_link.hpp"
#include "http/requests/target.hpp"
#include "storage/open.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <utility>

namespace adjourn::server::uci {

using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr auto patience = 2s;
constexpr auto longest_poll = 20s; // the server answers after ten
constexpr auto pause = 250ms;      // before who was absent is asked again
// A search without a clock goes on without a server for so long, then it answers with what it has.
constexpr auto longest_absence = 10s;
constexpr std::size_t most_answer = 4U << 20; // bytes

// Whoever restarts, or comes second, gets another one.
std::string new_seat() {
    std::random_device random;
    return "/api/v1/seats/" + std::to_string((std::uint64_t{random()} << 20 | random() >> 12) + 1);
}

json body_of(const std::optional<SearchRequest>& request) {
    json body = json::object();
    if (!request) {
        return body;
    }
    analysis::Limit limit = request->limit;
    limit.amount = std::min<std::uint64_t>(limit.amount, 1'000'000'000'000);
    json moves = json::array();
    chess::Position at = request->game.start;
    for (const chess::Move move : request->game.moves) {
        moves.push_back(chess::to_uci(at, move));
        at.play(move);
    }
    body = {{"position", {{"fen", request->game.start.fen()}, {"moves", std::move(moves)}}},
            {"limit", limit_json(limit)},
            {"strategy", strategy_json(request->strategy)},
            {"lines", request->lines},
            {"game", request->game_number}};
    for (const chess::Move move : request->searchmoves) {
        body["searchmoves"].push_back(chess::to_uci(at, move));
    }
    if (request->nodes) {
        body["nodes"] = *request->nodes;
    }
    return body;
}

// Why a request was refused.
std::string reason_in(const std::string& body, int status) {
    const auto parsed = base::parse_json(body);
    const json error = parsed && parsed->is_object() ? parsed->value("error", json{}) : json{};
    return status == 0         ? body
           : status == 401     ? "it wants its token: put it into the variable ADJOURN_TOKEN"
           : error.is_object() ? error.value("message", "")
                               : "the server answers " + std::to_string(status);
}

} // namespace

struct DeepAnalysis::Line {
    std::string url;                // of a server
    std::shared_ptr<HttpLink> link; // null: to the service
};

DeepAnalysis::DeepAnalysis(Config config, StorePlace place, std::function<void()> news,
                           std::function<void()> held, std::unique_ptr<DeepAnalysis> before)
    : config_{std::move(config)}, place_{std::move(place)}, news_{std::move(news)},
      held_{std::move(held)}, seat_{new_seat()}, before_{std::move(before)} {
    speaker_ = std::thread{[this] { guarded("what a seat says", [this] { speak(); }); }};
    listener_ = std::thread{[this] { guarded("what a seat hears", [this] { listen(); }); }};
}

DeepAnalysis::~DeepAnalysis() {
    {
        const std::scoped_lock lock{mutex_};
        ends_ = true;
        if (heard_) {
            heard_->close();
        }
    }
    changed_.notify_all();
    speaker_.join();
    listener_.join();
    if (service_) {
        service_->stop();
    }
}

// ---- the front end's thread ----

void DeepAnalysis::want(std::optional<SearchRequest> request) {
    const std::scoped_lock lock{mutex_};
    ++number_;
    wanted_ = std::move(request);
    wanted_at_ = Clock::now();
    hurried_ = false;
    Finding fresh; // what is still to come of the request before is of no interest
    fresh.ready = finding_.ready;
    fresh.problem = std::move(finding_.problem);
    finding_ = std::move(fresh);
    changed_.notify_all();
}

void DeepAnalysis::hurry() {
    const std::scoped_lock lock{mutex_};
    hurried_ = true;
    changed_.notify_all();
}

Finding DeepAnalysis::latest() const {
    const std::scoped_lock lock{mutex_};
    Finding finding = finding_;
    const bool for_long =
        away_since_ && Clock::now() - std::max(*away_since_, wanted_at_) >= longest_absence;
    if (nowhere_ || for_long) {
        finding.looked = finding.finished = true;
    }
    return finding;
}

std::string DeepAnalysis::take_note() {
    const std::scoped_lock lock{mutex_};
    return std::exchange(note_, "");
}

// ---- where the store is ----

// The store, if nobody has it. Returns why it cannot be had here or elsewhere.
std::string DeepAnalysis::open() {
    try {
        auto service = std::make_unique<Service>(config_, ServiceOptions{place_.data, false, ""});
        service->with_core([](Core& core) { // analyses in the store wait for a server
            core.work_only_on(analysis::AnalysisId{});
        });
        service->start();
        service_ = std::move(service);
    } catch (const storage::StoreInUse& in_use) {
        return in_use.holder().empty() ? in_use.what() : "";
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

// It may be elsewhere after a restart.
std::expected<std::string, std::string> DeepAnalysis::server_now() const {
    if (!place_.server.empty()) {
        return place_.server;
    }
    std::expected<std::string, std::string> found =
        std::unexpected("no server has " + storage::shown(place_.data) + " at present");
    const auto trouble = guarded("looking for a server", [&] {
        if (!storage::is_url(place_.data)) {
            const auto owner = storage::owner_of(place_.data);
            found = owner && !owner->empty() ? *owner : std::move(found);
        } else if (const auto text = storage::announced_to_workers(place_.data)) {
            const auto address = worker_address_in(*text);
            found = address ? url_from(*address, this_network()) : std::move(found);
        }
    });
    return trouble ? std::unexpected(trouble->what) : found;
}

std::expected<DeepAnalysis::Line, std::string> DeepAnalysis::connect() const {
    if (service_) {
        return Line{};
    }
    const auto text = server_now();
    const auto url = text ? parse_server_url(*text) : std::unexpected(text.error());
    if (!url) {
        return std::unexpected(url.error());
    }
    const char* token = std::getenv("ADJOURN_TOKEN");
    return Line{*text, std::make_shared<HttpLink>(*url, token == nullptr ? config_.token : token,
                                                  most_answer)};
}

DeepAnalysis::Reply DeepAnalysis::send(Line& line, const std::string& method,
                                       const std::string& rest, const std::string& body,
                                       std::chrono::milliseconds patience) const {
    if (!line.link) {
        const auto target = http::parse_target(seat_ + rest);
        auto response =
            service_->answer({http::method_named(method), target->path, target->query, {}, body});
        return {response.status, std::move(response.body)};
    }
    auto reply = line.link->send(method, seat_ + rest, body, patience);
    if (!reply) {
        return {0, "the server on " + line.url + " does not answer: " + reply.error().message};
    }
    return {reply->status, std::move(reply->body)};
}

// ---- the two threads ----

// Says what is wanted, first of all that there is a seat.
void DeepAnalysis::speak() {
    before_.reset();
    if (held_) {
        held_();
    }
    std::expected<Line, std::string> line = std::unexpected("");
    std::unique_lock lock{mutex_};
    const auto pass_time = [&](const std::string& why) {
        lose(why);
        changed_.wait_for(lock, pause, [&] { return ends_; });
    };
    while (!ends_ && !service_ && place_.server.empty()) {
        lock.unlock();
        const std::string problem = open();
        const auto server = service_ || !problem.empty() ? std::unexpected("") : server_now();
        lock.lock();
        if (server) {
            note_ = "the server on " + *server + " has the store and does the work";
            break;
        }
        nowhere_ = !service_;
        if (nowhere_) {
            pass_time((problem.empty() ? server.error() : problem) + "; nothing can be analysed");
        }
    }
    nowhere_ = false;
    while (!ends_) {
        if (!line) {
            lock.unlock();
            line = connect();
            lock.lock();
        }
        if (!line) {
            pass_time(line.error());
            continue;
        }
        changed_.wait(lock, [&] { return ends_ || told_ != number_ || hurried_; });
        if (!ends_) {
            say(*line, lock);
        }
        if (told_ == 0) {
            line = std::unexpected("");
            pass_time(finding_.problem);
        }
    }
    if (line && told_ != 0) {
        lock.unlock();
        send(*line, "DELETE", "", "", patience);
    }
}

// The request, or that time is short.
void DeepAnalysis::say(Line& line, std::unique_lock<std::mutex>& lock) {
    const std::int64_t number = number_;
    const bool hurry = told_ == number;
    hurried_ = hurried_ && !hurry;
    json body = hurry ? json{{"hurry", true}} : body_of(wanted_);
    body["number"] = number;
    if (!line.link && held_ && body.contains("position")) {
        service_->post([held = held_](Core&) { held(); });
    } else if (line.link && !place_.engine.empty()) {
        body["engine"] = place_.engine;
    }
    lock.unlock();
    const Reply reply = send(line, "PUT", "", body.dump(), patience);
    lock.lock();
    if (reply.status / 100 == 2 || reply.status == 400) {
        told_ = number;
        changed_.notify_all();
    } else {
        lose(reason_in(reply.body, reply.status));
    }
    if (reply.status == 400 && number == number_) {
        finding_.problem = reason_in(reply.body, reply.status);
        finding_.looked = finding_.finished = true;
        news_();
    }
}

void DeepAnalysis::listen() {
    std::unique_lock lock{mutex_};
    while (true) {
        changed_.wait(lock, [&] { return ends_ || told_ != 0; });
        if (ends_) {
            return;
        }
        lock.unlock();
        auto line = connect();
        lock.lock();
        if (line) {
            heard_ = line->link;
        } else {
            lose(line.error());
        }
        while (!ends_ && line && told_ != 0) {
            const std::string after = "?after=" + std::to_string(version_);
            lock.unlock();
            const Reply reply = send(*line, "GET", after, "", longest_poll);
            lock.lock();
            if (!ends_ && told_ != 0 && (reply.status != 200 || !take(reply.body))) {
                lose(reason_in(reply.body, reply.status));
            }
        }
    }
}

// What is found; false where it is not understood.
bool DeepAnalysis::take(const std::string& body) {
    try {
        const json parsed = json::parse(body);
        version_ = parsed.at("version");
        if (parsed.at("number") == number_) {
            finding_ =
                read_finding(parsed, wanted_ ? wanted_->game.position : chess::Position::initial());
            away_since_.reset();
            news_();
        }
        return true;
    } catch (const json::exception&) {
        return false;
    }
}

// There is no seat, for now; what was found stays.
void DeepAnalysis::lose(const std::string& why) {
    told_ = 0;
    version_ = 0;
    if (!away_since_ || !finding_.ready) {
        finding_.problem = finding_.ready ? why + "; what is known counts meanwhile" : why;
    }
    away_since_ = away_since_.value_or(Clock::now());
    news_();
    changed_.notify_all();
}

} // namespace adjourn::server::uci
