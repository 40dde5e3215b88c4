// How often the fortress lamp is right: on positions of which somebody knows how they end.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// Searches positions of --epd FILE with growing limits, grows a small tree of each, and prints how
// many of each kind the lamp lights at, on both halves. The kinds are what the records say: "draw",
// "fortress" or "win" (c0, or as an opcode), a mate (bm #n), the result of a game (c5). Positions
// where neither side is ahead count as such. --record FILE keeps the signs, and FILE… are such
// files, read instead. Returns 0; 1 if the engine or a file fails; 2 for bad arguments.
int run_fortress(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
