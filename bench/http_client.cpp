#include "http_client.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

namespace adjourn::bench {

namespace beast = boost::beast;
namespace http = beast::http;

struct HttpClient::Impl {
    boost::asio::io_context context;
    beast::tcp_stream stream{context};
    beast::flat_buffer buffer;
    std::string host;
    std::string token;
};

HttpClient::HttpClient(const std::string& address, std::uint16_t port, std::string token)
    : impl_{std::make_unique<Impl>()} {
    impl_->token = std::move(token);
    impl_->host = address + ":" + std::to_string(port);
    impl_->stream.connect({boost::asio::ip::make_address(address), port});
    impl_->stream.socket().set_option(boost::asio::ip::tcp::no_delay{true});
}

HttpClient::~HttpClient() = default;

HttpClient::Reply HttpClient::get(const std::string& target) {
    return send("GET", target, "", "");
}

HttpClient::Reply HttpClient::send(const std::string& method, const std::string& target,
                                   const std::string& body, const std::string& content_type) {
    http::request<http::string_body> request{http::string_to_verb(method), target, 11};
    request.set(http::field::host, impl_->host);
    if (!impl_->token.empty()) {
        request.set(http::field::authorization, "Bearer " + impl_->token);
    }
    if (!content_type.empty()) {
        request.set(http::field::content_type, content_type);
        request.body() = body;
    }
    request.prepare_payload();
    http::write(impl_->stream, request);
    http::response_parser<http::string_body> parser;
    parser.body_limit(1U << 30);
    http::read(impl_->stream, impl_->buffer, parser);
    return {static_cast<int>(parser.get().result_int()), std::move(parser.get().body())};
}

} // namespace adjourn::bench
