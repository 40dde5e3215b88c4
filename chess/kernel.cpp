#include "chess/kernel.hpp"

#include "chess/detail/sliders.hpp"
#include "chess/kernel_bmi2.hpp"
#include "chess/movegen.hpp"
#include "chess/pext_tables.hpp"

namespace adjourn::chess::detail {

namespace {

// AMD before Zen 3 has PEXT in microcode, some twenty times slower than it is elsewhere.
bool has_fast_bmi2() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && !__builtin_cpu_is("amdfam17h") &&
           !__builtin_cpu_is("amdfam15h");
#else
    return false;
#endif
}

const Kernel& choose() {
    if (compiled_bmi2_kernel != nullptr && has_fast_bmi2()) {
        fill_pext_tables();
        return *compiled_bmi2_kernel;
    }
    return portable_kernel();
}

} // namespace

const Kernel& portable_kernel() {
    using Functions = KernelFunctions<PortableSliders>;
    static constexpr Kernel portable{"portable", Functions::generate, Functions::count,
                                     Functions::perft};
    return portable;
}

const Kernel& kernel() {
    static const Kernel& best = choose();
    return best;
}

} // namespace adjourn::chess::detail
