#include "cluster/processor_time.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;

fs::path directory_of(pid_t process) {
    return fs::path{"/proc"} / std::to_string(process);
}

} // namespace

ProcessorTime ProcessorTime::operator-(const ProcessorTime& before) const {
    return {server - before.server, database - before.database, workers - before.workers,
            engines - before.engines};
}

double seconds_of(pid_t process) {
    std::ifstream in{directory_of(process) / "stat"};
    std::string line;
    std::getline(in, line);
    const std::size_t name_end = line.rfind(')'); // the name may have blanks
    if (name_end == std::string::npos) {
        return 0;
    }
    std::istringstream fields{line.substr(name_end + 1)};
    std::string skipped;
    for (int i = 3; i < 14; ++i) { // proc(5): utime, stime, cutime, cstime are 14 to 17
        fields >> skipped;
    }
    double ticks = 0;
    for (int i = 14; i <= 17; ++i) {
        double each = 0;
        fields >> each;
        ticks += each;
    }
    return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::vector<pid_t> children_of(pid_t process) {
    std::vector<pid_t> all;
    std::error_code gone;
    for (const auto& thread : fs::directory_iterator{directory_of(process) / "task", gone}) {
        std::ifstream in{thread.path() / "children"};
        for (pid_t child = 0; in >> child;) {
            all.push_back(child);
        }
    }
    return all;
}

double seconds_of_children(pid_t process) {
    double seconds = 0;
    for (const pid_t child : children_of(process)) {
        seconds += seconds_of(child);
    }
    return seconds;
}

} // namespace adjourn::bench
