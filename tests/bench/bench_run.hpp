// BenchRun: what a bench's command does and says, run as from the command line.
#pragma once

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace adjourn::bench {

using Command = int (*)(const std::vector<std::string>&, std::ostream&);

struct BenchRun {
    int code = 0;
    std::string output;
    std::string errors; // on standard error

    const std::string& said() const { return code == 0 ? output : errors; }
};

inline BenchRun bench_run(Command command, const std::vector<std::string>& args) {
    // Standard error while it lives.
    struct Caught {
        std::ostringstream text;
        std::streambuf* before = std::cerr.rdbuf(text.rdbuf());
        ~Caught() { std::cerr.rdbuf(before); }
    };
    std::ostringstream out;
    const Caught caught;
    const int code = command(args, out);
    return {code, out.str(), caught.text.str()};
}

} // namespace adjourn::bench
