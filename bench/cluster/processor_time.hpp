// ProcessorTime: what the processes of a site have had of the processor, by what they do. Of the
// kernel's clock, in steps of 10 ms a process.
#pragma once

#include <sys/types.h>

#include <vector>

namespace adjourn::bench {

struct ProcessorTime { // seconds
    double server = 0, database = 0, workers = 0, engines = 0;

    ProcessorTime operator-(const ProcessorTime& before) const;
};

// Of a process and of its children that have ended, seconds; 0 where there is none.
double seconds_of(pid_t process);
std::vector<pid_t> children_of(pid_t process); // those that live
double seconds_of_children(pid_t process);     // of those that live

} // namespace adjourn::bench
