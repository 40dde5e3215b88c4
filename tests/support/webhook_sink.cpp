#include "webhook_sink.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>
#include <tuple>

namespace adjourn::server {

int listen_on_loopback(std::uint16_t& port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    if (listener < 0 || bind(listener, any, size) != 0 || listen(listener, 16) != 0 ||
        getsockname(listener, any, &size) != 0) {
        throw std::runtime_error{"a test's server cannot listen"};
    }
    port = ntohs(address.sin_port);
    return listener;
}

WebhookSink::Letter read_head(const std::string& text) {
    WebhookSink::Letter letter;
    std::istringstream head{text};
    std::getline(head, letter.line, '\r');
    for (std::string line; std::getline(head, line, '\r');) {
        line.erase(0, 1); // the line feed
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos) {
            continue;
        }
        std::string name = line.substr(0, colon);
        std::ranges::transform(name, name.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        letter.headers[name] = line.substr(colon + 2);
    }
    return letter;
}

WebhookSink::WebhookSink(std::deque<std::string> heads)
    : listener_{listen_on_loopback(port_)}, heads_{std::move(heads)} {
    thread_ = std::thread{[this] { run(); }};
}

WebhookSink::~WebhookSink() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
}

std::string WebhookSink::url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
}

std::vector<WebhookSink::Letter> WebhookSink::wait_for(std::size_t count) {
    std::unique_lock lock{mutex_};
    came_.wait(lock, [&] { return letters_.size() >= count; });
    return letters_;
}

std::vector<WebhookSink::Letter> WebhookSink::letters() {
    const std::lock_guard lock{mutex_};
    return letters_;
}

void WebhookSink::run() {
    for (int peer = accept(listener_, nullptr, nullptr); peer >= 0;
         peer = accept(listener_, nullptr, nullptr)) {
        std::string text;
        std::size_t whole = std::string::npos; // bytes of head and body, when they are known
        Letter letter;
        while (text.size() < whole) {
            char buffer[4096];
            const auto got = read(peer, buffer, sizeof buffer);
            if (got <= 0) {
                break;
            }
            text.append(buffer, static_cast<std::size_t>(got));
            const std::size_t end = text.find("\r\n\r\n");
            if (end == std::string::npos || whole != std::string::npos) {
                continue;
            }
            letter = read_head(text.substr(0, end));
            const auto length = letter.headers.find("content-length");
            whole = end + 4 + (length == letter.headers.end() ? 0 : std::stoul(length->second));
        }
        if (text.size() >= whole) {
            letter.body = text.substr(text.find("\r\n\r\n") + 4);
            letter.at = std::chrono::steady_clock::now();
            const std::lock_guard lock{mutex_};
            std::string head = "HTTP/1.1 204 No Content", body;
            if (answer_) {
                std::tie(head, body) = answer_(letter);
            } else if (!heads_.empty()) {
                head = heads_.front();
                heads_.pop_front();
            }
            const std::string answer = head + "\r\nContent-Length: " + std::to_string(body.size()) +
                                       "\r\nConnection: close\r\n\r\n" + body;
            static_cast<void>(send(peer, answer.data(), answer.size(), MSG_NOSIGNAL));
            letters_.push_back(std::move(letter));
            came_.notify_all();
        }
        close(peer);
    }
}

} // namespace adjourn::server
