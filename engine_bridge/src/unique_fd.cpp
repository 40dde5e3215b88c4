#include "engine_bridge/unique_fd.hpp"

#include <unistd.h>

namespace adjourn::engine_bridge {

UniqueFd::~UniqueFd() {
    close();
}

void UniqueFd::close() {
    if (fd_ >= 0) {
        ::close(release()); // nothing sensible can be done about an error here
    }
}

} // namespace adjourn::engine_bridge
