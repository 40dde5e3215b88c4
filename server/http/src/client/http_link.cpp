#include "http/client/http_link.hpp"

#include "base/number.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <exception>
#include <optional>

namespace adjourn::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace ssl = boost::asio::ssl;

using Plain = beast::tcp_stream;
using Secure = beast::ssl_stream<beast::tcp_stream>;
// Until a host takes a connection: its system does that, however much the server has to do.
constexpr std::chrono::seconds to_connect{5};

using Message = beast::http::request<beast::http::string_body>;

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
        if (url.secure) {
            tls.set_default_verify_paths(); // $SSL_CERT_FILE and $SSL_CERT_DIR, too
            if (!url.ca_file.empty()) {
                tls.load_verify_file(url.ca_file);
            }
            tls.set_verify_mode(ssl::verify_peer);
        }
    }

    Message message(const std::string& method, const std::string& target, const std::string& body,
                    const Headers& more) {
        namespace http = beast::http;
        Message message{http::string_to_verb(method), target, 11};
        message.set(http::field::host, url.authority);
        message.set(http::field::user_agent, std::string{"adjourn/"} + ADJOURN_VERSION);
        if (!token.empty()) {
            message.set(http::field::authorization, "Bearer " + token);
        }
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
        asio::ip::tcp::resolver resolver{context};
        const auto found = co_await resolver.async_resolve(url.host, url.port, asio::use_awaitable);
        if (closed) {
            throw boost::system::system_error{asio::error::operation_aborted};
        }
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
        http::response_parser<http::string_body> parser;
        parser.body_limit(most);
        co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
        Reply reply{static_cast<int>(parser.get().result_int()), std::move(parser.get().body())};
        if (!parser.get().keep_alive()) {
            drop();
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

    std::expected<Reply, Trouble> attempt(const Message& message,
                                          std::chrono::milliseconds patience) {
        std::optional<Reply> reply;
        std::exception_ptr failure;
        handshaking = false;
        context.restart();
        asio::co_spawn(context, exchange(message, patience),
                       [&](std::exception_ptr failed, Reply result) {
                           failure = failed;
                           if (!failed) {
                               reply = std::move(result);
                           }
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
};

HttpLink::HttpLink(ServerUrl url, std::string token, std::size_t most)
    : impl_{std::make_shared<Impl>(std::move(url), std::move(token), most)} {}

HttpLink::~HttpLink() = default;

// A connection that was kept may have been closed by the server meanwhile: then once more.
std::expected<HttpLink::Reply, HttpLink::Trouble>
HttpLink::send(const std::string& method, const std::string& target, const std::string& body,
               std::chrono::milliseconds patience, const Headers& more) {
    const Message message = impl_->message(method, target, body, more);
    const bool kept = impl_->open();
    const auto began = std::chrono::steady_clock::now();
    if (impl_->closed) {
        return std::unexpected(Trouble{"it was stopped", false});
    }
    auto reply = impl_->attempt(message, patience);
    const auto gone = std::chrono::steady_clock::now() - began;
    if (!reply && kept && !impl_->closed && gone < patience) {
        reply = impl_->attempt(message, patience);
    }
    return reply;
}

void HttpLink::close() {
    impl_->closed = true;
    asio::post(impl_->context, [impl = impl_.get()] {
        if (Plain* socket = impl->socket()) {
            socket->close();
        }
    });
}

} // namespace adjourn::server
