#include "graphs/steering.hpp"

#include <algorithm>

namespace adjourn::server {

void rebuild_steering(AnalysisRun& run) {
    run.steering.clear();
    if (run.slot == nullptr) {
        return;
    }
    analysis::Graph& graph = run.slot->graph();
    const auto forget = [](std::vector<chess::Move>& moves, chess::Move move) {
        std::erase(moves, move);
    };
    // A later word on the same move or position replaces the earlier one.
    std::vector<const Directive*> includes; // of moves, and lines to deepen at
    for (const Directive* order : standing(run.directives)) {
        const Directive& said = *order;
        const auto position = chess::Position::unpack(said.position);
        if (!position || is_remark(said.order)) {
            continue;
        }
        const auto about = move_of(said.order);
        const auto same = [&](const Directive* other) {
            return other->position == said.position && move_of(other->order) == about;
        };
        analysis::NodeSteering& at = run.steering[graph.intern(*position)];
        if (about) {
            forget(at.included, *about);
            forget(at.excluded, *about);
            std::erase_if(includes, same);
        }
        if (std::holds_alternative<Include>(said.order)) {
            includes.push_back(&said);
        } else if (const auto* exclude = std::get_if<Exclude>(&said.order)) {
            at.excluded.push_back(exclude->move);
        } else if (const auto* deepen = std::get_if<Deepen>(&said.order)) {
            at.line = said.line;
            std::erase_if(includes, same);
            includes.push_back(&said);
            at.deepen = deepen->plies;
        } else if (std::holds_alternative<Now>(said.order)) {
            at.line = said.line;
            at.now = true;
        } else { // Clear
            const chess::Position cleared = about ? position->after(*about) : *position;
            analysis::NodeSteering& there = run.steering[graph.intern(cleared)];
            there.deepen = 0;
            there.now = false;
            std::erase_if(includes, [&](const Directive* other) {
                return std::holds_alternative<Deepen>(other->order) &&
                       other->position == cleared.packed();
            });
        }
    }
    // To include a move, or to deepen at a position, is to include the line that leads there.
    for (const Directive* said : includes) {
        chess::Position position = run.root;
        std::vector<chess::Move> line = said->line;
        if (const auto about = move_of(said->order)) {
            line.push_back(*about);
        }
        for (const chess::Move move : line) {
            analysis::NodeSteering& here = run.steering[graph.intern(position)];
            if (!position.is_legal(move) || std::find(here.excluded.begin(), here.excluded.end(),
                                                      move) != here.excluded.end()) {
                break;
            }
            auto& included = here.included;
            if (std::find(included.begin(), included.end(), move) == included.end()) {
                included.push_back(move);
            }
            position.play(move);
        }
    }
}

} // namespace adjourn::server
