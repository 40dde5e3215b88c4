#include "client/remote.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <cstdlib>

namespace adjourn::server {

namespace beast = boost::beast;
namespace asio = boost::asio;

namespace {

struct Endpoint {
    std::string host;
    std::string port;
    std::string text; // as in the Host header
};

std::expected<Endpoint, std::string> endpoint_of(const std::string& url) {
    const std::string scheme = "http://";
    const std::size_t colon = url.rfind(':');
    if (!url.starts_with(scheme) || colon <= scheme.size()) {
        return std::unexpected("'" + url + "' is not the address of a server");
    }
    std::string host = url.substr(scheme.size(), colon - scheme.size());
    const std::string port = url.substr(colon + 1);
    const std::string text = host + ":" + port;
    if (host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    return Endpoint{host, port, text};
}

} // namespace

std::expected<Remote::Reply, std::string> HttpRemote::send(const std::string& method,
                                                           const std::string& target,
                                                           const std::string& body,
                                                           const std::string& content_type) {
    namespace http = beast::http;
    const auto endpoint = endpoint_of(url_);
    if (!endpoint) {
        return std::unexpected(endpoint.error());
    }
    try {
        asio::io_context context;
        asio::ip::tcp::resolver resolver{context};
        beast::tcp_stream stream{context};
        stream.connect(resolver.resolve(endpoint->host, endpoint->port));
        http::request<http::string_body> request{http::string_to_verb(method), target, 11};
        request.set(http::field::host, endpoint->text);
        request.set(http::field::user_agent, std::string{"adjourn/"} + ADJOURN_VERSION);
        if (const char* token = std::getenv("ADJOURN_TOKEN"); token != nullptr) {
            request.set(http::field::authorization, std::string{"Bearer "} + token);
        }
        if (!body.empty()) {
            request.set(http::field::content_type, content_type);
            request.body() = body;
        }
        request.prepare_payload();
        http::write(stream, request);
        beast::flat_buffer buffer;
        http::response_parser<http::string_body> parser;
        parser.body_limit(1U << 30);
        http::read(stream, buffer, parser);
        beast::error_code ignored; // the answer is here; how the peer closes does not matter
        stream.socket().shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
        return Reply{static_cast<int>(parser.get().result_int()), std::move(parser.get().body())};
    } catch (const beast::system_error& error) {
        return std::unexpected("the server on " + url_ + " does not answer: " + error.what());
    }
}

} // namespace adjourn::server
