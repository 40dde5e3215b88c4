// Seats: positions that somebody looks at who wants a move, maybe by a clock: a chess program by
// `adjourn uci`, lichess' board. What a seat looks at is an analysis that is in memory only. It
// goes before all that people can ask for, and a process that is reserved for it searches the
// position itself. Answers are stored as all others. On the core's thread; nothing here blocks.
#pragma once

#include "core/records/finding.hpp"
#include "engine_bridge/dispatch/dispatcher.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace adjourn::server {

class Core;
struct AnalysisRun;
struct EngineSlot;

enum class SeatId : std::int64_t {};

struct Seat {
    std::string engine;        // name of the profile
    std::int64_t number = 0;   // of what it looks at, as whoever sits there counts
    SeatWish wish;             // that
    std::uint64_t version = 0; // grows with each finding
    SeatFinding finding;

    // ---- for Seats only ----
    std::optional<analysis::AnalysisId> analysis;
    engine_bridge::ProfileId profile = 0; // of the engine
    std::optional<engine_bridge::PlaceId> place;
    bool reading = false; // for a finding that is told when that has been read
    bool changed = false; // since that reading began
    analysis::UnixMs asked_at = 0;
    std::function<void(const Seat*)> told; // who waits for a finding
};

class Seats {
public:
    static constexpr std::size_t most_at_once = 16;
    static constexpr analysis::UnixMs patience = 30'000;     // ms until one that nobody asks ends
    static constexpr analysis::UnixMs longest_wait = 10'000; // for a finding

    explicit Seats(Core& core) : core_{core} {}
    Seats(const Seats&) = delete;
    Seats& operator=(const Seats&) = delete;

    // From now on it looks at that; nullopt: at nothing. Whoever comes first opens it.
    // `engine`: a profile, "" = the first.
    enum class Refusal : std::uint8_t { none, no_engine, too_many };
    Refusal look(SeatId id, const std::string& engine, std::int64_t number,
                 std::optional<SeatWish> wish);
    // Core::hurry() for what it looks at, if it has that number.
    void hurry(SeatId id, std::int64_t number);
    void close(SeatId id);
    bool holds(SeatId id) const { return seats_.contains(id); }
    // Calls `told` once: where there is another finding than that version, or the time is over;
    // with null when it has ended. The last who asks counts. REQUIRES: it is there.
    void ask(SeatId id, std::uint64_t version, std::function<void(const Seat*)> told);

    // ---- what others tell ----
    void look_after(); // the clock, a few times a second; other engines
    void progress(const AnalysisRun& run);
    void engine_told(const EngineSlot& engine); // who it is, or that its graph is there

private:
    void begin(SeatId id, Seat& seat, const EngineSlot& engine);
    void began(SeatId id, std::int64_t number, analysis::AnalysisId analysis);
    void leave(Seat& seat);
    void tell(Seat& seat, SeatFinding finding);
    void publish(SeatId id, Seat& seat, const AnalysisRun& run);
    Seat* at(SeatId id, std::int64_t number);

    Core& core_;
    std::map<SeatId, Seat> seats_;
};

} // namespace adjourn::server
