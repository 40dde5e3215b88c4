#include "search/evaluation.hpp"

#include "chess/detail/pext.hpp"

namespace adjourn::search {

Value evaluate_anywhere(const chess::Position& position) {
    return evaluated<PortableSliders>(position);
}

Value evaluate(const chess::Position& position) {
    static const Evaluate best =
        evaluate_with_bmi2 != nullptr && has_fast_pext() ? evaluate_with_bmi2 : evaluate_anywhere;
    return best(position);
}

} // namespace adjourn::search
