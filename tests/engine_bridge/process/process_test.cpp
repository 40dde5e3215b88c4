// Processes, for real: fake_engine with its switches, and the shell.
#include "engine_bridge/process/process.hpp"
#include "loop.hpp"
#include "test.hpp"

#include <boost/asio/strand.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace adjourn::engine_bridge;

namespace {

using ExitKind = ExitStatus::Kind;

// A process whose output and end are kept.
struct Watched : Loop {
    explicit Watched(std::vector<std::string> command, const ResourceLimits& limits = {}) {
        auto started =
            Process::start(boost::asio::make_strand(context), command,
                           {.output =
                                [this](const LineBuffer::Lines& read) {
                                    CHECK_FALSE(exited);
                                    lines.insert(lines.end(), read.lines.begin(), read.lines.end());
                                },
                            .exited =
                                [this](ExitStatus status) {
                                    CHECK_FALSE(exited);
                                    exited = status;
                                }},
                           nullptr, limits);
        REQUIRE(started);
        process = std::move(*started);
    }
    ExitStatus end() {
        run_until([&] { return exited.has_value(); });
        return exited.value_or(ExitStatus{});
    }
    bool said(std::string_view text) const { return std::ranges::find(lines, text) != lines.end(); }

    std::vector<std::string> lines;
    std::optional<ExitStatus> exited;
    std::shared_ptr<Process> process;
};

} // namespace

TEST_CASE("pitfall 1: last words are read before the death is reported") {
    for (int i = 0; i < 20; ++i) {
        // A program without slash is searched in the path.
        Watched shell{{"sh", "-c", "echo first; seq 1 3000; echo bestmove e2e4; printf torn"}};
        CHECK(shell.end() == ExitStatus{ExitKind::exited, 0});
        REQUIRE(shell.lines.size() == 3003);
        CHECK(shell.lines.front() == "first");
        CHECK(shell.said("bestmove e2e4"));
        CHECK(shell.lines.back() == "torn");
    }
}

TEST_CASE("pitfall 2: a child inherits none of our descriptors but its own three") {
    const int ours = ::open("/dev/null", O_RDONLY); // not even those without close-on-exec
    Watched other{{"/bin/cat"}};
    Watched list{{"/bin/ls", "/proc/self/fd"}};
    list.end();
    CHECK(list.lines == std::vector<std::string>{"0", "1", "2", "3"}); // 3: the directory itself
    // Nobody holds the other child's stdin: it sees the end of it.
    other.process->close_input();
    CHECK(other.end() == ExitStatus{ExitKind::exited, 0});
    ::close(ours);
}

TEST_CASE("pitfall 3: a program that cannot be started is a plain error and leaves no process",
          "[not valgrind]") {
    const std::size_t before = open_descriptors();
    for (int i = 0; i < 5; ++i) {
        const auto missing = spawn({"/no/such/engine", "--uci"});
        REQUIRE_FALSE(missing);
        CHECK(missing.error().code == ENOENT);
        CHECK(missing.error().message == "cannot start /no/such/engine: No such file or directory");
        CHECK(spawn({"no-such-program-in-the-path"}).error().code == ENOENT);
        CHECK(spawn({"/etc/passwd"}).error().code == EACCES);
        CHECK(spawn({}).error().code == EINVAL);
        CHECK(spawn({""}).error().code == EINVAL);
    }
    CHECK(no_children());
    CHECK(open_descriptors() == before);
}

TEST_CASE("pitfall 37: a child inherits neither our tokens nor the passwords of a database") {
    const std::vector<std::string> secrets{"ADJOURN_TOKEN", "ADJOURN_ANYTHING",
                                           "PGPASSWORD",    "PGPASSFILE",
                                           "PGSERVICEFILE", "CREDENTIALS_DIRECTORY"};
    for (const std::string& name : secrets) {
        REQUIRE(::setenv(name.c_str(), "a secret of ours", 1) == 0);
    }
    REQUIRE(::setenv("AN_ENGINE_MAY_READ", "this", 1) == 0);
    Watched child{{"/usr/bin/env"}};
    child.end();
    for (const std::string& name : secrets) {
        ::unsetenv(name.c_str());
    }
    ::unsetenv("AN_ENGINE_MAY_READ");
    CHECK(child.said("AN_ENGINE_MAY_READ=this"));
    CHECK(std::ranges::any_of(child.lines, [](auto& line) { return line.starts_with("PATH="); }));
    for (const std::string& line : child.lines) {
        CHECK(line.find("a secret of ours") == std::string::npos);
    }
}

TEST_CASE("pitfall 4: own process group, default SIGPIPE and no blocked signals for the child") {
    sigset_t block;
    sigset_t before;
    ::sigemptyset(&block);
    ::sigaddset(&block, SIGUSR1);
    ::pthread_sigmask(SIG_BLOCK, &block, &before);
    // SigIgn is what cat inherits from us; the fifth field of stat is the process group.
    Watched child{{"/bin/sh", "-c",
                   "grep -E '^Sig(Blk|Ign)' /proc/self/status; cut -d' ' -f5 /proc/$$/stat"}};
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    const int pid = child.process->child()->pid();
    child.end();
    REQUIRE(child.lines.size() == 3);
    CHECK(child.lines[0] == "SigBlk:\t0000000000000000");
    const auto ignored = std::strtoull(child.lines[1].substr(8).c_str(), nullptr, 16);
    CHECK((ignored & (1ULL << (SIGPIPE - 1))) == 0);
    CHECK(child.lines[2] == std::to_string(pid));
    CHECK(pid != ::getpgrp());
}

TEST_CASE("pitfall 4: the children of a wrapper script die with it") {
    Watched wrapper{{"/bin/sh", "-c", "sleep 1000 & echo $!; wait"}};
    wrapper.run_until([&] { return !wrapper.lines.empty(); });
    REQUIRE(wrapper.lines.size() == 1);
    const int grandchild = std::atoi(wrapper.lines[0].c_str());
    CHECK(alive(grandchild));
    wrapper.process->child()->signal(SIGKILL);
    CHECK(wrapper.end() == ExitStatus{ExitKind::signalled, SIGKILL});
    CHECK(wrapper.run_until([&] { return !alive(grandchild); }));
}

TEST_CASE("the death of a wrapper is noticed though its child holds the pipes") {
    Watched wrapper{{ADJOURN_FAKE_ENGINE, "--spawn-child", "--crash-on-go"}};
    wrapper.process->write("uci\ngo depth 1\n");
    CHECK(wrapper.end() == ExitStatus{ExitKind::signalled, SIGSEGV});
    CHECK(wrapper.said("uciok"));
}

TEST_CASE("pitfall 4: writing to a dead child is no signal to us") {
    Watched child{{"/bin/true"}};
    const std::string megabyte(1 << 20, '\n');
    for (int i = 0; i < 8; ++i) {
        child.process->write(megabyte);
    }
    CHECK(child.end() == ExitStatus{ExitKind::exited, 0});
    child.process->write("quit\n");
    child.process->close_input();
}

TEST_CASE("pitfall 6: stderr is drained, bounded, and apart from stdout") {
    Watched engine{{ADJOURN_FAKE_ENGINE, "--flood-stderr"}};
    engine.process->write("uci\n");
    CHECK(engine.run_until([&] { return engine.said("uciok"); }));
    engine.process->write("quit\n");
    CHECK(engine.end() == ExitStatus{ExitKind::exited, 0});
    CHECK(std::ranges::none_of(engine.lines, [](const auto& l) { return l.starts_with('#'); }));
    CHECK_FALSE(engine.process->errors().empty());
    CHECK(engine.process->errors().size() <= 2 * Process::max_errors);
}

TEST_CASE("pitfall 7: exit statuses are told in words, with hints") {
    CHECK(to_text({ExitKind::exited, 3}) == "exited with code 3");
    CHECK(to_text({ExitKind::exited, 127}) ==
          "exited with code 127 (program or library not found?)");
    CHECK(to_text({ExitKind::signalled, SIGSEGV}) ==
          "was killed by signal 11 (Segmentation fault)");
    CHECK(to_text({ExitKind::signalled, SIGILL}) ==
          "was killed by signal 4 (Illegal instruction): the program is not made for this CPU");
    CHECK(to_text({}) == "ended with unknown status");
    for (const int signal : {SIGILL, SIGSEGV, SIGABRT}) {
        Watched shell{{"/bin/sh", "-c", "kill -" + std::to_string(signal) + " $$"}};
        CHECK(shell.end() == ExitStatus{ExitKind::signalled, signal});
    }
}

TEST_CASE("a child is reaped once, and its status kept") {
    auto spawned = spawn({"/bin/sh", "-c", "exit 7"});
    REQUIRE(spawned);
    const std::shared_ptr<Child> child = spawned->child;
    Loop loop;
    CHECK(loop.run_until([&] { return child->reap().has_value(); }));
    CHECK(child->reap() == ExitStatus{ExitKind::exited, 7});
    CHECK(child->kill() == ExitStatus{ExitKind::exited, 7});
    child->signal(SIGKILL); // reaches nobody
    CHECK(no_children());
    spawned = spawn({"/bin/true"});
    REQUIRE(spawned);
    ::waitpid(spawned->child->pid(), nullptr, 0); // by somebody else
    CHECK(spawned->child->reap() == ExitStatus{});
}

TEST_CASE("engines do not survive the kill -9 of their master, even deaf ones") {
    // A child of ours plays the server.
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const pid_t server = ::fork();
    if (server == 0) {
        ProcessGuard guard;
        const auto deaf = spawn({"/bin/sh", "-c", "trap '' TERM HUP; sleep 1000; sleep 1000"});
        const auto gone = spawn({"/bin/sh", "-c", "exit 0"});
        if (!deaf || !gone) {
            ::_exit(1);
        }
        guard.add(deaf->child->pid());
        guard.add(gone->child->pid());
        guard.remove(gone->child->pid());
        const int pid = deaf->child->pid();
        [[maybe_unused]] const ssize_t told = ::write(pipe[1], &pid, sizeof pid);
        while (true) {
            ::pause();
        }
    }
    int deaf = 0;
    REQUIRE(::read(pipe[0], &deaf, sizeof deaf) == sizeof deaf);
    CHECK(alive(deaf));
    ::kill(server, SIGKILL);
    ::waitpid(server, nullptr, 0);
    Loop loop;
    CHECK(loop.run_until([&] { return !alive(deaf); }));
    ::close(pipe[0]);
    ::close(pipe[1]);
}

TEST_CASE("a guard that has nothing to guard leaves no trace") {
    const std::size_t before = open_descriptors();
    {
        ProcessGuard guard;
        const auto child = spawn({"/bin/cat"});
        REQUIRE(child);
        guard.add(child->child->pid());
        CHECK_FALSE(no_children());
    }
    CHECK(no_children());
    CHECK(open_descriptors() == before);
}

TEST_CASE("process: limits of memory and files hold for it and for what it starts") {
    Watched shell{{"/bin/sh", "-c", "read go; ulimit -v; ulimit -n; exec /bin/sh -c 'ulimit -n'"},
                  {.memory_bytes = 512u << 20, .files = 40}};
    shell.process->write("go\n");
    shell.end();
    CHECK(shell.lines == std::vector<std::string>{"524288", "40", "40"});
}
