// A core of simulated workers behind the API that requests of any kind are sent to, and what must
// hold of every answer.
#pragma once

#include "core/schedule/core.hpp"
#include "described_requests.hpp"
#include "simulated_workers.hpp"
#include "storage/open.hpp"
#include "temporary_directory.hpp"
#include "test_api.hpp"

#include <boost/asio/executor_work_guard.hpp>

#include <deque>
#include <map>
#include <memory>

namespace adjourn::server {

class DescribedServer {
public:
    DescribedServer() {
        engine_bridge::Profile profile;
        profile.name = "simulated";
        profile.command = {"none"};
        profile.count = 2;
        CoreOptions options;
        options.collections = directory_.path() / "collections";
        options.engines = {profile};
        options.clock = options.steady = [this] { return clock_; };
        options.ticking = false;
        core_ = std::make_unique<Core>(context_, *store_, std::move(options),
                                       [this](auto dispatcher, auto id, const auto&, auto calls) {
                                           return std::make_unique<SimulatedProcesses>(
                                               std::move(dispatcher), id, bench_, std::move(calls));
                                       });
        core_->start();
        settle();
        api_ = std::make_unique<TestApi>(*core_, [this] {
            settle();
            core_->look_after(); // what the clock drives, such as a verify
        });
        const http::Response told =
            (*api_)({http::Method::get, "/api/v1/openapi.json", {}, {}, ""});
        requests_ = std::make_unique<DescribedRequests>(nlohmann::json::parse(told.body));
    }
    ~DescribedServer() {
        bool gone = false;
        core_->stop([&] { gone = true; });
        while (!gone) {
            settle();
        }
        core_.reset();
    }
    DescribedServer(const DescribedServer&) = delete;
    DescribedServer& operator=(const DescribedServer&) = delete;

    // Sends what the bytes say, with some work by the engines between. Returns what is wrong with
    // an answer, "" if nothing is. `answers` counts by status.
    std::string run(std::span<const std::uint8_t> bytes, std::map<int, std::size_t>& answers) {
        Choices choices{bytes};
        std::string wrong;
        (*api_)({http::Method::post, "/api/v1/analyses", {}, {}, first_analysis});
        work(6);
        for (int i = 0; i < most_requests && !choices.used_up() && wrong.empty(); ++i) {
            const DescribedRequests::Made made = requests_->make(choices, ids());
            const http::Response response = (*api_)(made.request);
            ++answers[response.status];
            wrong = wrong_with(made, response);
            work(choices.below(8));
        }
        std::vector<analysis::AnalysisId> all;
        for (const auto& run : core_->queue().runs()) {
            all.push_back(run->record.id);
        }
        for (const analysis::AnalysisId id : all) {
            if (!core_->remove(id).wait()) {
                wrong += " (an analysis cannot be removed)";
            }
        }
        settle();
        if (!core_->health().store_problem().empty()) {
            wrong += " (the store: " + core_->health().store_problem() + ")";
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
        for (const auto& run : core_->queue().runs()) {
            all.push_back(static_cast<std::int64_t>(run->record.id));
        }
        return all.empty() ? std::vector<std::int64_t>{1} : all;
    }

    // Time passes, and the engines give some answers.
    void work(std::size_t answers) {
        clock_ += 300;
        settle();
        for (; answers > 0 && bench_.step(); --answers) {
            settle();
        }
        core_->look_after();
        settle();
    }

    void settle() {
        do {
            store_->flush();
            context_.restart();
        } while (context_.poll() > 0);
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
    boost::asio::io_context context_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open_{
        context_.get_executor()};
    std::unique_ptr<storage::Store> store_ =
        storage::open_store(directory_.path(), storage::OpenMode::owner);
    analysis::UnixMs clock_ = 1'700'000'000'000;
    std::unique_ptr<Core> core_;
    std::unique_ptr<TestApi> api_;
    std::unique_ptr<DescribedRequests> requests_;
};

} // namespace adjourn::server
