// Any line from an engine: parsing neither crashes nor reads outside it, what is found points into
// the line, and what is written back holds no line break.
#include "engine_bridge/process/text.hpp"
#include "engine_bridge/process/uci.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace adjourn::engine_bridge;

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

void check_within(std::string_view part, std::string_view line) {
    require(part.data() >= line.data() && part.data() + part.size() <= line.data() + line.size());
}

void check(std::string_view line) {
    const uci::Line parsed = uci::parse(line);
    if (const auto* const info = std::get_if<uci::Info>(&parsed)) {
        for (const std::string_view move : info->pv) {
            require(!move.empty());
            check_within(move, line);
        }
        require(!info->depth || *info->depth >= 0);
        if (info->score) {
            const auto score = uci::to_score(*info->score, info->tbhits.value_or(0) > 0);
            require(!score || adjourn::chess::Score::decode(score->encode()) == *score);
        }
    } else if (const auto* const option = std::get_if<uci::Option>(&parsed)) {
        require(!option->name.empty());
        const auto command = uci::setoption_command(*option, option->initial.value_or(""));
        require(!command || command->find_first_of("\r\n") == command->npos);
    } else if (const auto* const best = std::get_if<uci::BestMove>(&parsed)) {
        require(!best->move || !best->move->empty());
    }
    for (const char c : printable(line)) {
        require(static_cast<unsigned char>(c) >= 0x20 || c == '\t');
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    check(bytes);
    // The same bytes as a stream, in pieces whose size they choose themselves.
    LineBuffer buffer;
    const std::size_t piece = size == 0 ? 1 : 1 + data[0] % 64;
    for (std::size_t at = 0; at < size; at += piece) {
        for (const std::string_view line : buffer.feed(bytes.substr(at, piece)).lines) {
            require(line.find('\n') == line.npos);
            check(line);
        }
    }
    return 0;
}
