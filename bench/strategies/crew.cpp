#include "crew.hpp"

#include "host/config.hpp"
#include "parallel.hpp"
#include "uci_engine.hpp"

#include <atomic>

namespace adjourn::bench {

Conversation& Crew::get(const std::string& name, const std::string& command, int threads,
                        int hash) {
    Member& member = members_[name];
    if (!member.conversation) {
        member.engine = std::make_unique<UciEngine>(
            engine_command(command),
            std::map<std::string, std::string>{{"Threads", std::to_string(threads)},
                                               {"Hash", std::to_string(hash)}});
        member.conversation = std::make_unique<Conversation>(*member.engine, kept_);
    }
    return *member.conversation;
}

Conversation& Crew::member() {
    return get("member", options_.stockfish, 1, options_.hash);
}

Conversation& Crew::with_threads() {
    return get("threads", options_.stockfish, options_.threads, options_.hash);
}

Conversation& Crew::reference() {
    return get("reference", options_.stockfish, 1, 2 * options_.hash);
}

Conversation::Counts Crew::counts() const {
    Conversation::Counts all;
    for (const auto& [name, member] : members_) {
        if (member.conversation) {
            all += member.conversation->counts();
        }
    }
    return all;
}

Crews::Crews(const StrategiesOptions& options)
    : options_{options}, kept_{options.cache.empty()
                                   ? server::default_data_directory() / "bench/searches"
                                   : options.cache} {
    for (const auto& file : options.known) {
        kept_.know(file);
    }
    for (std::size_t i = 0; i < options.processes; ++i) {
        crews_.push_back(std::make_unique<Crew>(options, kept_));
    }
}

bool Crews::late() const {
    return options_.minutes > 0 && std::chrono::steady_clock::now() - begin_ >
                                       std::chrono::duration<double>{options_.minutes * 60};
}

void Crews::each(std::size_t count, const std::function<bool(std::size_t, Crew&)>& work) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> enough = false;
    parallel_for(crews_.size(), crews_.size(), [&](std::size_t worker) {
        for (std::size_t i = next++; i < count && !enough && !late(); i = next++) {
            enough = !work(i, *crews_[worker]) || enough;
        }
    });
}

Conversation::Counts Crews::counts() const {
    Conversation::Counts all;
    for (const auto& crew : crews_) {
        all += crew->counts();
    }
    return all;
}

} // namespace adjourn::bench
