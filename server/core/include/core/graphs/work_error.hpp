// Why the core does not do what somebody wants; an expected outcome. Whoever carries the request
// says it in the words of its protocol.
#pragma once

#include <cstdint>
#include <string>

namespace adjourn::server {

struct WorkError {
    enum class Kind : std::uint8_t {
        no_analysis,       // there is none of this id
        no_engine,         // the config has none of this name
        needs_move,        // a directive about a move without one
        futile_line,       // a directive that could do nothing at the end of its line
        futile_now,        // "now" while nothing is asked at all
        futile_more,       // more work where there is none, or no limit that could grow
        no_note,           // there is none of this moment
        past_moment,       // a budget until a moment that has been
        changed_meanwhile, // by somebody else
        no_link,           // there is none of this id
        too_many_links,    // of one analysis
        no_look,           // there is none of this id
        no_looking,        // nothing can be looked at now
        no_verifying,      // nothing can be verified now
        store_failed,      // it could not be made durable
    };
    Kind kind{};
    std::string message; // one sentence for people

    friend bool operator==(const WorkError&, const WorkError&) = default;
};

} // namespace adjourn::server
