// Whatever a GUI sends: the conversation ends with its input, each "go" has one "bestmove", and
// nothing else has.
#include "base/line_reader.hpp"
#include "chess/uci/command.hpp"
#include "search/engine/conversation.hpp"

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <variant>

using namespace adjourn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    std::size_t owed = 0;
    std::istringstream same{text};
    base::LineReader lines{same};
    while (lines.next()) {
        if (lines.too_long()) {
            continue;
        }
        const chess::uci::Command command = chess::uci::parse(lines.text());
        const auto* option = std::get_if<chess::uci::SetOption>(&command);
        if (option != nullptr && option->value.size() > 2) {
            return 0; // a table of gigabytes is not what is looked for
        }
        owed += std::holds_alternative<chess::uci::Go>(command) ? 1 : 0;
        if (std::holds_alternative<chess::uci::Quit>(command)) {
            break;
        }
    }
    std::istringstream in{text + "\nstop\n"}; // the end waits for a search with a limit
    std::ostringstream out;
    engine::converse(in, out);
    std::istringstream said{out.str()};
    std::size_t given = 0;
    for (std::string line; std::getline(said, line);) {
        given += line.starts_with("bestmove ") ? 1 : 0;
    }
    if (given != owed) {
        std::abort();
    }
    return 0;
}
