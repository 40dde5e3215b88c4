#include "switches.hpp"

#include <array>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace fake_engine {
namespace {

constexpr std::array<std::string_view, 46> known{"banner",
                                                 "die-at-start",
                                                 "never-uciok",
                                                 "never-readyok",
                                                 "late-readyok",
                                                 "extra-readyok",
                                                 "nonutf8",
                                                 "option",
                                                 "plain",
                                                 "name",
                                                 "name-file",
                                                 "stall",
                                                 "silent",
                                                 "crash-on-go",
                                                 "exit-on-go",
                                                 "last-words",
                                                 "half-line",
                                                 "no-bestmove",
                                                 "no-info",
                                                 "bound-only",
                                                 "illegal-pv",
                                                 "best",
                                                 "ignore-searchmoves",
                                                 "ignore-nodes",
                                                 "depth-one",
                                                 "double-bestmove",
                                                 "late-double-bestmove",
                                                 "garbage",
                                                 "long-line",
                                                 "flood-stderr",
                                                 "split-crlf",
                                                 "think",
                                                 "ignore-quit",
                                                 "ignore-eof",
                                                 "ignore-term",
                                                 "spawn-child",
                                                 "log",
                                                 "none-move",
                                                 "hashed",
                                                 "late",
                                                 "late-info",
                                                 "late-mid",
                                                 "late-idle",
                                                 "bare",
                                                 "none",
                                                 "wrong"};

} // namespace

Switches::Switches(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument{argv[i]};
        const std::size_t equals = argument.find('=');
        const std::string_view name = argument.substr(0, equals);
        bool found = false;
        for (const std::string_view word : known) {
            found = found || (name.starts_with("--") && name.substr(2) == word);
        }
        if (!found) {
            std::cerr << "fake_engine: unknown switch " << argument << '\n';
            std::exit(2);
        }
        values_[std::string{name.substr(2)}] =
            equals == argument.npos ? std::string_view{} : argument.substr(equals + 1);
    }
}

std::string Switches::text(const std::string& name, const std::string& otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
}

int Switches::number(const std::string& name, int otherwise) const {
    const std::string value = text(name);
    return value.empty() ? otherwise : std::stoi(value);
}

} // namespace fake_engine
