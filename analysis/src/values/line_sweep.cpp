#include "line_sweep.hpp"

#include "resettle.hpp"

#include <algorithm>
#include <limits>

namespace adjourn::analysis {

namespace {

// The nodes of the line that its last one may lead back to.
FlatSet reversible_tail(const Network& network, std::span<const NodeId> line) {
    FlatSet tail;
    const std::uint32_t phase = network[line.back()].phase;
    for (auto at = line.rbegin(); at != line.rend(); ++at) {
        const Record* record = network.find(*at);
        if (record != nullptr && record->phase != phase) {
            break;
        }
        tail.insert(index_of(*at), {}); // one not described may be of the class
    }
    return tail;
}

// Shares of one side with the dead ends worth 0.
Resettle resettle_around(const Network& network, const Region& region, chess::Color side) {
    Resettle resettle{region, side};
    region.dead_ends->for_each([&](std::uint32_t dead, Nothing) {
        const Record* record = network.find_active(NodeId{dead});
        if (record != nullptr && record->value == 0) {
            return; // moves to it are worth 0 already
        }
        network.for_each_incoming(NodeId{dead},
                                  [&](NodeId parent, const Record& above, const GraphMove& move) {
                                      if (region.contains(parent, &above)) {
                                          resettle.note(parent, network.game_rank(move), 0);
                                      }
                                  });
    });
    resettle.run();
    return resettle;
}

} // namespace

chess::Score game_score(const Network& network, const GraphMove& move) {
    const Record* target = network.find(move.target);
    if (target == nullptr || (!target->exact && !target->active())) {
        return move.engine_score;
    }
    return target->exact ? target->idea_score().backed_up()
                         : score_of_rank(target->value).backed_up();
}

LineResult sweep_line(const Network& network, const Units& units, std::span<const NodeId> line) {
    const NodeId last = line.back();
    const Record* record = network.find(last);
    if (record == nullptr) {
        return {};
    }
    LineResult result;
    if (record->exact) {
        result.alpha = record->idea_score();
    }
    if (record->count == 0) {
        return result;
    }
    const FlatSet tail = reversible_tail(network, line);
    // Only what the last node leads to matters: its own component, and what has a lower order.
    Region region{network,
                  units,
                  record->phase,
                  Units::of(last, *record),
                  record->active() ? units.order(*record)
                                   : std::numeric_limits<std::int32_t>::max(),
                  &tail};
    const Resettle white = resettle_around(network, region, chess::Color::white);
    const Resettle black = resettle_around(network, region, chess::Color::black);
    for (const GraphMove& move : network.moves(last)) {
        const Record* target = network.find(move.target);
        if (tail.contains(index_of(move.target))) {
            result.moves.push_back({chess::Score::cp(0), true, false});
        } else if (region.contains(move.target, target)) {
            const int rank = target->black ? black.share(move.target) - white.share(move.target)
                                           : white.share(move.target) - black.share(move.target);
            result.moves.push_back({score_of_rank(rank).backed_up(), false, false});
        } else {
            result.moves.push_back({game_score(network, move), false, false});
        }
    }
    if (!record->exact) {
        const auto best = std::max_element(
            result.moves.begin(), result.moves.end(),
            [](const MoveValue& a, const MoveValue& b) { return a.value < b.value; });
        result.alpha = score_of_rank(best->value.rank());
    }
    return result;
}

} // namespace adjourn::analysis
