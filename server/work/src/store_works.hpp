// Whether a write that failed was refused alone, or nothing can be stored any more.
#pragma once

#include "work/core.hpp"

namespace adjourn::server {

// On the core's thread, after a write that failed. True: the store works, and has refused that one
// for what it says. False: it does not, and the core has kept why. Blocks until what was queued
// before is durable.
inline bool still_works(Core& core) {
    return core.attempt("storing", [&core] { core.store().flush(); }); // throws where it does not
}

} // namespace adjourn::server
