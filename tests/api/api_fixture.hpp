// The API on a core of simulated workers, without sockets.
#pragma once

#include "core_fixture.hpp"
#include "http/requests/target.hpp"
#include "test_api.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

struct ApiFixture {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture core{directory.path(), bench};
    std::unique_ptr<InstalledEngines> installed;
    TestApi api{core, nullptr, nullptr, installed.get()};

    explicit ApiFixture(std::unique_ptr<InstalledEngines> engines = nullptr)
        : installed{std::move(engines)} {}

    http::Response send(http::Method method, const std::string& target,
                        const nlohmann::json& body = {}) {
        return send_text(method, target, body.is_null() ? "" : body.dump());
    }
    http::Response send_text(http::Method method, const std::string& target,
                             const std::string& body) {
        const auto parsed = http::parse_target("/api/v1" + target);
        REQUIRE(parsed);
        return api(http::Request{method, parsed->path, parsed->query, {}, body});
    }
    // What a call answers that ends with this status.
    nlohmann::json ask(http::Method method, const std::string& target,
                       const nlohmann::json& body = {}, int status = 200) {
        return answer_of(send(method, target, body), status);
    }
    nlohmann::json ask_text(http::Method method, const std::string& target, const std::string& body,
                            int status = 200) {
        return answer_of(send_text(method, target, body), status);
    }
    nlohmann::json get(const std::string& target) { return ask(http::Method::get, target); }
    std::int64_t post(const nlohmann::json& body) {
        return ask(http::Method::post, "/analyses", body, 201)["id"];
    }
    // The error's code and place.
    void refuse(http::Method method, const std::string& target, const nlohmann::json& body,
                int status, const std::string& code, const std::string& where) {
        refuse_text(method, target, body.is_null() ? "" : body.dump(), status, code, where);
    }
    void refuse_text(http::Method method, const std::string& target, const std::string& body,
                     int status, const std::string& code, const std::string& where) {
        const http::Response response = send_text(method, target, body);
        INFO(target << " " << body << " → " << response.body);
        CHECK(response.status == status);
        const nlohmann::json error = nlohmann::json::parse(response.body)["error"];
        CHECK(error["code"] == code);
        CHECK(error["where"] == where);
        CHECK(error["message"].get<std::string>().size() > 5);
    }
    static nlohmann::json wanted(nlohmann::json position) {
        return {{"position", std::move(position)},
                {"limit", {{"depth", 8}}},
                {"strategy", {{"kind", "halving"}, {"move_distance", 20}, {"refine", 2}}}};
    }
    void settle(std::int64_t id) {
        core.work_until([&] { return core.settled(analysis::AnalysisId{id}); });
        REQUIRE(core.settled(analysis::AnalysisId{id}));
    }
    const AnalysisRun& run_of(std::int64_t id) const { return core.run(analysis::AnalysisId{id}); }

private:
    static nlohmann::json answer_of(const http::Response& response, int status) {
        INFO(response.body);
        REQUIRE(response.status == status);
        return response.body.empty() ? nlohmann::json{} : nlohmann::json::parse(response.body);
    }
};

inline std::string address_of(std::int64_t analysis, const std::string& rest = "") {
    return "/analyses/" + std::to_string(analysis) + rest;
}

// Of a node's moves; null where it is not among them.
inline nlohmann::json move_of(const nlohmann::json& node, const std::string& uci) {
    for (const nlohmann::json& move : node["moves"]) {
        if (move["uci"] == uci) {
            return move;
        }
    }
    return nullptr;
}

inline http::Request get_request(const std::string& target) {
    const auto parsed = http::parse_target("/api/v1" + target);
    REQUIRE(parsed);
    return http::Request{http::Method::get, parsed->path, parsed->query, {}, ""};
}

// With an analysis.
struct OneAnalysis : ApiFixture {
    std::int64_t id = 0;
    explicit OneAnalysis(const nlohmann::json& body) : id{post(body)} {}
    std::string path(const std::string& rest = "") const { return address_of(id, rest); }
    // A directive.
    nlohmann::json say(const nlohmann::json& body) {
        return ask(http::Method::post, path("/directives"), body, 201);
    }
    void change(const nlohmann::json& patch) { ask(http::Method::patch, path(), patch); }
};

// With an analysis whose tree is worth a longer look.
struct GrownTree : OneAnalysis {
    GrownTree() : OneAnalysis{body()} { settle(id); }
    static nlohmann::json body() {
        nlohmann::json body = wanted({{"moves", "1. e4 e5"}});
        body["strategy"]["refine"] = 3;
        return body;
    }
};

} // namespace adjourn::server
