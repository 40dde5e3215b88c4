// Freed memory back to the system.
#pragma once

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace adjourn::base {

// glibc keeps the pages that were freed between blocks in use: after a graph is read a fifth of
// what the process holds. Any thread; who allocates beside what this thread has allocated waits
// meanwhile, some milliseconds for 100 MB.
inline void give_back_free_memory() {
#ifdef __GLIBC__
    (void)malloc_trim(0); // whether there was any
#endif
}

} // namespace adjourn::base
