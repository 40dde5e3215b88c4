// OptionPlan: from what an engine offers and what a profile asks to what is sent, and who the
// engine then is. Pure.
#pragma once

#include "engine_bridge/process/job.hpp"
#include "engine_bridge/process/profile.hpp"
#include "engine_bridge/process/uci.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <vector>

namespace adjourn::engine_bridge {

struct OptionPlan {
    std::vector<std::string> commands; // setoption lines, in order: Threads, Hash, the rest
    std::map<std::string, std::string> options; // for Identity
    std::string network;                        // for Identity
    bool chess960 = false;                      // castling is sent as king takes rook
};

// `wishes` are set where the engine has the option and takes the value, and left out elsewhere.
// Only differences from the engine's defaults are sent. Beyond the profile: one thread, no own
// book, one PV, UCI_Chess960, and UCI_ShowWDL wherever the engine has them. Fails, with a sentence
// for people, on an option that the engine lacks, on a value outside what it declares, and on
// options that would change what answers mean (docs/operate/engines.md).
std::expected<OptionPlan, std::string>
plan_options(const std::map<std::string, std::string>& wanted,
             const std::vector<uci::Option>& declared,
             const std::map<std::string, std::string>& wishes = {});

// The same engine with so many threads, and a hash as many times as large, as far as it has these
// options. REQUIRES: threads ≥ 1.
Profile with_threads(Profile profile, std::size_t threads);
// Whether it has an option for threads.
bool takes_threads(const Identity& identity);
// What an engine without a Hash of its own choice is given, MB: as much as Stockfish's default.
inline constexpr std::int64_t usual_hash = 16;
// Whether they differ in nothing but threads and hash.
bool same_but_for_threads(const Identity& a, const Identity& b);

} // namespace adjourn::engine_bridge
