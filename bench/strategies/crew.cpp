#include "crew.hpp"

#include "core/engines/find_program.hpp"
#include "uci_engine.hpp"

#include <sstream>

namespace adjourn::bench {

Conversation& Crew::get(const std::string& name, const std::string& command, int threads,
                        int hash) {
    Member& member = members_[name];
    if (!member.conversation) {
        std::istringstream in{command};
        std::vector<std::string> words;
        for (std::string word; in >> word;) {
            words.push_back(word);
        }
        if (words.empty()) {
            words.push_back(server::find_program("stockfish").value_or("stockfish"));
        }
        member.engine = std::make_unique<UciEngine>(
            std::move(words),
            std::map<std::string, std::string>{{"Threads", std::to_string(threads)},
                                               {"Hash", std::to_string(hash)}});
        member.conversation = std::make_unique<Conversation>(*member.engine, kept_);
    }
    return *member.conversation;
}

Conversation& Crew::member(std::size_t index) {
    return get(std::to_string(index), options_.stockfish, 1, options_.hash);
}

Conversation& Crew::with_threads() {
    return get("threads", options_.stockfish, options_.threads, options_.hash);
}

Conversation& Crew::reference() {
    return get("reference", options_.stockfish, 1, 2 * options_.hash);
}

Conversation& Crew::judge() {
    return get("judge", options_.judge, 1, 2 * options_.hash);
}

Conversation::Counts Crew::counts() const {
    Conversation::Counts all;
    for (const auto& [name, member] : members_) {
        if (member.conversation) {
            const Conversation::Counts& its = member.conversation->counts();
            all.searches += its.searches;
            all.hits += its.hits;
            all.repeated += its.repeated;
            all.differed += its.differed;
        }
    }
    return all;
}

} // namespace adjourn::bench
