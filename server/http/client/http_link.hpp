// HttpLink: one connection to a server, http or https, kept open between requests. For one thread,
// but for close().
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::server {

class StreamedBody {
public:
    // What waits for a slow line is news no more: of more than this nothing waits but the newest.
    static constexpr std::size_t most_waiting = 64U << 10; // bytes

    void add(std::string_view text); // nothing comes of it after end()
    void end();
    bool ended() const;

private:
    friend class HttpLink;
    // What has come since the last time, and whether that was all.
    std::pair<std::string, bool> take();
    // Is called when something comes, on the thread that brings it; must not block or call back.
    void when_changed(std::function<void()> changed);

    mutable std::mutex mutex_;
    std::string waiting_;
    bool ended_ = false;
    std::function<void()> changed_;
};

struct ServerUrl {
    bool secure = false; // https
    std::string host;    // as for getaddrinfo: IPv6 without brackets
    std::string port;
    std::string authority; // as in the Host header
    std::string ca_file;   // certificates that are trusted besides the machine's own; "" = none
};
// "http://HOST[:PORT]" or "https://HOST[:PORT]", with "/" at the end or not. The usual ports are 80
// and 443. The error is for people.
std::expected<ServerUrl, std::string> parse_server_url(const std::string& text);

// Why the file cannot be a ServerUrl's `ca_file`, for people; "" if it can.
std::string problem_of_certificates(const std::string& file);

class HttpLink {
public:
    struct Reply {
        int status = 0;
        std::string body;
        std::optional<std::chrono::seconds> retry_after = {}; // as the header of that name says
    };
    struct Trouble {
        std::string message;    // for people
        bool untrusted = false; // its certificate is not to be believed
    };

    using Headers = std::vector<std::pair<std::string, std::string>>;
    static constexpr std::size_t most_bytes = 64U << 20; // of an answer's body

    // `token`: "" = none. `most`: bytes of an answer's body. REQUIRES: the file of certificates, if
    // any, has no problem.
    HttpLink(ServerUrl url, std::string token, std::size_t most = most_bytes);
    ~HttpLink();

    // Blocks until the answer is there; `patience` at most for the name of the host, for the
    // connection, and for the answer. A POST goes out once; anything else, where a connection that
    // was kept breaks, twice. A body is JSON unless `more` says what it is. A redirect is an
    // answer.
    std::expected<Reply, Trouble> send(const std::string& method, const std::string& target,
                                       const std::string& body, std::chrono::milliseconds patience,
                                       const Headers& more = {});
    // The same over a connection of its own with a body that is sent as it comes, by POST. Blocks
    // until the server has answered or gone, be it before the end of the body, which it may do at
    // any time; `patience` to connect, and again from the end of the body.
    std::expected<Reply, Trouble> stream(const std::string& target, StreamedBody& body,
                                         std::chrono::milliseconds patience,
                                         const Headers& more = {});
    // What is under way fails, and whatever comes. Any thread.
    void close();

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

} // namespace adjourn::server
