#include "http/client/http_link.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/system/system_error.hpp>

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <exception>
#include <thread>

namespace adjourn::server {

using boost::system::error_code;
namespace error = boost::asio::error;

namespace {

// NameSearch: the addresses of a host by its name, in a time that can be relied on.

class NameSearch {
public:
    using Addresses = boost::asio::ip::tcp::resolver::results_type;
    // Longer than a name server that is away takes to be given up for the next one.
    static constexpr std::chrono::seconds longest{12};

    // Blocks for `patience` and `longest` at most, and not beyond close(). Throws
    // boost::system::system_error.
    // Nothing can interrupt the system's resolver, so it has a thread of its own, which nobody
    // waits for in the end.
    Addresses find(const std::string& host, const std::string& port,
                   std::chrono::milliseconds patience) {
        struct Found {
            Addresses all;
            std::optional<error_code> failed; // nullopt: it searches
        };
        const auto found = std::make_shared<Found>();
        std::thread{[found, host, port, shared = shared_] {
            boost::asio::io_context own;
            error_code failed;
            auto all = boost::asio::ip::tcp::resolver{own}.resolve(host, port, failed);
            const std::lock_guard lock{shared->mutex};
            *found = {std::move(all), failed};
            shared->changed.notify_all();
        }}.detach();
        std::unique_lock lock{shared_->mutex};
        shared_->changed.wait_for(lock, std::min<std::chrono::milliseconds>(patience, longest),
                                  [&] { return found->failed || shared_->closed; });
        if (shared_->closed) {
            throw boost::system::system_error{error::operation_aborted};
        }
        if (const error_code failed = found->failed.value_or(error::timed_out)) {
            throw boost::system::system_error{failed};
        }
        return found->all;
    }

    // for good; any thread
    void close() {
        const std::lock_guard lock{shared_->mutex};
        shared_->closed = true;
        shared_->changed.notify_all();
    }

private:
    struct Shared {
        std::mutex mutex;
        std::condition_variable changed;
        bool closed = false;
    };
    std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

} // namespace

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace ssl = boost::asio::ssl;

using Plain = beast::tcp_stream;
using Secure = beast::ssl_stream<beast::tcp_stream>;
// To take a connection: the host's system does that, however much its server has to do.
constexpr std::chrono::seconds to_connect{5};
using Message = beast::http::request<beast::http::string_body>;
using Head = beast::http::request<beast::http::empty_body>;

std::expected<ServerUrl, std::string> parse_server_url(const std::string& text) {
    const auto wrong = [&] {
        return std::unexpected("'" + text +
                               "' is not the address of a server; expected http://HOST:PORT or "
                               "https://HOST");
    };
    ServerUrl url;
    std::string rest;
    for (const auto& [scheme, secure] : {std::pair{"http://", false}, {"https://", true}}) {
        if (text.starts_with(scheme)) {
            url.secure = secure;
            rest = text.substr(std::string{scheme}.size());
        }
    }
    if (rest.ends_with('/')) {
        rest.pop_back();
    }
    if (rest.empty() || rest.find_first_of("/@?# \t\r\n") != std::string::npos) {
        return wrong();
    }
    url.authority = rest;
    const std::size_t bracket = rest.starts_with('[') ? rest.find(']') : 0;
    const std::size_t colon = rest.find(':', bracket == std::string::npos ? 0 : bracket);
    url.host = rest.substr(0, colon);
    url.port = colon == std::string::npos ? (url.secure ? "443" : "80") : rest.substr(colon + 1);
    if (url.host.starts_with('[') && url.host.ends_with(']')) {
        url.host = url.host.substr(1, url.host.size() - 2);
    }
    if (url.host.empty() || !base::parse_number<std::uint16_t>(url.port)) {
        return wrong();
    }
    return url;
}

std::string problem_of_certificates(const std::string& file) {
    ssl::context tls{ssl::context::tls_client};
    boost::system::error_code problem;
    tls.load_verify_file(file, problem);
    return problem ? "no certificates can be read from " + file + ": " + problem.message() : "";
}

struct HttpLink::Impl {
    Impl(ServerUrl url_, std::string token_, std::size_t most_)
        : url{std::move(url_)}, token{std::move(token_)}, most{most_} {
        base::keep_secret(token); // whoever is told it may quote it
        if (url.secure) {
            tls.set_default_verify_paths(); // $SSL_CERT_FILE and $SSL_CERT_DIR, too
            if (!url.ca_file.empty()) {
                tls.load_verify_file(url.ca_file);
            }
            tls.set_verify_mode(ssl::verify_peer);
        }
    }

    void address(beast::http::fields& head) const {
        namespace http = beast::http;
        head.set(http::field::host, url.authority);
        head.set(http::field::user_agent, std::string{"adjourn/"} + ADJOURN_VERSION);
        if (!token.empty()) {
            head.set(http::field::authorization, "Bearer " + token);
        }
    }

    Message message(const std::string& method, const std::string& target, const std::string& body,
                    const Headers& more) const {
        namespace http = beast::http;
        Message message{http::string_to_verb(method), target, 11};
        address(message);
        if (!body.empty()) {
            message.set(http::field::content_type, "application/json");
            message.body() = body;
        }
        for (const auto& [name, value] : more) {
            message.set(name, value);
        }
        message.prepare_payload();
        return message;
    }

    bool open() const { return plain || secure; }
    // The server has closed a connection that was kept, or said what nobody had asked for.
    bool ended() {
        char byte = 0;
        return open() &&
               (recv(socket()->socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 ||
                (errno != EAGAIN && errno != EINTR));
    }
    void drop() {
        plain.reset();
        secure.reset();
        buffer.clear();
    }
    Plain* socket() {
        return secure ? &beast::get_lowest_layer(*secure) : plain ? &*plain : nullptr;
    }

    // A host that vanishes without a word is noticed within some 7 s, also while nothing is said.
    void watch_host() {
        auto& tcp = socket()->socket();
        boost::system::error_code ignored; // without it the patience of the request counts
        tcp.set_option(asio::socket_base::keep_alive{true}, ignored);
        for (const auto& [option, value] :
             {std::pair{TCP_KEEPIDLE, 3}, std::pair{TCP_KEEPINTVL, 2}, std::pair{TCP_KEEPCNT, 2},
              std::pair{TCP_USER_TIMEOUT, 7'000}}) {
            setsockopt(tcp.native_handle(), IPPROTO_TCP, option, &value, sizeof value);
        }
    }

    asio::awaitable<void> connect(std::chrono::milliseconds patience) {
        const auto found = names.find(url.host, url.port, patience);
        if (!url.secure) {
            plain.emplace(context);
            plain->expires_after(std::min<std::chrono::milliseconds>(patience, to_connect));
            co_await plain->async_connect(found, asio::use_awaitable);
            watch_host();
            co_return;
        }
        secure.emplace(context, tls);
        secure->set_verify_callback(ssl::host_name_verification(url.host));
        SSL_set_tlsext_host_name(secure->native_handle(), url.host.c_str());
        socket()->expires_after(std::min<std::chrono::milliseconds>(patience, to_connect));
        co_await socket()->async_connect(found, asio::use_awaitable);
        watch_host();
        socket()->expires_after(patience);
        handshaking = true;
        co_await secure->async_handshake(ssl::stream_base::client, asio::use_awaitable);
        handshaking = false;
    }

    template <class Stream>
    asio::awaitable<Reply> talk(Stream& stream, const Message& message) {
        namespace http = beast::http;
        co_await http::async_write(stream, message, asio::use_awaitable);
        bool kept = false;
        Reply reply = co_await answer(stream, kept);
        if (!kept) {
            drop();
        }
        co_return reply;
    }

    template <class Stream>
    asio::awaitable<Reply> answer(Stream& stream, bool& kept) {
        namespace http = beast::http;
        http::response_parser<http::string_body> parser;
        parser.body_limit(most);
        co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
        auto& message = parser.get();
        kept = message.keep_alive();
        Reply reply{static_cast<int>(message.result_int()), std::move(message.body())};
        const auto after = message.find(http::field::retry_after);
        if (after != message.end()) {
            if (const auto seconds =
                    base::parse_number<std::uint32_t>(std::string{after->value()})) {
                reply.retry_after = std::chrono::seconds{*seconds};
            }
        }
        co_return reply;
    }

    asio::awaitable<Reply> exchange(const Message& message, std::chrono::milliseconds patience) {
        if (!open()) {
            co_await connect(patience);
        }
        socket()->expires_after(patience);
        if (secure) {
            co_return co_await talk(*secure, message);
        }
        co_return co_await talk(*plain, message);
    }

    // A body on its way, beside the answer that may come before its end. Lives as long as anything
    // is pending.
    struct Sending {
        Sending(asio::io_context& context, const Head& head_, StreamedBody& body_)
            : head{head_}, body{body_}, changed{context}, patience{context} {}

        const Head& head;
        StreamedBody& body;
        asio::steady_timer changed;  // never due; cancelled when there is news
        asio::steady_timer patience; // from the end of the body
        bool sent = false;           // all of it, or nobody takes it any more
        bool answered = false;       // or given up
    };

    template <class Stream>
    asio::awaitable<void> send_body(Stream& stream, Sending& sending) {
        namespace http = beast::http;
        http::request_serializer<http::empty_body> serializer{sending.head};
        co_await http::async_write_header(stream, serializer, asio::use_awaitable);
        while (!sending.answered) {
            const auto [text, ended] = sending.body.take();
            if (!text.empty()) {
                co_await asio::async_write(stream, http::make_chunk(asio::buffer(text)),
                                           asio::use_awaitable);
            } else if (ended) {
                co_await asio::async_write(stream, http::make_chunk_last(), asio::use_awaitable);
                co_return;
            } else {
                sending.changed.expires_at(asio::steady_timer::time_point::max());
                co_await sending.changed.async_wait(asio::as_tuple(asio::use_awaitable));
            }
        }
    }

    template <class Stream>
    asio::awaitable<Reply> converse(Stream& stream, std::chrono::milliseconds patience,
                                    Sending& sending) {
        asio::co_spawn(context, send_body(stream, sending),
                       [this, patience, &sending](const std::exception_ptr&) {
                           sending.sent = true; // what went wrong is seen by who waits
                           if (sending.answered) {
                               return;
                           }
                           sending.patience.expires_after(patience);
                           sending.patience.async_wait([this](boost::system::error_code stopped) {
                               if (!stopped) {
                                   socket()->close();
                               }
                           });
                       });
        bool kept = false;
        co_return co_await answer(stream, kept);
    }

    asio::awaitable<Reply> exchange(std::chrono::milliseconds patience, Sending& sending) {
        co_await connect(patience);
        socket()->expires_never();
        if (secure) {
            co_return co_await converse(*secure, patience, sending);
        }
        co_return co_await converse(*plain, patience, sending);
    }

    std::expected<Reply, Trouble> stream(const Head& head, StreamedBody& body,
                                         std::chrono::milliseconds patience) {
        drop();
        Sending sending{context, head, body};
        body.when_changed([&] { asio::post(context, [&sending] { sending.changed.cancel(); }); });
        auto reply = run(exchange(patience, sending), [&] {
            sending.answered = true;
            sending.changed.cancel();
            sending.patience.cancel();
            if (Plain* open = socket(); open != nullptr && !sending.sent) {
                open->close();
            }
        });
        body.when_changed(nullptr);
        context.restart();
        context.poll(); // what was posted meanwhile
        drop();
        return reply;
    }

    std::expected<Reply, Trouble> attempt(const Message& message,
                                          std::chrono::milliseconds patience) {
        return run(exchange(message, patience), [] {});
    }

    // `over` is called when there is an answer or none will come, while other things may be
    // pending.
    std::expected<Reply, Trouble> run(asio::awaitable<Reply> asked,
                                      const std::function<void()>& over) {
        std::optional<Reply> reply;
        std::exception_ptr failure;
        handshaking = false;
        context.restart();
        asio::co_spawn(context, std::move(asked), [&](std::exception_ptr failed, Reply result) {
            failure = failed;
            if (!failed) {
                reply = std::move(result);
            }
            over();
        });
        context.run();
        if (reply) {
            return std::move(*reply);
        }
        const bool untrusted = handshaking;
        drop();
        try {
            std::rethrow_exception(failure);
        } catch (const boost::system::system_error& error) {
            const bool certificate =
                untrusted && error.code().category() == asio::error::get_ssl_category();
            return std::unexpected(Trouble{error.code().message(), certificate});
        } catch (const std::exception& error) {
            return std::unexpected(Trouble{error.what(), false});
        }
    }

    const ServerUrl url;
    const std::string token;
    const std::size_t most;
    ssl::context tls{ssl::context::tls_client};
    asio::io_context context{1};
    std::optional<Plain> plain;
    std::optional<Secure> secure;
    beast::flat_buffer buffer;
    bool handshaking = false;
    std::atomic<bool> closed = false;
    NameSearch names;
};

HttpLink::HttpLink(ServerUrl url, std::string token, std::size_t most)
    : impl_{std::make_shared<Impl>(std::move(url), std::move(token), most)} {}

HttpLink::~HttpLink() = default;

// A connection that was kept may have been closed by the server meanwhile: then it is another one,
// and what breaks on the way is asked once more, where that does no harm.
std::expected<HttpLink::Reply, HttpLink::Trouble>
HttpLink::send(const std::string& method, const std::string& target, const std::string& body,
               std::chrono::milliseconds patience, const Headers& more) {
    const Message message = impl_->message(method, target, body, more);
    if (impl_->ended()) {
        impl_->drop();
    }
    const bool again = impl_->open() && message.method() != boost::beast::http::verb::post;
    const auto began = std::chrono::steady_clock::now();
    if (impl_->closed) {
        return std::unexpected(Trouble{"it was stopped", false});
    }
    auto reply = impl_->attempt(message, patience);
    const auto gone = std::chrono::steady_clock::now() - began;
    if (!reply && again && !impl_->closed && gone < patience) {
        reply = impl_->attempt(message, patience);
    }
    return reply;
}

std::expected<HttpLink::Reply, HttpLink::Trouble>
HttpLink::stream(const std::string& target, StreamedBody& body, std::chrono::milliseconds patience,
                 const Headers& more) {
    namespace http = beast::http;
    Head head{http::verb::post, target, 11};
    impl_->address(head);
    for (const auto& [name, value] : more) {
        head.set(name, value);
    }
    head.chunked(true);
    if (impl_->closed) {
        return std::unexpected(Trouble{"it was stopped", false});
    }
    return impl_->stream(head, body, patience);
}

void HttpLink::close() {
    impl_->closed = true;
    impl_->names.close();
    asio::post(impl_->context, [impl = impl_.get()] {
        if (Plain* socket = impl->socket()) {
            socket->close();
        }
    });
}

void StreamedBody::add(std::string_view text) {
    const std::lock_guard lock{mutex_};
    if (ended_) {
        return;
    }
    if (waiting_.size() + text.size() > most_waiting) {
        waiting_.clear();
    }
    waiting_ += text;
    if (changed_) {
        changed_();
    }
}

void StreamedBody::end() {
    const std::lock_guard lock{mutex_};
    ended_ = true;
    if (changed_) {
        changed_();
    }
}

bool StreamedBody::ended() const {
    const std::lock_guard lock{mutex_};
    return ended_;
}

std::pair<std::string, bool> StreamedBody::take() {
    const std::lock_guard lock{mutex_};
    return {std::exchange(waiting_, {}), ended_};
}

void StreamedBody::when_changed(std::function<void()> changed) {
    const std::lock_guard lock{mutex_};
    changed_ = std::move(changed);
}

} // namespace adjourn::server
