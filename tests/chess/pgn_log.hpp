// Writes down what a PGN reader tells: one string to compare.
#pragma once

#include "support.hpp"

#include "chess/pgn.hpp"

namespace adjourn::chess::testing {

class PgnLog : public PgnVisitor {
public:
    void begin_game() override {
        ++games;
        log += "game|";
        main_lines.emplace_back();
    }
    void tag(std::string_view name, std::string_view value) override {
        log += "tag " + std::string{name} + "=" + std::string{value} + "|";
    }
    bool begin_moves(const Position& start) override {
        log += start == Position::initial() ? "start|" : "start " + start.fen() + "|";
        last = start;
        return true;
    }
    void move(const Position& before, Move move) override {
        log += to_san(before, move);
        log.erase(log.find_last_not_of("+#") + 1);
        log += ' ';
        if (depth == 0) {
            main_lines.back().push_back(to_uci(before, move));
            last = before.after(move);
        }
        ++moves;
    }
    void null_move(const Position&) override { log += "-- "; }
    void comment(std::string_view text) override { log += "{" + std::string{text} + "}"; }
    void nag(int nag) override { log += "$" + std::to_string(nag) + " "; }
    void begin_variation() override {
        log += "(";
        ++depth;
    }
    void end_variation() override {
        log += ")";
        --depth;
    }
    void error(const PgnError& error) override {
        bar();
        log += "error " + std::to_string(error.game) + ":" + std::to_string(error.line) + " " +
               error.message + "|";
        errors.push_back(error);
    }
    void end_game(std::string_view result) override {
        bar();
        log += "end " + std::string{result} + "|";
    }

    void bar() {
        if (!log.ends_with('|')) {
            log += '|';
        }
    }

    std::string log;
    std::vector<std::vector<std::string>> main_lines; // UCI
    Position last = Position::initial();              // at the end of the last main line
    std::vector<PgnError> errors;
    std::size_t games = 0;
    std::size_t moves = 0; // variations included
    int depth = 0;
};

inline PgnLog read_pgn(const std::string& text) {
    PgnLog log;
    PgnReader reader{std::string_view{text}};
    while (reader.read_game(log)) {
    }
    return log;
}

// With what was put right, and what was left out beside the games.
struct PgnNotes : PgnLog {
    void warning(const PgnError& warning) override { warnings.push_back(to_text(warning)); }
    void left_out(const PgnError& what) override { left.push_back(to_text(what)); }
    std::vector<std::string> warnings;
    std::vector<std::string> left;
};

inline PgnNotes read_notes(const std::string& text) {
    PgnNotes log;
    PgnReader reader{std::string_view{text}};
    while (reader.read_game(log)) {
    }
    return log;
}

inline std::string pgn_log(const std::string& text) {
    return read_pgn(text).log;
}

} // namespace adjourn::chess::testing
