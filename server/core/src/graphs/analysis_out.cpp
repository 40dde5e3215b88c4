#include "core/graphs/analysis_out.hpp"

namespace adjourn::server {

void AnalysisOut::forget_turns() {
    for (const Turn& waiting : turns) {
        in_flight -= waiting.place == Turn::Place::out && !waiting.outcome ? 1 : 0;
        nodes -= nodes_of(waiting.planned.limit);
    }
    turns.clear();
    put_aside.clear();
    nodes_in_turn = 0;
    ms_in_turn = 0;
}

} // namespace adjourn::server
