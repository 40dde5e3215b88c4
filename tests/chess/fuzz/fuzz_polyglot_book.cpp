// Reads any bytes as a book; writing what was read and reading it again gives the same entries.
#include "chess/polyglot_book.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace adjourn::chess;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto entries = read_book({reinterpret_cast<const char*>(data), size});
    if (!entries) {
        return 0;
    }
    const Position start = Position::initial();
    for (const BookEntry& entry : *entries) {
        if (const auto move = move_of_book(start, entry.move); move && !start.is_legal(*move)) {
            std::abort();
        }
    }
    const std::string bytes = write_book(*entries);
    const auto again = read_book(bytes);
    if (!again || write_book(*again) != bytes) {
        std::abort();
    }
    return 0;
}
