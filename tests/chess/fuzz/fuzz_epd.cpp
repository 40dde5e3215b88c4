// EPD: what is read can be written and read again; verdicts hold legal moves.
#include "require.hpp"

#include "base/text.hpp"
#include "chess/epd.hpp"

#include <algorithm>

using namespace adjourn::chess;
using adjourn::chess::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    const auto record = parse_epd(text);
    (void)is_epd_comment(text);
    if (!record) {
        require(!record.error().empty());
        return 0;
    }
    const std::string line = to_epd(*record);
    require(adjourn::base::is_utf8(line) && line.find('\n') == std::string::npos);
    const auto again = parse_epd(line); // quotes inside words and control characters are gone
    require(again && again->position.fen() == record->position.fen());
    require(again->operations.size() == record->operations.size());
    const auto third = parse_epd(to_epd(*again));
    require(third && third->operations == again->operations);
    const auto verdict = verdict_of(*record);
    if (!verdict) {
        require(!verdict.error().empty());
        return 0;
    }
    for (const auto& moves : {verdict->best, verdict->avoid}) {
        require(std::all_of(moves.begin(), moves.end(),
                            [&](Move move) { return record->position.is_legal(move); }));
    }
    const auto back =
        parse_epd(to_epd({record->position, operations_of(record->position, *verdict)}));
    require(back.has_value());
    const auto same = verdict_of(*back);
    require(same && same->best == verdict->best && same->avoid == verdict->avoid &&
            same->pv == verdict->pv && same->depth == verdict->depth &&
            same->nodes == verdict->nodes && same->seconds == verdict->seconds);
    return 0;
}
