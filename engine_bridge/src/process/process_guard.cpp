#include "engine_bridge/process/process_guard.hpp"

#include <string>
#include <unistd.h>

namespace adjourn::engine_bridge {
namespace {

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

} // namespace

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

} // namespace adjourn::engine_bridge
