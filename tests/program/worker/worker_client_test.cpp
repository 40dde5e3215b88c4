// WorkerClient with a server of another version, and with questions that it does not understand.
#include "program.hpp"

#include "program/worker/worker_client.hpp"

#include "webhook_sink.hpp"

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

namespace {

// Says what a test wants it to say: status and body of each call. One after the other.
using Script = std::function<std::pair<int, json>(const std::string& call, const json& body)>;
WebhookSink::Answer scripted(Script script) {
    return [script = std::move(script)](const WebhookSink::Letter& letter) {
        const std::string target = letter.line.substr(0, letter.line.rfind(' '));
        const bool goodbye = target.starts_with("DELETE ");
        const auto [status, body] =
            script(goodbye ? "goodbye" : target.substr(target.rfind('/') + 1),
                   json::parse(letter.body, nullptr, false));
        return std::pair{"HTTP/1.1 " + std::to_string(status) + " x", body.dump()};
    };
}

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

WorkerClient::Options options(const WebhookSink& sink) {
    const std::string url = sink.url("");
    return {[url] {
                return std::vector{Server{*parse_server_url(url), url, ""}};
            },
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
        std::promise<void> told;
        const WebhookSink server{scripted([&](const std::string& call, const json& body) {
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
                    const bool was_last = answers.size() == 12;
                    answers[answer["lease"]] = answer;
                    if (was_last && answers.size() == 13) {
                        told.set_value();
                    }
                }
            }
            return std::pair{200, reply};
        })};
        WorkerClient client{options(server)};
        client.start();
        REQUIRE(told.get_future().wait_for(std::chrono::minutes{1}) == std::future_status::ready);
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
    std::promise<void> taken;
    bool took = false;
    const WebhookSink server{scripted([&](const std::string& call, const json& body) {
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
        if (call == "take" && !std::exchange(took, true)) {
            taken.set_value();
        }
        reply["leases"] = reply["results"] = json::array();
        return std::pair{200, reply};
    })};
    WorkerClient client{options(server)};
    client.start();
    REQUIRE(taken.get_future().wait_for(std::chrono::minutes{1}) == std::future_status::ready);
    CHECK(client.stop().empty());
}
