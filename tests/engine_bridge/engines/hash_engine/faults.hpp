// Faults: what an engine does wrong now and then, drawn anew for each search. What it answers apart
// from that stays true, so that a test can tell whether any fault was believed.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace hash_engine {

enum class Fault : std::uint8_t {
    crash,     // dies by a signal, in the middle of a line
    leave,     // exits with code 0, without a word
    hang,      // reads and says nothing any more
    lie,       // an illegal move, after a line that no legal PV can have
    no_score,  // a bestmove without any line before it
    flood,     // thousands of lines before the answer
    long_line, // one of 64 KiB
    garbage,   // bytes that are no UTF-8, a zero byte, an empty line
    twice,     // the answer, and at once again
    late,      // the answer, and again while the next search runs
    child,     // starts a process that holds the same pipes and stays
    stubborn,  // from now on neither quit nor a closed input nor SIGTERM ends it
};
constexpr int fault_kinds = 12;

class Faults {
public:
    // `often`: of 10,000 searches, so many have each kind of fault.
    explicit Faults(int often) : often_(often) {}

    // For the next search.
    std::optional<Fault> draw();

private:
    int often_;
    std::minstd_rand chance_{
        std::random_device{}()}; // else each new process dies at the same place
};

// Acts as `fault` says when a search begins; does not return if the process ends or hangs.
void begin(Fault fault);

// The engine's answer as it is printed: `output`, changed.
std::string spoilt(std::optional<Fault> fault, std::string output);

// The line with the answer; empty if there is none.
std::string_view answer_line(std::string_view output);

} // namespace hash_engine
