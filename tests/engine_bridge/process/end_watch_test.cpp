#include "engine_bridge/process/child.hpp"
#include "test.hpp"

#include <cerrno>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace adjourn::engine_bridge {
namespace {

// A child that lives until it is killed or `go` is closed by us.
struct Sleeper {
    Sleeper() {
        REQUIRE(::pipe(go.data()) == 0);
        pid = ::fork();
        if (pid == 0) {
            ::close(go[1]);
            char byte = 0;
            const auto count = ::read(go[0], &byte, 1); // until the other end is closed
            ::_exit(count == 0 ? 7 : 1);
        }
        ::close(go[0]);
    }
    void let_go() const { ::close(go[1]); }

    std::array<int, 2> go{};
    pid_t pid = 0;
};

bool readable(int fd, int wait_ms) {
    pollfd asked{fd, POLLIN, 0};
    return ::poll(&asked, 1, wait_ms) == 1;
}

constexpr int long_ms = 60'000;

} // namespace

TEST_CASE("the end of a child is told by the kernel's descriptor and by a thread alike") {
    const auto way = GENERATE(EndWatch::Way::descriptor, EndWatch::Way::thread);
    const Sleeper child;
    {
        const auto watch = EndWatch::of(child.pid, way);
        if (!watch && way == EndWatch::Way::descriptor && watch.error() == ENOSYS) {
            WARN("skipped: this kernel knows no pidfd");
            ::kill(child.pid, SIGKILL);
            ::waitpid(child.pid, nullptr, 0);
            return;
        }
        REQUIRE(watch);
        CHECK_FALSE(readable(watch->fd(), 0));
        child.let_go();
        CHECK(readable(watch->fd(), long_ms));
        CHECK(readable(watch->fd(), 0)); // and stays so
    }
    int status = 0; // which is left for who reaps
    CHECK(::waitpid(child.pid, &status, 0) == child.pid);
    CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("who was reaped by somebody else, or is no child of ours, has ended for a thread") {
    const Sleeper child;
    const auto watch = EndWatch::of(child.pid, EndWatch::Way::thread);
    REQUIRE(watch);
    ::kill(child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
    CHECK(readable(watch->fd(), long_ms));
    const auto later = EndWatch::of(child.pid, EndWatch::Way::thread);
    REQUIRE(later);
    CHECK(readable(later->fd(), long_ms));
    const auto by_descriptor = EndWatch::of(child.pid, EndWatch::Way::descriptor);
    REQUIRE_FALSE(by_descriptor);
    CHECK((by_descriptor.error() == ESRCH || by_descriptor.error() == ENOSYS));
}

} // namespace adjourn::engine_bridge
