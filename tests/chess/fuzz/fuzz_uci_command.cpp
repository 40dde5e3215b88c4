// Any line from a GUI becomes a command whose moves are legal.
#include "chess/uci/command.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

using namespace adjourn;
using namespace adjourn::chess;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const uci::Command command = uci::parse({reinterpret_cast<const char*>(data), size});
    if (const auto* game = std::get_if<uci::Game>(&command)) {
        chess::Position position = game->start;
        for (const chess::Move move : game->moves) {
            if (!position.is_legal(move)) {
                std::abort();
            }
            position.play(move);
        }
        if (!(position == game->position)) {
            std::abort();
        }
    }
    return 0;
}
