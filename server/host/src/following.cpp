#include "following.hpp"

#include "core/records/stored_analysis.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace adjourn::server {

using analysis::AnalysisId;
using analysis::EvaluationId;

namespace {

// A look is one query of a few rows; what was stored is seen here half of this later, on average.
constexpr std::chrono::milliseconds between_looks{250};
constexpr std::chrono::milliseconds before_next_try{1'000}; // the database
// So many take a few milliseconds of the core's thread.
constexpr std::size_t facts_at_once = 100;

} // namespace

Following::Following(std::unique_ptr<storage::Follower> follower, const storage::Store& store,
                     OnCore on_core)
    : follower_{std::move(follower)}, store_{store}, on_core_{std::move(on_core)} {}

Following::~Following() {
    stop();
}

void Following::start() {
    on_core_([this](Core& core) {
        for (const auto& run : core.queue().runs()) {
            known_.insert(run->record.id);
        }
    });
    thread_ = std::thread{[this] { run(); }};
}

void Following::stop() {
    {
        const std::lock_guard lock{mutex_};
        stopping_ = true;
    }
    stop_.notify_all();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Following::run() {
    std::string told;
    const auto pause = [this](std::chrono::milliseconds most) {
        std::unique_lock lock{mutex_};
        stop_.wait_for(lock, most, [this] { return stopping_; });
        return !stopping_;
    };
    auto next = std::chrono::milliseconds{0};
    while (pause(next)) {
        try {
            next = carry() ? std::chrono::milliseconds{0} : between_looks;
            if (!std::exchange(told, "").empty()) {
                spdlog::info("the store is followed again");
            }
        } catch (const std::exception& error) { // the database, or a task of the core
            if (std::exchange(told, error.what()) != error.what()) {
                spdlog::warn("the store is not followed: {}; it is tried again", error.what());
            }
            next = before_next_try;
        }
    }
}

// What fails on the way is carried again: to follow something twice changes nothing.
bool Following::carry() {
    if (const bool there = follower_->has_owner(); there != writer_) {
        on_core_([there](Core& core) { core.follow_writer(there); });
        writer_ = there;
    }
    if (!pending_) {
        pending_ = follower_->next();
    }
    if (pending_->missed) {
        read_all();
    } else {
        if (!pending_->analyses.empty()) {
            read_analyses(pending_->analyses, pending_->seeded, false);
        }
        hand_over_facts(*pending_);
    }
    const bool more = pending_->more;
    pending_.reset();
    return more;
}

void Following::read_all() {
    std::vector<AnalysisId> ids{known_.begin(), known_.end()};
    for (const storage::AnalysisRecord& record : store_.analyses()) {
        if (!known_.contains(record.id)) {
            ids.push_back(record.id);
        }
    }
    read_analyses(ids, ids, true);
    Core::Import all;
    for (const storage::EngineRecord& engine : store_.engines()) {
        all.engines.insert(engine.id);
    }
    Core::Imported imported;
    on_core_([&](Core& core) { imported = core.when_imported(); });
    imported(all); // reads the store, here
}

// `whole`: also what those asked for that are known.
void Following::read_analyses(const std::vector<AnalysisId>& ids,
                              const std::vector<AnalysisId>& seeded, bool whole) {
    std::vector<FollowedAnalysis> read;
    std::vector<std::string> findings;
    const auto damaged = [&](const std::string& row) { findings.push_back(row); };
    std::vector<storage::AnalysisRecord> records = store_.analyses(damaged);
    for (const AnalysisId id : ids) {
        FollowedAnalysis& now = read.emplace_back();
        now.id = id;
        now.seeded = std::ranges::find(seeded, id) != seeded.end();
        const auto record = std::ranges::find(records, id, &storage::AnalysisRecord::id);
        if (record != records.end()) {
            now.stored = read_analysis(store_, std::move(*record), findings);
        }
        if (now.stored && (whole || !known_.contains(id))) {
            now.asked = store_.asked(id, damaged);
        }
    }
    std::set<AnalysisId> known = known_;
    for (const FollowedAnalysis& now : read) {
        if (now.stored) {
            known.insert(now.id);
        } else {
            known.erase(now.id);
        }
    }
    std::vector<storage::EngineRecord> engines = store_.engines();
    on_core_([&](Core& core) { core.follow(std::move(read), findings, std::move(engines)); });
    known_ = std::move(known);
}

void Following::hand_over_facts(const storage::News& news) {
    std::set<AnalysisId> askers;
    for (const auto& [fact, asked_by] : news.evaluations) {
        askers.insert(asked_by);
    }
    askers.erase(AnalysisId{});
    std::vector<storage::UsageRecord> spent;
    for (const AnalysisId id : askers) {
        if (known_.contains(id)) {
            spent.push_back(store_.usage(id));
        }
    }
    for (auto rest = std::span{news.evaluations}; !rest.empty();) {
        const auto part = rest.first(std::min(rest.size(), facts_at_once));
        rest = rest.subspan(part.size());
        on_core_([&](Core& core) {
            core.follow(part, rest.empty() ? spent : std::vector<storage::UsageRecord>{});
        });
    }
}

} // namespace adjourn::server
