// Child: a process that the bench has started, and that does not outlive it.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace adjourn::bench {

class Child {
public:
    // What it prints is appended to `log`. Throws std::runtime_error. REQUIRES: one thread.
    Child(const std::vector<std::string>& command, const std::filesystem::path& log);
    ~Child(); // kills
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    bool runs();
    void signal(int number) const;
    pid_t number() const { return pid_; } // of the process; -1: it has ended
    void kill();                          // -9, and waits
    // Ctrl-C, and waits; who does not end in time is killed. Returns whether it ended well.
    bool interrupt(std::chrono::seconds patience);
    // Waits for its end; whether it was a good one.
    bool wait();

private:
    pid_t pid_ = -1;
    bool well_ = false; // how it ended
};

// What the processes of a site have had of the processor, by what they do. Of the kernel's clock,
// in steps of 10 ms a process.
struct ProcessorTime { // seconds
    double server = 0, database = 0, workers = 0, engines = 0;

    ProcessorTime operator-(const ProcessorTime& before) const;
};

// Of a process and of its children that have ended, seconds; 0 where there is none.
double seconds_of(pid_t process);
std::vector<pid_t> children_of(pid_t process); // those that live
double seconds_of_children(pid_t process);     // of those that live

} // namespace adjourn::bench
