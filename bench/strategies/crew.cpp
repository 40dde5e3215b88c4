#include "crew.hpp"

#include "host/config.hpp"
#include "uci_engine.hpp"

namespace adjourn::bench {

Crew::Crew(const StrategiesOptions& options)
    : options_{options}, kept_{options.cache.empty()
                                   ? server::default_data_directory() / "bench/searches"
                                   : options.cache} {
    for (const auto& file : options.known) {
        kept_.know(file);
    }
}

Conversation& Crew::get(const std::string& name, int threads, int hash) {
    Member& member = members_[name];
    if (!member.conversation) {
        member.engine = std::make_unique<UciEngine>(
            engine_command(options_.stockfish),
            std::map<std::string, std::string>{{"Threads", std::to_string(threads)},
                                               {"Hash", std::to_string(hash)}});
        member.conversation = std::make_unique<Conversation>(*member.engine, kept_);
    }
    return *member.conversation;
}

Conversation& Crew::member() {
    return get("member", 1, options_.hash);
}

Conversation& Crew::with_threads() {
    return get("threads", options_.threads, options_.hash);
}

Conversation& Crew::reference() {
    return get("reference", 1, 2 * options_.hash);
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

} // namespace adjourn::bench
