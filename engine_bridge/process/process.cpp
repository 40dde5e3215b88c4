#include "engine_bridge/process/process.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace adjourn::engine_bridge {
namespace {

using boost::asio::posix::stream_descriptor;

enum class ReadEnd : std::uint8_t { drained, limit, closed };

class AsioProcess final : public Process, public std::enable_shared_from_this<AsioProcess> {
public:
    AsioProcess(const boost::asio::any_io_executor& executor, Spawned spawned, Events events,
                ProcessGuard* guard)
        : events_{std::move(events)}, guard_{guard}, child_{std::move(spawned.child)},
          input_{executor, spawned.input.release()}, output_{executor, spawned.output.release()},
          error_{executor, spawned.errors.release()}, end_{executor, child_->end_fd()} {
        if (guard_ != nullptr) {
            guard_->add(child_->pid());
        }
    }

    ~AsioProcess() override { release_end(); }

    void run() {
        wait_for_output();
        wait_for_errors();
        end_.async_wait(stream_descriptor::wait_read,
                        [self = shared_from_this()](const boost::system::error_code& error) {
                            if (!error && !self->detached_) {
                                self->on_end();
                            }
                        });
    }

    void write(std::string_view bytes) override {
        if (!input_.is_open() || closing_) {
            return;
        }
        unsent_ += bytes;
        if (!waiting_to_write_) {
            flush();
        }
    }

    void close_input() override {
        closing_ = true;
        if (unsent_.empty()) {
            close(input_);
        }
    }

    std::string errors() const override { return errors_.last_lines(); }

    void detach() override {
        detached_ = true;
        guard_ = nullptr; // may be gone before we are
        close(input_);
        close(output_);
        close(error_);
        release_end();
    }

    const std::shared_ptr<Child>& child() const override { return child_; }

private:
    // Engines write little; one that floods must not starve the others on this executor.
    static constexpr std::size_t max_read_per_turn = 256 * 1024;

    static void close(stream_descriptor& descriptor) {
        boost::system::error_code ignored; // a pipe end has nothing to lose on close
        descriptor.close(ignored);
    }

    // The descriptor belongs to the child, which may have to be reaped by another thread.
    void release_end() {
        if (end_.is_open()) {
            end_.release();
        }
    }

    void flush() {
        while (!unsent_.empty()) {
            const ssize_t sent = ::write(input_.native_handle(), unsent_.data(), unsent_.size());
            if (sent >= 0) {
                unsent_.erase(0, static_cast<std::size_t>(sent));
            } else if (errno == EAGAIN) {
                waiting_to_write_ = true;
                input_.async_wait(stream_descriptor::wait_write,
                                  [self = shared_from_this()](const boost::system::error_code& e) {
                                      self->waiting_to_write_ = false;
                                      if (!e) {
                                          self->flush();
                                      }
                                  });
                return;
            } else if (errno != EINTR) { // EPIPE: it closed its stdin; its end will be told by end_
                unsent_.clear();
                close(input_);
                return;
            }
        }
        if (closing_) {
            close(input_);
        }
    }

    void wait_for_output() {
        output_.async_wait(stream_descriptor::wait_read,
                           [self = shared_from_this()](const boost::system::error_code& error) {
                               if (!error &&
                                   self->read_output(max_read_per_turn) != ReadEnd::closed) {
                                   self->wait_for_output();
                               }
                           });
    }

    void wait_for_errors() {
        error_.async_wait(stream_descriptor::wait_read,
                          [self = shared_from_this()](const boost::system::error_code& error) {
                              if (!error &&
                                  self->read_errors(max_read_per_turn) != ReadEnd::closed) {
                                  self->wait_for_errors();
                              }
                          });
    }

    // Reads what is there, at most about `limit` bytes, without blocking.
    template <typename Sink>
    ReadEnd read(stream_descriptor& from, std::size_t limit, Sink sink) {
        std::array<char, 16 * 1024> bytes; // NOLINT: filled by read
        std::size_t total = 0;
        while (from.is_open()) {
            const ssize_t count = ::read(from.native_handle(), bytes.data(), bytes.size());
            if (count > 0) {
                sink(std::string_view{bytes.data(), static_cast<std::size_t>(count)});
                total += static_cast<std::size_t>(count);
                if (total >= limit) {
                    return ReadEnd::limit;
                }
                if (static_cast<std::size_t>(count) < bytes.size()) {
                    return ReadEnd::drained;
                }
            } else if (count == 0) {
                return ReadEnd::closed;
            } else if (errno == EAGAIN) {
                return ReadEnd::drained;
            } else if (errno != EINTR) {
                return ReadEnd::closed;
            }
        }
        return ReadEnd::closed;
    }

    ReadEnd read_output(std::size_t limit) {
        return read(output_, limit, [this](std::string_view bytes) {
            const LineBuffer::Lines lines = lines_.feed(bytes);
            deliver(lines);
        });
    }

    ReadEnd read_errors(std::size_t limit) {
        return read(error_, limit, [this](std::string_view bytes) { errors_.append(bytes); });
    }

    void deliver(const LineBuffer::Lines& lines) {
        if (!detached_ && (!lines.lines.empty() || lines.overlong)) {
            events_.output(lines); // may detach() us
        }
    }

    // It is dead but not reaped. What it wrote before is in the pipes: read that first.
    void on_end() {
        child_->signal(SIGKILL); // what is left of its group, so that nobody holds the pipes
        constexpr std::size_t last_words = 4 * 1024 * 1024;
        read_errors(last_words);
        read_output(last_words);
        if (!lines_.rest().empty()) {
            deliver(lines_.feed("\n"));
        }
        if (guard_ != nullptr) {
            guard_->remove(child_->pid());
        }
        const std::optional<ExitStatus> status = child_->reap();
        if (!detached_) {
            detach();
            events_.exited(status.value_or(ExitStatus{}));
        }
    }

    Events events_;
    ProcessGuard* guard_;
    std::shared_ptr<Child> child_;
    stream_descriptor input_;
    stream_descriptor output_;
    stream_descriptor error_;
    stream_descriptor end_; // readable once the child has ended
    LineBuffer lines_;
    std::string unsent_;
    bool waiting_to_write_ = false;
    bool closing_ = false;
    TailBuffer errors_{max_errors};
    bool detached_ = false;
};

// Reads "+ GROUP" and "- GROUP" until its stdin ends, which it does when we are gone or close it.
// What is on the list then is asked to leave, and killed two seconds later. It runs in a group of
// its own, so that Ctrl-C in the terminal does not reach it.
constexpr const char* script = R"(
trap '' HUP INT TERM
groups=' '
while read -r verb group; do
    case $verb in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="${groups%% $group *} ${groups#* $group }" ;; esac ;;
    esac
done
[ "$groups" = ' ' ] && exit
exec >/dev/null 2>&1
for group in $groups; do kill -TERM "-$group"; done
sleep 2
for group in $groups; do kill -KILL "-$group"; done
)";

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

std::expected<std::shared_ptr<Process>, SpawnError>
Process::start(const boost::asio::any_io_executor& executor,
               const std::vector<std::string>& command, Events events, ProcessGuard* guard,
               const ResourceLimits& limits) {
    auto spawned = spawn(command, limits);
    if (!spawned) {
        return std::unexpected(std::move(spawned.error()));
    }
    auto process =
        std::make_shared<AsioProcess>(executor, std::move(*spawned), std::move(events), guard);
    process->run();
    return process;
}

ProcessGuard::ProcessGuard() {
    if (auto spawned = spawn({"/bin/sh", "-c", script}); spawned) {
        child_ = std::move(spawned->child);
        input_ = std::move(spawned->input);
    }
}

// Not left to itself: groups that were reaped are off the list, but it need not live to see it.
ProcessGuard::~ProcessGuard() {
    if (child_) {
        child_->kill();
    }
}

void ProcessGuard::add(int group) {
    tell('+', group);
}

void ProcessGuard::remove(int group) {
    tell('-', group);
}

void ProcessGuard::tell(char verb, int group) {
    if (!input_.open()) {
        return;
    }
    const std::string line = std::string{verb} + ' ' + std::to_string(group) + '\n';
    // Shorter than PIPE_BUF, so all or nothing. It can fail only if somebody killed or stopped the
    // guard; then the engines are as unguarded as without one. Closing the pipe of a guard that is
    // merely stopped would make it kill them.
    if (::write(input_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
        child_->kill();
        input_.close();
    }
}

// spawn(): posix_spawn rather than fork, because the server is large and has threads. See
// docs/decisions for what else was considered.

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
