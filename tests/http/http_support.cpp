#include "http_support.hpp"
#include "test.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <charconv>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace http_tests {

namespace net = boost::asio;

Server::Server(http::ListenerOptions options, int threads) : work_(context_.get_executor()) {
    options.port = 0;
    listener_ = std::make_unique<http::Listener>(
        context_, std::move(options), hub_,
        [this](http::Request request) { return handle(std::move(request)); });
    listener_->start();
    for (int i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { context_.run(); });
    }
}

Server::~Server() {
    release();
    stop(std::chrono::milliseconds(0)).wait();
    listener_.reset();
    work_.reset();
    for (auto& thread : threads_) {
        thread.join();
    }
}

std::future<void> Server::stop(std::chrono::milliseconds grace) {
    const auto stopped = std::make_shared<std::promise<void>>();
    listener_->stop(grace, [stopped] { stopped->set_value(); });
    return stopped->get_future();
}

void Server::await_waiting(int requests) {
    for (int now = waiting_; now < requests; now = waiting_) {
        waiting_.wait(now);
    }
}

void Server::release() {
    released_ = true;
}

net::awaitable<http::Response> Server::wait(std::stop_source unwanted) {
    const auto executor = co_await net::this_coro::executor;
    net::steady_timer timer(executor);
    ++waiting_;
    waiting_.notify_all();
    while (!released_ && !unwanted.stop_requested()) {
        timer.expires_after(std::chrono::milliseconds(1));
        co_await timer.async_wait(net::use_awaitable);
    }
    unwanted_ += unwanted.stop_requested() ? 1 : 0;
    co_return http::Response{200, "text/plain", "waited", {}};
}

net::awaitable<http::Response> Server::handle(http::Request request) {
    ++handled_;
    http::Response response;
    if (request.path == "/api/wait") {
        auto waited = wait(request.unwanted);
        co_return co_await std::move(waited);
    }
    if (request.path == "/api/throw") {
        throw std::runtime_error("a secret of the server");
    }
    if (request.path == "/api/broken") {
        co_return http::to_response(
            {http::ErrorCode::unavailable, "the store cannot be used: /var/lib/adjourn", ""});
    }
    if (request.path == "/api/bad-header") {
        response.headers["Content-Disposition"] = "x\r\nSet-Cookie: a=b";
        co_return response;
    }
    if (request.path == "/api/large" || request.path == "/api/long") {
        response.content_type = "text/plain";
        response.body.assign(request.path == "/api/large" ? 2'000'000 : 4096, 'x');
        co_return response;
    }
    nlohmann::json query = nlohmann::json::array();
    if (request.by_link) {
        query.push_back("by_link");
    }
    for (const auto& [name, value] : request.query) {
        query.push_back({name, value});
    }
    response.body = nlohmann::json{
        {"method", http::name_of(request.method)},
        {"path", request.path},
        {"query", query},
        {"body",
         request.body}}.dump();
    co_return response;
}

std::string Reply::code() const {
    const auto json = nlohmann::json::parse(body, nullptr, false);
    if (!json.is_object() || !json.contains("error") || !json["error"].contains("message")) {
        return "";
    }
    return json["error"].value("code", "");
}

Client::Client(std::uint16_t port, int receive_buffer) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0) {
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    const timeval limit{20, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        throw std::runtime_error("cannot connect");
    }
}

Client::~Client() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

Client::Client(Client&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), buffer_(std::move(other.buffer_)) {}

bool Client::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool Client::fill() {
    std::array<char, 65536> part{};
    const auto got = ::recv(fd_, part.data(), part.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        throw std::runtime_error("nothing came for 20 s");
    }
    if (got <= 0) {
        return false;
    }
    buffer_.append(part.data(), static_cast<std::size_t>(got));
    return true;
}

std::optional<std::string> Client::read_until(std::string_view mark) {
    std::size_t found = buffer_.find(mark);
    while (found == std::string::npos) {
        if (!fill()) {
            return std::nullopt;
        }
        found = buffer_.find(mark);
    }
    auto text = buffer_.substr(0, found + mark.size());
    buffer_.erase(0, text.size());
    return text;
}

std::optional<Reply> Client::read_head() {
    const auto head = read_until("\r\n\r\n");
    if (!head || !head->starts_with("HTTP/1.1 ")) {
        return std::nullopt;
    }
    Reply reply;
    std::from_chars(head->data() + 9, head->data() + 12, reply.status);
    for (std::size_t line = head->find("\r\n") + 2; line < head->size() - 2;) {
        const auto end = head->find("\r\n", line);
        const auto colon = head->find(": ", line);
        auto name = head->substr(line, colon - line);
        for (auto& c : name) {
            c = static_cast<char>(std::tolower(c));
        }
        reply.headers[name] = head->substr(colon + 2, end - colon - 2);
        line = end + 2;
    }
    return reply;
}

std::optional<Reply> Client::read_reply(bool to_head) {
    auto reply = read_head();
    if (!reply || to_head || !reply->headers.contains("content-length")) {
        return reply;
    }
    const auto length = std::stoul(reply->headers["content-length"]);
    while (buffer_.size() < length) {
        if (!fill()) {
            return std::nullopt;
        }
    }
    reply->body = buffer_.substr(0, length);
    buffer_.erase(0, length);
    return reply;
}

std::string Client::read_to_end() {
    while (fill()) {
    }
    return std::exchange(buffer_, {});
}

bool Client::has_data() const {
    char byte = 0;
    return ::recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool Client::drips_until_closed(std::string_view drop) {
    for (int i = 0; i < 4'000; ++i) {
        if (!send(drop)) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

bool Client::closed_by_server() {
    return buffer_.empty() && !fill();
}

std::string bearer(std::string_view secret) {
    return "Authorization: Bearer " + std::string(secret) + "\r\n";
}

std::string ticket_of(const Reply& reply) {
    REQUIRE(reply.status == 201);
    return nlohmann::json::parse(reply.body).at("ticket").get<std::string>();
}

std::string request(const Server& server, std::string_view method, std::string_view target,
                    std::string_view headers, std::string_view body) {
    std::string text;
    text.append(method).append(" ").append(target).append(" HTTP/1.1\r\n");
    text.append("Host: ").append(server.host()).append("\r\n").append(headers);
    if (!body.empty()) {
        text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    }
    return text.append("\r\n").append(body);
}

Reply ask(const Server& server, std::string_view method, std::string_view target,
          std::string_view headers, std::string_view body) {
    Client client(server.port());
    client.send(request(server, method, target, headers, body));
    return client.read_reply(method == "HEAD").value_or(Reply{});
}

} // namespace http_tests
