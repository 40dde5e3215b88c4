// What kernel_bmi2.cpp compiled to: null where the compiler doesn't target x86-64. Needs
// fill_pext_tables() first and a machine that has the instructions; see kernel.cpp.
#pragma once

#include "chess/kernel.hpp"

namespace adjourn::chess::detail {

extern const Kernel* const compiled_bmi2_kernel;

} // namespace adjourn::chess::detail
