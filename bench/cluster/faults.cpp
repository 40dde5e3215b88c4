#include "cluster/faults.hpp"

#include "cluster/processor_time.hpp"

#include <algorithm>
#include <csignal>
#include <sstream>

namespace adjourn::bench {

Faults::Faults(Site& site, PostgresCluster* database, std::string url, int each, std::uint64_t seed,
               std::uint64_t first, std::uint64_t last)
    : site_{site}, database_{database}, url_{std::move(url)}, random_{seed} {
    std::vector<Kind> kinds;
    for (const Kind kind : {Kind::worker_killed, Kind::worker_stopped, Kind::engine_killed,
                            Kind::server_killed, Kind::database_crashed, Kind::connections_cut}) {
        const bool possible = database_ != nullptr ||
                              (kind != Kind::database_crashed && kind != Kind::connections_cut);
        kinds.insert(kinds.end(), possible ? static_cast<std::size_t>(each) : 0, kind);
    }
    std::ranges::shuffle(kinds, random_);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        due_.emplace_back(last - (last - first) * (i + 1) / (kinds.size() + 1), kinds[i]);
    }
}

std::map<std::string, std::string> Faults::stored() const {
    std::map<std::string, std::string> rows;
    if (database_ != nullptr) {
        std::istringstream in{database_->sql(url_, "SELECT id, at FROM evaluations")};
        for (std::string line; std::getline(in, line);) {
            const std::size_t bar = line.find('|');
            rows.emplace(line.substr(0, bar), line.substr(bar + 1));
        }
    }
    return rows;
}

void Faults::wake() {
    std::erase_if(asleep_, [this](const auto& one) {
        const bool over = Clock::now() >= one.second;
        if (over) {
            site_.worker(one.first).signal(SIGCONT);
        }
        return over;
    });
}

void Faults::look(std::uint64_t answers) {
    wake();
    while (!due_.empty() && answers >= due_.back().first) {
        const Kind kind = due_.back().second;
        due_.pop_back();
        happen(kind, answers);
        ++done_[kind];
    }
}

void Faults::happen(Kind kind, std::uint64_t answers) {
    const std::map<std::string, std::string> before = stored();
    if (database_ != nullptr && before.size() < answers) { // acknowledged earlier
        short_of_told_ = std::max<std::uint64_t>(short_of_told_, answers - before.size());
    }
    seen_.insert(before.begin(), before.end());
    const std::size_t victim = random_() % std::max<std::size_t>(site_.workers(), 1);
    switch (kind) {
    case Kind::worker_killed:
        site_.worker(victim).kill();
        asleep_.erase(victim);
        site_.start_worker(victim);
        break;
    case Kind::worker_stopped:
        site_.worker(victim).signal(SIGSTOP);
        asleep_[victim] = Clock::now() + std::chrono::seconds{2 * Site::lease_seconds};
        break;
    case Kind::engine_killed:
        if (const auto engines = children_of(site_.worker(victim).number()); !engines.empty()) {
            ::kill(engines[random_() % engines.size()], SIGKILL);
        }
        break;
    case Kind::server_killed: site_.kill_server(); break;
    case Kind::database_crashed:
        database_->crash();
        database_->start();
        break;
    case Kind::connections_cut:
        database_->sql(url_, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname "
                             "= current_database() AND pid <> pg_backend_pid()");
        break;
    }
}

std::uint64_t Faults::lost() {
    const std::map<std::string, std::string> now = stored();
    std::uint64_t lost = short_of_told_;
    for (const auto& [number, moment] : seen_) {
        const auto there = now.find(number);
        lost += there == now.end() || there->second != moment ? 1 : 0;
    }
    return lost;
}

} // namespace adjourn::bench
