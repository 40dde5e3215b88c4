// Any text of a broker is a work whose moves are legal, on one line, or none.
#include "lichess/provider.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace adjourn;
using namespace adjourn::server;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto work = lichess::read_work({reinterpret_cast<const char*>(data), size});
    if (!work) {
        if (work.error().empty()) {
            std::abort();
        }
        return 0;
    }
    chess::Position position = work->game.start;
    for (const chess::Move move : work->game.moves) {
        if (!position.is_legal(move)) {
            std::abort();
        }
        position.play(move);
    }
    const bool one_line =
        std::all_of(work->position.begin(), work->position.end(), [](char c) { return c >= ' '; });
    if (!one_line || work->id.find('/') != std::string::npos || work->threads < 1 ||
        work->lines < 1) {
        std::abort();
    }
    return 0;
}
