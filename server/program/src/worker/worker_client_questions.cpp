// WorkerClient, what it is asked.
#include "program/worker/worker_client.hpp"

#include "chess/notation.hpp"
#include "core/records/value_json.hpp"

#include <boost/asio/post.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace adjourn::server {

using engine_bridge::Job;
using nlohmann::json;

// Else what of it is not understood.
std::expected<WorkerClient::Held, std::string> WorkerClient::question_of(const json& lease) {
    try {
        const std::string profile = lease.at("profile");
        const auto engine = std::ranges::find_if(
            engines_, [&](const Engine& each) { return each.profile.name == profile; });
        const auto position = chess::Position::from_fen(lease.at("fen").get<std::string>());
        const auto limit = parse_limit_json(lease.at("limit"));
        if (engine == engines_.end() || !position || !limit) {
            return std::unexpected(engine == engines_.end() ? "its engine is not known here"
                                   : !position              ? "its position"
                                                            : "its limit");
        }
        Held held{lease.at("lease"), static_cast<std::size_t>(engine - engines_.begin()),
                  lease.at("question"), Job{dispatcher_->next_id(), *position, *limit, {}}};
        for (const json& text : lease.at("searchmoves")) {
            const auto move = chess::parse_uci(*position, text.get<std::string>());
            if (!move) {
                return std::unexpected("its moves");
            }
            held.job.searchmoves.push_back(*move);
        }
        held.job.affinity = std::stoull(lease.at("affinity").get<std::string>());
        held.job.game = std::stoull(lease.at("game").get<std::string>());
        held.job.urgent = lease.at("urgent");
        return held;
    } catch (const std::exception&) { // json's, or of a number
        return std::unexpected("a field is missing or of another kind");
    }
}

void WorkerClient::accept(const json& lease) {
    auto held = question_of(lease);
    if (!held) {
        const std::string problem = "a question of the server is not understood: " + held.error();
        if (not_understood_.insert(problem).second) {
            spdlog::error("{}; such questions go back", problem);
        }
        answers_.push_back(
            {{"lease", lease.at("lease")},
             {"profile", lease.at("profile")},
             {"question", lease.at("question")},
             {"failure", {{"kind", "no_result"}, {"reason", problem}, {"attempts", 0}}}});
        changed_.notify_all();
        return;
    }
    Engine& engine = engines_[held->engine];
    const Job job = held->job;
    held_.emplace(job.id, std::move(*held));
    ++engine.out;
    // Not at once: the lock is held here.
    dispatcher_->submit(engine.index, job, [this, id = job.id](engine_bridge::Result result) {
        boost::asio::post(loop_.context(), [this, id, result = std::move(result)]() mutable {
            done(id, std::move(result));
        });
    });
}

void WorkerClient::heed(const json& news) {
    drain_ = news.at("drain");
    for (const char* what : {"withdrawn", "hurried"}) {
        for (const json& lease : news.at(what)) {
            for (const auto& [id, held] : held_) {
                if (held.lease == lease) {
                    *what == 'w' ? dispatcher_->cancel(id) : dispatcher_->hurry(id);
                }
            }
        }
    }
}

} // namespace adjourn::server
