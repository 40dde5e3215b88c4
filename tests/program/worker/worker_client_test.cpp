// WorkerClient with a server of another version, and with questions that it does not understand.
#include "program.hpp"

#include "program/worker/worker_client.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

namespace beast_http = boost::beast::http;
using tcp = boost::asio::ip::tcp;

namespace {

// Says what a test wants it to say.
class ScriptedServer {
public:
    using Script = std::function<std::pair<int, json>(const std::string& call, const json& body)>;

    explicit ScriptedServer(Script script) : script_{std::move(script)} {
        accepting_ = std::thread{[this] {
            while (true) {
                boost::system::error_code failed;
                tcp::socket peer{context_};
                acceptor_.accept(peer, failed);
                if (failed || ended_) {
                    return;
                }
                talking_.emplace_back([this, peer = std::move(peer)]() mutable { talk(peer); });
            }
        }};
    }
    ~ScriptedServer() {
        ended_ = true;
        tcp::socket last{context_};
        boost::system::error_code ignored;
        last.connect(acceptor_.local_endpoint(), ignored);
        accepting_.join();
        for (std::thread& each : talking_) {
            each.join();
        }
    }

    std::expected<std::vector<Server>, LinkTrouble> found() const {
        const std::string url =
            "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
        return std::vector{Server{*parse_server_url(url), url, ""}};
    }
    template <class Condition>
    void wait(const Condition& condition) {
        std::unique_lock lock{mutex_};
        REQUIRE(changed_.wait_for(lock, std::chrono::minutes{1}, condition));
    }

private:
    void talk(tcp::socket& peer) {
        boost::beast::flat_buffer buffer;
        while (true) {
            beast_http::request<beast_http::string_body> request;
            boost::system::error_code failed;
            beast_http::read(peer, buffer, request, failed);
            if (failed) {
                return;
            }
            std::string call{request.target()};
            call = call.substr(call.rfind('/') + 1);
            std::pair<int, json> answer;
            {
                const std::lock_guard lock{mutex_};
                answer = script_(request.method() == beast_http::verb::delete_ ? "goodbye" : call,
                                 json::parse(request.body(), nullptr, false));
                changed_.notify_all();
            }
            beast_http::response<beast_http::string_body> response{
                static_cast<beast_http::status>(answer.first), 11};
            response.body() = answer.second.dump();
            response.prepare_payload();
            beast_http::write(peer, response, failed);
        }
    }

    Script script_;
    boost::asio::io_context context_;
    tcp::acceptor acceptor_{context_, {boost::asio::ip::address_v4::loopback(), 0}};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<bool> ended_ = false;
    std::thread accepting_;
    std::vector<std::thread> talking_;
};

struct Log {
    std::ostringstream text;
    std::shared_ptr<spdlog::logger> before = spdlog::default_logger();
    Log() {
        spdlog::set_default_logger(std::make_shared<spdlog::logger>(
            "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text)));
    }
    ~Log() { spdlog::set_default_logger(before); }
};

json welcome(int version) {
    json welcome{{"id", "m"},
                 {"profiles", {{{"name", "hash"}, {"accepted", true}, {"reason", nullptr}}}},
                 {"lease_seconds", 60},
                 {"beat_seconds", 15}};
    if (version > 0) {
        welcome["version"] = version;
    }
    return welcome;
}

json news() {
    return {{"withdrawn", json::array()}, {"hurried", json::array()}, {"drain", false}};
}

WorkerClient::Options options(const ScriptedServer& server) {
    return {[&server] { return server.found(); },
            "laptop",
            {{"hash", {hash_engine_path().string()}, {}, 1, false}},
            {}};
}

} // namespace

TEST_CASE("worker client: what is not understood goes back at once, and is told once") {
    const json good{{"lease", 7},
                    {"profile", "hash"},
                    {"question", "q"},
                    {"fen", "8/8/8/8/8/4k3/8/R3K3 w - - 0 1"},
                    {"limit", {{"depth", 1}}},
                    {"searchmoves", json::array()},
                    {"affinity", "0"},
                    {"game", "0"},
                    {"urgent", false}};
    json leases = json::array();
    const auto broken = [&](const char* field, const json& value) {
        for (int i = 0; i < 2; ++i) {
            json lease = good;
            lease["lease"] = 10 + leases.size();
            if (value.is_null()) {
                lease.erase(field);
            } else {
                lease[field] = value;
            }
            leases.push_back(lease);
        }
    };
    broken("fen", "nonsense");
    broken("limit", {{"moves", 4}});
    broken("searchmoves", {"e1e5"});
    broken("affinity", "many");
    broken("urgent", nullptr);
    broken("profile", "another");
    leases.push_back(good);
    const Log log;
    std::map<std::uint64_t, json> answers;
    std::vector<json> held;
    bool handed = false;
    {
        ScriptedServer server{[&](const std::string& call, const json& body) {
            if (call == "workers") {
                CHECK(body["version"] == 1);
                return std::pair{201, welcome(1)};
            }
            json reply = news();
            if (call == "take") {
                held.push_back(body["held"]);
                reply["leases"] = std::exchange(handed, true) ? json::array() : leases;
            } else if (call == "answers") {
                reply["results"] = json::array();
                for (const json& answer : body["answers"]) {
                    answers[answer["lease"]] = answer;
                }
            }
            return std::pair{200, reply};
        }};
        WorkerClient client{options(server)};
        client.start();
        server.wait([&] { return answers.size() == 13; });
        CHECK(client.stop().empty());
    }
    CHECK(answers[7].contains("score"));
    for (const json& lease : leases) {
        if (lease != good) {
            const json& answer = answers[lease["lease"]];
            CHECK(answer["failure"]["kind"] == "no_result");
            CHECK(answer["failure"]["reason"].get<std::string>().starts_with(
                "a question of the server is not understood: "));
            CHECK(answer["question"] == "q");
        }
    }
    CHECK(held.front() == json::array());
    const std::string text = log.text.str();
    CAPTURE(text);
    std::size_t lines = 0;
    for (std::size_t at = text.find("not understood"); at != std::string::npos;
         at = text.find("not understood", at + 1)) {
        ++lines;
    }
    CHECK(lines == 5); // engine, position, limit, moves, fields
}

TEST_CASE("worker client: a server of the version before is told no field that it does not know") {
    std::size_t takes = 0;
    ScriptedServer server{[&](const std::string& call, const json& body) {
        const auto unknown = [](const std::string& field) {
            return std::pair{400, json{{"error", {{"message", "there is no field " + field}}}}};
        };
        if (body.is_object() && body.contains("version")) {
            return unknown("version");
        }
        if (call == "workers") {
            return std::pair{201, welcome(0)};
        }
        if (body.is_object() && call == "take" && body.contains("held")) {
            return unknown("held");
        }
        json reply = news();
        takes += call == "take" ? 1 : 0;
        reply["leases"] = reply["results"] = json::array();
        return std::pair{200, reply};
    }};
    WorkerClient client{options(server)};
    client.start();
    server.wait([&] { return takes > 0; });
    CHECK(client.stop().empty());
}
