// A dispatcher of one profile with places, and what it tells them, for tests.
#pragma once

#include "engine_bridge/dispatch/dispatcher.hpp"
#include "test.hpp"

namespace adjourn::engine_bridge::testing {

using namespace std::chrono_literals;

inline const Dispatcher::Time noon{std::chrono::hours{12}};

inline Answer found() {
    const chess::Move move = chess::Position::initial().legal_moves()[0];
    return {move, chess::Score::cp(5), chess::Bound::exact, 8, 8, 100, 3, {move}, 0, std::nullopt};
}

inline std::unexpected<Failure> none(Failure::Kind kind) {
    return std::unexpected(Failure{kind, "for a test", 1});
}

struct Table {
    explicit Table(std::size_t machines = 2, std::size_t here = 0) {
        for (std::size_t i = 0; i < machines + here; ++i) {
            enter(i < machines ? "m" + std::to_string(i + 1) : "");
        }
    }
    PlaceId enter(const std::string& machine, std::size_t processes = 4) {
        const auto at = std::make_shared<PlaceId>(0);
        *at = book.enter([this, at] { looked.push_back(*at); }, machine);
        book.offer(*at, profile, {processes, processes});
        places.push_back(*at);
        return *at;
    }
    void ask(JobId id, std::uint64_t affinity = 0, const std::function<void(Job&)>& with = {}) {
        Job job{id, chess::Position::initial(), {chess::Limit::Kind::depth, 8}, {}, affinity};
        if (with) {
            with(job);
        }
        book.submit(profile, std::move(job), [this, id](Result result) {
            REQUIRE(ended.emplace(id, std::move(result)).second);
        });
    }
    // Ids of the jobs.
    std::vector<JobId> take(PlaceId place, std::size_t most, Dispatcher::Time now = noon) {
        std::vector<JobId> jobs;
        for (const auto& lease : book.take(place, profile, most, now)) {
            jobs.push_back(lease.job.id);
            leases[lease.job.id] = lease.id;
        }
        return jobs;
    }
    const Failure& failed(JobId id) { return ended.at(id).error(); }

    Dispatcher book{{.life = 10s, .first = 100}};
    ProfileId profile = book.add("some");
    std::vector<PlaceId> places;
    std::vector<PlaceId> looked;
    std::map<JobId, Result> ended;
    std::map<JobId, LeaseId> leases; // the last of each
};

using Jobs = std::vector<JobId>;

} // namespace adjourn::engine_bridge::testing
