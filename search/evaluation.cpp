#include "search/evaluation.hpp"

namespace adjourn::search {

namespace {

Evaluate best_here() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (evaluate_with_bmi != nullptr && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("popcnt")) {
        return evaluate_with_bmi;
    }
#endif
    return evaluated;
}

} // namespace

Value evaluate_anywhere(const chess::Position& position) {
    return evaluated(position);
}

Value evaluate(const chess::Position& position) {
    static const Evaluate best = best_here();
    return best(position);
}

} // namespace adjourn::search
