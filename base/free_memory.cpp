#include "base/free_memory.hpp"

#include <cstdlib> // __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace adjourn::base {

void give_back_free_memory() {
#ifdef __GLIBC__
    (void)malloc_trim(0); // whether there was any
#endif
}

} // namespace adjourn::base
