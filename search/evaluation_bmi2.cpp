// CMake compiles this file with those instructions switched on, so it must share no out-of-line
// function with other files.
#include "search/evaluation.hpp"

#include "chess/detail/pext.hpp"

namespace adjourn::search {

#if defined(__BMI2__) && defined(__POPCNT__)
constinit const Evaluate evaluate_with_bmi2 = evaluated<PextSliders>;
#else
constinit const Evaluate evaluate_with_bmi2 = nullptr;
#endif

} // namespace adjourn::search
