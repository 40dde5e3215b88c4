// spawn(): posix_spawn rather than fork, because the server is large and has threads. See
// docs/decisions for what else was considered.
#include "engine_bridge/process/child.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <spawn.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace adjourn::engine_bridge {
namespace {

void ignore_sigpipe() {
    struct sigaction present {};
    if (::sigaction(SIGPIPE, nullptr, &present) == 0 && present.sa_handler == SIG_DFL) {
        ::signal(SIGPIPE, SIG_IGN);
    }
}

struct Pipe {
    UniqueFd read;
    UniqueFd write;
};

// Numbers 0 to 2 must not be used for our pipes: the child's dup2 would close one end with another.
UniqueFd above_standard(int fd) {
    UniqueFd low{fd};
    if (fd > 2) {
        return low;
    }
    return UniqueFd{::fcntl(fd, F_DUPFD_CLOEXEC, 3)};
}

bool make_pipe(Pipe& pipe) {
    std::array<int, 2> fds{};
    if (::pipe2(fds.data(), O_CLOEXEC) != 0) {
        return false;
    }
    pipe.read = above_standard(fds[0]);
    pipe.write = above_standard(fds[1]);
    return pipe.read.open() && pipe.write.open();
}

bool make_nonblocking(const UniqueFd& fd) {
    return ::fcntl(fd.get(), F_SETFL, O_NONBLOCK) == 0;
}

class FileActions {
public:
    FileActions() { ::posix_spawn_file_actions_init(&actions_); }
    ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    void dup(const UniqueFd& from, int to) {
        ::posix_spawn_file_actions_adddup2(&actions_, from.get(), to);
    }
    // What we were given open without close-on-exec, by whoever started us.
    void close_from(int first) { ::posix_spawn_file_actions_addclosefrom_np(&actions_, first); }
    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

class Attributes {
public:
    Attributes() {
        ::posix_spawnattr_init(&attributes_);
        sigset_t none;
        ::sigemptyset(&none);
        sigset_t pipe;
        ::sigemptyset(&pipe);
        ::sigaddset(&pipe, SIGPIPE);
        ::posix_spawnattr_setsigmask(&attributes_, &none);
        ::posix_spawnattr_setsigdefault(&attributes_, &pipe);
        ::posix_spawnattr_setpgroup(&attributes_, 0);
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                     POSIX_SPAWN_SETSIGMASK);
    }
    ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    const posix_spawnattr_t* get() const { return &attributes_; }

private:
    posix_spawnattr_t attributes_{};
};

// What an engine has no use for and may not learn: our tokens, what libpq reads (passwords and the
// files that hold them), and where systemd has put credentials.
bool is_secret(std::string_view variable) {
    return variable.starts_with("ADJOURN_") || variable.starts_with("PG") ||
           variable.starts_with("CREDENTIALS_DIRECTORY=");
}

// Our environment without secrets, for execve; valid as long as ours does not change.
std::vector<char*> environment_of_child() {
    std::vector<char*> variables;
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        if (!is_secret(*variable)) {
            variables.push_back(*variable);
        }
    }
    variables.push_back(nullptr);
    return variables;
}

// True also where the program has ended already.
bool set_limit(pid_t pid, __rlimit_resource what, const std::optional<std::uint64_t>& most) {
    if (!most) {
        return true;
    }
    const rlimit limit{*most, *most};
    return ::prlimit(pid, what, &limit, nullptr) == 0 || errno == ESRCH;
}

} // namespace

std::expected<Spawned, SpawnError> spawn(const std::vector<std::string>& command,
                                         const ResourceLimits& limits) {
    static std::once_flag sigpipe;
    std::call_once(sigpipe, ignore_sigpipe);

    if (command.empty() || command.front().empty()) {
        return std::unexpected(SpawnError{EINVAL, "no command given"});
    }
    const auto failed = [&command](int code) {
        return std::unexpected(
            SpawnError{code, "cannot start " + command.front() + ": " + std::strerror(code)});
    };

    Pipe input;
    Pipe output;
    Pipe errors;
    if (!make_pipe(input) || !make_pipe(output) || !make_pipe(errors) ||
        !make_nonblocking(input.write) || !make_nonblocking(output.read) ||
        !make_nonblocking(errors.read)) {
        return failed(errno);
    }
    FileActions actions;
    actions.dup(input.read, STDIN_FILENO);
    actions.dup(output.write, STDOUT_FILENO);
    actions.dup(errors.write, STDERR_FILENO);
    actions.close_from(3);
    const Attributes attributes;

    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& argument : command) {
        arguments.push_back(const_cast<char*>(argument.c_str())); // execve does not write to them
    }
    arguments.push_back(nullptr);

    const std::vector<char*> environment = environment_of_child();
    pid_t pid = 0;
    if (const int code = ::posix_spawnp(&pid, arguments.front(), actions.get(), attributes.get(),
                                        arguments.data(), environment.data());
        code != 0) {
        return failed(code);
    }
    auto end = EndWatch::of(pid);
    if (!end) {
        ::kill(-pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        return failed(end.error());
    }
    std::shared_ptr<Child> child{new Child{pid, std::move(*end)}};
    // posix_spawn() sets no limits, and has returned after exec: the program has hardly begun.
    if (!set_limit(pid, RLIMIT_AS, limits.memory_bytes) ||
        !set_limit(pid, RLIMIT_NOFILE, limits.files)) {
        return failed(errno);
    }
    return Spawned{std::move(child), std::move(input.write), std::move(output.read),
                   std::move(errors.read)};
}

} // namespace adjourn::engine_bridge
