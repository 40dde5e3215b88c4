// Conversation: what one engine process was asked since its memory was emptied. Answers are kept by
// the whole sequence, since each depends on all before it: one thread gives the same again.
#pragma once

#include "bench/strategies/kept_searches.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace adjourn::bench {

class Conversation {
public:
    // Starts the engine, as UciEngine does; its memory is empty. `kept` must outlive it.
    Conversation(std::vector<std::string> command, std::map<std::string, std::string> options,
                 KeptSearches& kept);

    // Empties the memory.
    void begin();
    // The kept answer to this sequence, else the engine's, which then is kept. Where the engine has
    // not seen the beginning of the sequence in this run, it is asked that again first, to be as
    // warm as it was.
    Found ask(const Query& query);

    struct Counts {
        std::size_t searches = 0; // new ones
        std::size_t hits = 0;     // answers that were kept
        std::size_t repeated = 0; // asked again only to warm the engine
        std::size_t differed = 0; // of these: answers that were not those that are kept

        Counts& operator+=(const Counts& more);
    };
    const Counts& counts() const { return counts_; }

private:
    UciEngine engine_;
    KeptSearches& kept_;
    SearchKey key_;
    std::vector<Query> asked_;
    std::vector<Found> answers_;
    std::size_t seen_ = 0; // of these, by the engine itself
    bool fresh_ = false;   // the engine's memory is empty, or holds `seen_` of these
    Counts counts_;
};

} // namespace adjourn::bench
