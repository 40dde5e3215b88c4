#include "fake_lichess.hpp"
#include "test.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace adjourn::server::lichess {

using nlohmann::json;
using namespace std::chrono_literals;

namespace {

constexpr auto patience = 3min; // for what has no deadline
constexpr auto poll_time = 1s;  // lichess: ten
constexpr int look_again_ms = 10;
constexpr const char* path_of_engines = "/api/external-engine";

std::string with_body(const std::string& head, const std::string& body) {
    return head + "\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\nContent-Type: application/json\r\n\r\n" + body;
}

bool tell(int peer, const std::string& text) {
    return send(peer, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

// More bytes; false at the end, and when nothing comes for `ms` (−1: it waits).
bool more(int peer, std::string& text, int ms = -1) {
    pollfd fd{peer, POLLIN, 0};
    if (poll(&fd, 1, ms) <= 0) {
        return false;
    }
    std::array<char, 4096> bytes{};
    const ssize_t count = recv(peer, bytes.data(), bytes.size(), 0);
    text.append(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    return count > 0;
}

bool has_gone(int peer) {
    char byte = 0;
    pollfd fd{peer, POLLIN, 0};
    return poll(&fd, 1, 0) > 0 && recv(peer, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

// A chunk's text; nullopt while it is not all there. "" of the last one.
std::optional<std::string> take_chunk(std::string& rest) {
    const std::size_t end = rest.find("\r\n");
    if (end == std::string::npos) {
        return std::nullopt;
    }
    const std::size_t size = std::stoul(rest.substr(0, end), nullptr, 16);
    if (rest.size() < end + 2 + size + 2) {
        return std::nullopt;
    }
    std::string text = rest.substr(end + 2, size);
    rest.erase(0, end + 2 + size + 2);
    return text;
}

} // namespace

FakeLichess::FakeLichess() {
    listen_again();
}

FakeLichess::~FakeLichess() {
    stop_listening();
}

void FakeLichess::listen_again() {
    listener_ = listen_on_loopback(port_);
    closing_ = false;
    accepting_ = std::thread{[this, listener = listener_] { accept_all(listener); }};
}

void FakeLichess::stop_listening() {
    {
        const std::lock_guard lock{mutex_};
        closing_ = true;
        for (const int peer : peers_) {
            shutdown(peer, SHUT_RDWR);
        }
        waiting_.clear();
        taken_.clear();
    }
    changed_.notify_all();
    shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    close(listener_);
    for (std::thread& thread : threads_) {
        thread.join();
    }
    threads_.clear();
}

void FakeLichess::accept_all(int listener) {
    for (int peer = accept(listener, nullptr, nullptr); peer >= 0;
         peer = accept(listener, nullptr, nullptr)) {
        const std::lock_guard lock{mutex_};
        if (closing_) {
            close(peer);
            return;
        }
        peers_.insert(peer);
        threads_.emplace_back([this, peer] { serve(peer); });
    }
}

void FakeLichess::serve(int peer) {
    std::string text;
    bool goes_on = true;
    while (goes_on) {
        std::size_t end = std::string::npos;
        while ((end = text.find("\r\n\r\n")) == std::string::npos && more(peer, text)) {
        }
        if (end == std::string::npos) {
            break;
        }
        Call call = read_head(text.substr(0, end));
        text.erase(0, end + 4);
        const auto length = call.headers.find("content-length");
        const std::size_t size = length == call.headers.end() ? 0 : std::stoul(length->second);
        while (text.size() < size && more(peer, text)) {
        }
        call.body = text.substr(0, size);
        text.erase(0, size);
        goes_on = answer(peer, call, text);
    }
    const std::lock_guard lock{mutex_};
    peers_.erase(peer);
    close(peer);
}

// Whether the connection goes on.
bool FakeLichess::answer(int peer, const Call& call, std::string& rest) {
    {
        const std::lock_guard lock{mutex_};
        calls.push_back(call);
        changed_.notify_all();
        for (Refusal& refusal : refusals_) {
            if (refusal.times > 0 && call.line.find(refusal.text) != std::string::npos) {
                --refusal.times;
                return tell(peer, with_body(refusal.head, refusal.body)) &&
                       !call.headers.contains("transfer-encoding");
            }
        }
    }
    const std::string work = std::string{path_of_engines} + "/work";
    if (call.line.starts_with("POST " + work + "/")) {
        const std::size_t at = 5 + work.size() + 1;
        take_stream(peer, call.line.substr(at, call.line.find(' ', at) - at), rest);
        return false;
    }
    if (call.line.starts_with("POST " + work + " ")) {
        return tell(peer, take(peer, call));
    }
    return tell(peer, register_engine(call));
}

std::string FakeLichess::register_engine(const Call& call) {
    const auto token = call.headers.find("authorization");
    const std::string given = token == call.headers.end() ? "" : token->second;
    if (given != std::string{"Bearer "} + good_token &&
        given != std::string{"Bearer "} + poor_token) {
        return with_body("HTTP/1.1 401 Unauthorized", R"({"error":"No such token"})");
    }
    const std::lock_guard lock{mutex_};
    if (call.line.starts_with(std::string{"GET "} + path_of_engines + " ")) {
        json list = json::array();
        for (json engine : engines) {
            engine.erase("providerSecret"); // it is never told
            list.push_back(std::move(engine));
        }
        return with_body("HTTP/1.1 200 OK", list.dump());
    }
    if (given == std::string{"Bearer "} + poor_token) {
        return with_body("HTTP/1.1 403 Forbidden", R"({"error":"Missing scope: engine:write"})");
    }
    json wanted = json::parse(call.body);
    const bool valid = wanted["name"].get<std::string>().size() >= 3 && wanted["maxThreads"] >= 1 &&
                       wanted["maxHash"] >= 1 &&
                       wanted["providerSecret"].get<std::string>().size() >= 16;
    if (!valid) {
        return with_body("HTTP/1.1 400 Bad Request", R"({"error":"Bad registration"})");
    }
    const std::string path = std::string{path_of_engines} + "/";
    for (json& engine : engines) {
        if (call.line.starts_with("PUT " + path + engine["id"].get<std::string>() + " ")) {
            engine.update(wanted);
            changed_.notify_all();
            return with_body("HTTP/1.1 200 OK", engine.dump());
        }
    }
    if (!call.line.starts_with(std::string{"POST "} + path_of_engines + " ")) {
        return with_body("HTTP/1.1 404 Not Found", R"({"error":"Not found"})");
    }
    wanted["id"] = "eei_" + std::to_string(++next_id_);
    wanted["userId"] = "bobby";
    wanted["clientSecret"] = "ees_secret";
    engines.push_back(wanted);
    changed_.notify_all();
    return with_body("HTTP/1.1 200 OK", wanted.dump());
}

std::string FakeLichess::take(int peer, const Call& call) {
    const std::string secret = json::parse(call.body)["providerSecret"];
    std::unique_lock lock{mutex_};
    ++polls;
    changed_.notify_all();
    std::string answer = "HTTP/1.1 204 No Content\r\n\r\n";
    const auto deadline = std::chrono::steady_clock::now() + poll_time;
    while (!closing_ && std::chrono::steady_clock::now() < deadline && !has_gone(peer)) {
        const auto job = std::ranges::find_if(waiting_, [&](const Job& each) {
            return each.secret.empty() || each.secret == secret;
        });
        if (job != waiting_.end()) {
            const Job taken = *job;
            waiting_.erase(job);
            if (taken.page && taken.page->gone) {
                continue;
            }
            if (taken.page) {
                taken_[taken.id] = taken.page;
            }
            answer = with_body("HTTP/1.1 200 OK", taken.body);
            break;
        }
        changed_.wait_for(lock, 10ms);
    }
    --polls;
    changed_.notify_all();
    return answer;
}

void FakeLichess::take_stream(int peer, const std::string& id, std::string& rest) {
    std::shared_ptr<Page> page;
    {
        const std::lock_guard lock{mutex_};
        if (const auto taken = taken_.find(id); taken != taken_.end()) {
            page = taken->second;
            taken_.erase(taken);
        }
    }
    if (!page) {
        tell(peer, with_body("HTTP/1.1 404 Not Found", "work not found or cancelled or expired"));
        return;
    }
    std::string text;
    bool over = false;
    while (!over) {
        {
            const std::lock_guard lock{mutex_};
            over = page->gone || closing_;
        }
        const auto chunk = take_chunk(rest);
        if (!chunk) {
            over = over || (!more(peer, rest, look_again_ms) && has_gone(peer));
            continue;
        }
        over = over || chunk->empty();
        text += *chunk;
        const std::lock_guard lock{mutex_};
        for (std::size_t end = text.find('\n'); end != std::string::npos && !over;
             end = text.find('\n')) {
            over = !page->hear(text.substr(0, end));
            text.erase(0, end + 1);
        }
        changed_.notify_all();
    }
    const std::lock_guard lock{mutex_};
    page->ended = !page->gone;
    changed_.notify_all();
    tell(peer, with_body(page->broken.empty() ? "HTTP/1.1 200 OK" : "HTTP/1.1 400 Bad Request",
                         page->broken));
}

void FakeLichess::refuse(const std::string& text, const std::string& head, int times,
                         const std::string& body) {
    const std::lock_guard lock{mutex_};
    refusals_.push_back({text, head, times, body});
}

std::shared_ptr<Page> FakeLichess::analyse(json work) {
    const std::lock_guard lock{mutex_};
    REQUIRE_FALSE(engines.empty());
    json engine = engines.front();
    const std::string secret = engine["providerSecret"];
    engine.erase("providerSecret");
    work["threads"] = std::min(work["threads"], engine["maxThreads"]);
    work["hash"] = std::min(work["hash"], engine["maxHash"]);
    auto page = std::make_shared<Page>();
    const std::string id = "work" + std::to_string(++next_id_);
    waiting_.push_back(
        {secret, json{{"id", id}, {"work", work}, {"engine", engine}}.dump(), id, page});
    changed_.notify_all();
    return page;
}

void FakeLichess::hand_out(const std::string& body) {
    const std::lock_guard lock{mutex_};
    waiting_.push_back({"", body, "", nullptr});
    changed_.notify_all();
}

void FakeLichess::go_away(const std::shared_ptr<Page>& page) {
    const std::lock_guard lock{mutex_};
    page->gone = true;
    changed_.notify_all();
}

void FakeLichess::wait(const std::string& what, const std::function<bool()>& holds) {
    std::unique_lock lock{mutex_};
    INFO("waiting until " << what);
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!holds()) {
        REQUIRE(std::chrono::steady_clock::now() < deadline);
        changed_.wait_for(lock, std::chrono::milliseconds{look_again_ms}); // files tell nobody
    }
}

} // namespace adjourn::server::lichess
