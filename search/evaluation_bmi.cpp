// CMake compiles this file with those instructions switched on, so it must share no out-of-line
// function with other files.
#include "search/evaluation.hpp"

namespace adjourn::search {

#if defined(__BMI__) && defined(__POPCNT__)
constinit const Evaluate evaluate_with_bmi = evaluated;
#else
constinit const Evaluate evaluate_with_bmi = nullptr;
#endif

} // namespace adjourn::search
