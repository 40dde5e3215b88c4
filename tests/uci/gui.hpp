// Gui: `adjourn uci` as a GUI has it: the real program, through pipes.
#pragma once

#include "player.hpp"
#include "program.hpp"

#include "chess/notation.hpp"
#include "engine_bridge/process/uci.hpp"

namespace adjourn::server {

inline constexpr auto gui_patience = std::chrono::minutes{3}; // for what has no deadline

class Gui {
public:
    explicit Gui(const std::filesystem::path& directory, int answer_ms = 5,
                 const std::string& data = "data")
        : Gui{directory, write_config(directory, 2, answer_ms), data} {}
    Gui(const std::filesystem::path& directory, const std::filesystem::path& config,
        const std::string& data = "data")
        : Gui{match::PlayerSetup{"adjourn",
                                 {program_path().string(), "uci", "--data",
                                  (directory / data).string(), "--config", config.string()},
                                 {}}} {}
    explicit Gui(const match::PlayerSetup& setup) : player{setup} {}

    // Says all lines; returns what comes up to the line that begins with `until`, which is last.
    std::vector<std::string> say(const std::vector<std::string>& lines,
                                 const std::string& until = "bestmove") {
        for (const std::string& line : lines) {
            player.send(line);
        }
        std::vector<std::string> heard;
        const auto deadline = match::Player::Clock::now() + gui_patience;
        while (true) {
            auto line = player.read(deadline);
            INFO("waiting for " << until << " after " << lines.back());
            REQUIRE(line);
            heard.push_back(std::move(*line));
            if (heard.back().starts_with(until)) {
                return heard;
            }
        }
    }

    match::Player player;
};

inline bool says(const std::vector<std::string>& heard, const std::string& text) {
    return std::any_of(heard.begin(), heard.end(), [&](const std::string& line) {
        return line.find(text) != std::string::npos;
    });
}

// The move of a bestmove line, which must be legal.
inline chess::Move best_of(const std::vector<std::string>& heard, const chess::Position& position) {
    const auto line = engine_bridge::uci::parse(heard.back());
    const auto& best = std::get<engine_bridge::uci::BestMove>(line);
    INFO(heard.back());
    REQUIRE(best.move);
    const auto move = chess::parse_uci(position, *best.move);
    REQUIRE(move);
    return *move;
}

inline std::string after(const std::string& line, const std::string& word) {
    const std::size_t at = line.find(" " + word + " ");
    return at == std::string::npos
               ? ""
               : line.substr(at + word.size() + 2,
                             line.find(' ', at + word.size() + 2) - at - word.size() - 2);
}

} // namespace adjourn::server
