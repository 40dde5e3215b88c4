#include "analysis/fortress.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace adjourn::analysis {

namespace {

// By the first four the lamp lights; docs/measurements/fortress.md says where they are from and how
// often they are right. What follows is told beside them where it is so; trees as small as those
// that were measured do not show whether it helps.
struct Thresholds {
    int ahead = 100;        // cp: with less there is no advantage to convert
    double over = 4;        // doublings of the work that a course has to have
    double rise = 0.1;      // of the score: what a flat course rises at most
    std::size_t quiet = 20; // plies of a line, all that it has
    int even = 10;          // cp: what is near to 0
    std::size_t around = 8; // positions: two pieces that go to and fro on both sides
    int clock = 40;         // plies, of the 100 after which a draw can be claimed
};
constexpr Thresholds fortress_limits;
constexpr double recorded_rounding = 1e-2; // of an effort as it is recorded

struct FlatCourse {
    int rise = 0; // cp, for the side that is ahead
    int over = 0; // doublings
};

// nullopt: too short, or more work found more.
std::optional<FlatCourse> flat_course(std::span<const SearchedScore> course, int side) {
    const SearchedScore& last = course.back();
    const auto first = std::find_if(course.rbegin(), course.rend(), [&](const SearchedScore& one) {
        return one.effort <= last.effort - fortress_limits.over + recorded_rounding;
    });
    if (first == course.rend() || !first->score.is_cp()) {
        return std::nullopt;
    }
    const int before = side * first->score.centipawns(), now = side * last.score.centipawns();
    if (now - before > fortress_limits.rise * before) {
        return std::nullopt;
    }
    return FlatCourse{now - before, static_cast<int>(std::lround(last.effort - first->effort))};
}

bool is_ahead(const std::optional<chess::Score>& score, int side, int least) {
    return score && score->is_cp() && side * score->centipawns() >= least;
}

} // namespace

std::string_view to_text(FortressReason reason) {
    switch (reason) {
    case FortressReason::flat: return "flat";
    case FortressReason::repeats: return "repeats";
    case FortressReason::around: return "around";
    case FortressReason::quiet: return "quiet";
    case FortressReason::clock: return "clock";
    }
    return "";
}

std::size_t quiet_plies(chess::Position from, std::span<const chess::Move> line) {
    std::size_t plies = 0;
    for (const chess::Move move : line) {
        if (!from.is_legal(move) || from.is_irreversible(move)) {
            break;
        }
        from.play(move);
        ++plies;
    }
    return plies;
}

std::size_t positions_around(const Graph& graph, NodeId node, std::size_t most) {
    std::unordered_map<NodeId, std::vector<NodeId>> from; // by where they lead to
    std::vector<NodeId> open{node};
    from[node];
    for (std::size_t i = 0; i < open.size(); ++i) {
        const chess::Position position = graph.position(open[i]);
        for (const GraphMove& move : graph.moves(open[i])) {
            if (!graph.expanded(move.target) || position.is_irreversible(move.move)) {
                continue;
            }
            const bool known = from.contains(move.target);
            if (!known && open.size() == most) {
                continue;
            }
            from[move.target].push_back(open[i]);
            if (!known) {
                open.push_back(move.target);
            }
        }
    }
    std::vector<NodeId> back{node};
    std::unordered_map<NodeId, bool> leads{{node, true}};
    for (std::size_t i = 0; i < back.size(); ++i) {
        for (const NodeId before : from[back[i]]) {
            if (leads.emplace(before, true).second) {
                back.push_back(before);
            }
        }
    }
    return back.size();
}

Fortress fortress_of(const FortressSigns& signs) {
    Fortress result;
    if (signs.course.empty() || !signs.course.back().score.is_cp()) {
        return result;
    }
    const SearchedScore& last = signs.course.back();
    const int side = last.score.centipawns() > 0 ? 1 : -1;
    const int ahead = side * last.score.centipawns();
    result.mover = side > 0;
    if (ahead < fortress_limits.ahead) {
        return result;
    }
    const std::optional<FlatCourse> flat = flat_course(signs.course, side);
    if (flat) {
        result.why.push_back({FortressReason::flat, flat->rise, flat->over});
    }
    const bool repeats = is_ahead(signs.idea, side, fortress_limits.ahead) && signs.alpha &&
                         signs.alpha->is_cp() &&
                         std::abs(signs.alpha->centipawns()) <= fortress_limits.even;
    if (repeats) {
        result.why.push_back({FortressReason::repeats, side * signs.idea->centipawns()});
    }
    if (signs.around >= fortress_limits.around) {
        result.why.push_back({FortressReason::around, static_cast<int>(signs.around)});
    }
    const bool quiet = signs.quiet == signs.line && signs.quiet >= fortress_limits.quiet;
    if (quiet) {
        result.why.push_back({FortressReason::quiet, static_cast<int>(signs.quiet)});
    }
    const int clock = signs.clock + static_cast<int>(signs.quiet);
    if (clock >= fortress_limits.clock) {
        result.why.push_back({FortressReason::clock, clock});
    }
    result.lit = flat && quiet;
    return result;
}

} // namespace adjourn::analysis
