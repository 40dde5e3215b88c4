// Switches: the ways in which fake_engine misbehaves, from its command line.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

namespace fake_engine {

constexpr std::array<std::string_view, 24> known{
    // At the start
    "die-at-start", // says why on stderr, exits with code 3
    "never-uciok",
    "name-file", // =FILE: "id name" from a file, if it exists
    // In a search
    "stall",        // at go: reads and says nothing any more
    "crash-on-go",  // [=N] segmentation fault at the N-th go, or at every one
    "last-words",   // answers the first go and exits at once
    "half-line",    // dies in the middle of its bestmove line
    "ignore-nodes", // go nodes: searches until stop
    "hashed",       // answers as truth.hpp says
    "late",         // [=N] at the N-th go, or at every one: the last bestmove once more, first
    "late-info",    // so, with its info lines
    "late-mid",     // so, behind the first info line of the new search
    "late-idle",    // so, 20 ms after the answer to the N-th go
    "bare",         // [=N] the N-th answer, or every one, is a bestmove alone
    "none",         // so, "bestmove (none)"
    "wrong",        // so, an illegal bestmove
    "long-line",    // a line of 1 MiB
    "flood-stderr", // 1 MiB of stderr at the start and at every go
    "think",        // =MS: answers after so many ms; stop works
    // At the end
    "ignore-quit", "ignore-eof", "ignore-term",
    "spawn-child", // starts a child that holds the pipes and stays
    // For tests to look at
    "log", // =FILE: appends what it reads
};

class Switches {
public:
    Switches(int argc, char** argv) {
        for (int i = 1; i < argc; ++i) {
            const std::string_view argument{argv[i]};
            const std::size_t equals = argument.find('=');
            const std::string_view name = argument.substr(0, equals);
            if (!name.starts_with("--") ||
                std::ranges::find(known, name.substr(2)) == known.end()) {
                std::cerr << "fake_engine: unknown switch " << argument << '\n';
                std::exit(2);
            }
            values_[std::string{name.substr(2)}] =
                equals == argument.npos ? std::string_view{} : argument.substr(equals + 1);
        }
    }

    bool has(const std::string& name) const { return values_.contains(name); }
    // The text after "=".
    std::string text(const std::string& name) const {
        const auto found = values_.find(name);
        return found == values_.end() ? "" : found->second;
    }
    int number(const std::string& name, int otherwise) const {
        const std::string value = text(name);
        return value.empty() ? otherwise : std::stoi(value);
    }

private:
    std::map<std::string, std::string> values_;
};

} // namespace fake_engine
