// A core of simulated workers behind the API that requests of any kind are sent to, and what must
// hold of every answer.
#pragma once

#include "core_fixture.hpp"
#include "described_requests.hpp"
#include "test_api.hpp"

namespace adjourn::server {

class DescribedServer {
public:
    DescribedServer() {
        const http::Response told = api_({http::Method::get, "/api/v1/openapi.json", {}, {}, ""});
        requests_ = std::make_unique<DescribedRequests>(nlohmann::json::parse(told.body));
    }

    // Sends what the bytes say, with some work by the engines between. Returns what is wrong with
    // an answer, "" if nothing is. `answers` counts by status.
    std::string run(std::span<const std::uint8_t> bytes, std::map<int, std::size_t>& answers) {
        Choices choices{bytes};
        std::string wrong;
        api_({http::Method::post, "/api/v1/analyses", {}, {}, first_analysis});
        work(6);
        for (int i = 0; i < most_requests && !choices.used_up() && wrong.empty(); ++i) {
            const DescribedRequests::Made made = requests_->make(choices, ids());
            const http::Response response = api_(made.request);
            ++answers[response.status];
            wrong = wrong_with(made, response);
            work(choices.below(8));
        }
        std::vector<analysis::AnalysisId> all;
        for (const auto& run : core_.core->queue().runs()) {
            all.push_back(run->record.id);
        }
        for (const analysis::AnalysisId id : all) {
            if (!core_.core->remove(id).wait()) {
                wrong += " (an analysis cannot be removed)";
            }
        }
        core_.settle_down();
        if (!core_.core->health().store_problem().empty()) {
            wrong += " (the store: " + core_.core->health().store_problem() + ")";
        }
        return wrong;
    }

private:
    static constexpr int most_requests = 8;
    static constexpr const char* first_analysis =
        R"({"position":{"moves":"e4 e5"},"limit":{"depth":8},"strategy":{"refine":3}})";

    // Never none: the last one was there.
    std::vector<std::int64_t> ids() const {
        std::vector<std::int64_t> all;
        for (const auto& run : core_.core->queue().runs()) {
            all.push_back(static_cast<std::int64_t>(run->record.id));
        }
        return all.empty() ? std::vector<std::int64_t>{1} : all;
    }

    // Time passes, and the engines give some answers.
    void work(std::size_t answers) {
        core_.clock += 300;
        core_.work_until([] { return false; }, answers);
        core_.core->look_after();
        core_.settle_down();
    }

    static std::string wrong_with(const DescribedRequests::Made& made,
                                  const http::Response& response) {
        const auto told = [&](const std::string& what) {
            std::string query;
            for (const auto& [name, value] : made.request.query) {
                query += " " + name + "=" + value;
            }
            return what + ": " + made.call + " as " + made.request.path + query + " " +
                   made.request.body.substr(0, 2000) + " → " + std::to_string(response.status) +
                   " " + response.body.substr(0, 500);
        };
        // What names no call any more is not the call's.
        const bool other_path = response.status == 404 || response.status == 405;
        if (response.status >= 500 || (!made.statuses.contains(response.status) && !other_path)) {
            return told("a status that the description does not name");
        }
        const bool is_json = response.content_type.starts_with("application/json");
        const auto parsed = is_json && !response.body.empty()
                                ? nlohmann::json::parse(response.body, nullptr, false)
                                : nlohmann::json::object();
        if (parsed.is_discarded()) {
            return told("no JSON");
        }
        const auto error = parsed.is_object() ? parsed.value("error", nlohmann::json::object())
                                              : nlohmann::json::object();
        if (response.status >= 400 &&
            (error.value("code", "").empty() || error.value("message", "").size() < 6)) {
            return told("an error that says nothing");
        }
        return "";
    }

    const TemporaryDirectory directory_;
    Bench bench_;
    CoreFixture core_{directory_.path(), bench_};
    TestApi api_{core_};
    std::unique_ptr<DescribedRequests> requests_;
};

} // namespace adjourn::server
