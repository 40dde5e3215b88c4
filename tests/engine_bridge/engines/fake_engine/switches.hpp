// Switches: the ways in which fake_engine misbehaves, from its command line.
#pragma once

#include <map>
#include <string>

namespace fake_engine {

// At the start
//   --banner                lines before "id", and blank ones
//   --die-at-start          says why on stderr, exits with code 3
//   --never-uciok
//   --never-readyok
//   --late-readyok          answers each isready 100 ms late
//   --extra-readyok         says readyok without being asked, before and after uciok
//   --nonutf8               a Latin-1 name, and broken bytes in info strings
//   --option=TEXT           one more "option TEXT" line
//   --plain                 no options at all
//   --name=TEXT             "id name"
//   --name-file=FILE        "id name" from a file, if it exists
// In a search
//   --stall                 at go: reads and says nothing any more
//   --silent                at go: nothing until stop, but answers isready
//   --crash-on-go[=N]       segmentation fault at the N-th go, or at every one
//   --exit-on-go=CODE
//   --last-words            answers the first go and exits at once
//   --half-line             dies in the middle of its bestmove line
//   --no-bestmove           info lines, then nothing, not even after stop
//   --no-info               bestmove alone
//   --bound-only            no exact score
//   --illegal-pv            the third move of the PV is illegal
//   --best=TEXT             "bestmove TEXT"
//   --none-move             "bestmove (none)"
//   --ignore-searchmoves    answers the last legal move not asked for
//   --ignore-nodes          go nodes: searches until stop
//   --depth-one             go nodes: answers depth 1 at once
//   --hashed                answers as truth.hpp says
//   --late=N                at the N-th go, or at every one: the last bestmove once more, first
//   --late-info=N           so, with its info lines
//   --late-mid=N            so, behind the first info line of the new search
//   --late-idle=N           so, 20 ms after the answer to the N-th go
//   --bare=N                the N-th answer, or every one, is a bestmove alone
//   --none=N                so, "bestmove (none)"
//   --wrong=N               so, an illegal bestmove
//   --double-bestmove       two in one write
//   --late-double-bestmove  the second 20 ms later
//   --garbage               nonsense between all lines
//   --long-line             a line of 1 MiB
//   --flood-stderr          1 MiB of stderr at the start and at every go
//   --split-crlf            every line in three writes, "\r" and "\n" apart
//   --think=MS              answers after so many ms; stop works
// At the end
//   --ignore-quit  --ignore-eof  --ignore-term
//   --spawn-child           starts a child that holds the pipes and stays
// For tests to look at
//   --log=FILE              appends what it reads
class Switches {
public:
    Switches(int argc, char** argv);

    bool has(const std::string& name) const { return values_.contains(name); }
    // The text after "=", or `otherwise`.
    std::string text(const std::string& name, const std::string& otherwise = {}) const;
    int number(const std::string& name, int otherwise) const;

private:
    std::map<std::string, std::string> values_;
};

} // namespace fake_engine
