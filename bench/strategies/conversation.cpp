#include "bench/strategies/conversation.hpp"

namespace adjourn::bench {

Conversation::Counts& Conversation::Counts::operator+=(const Counts& more) {
    searches += more.searches;
    hits += more.hits;
    repeated += more.repeated;
    differed += more.differed;
    return *this;
}

Conversation::Conversation(std::vector<std::string> command,
                           std::map<std::string, std::string> options, KeptSearches& kept)
    : engine_{std::move(command), std::move(options)}, kept_{kept} {
    begin();
}

void Conversation::begin() {
    asked_.clear();
    answers_.clear();
    seen_ = 0;
    fresh_ = false;
    key_ = SearchKey::of(engine_.identity());
}

Found Conversation::ask(const Query& query) {
    key_ = key_.then(query);
    if (auto known = kept_.find(key_)) {
        ++counts_.hits;
        asked_.push_back(query);
        answers_.push_back(*known);
        return std::move(*known);
    }
    if (!fresh_) {
        engine_.new_game();
        fresh_ = true;
    }
    for (; seen_ < asked_.size(); ++seen_) {
        const Found again = engine_.search(asked_[seen_]);
        ++counts_.repeated;
        counts_.differed += again.lines == answers_[seen_].lines ? 0 : 1;
    }
    Found found = engine_.search(query);
    ++counts_.searches;
    ++seen_;
    asked_.push_back(query);
    answers_.push_back(found);
    kept_.keep(key_, found);
    return found;
}

} // namespace adjourn::bench
