#include "bench/cluster/child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

fs::path directory_of(pid_t process) {
    return fs::path{"/proc"} / std::to_string(process);
}

} // namespace

Child::Child(const std::vector<std::string>& command, const std::filesystem::path& log) {
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (const std::string& word : command) {
        words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const pid_t parent = ::getpid();
    pid_ = out < 0 ? -1 : ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::dup2(::open("/dev/null", O_RDONLY), 0);
        ::dup2(out, 1);
        ::dup2(out, 2);
        if (::getppid() == parent) {
            ::execv(words[0], words.data());
        }
        ::_exit(127);
    }
    ::close(out);
    if (pid_ < 0) {
        throw std::runtime_error{"cannot start " + command.front()};
    }
}

Child::~Child() {
    kill();
}

bool Child::runs() {
    int status = 0;
    if (pid_ > 0 && ::waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        well_ = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return pid_ > 0;
}

void Child::signal(int number) const {
    if (pid_ > 0) {
        ::kill(pid_, number);
    }
}

void Child::kill() {
    signal(SIGKILL);
    wait();
}

bool Child::interrupt(std::chrono::seconds patience) {
    signal(SIGINT);
    const auto end = Clock::now() + patience;
    while (runs() && Clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds{5}); // between polls
    }
    kill();
    return well_;
}

bool Child::wait() {
    if (int status = 0; pid_ > 0 && ::waitpid(pid_, &status, 0) == pid_) {
        well_ = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        pid_ = -1;
    }
    return well_;
}

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
