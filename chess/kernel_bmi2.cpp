// The kernel for machines with fast BMI2. CMake compiles this file with those instructions switched
// on; everything here is a template on PextSliders, local, or always inlined.

#if defined(__x86_64__) && defined(__BMI2__) && defined(__POPCNT__)

#include "chess/detail/pext.hpp"
#include "chess/kernel.hpp"
#include "chess/movegen.hpp"

namespace adjourn::chess::detail {

namespace {

using Functions = KernelFunctions<PextSliders>;

constexpr Kernel kernel_with_bmi2{"bmi2", Functions::generate, Functions::count, Functions::perft};

} // namespace

constinit const Kernel* const compiled_bmi2_kernel = &kernel_with_bmi2;

} // namespace adjourn::chess::detail

#else

namespace adjourn::chess::detail {

constinit const Kernel* const compiled_bmi2_kernel = nullptr;

} // namespace adjourn::chess::detail

#endif
