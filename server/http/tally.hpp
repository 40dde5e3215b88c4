// Tally: what the listener has done since its start, for `GET metrics`.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace adjourn::http {

// Any thread.
class Tally {
public:
    void responded(int status); // an HTTP status
    void turned_away() { ++turned_away_; }
    void tried_wrong_token() { ++wrong_tokens_; }
    void sent_events(std::size_t bytes) { event_bytes_ += bytes; }

    std::atomic<std::size_t> connections = 0; // open now

    // Families in the text format of Prometheus 0.0.4. `streams`: of events, open now.
    std::string metrics(std::size_t streams) const;

private:
    using Count = std::atomic<std::uint64_t>;
    static constexpr int least_status = 100;
    std::array<Count, 500> responses_{}; // by status - least_status
    Count turned_away_ = 0;
    Count wrong_tokens_ = 0;
    Count event_bytes_ = 0;
};

} // namespace adjourn::http
