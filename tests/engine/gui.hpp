// A GUI for the built-in engine, in memory: what it sends goes to a conversation on another thread,
// and it waits for what it is told.
#pragma once

#include "chess/position.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::engine::testing {

inline const std::string middle =
    "r4rk1/2q1ppbp/p1n3p1/2P5/Pp2b3/1Q2BN2/1P2BPPP/R2R2K1 w - - 0 1"; // a middle game

// An "info" line with a score.
struct Told {
    int depth = 0;
    int multipv = 0;
    std::string kind; // cp, mate
    int value = 0;
    std::string bound; // "", lowerbound, upperbound
    std::uint64_t nodes = 0;
    std::vector<std::string> pv;
    std::vector<int> wdl;
};
// nullopt of a line without a score.
std::optional<Told> told(const std::string& line);

class Gui {
public:
    Gui();
    ~Gui(); // ends the input, and waits for the end of the conversation
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    void send(const std::string& line);
    // Sends these, in one piece.
    void send_all(const std::vector<std::string>& lines);
    // The next line that begins with this word. Fails the test if none comes for a minute.
    std::string await(const std::string& word);
    // All that came since the last call, up to the line that await() returned.
    std::vector<std::string> heard();
    // Sends "position …" and "go …"; the move. What was told meanwhile is in lines().
    std::string ask(const std::string& position, const std::string& go);
    const std::vector<std::string>& lines() const { return lines_; }
    // Of the last ask(): its lines with a score; the last ones, by multipv.
    std::vector<Told> scored() const;
    std::vector<Told> last_told() const;
    // Sends isready and waits; the lines that came before readyok.
    std::vector<std::string> settle();

    // No more input; waits for the end. Returns what came after the last await().
    std::vector<std::string> close();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
    std::vector<std::string> lines_;
};

// "e2e4" of "bestmove e2e4 ponder e7e5".
std::string move_of(const std::string& bestmove);
bool is_legal(const std::string& fen, const std::string& move);
// Whether one of the lines has the text in it.
bool holds(const std::vector<std::string>& lines, const std::string& text);

} // namespace adjourn::engine::testing
