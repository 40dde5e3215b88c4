#include "core/graphs/node_directives.hpp"

#include <algorithm>

namespace adjourn::server {

void rebuild_node_directives(AnalysisRun& run) {
    run.node_directives.clear();
    if (run.slot == nullptr) {
        return;
    }
    analysis::Graph& graph = run.slot->graph();
    const auto forget = [](std::vector<chess::Move>& moves, chess::Move move) {
        std::erase(moves, move);
    };
    // A later directive about the same move or position replaces the earlier one.
    std::vector<const Directive*> includes; // of moves, and lines to deepen at
    for (const Directive* each : in_force(run.directives)) {
        const Directive& directive = *each;
        const auto position = chess::Position::unpack(directive.position);
        if (!position || is_remark(directive.action)) {
            continue;
        }
        const auto about = move_of(directive.action);
        const auto same = [&](const Directive* other) {
            return other->position == directive.position && move_of(other->action) == about;
        };
        analysis::NodeDirectives& at = run.node_directives[graph.intern(*position)];
        if (about) {
            forget(at.included, *about);
            forget(at.excluded, *about);
            std::erase_if(includes, same);
        }
        if (std::holds_alternative<Include>(directive.action)) {
            includes.push_back(&directive);
        } else if (const auto* exclude = std::get_if<Exclude>(&directive.action)) {
            at.excluded.push_back(exclude->move);
        } else if (const auto* deepen = std::get_if<Deepen>(&directive.action)) {
            std::erase_if(includes, same);
            if (auto line = run.from_root(directive.line)) {
                at.line = std::move(*line);
                includes.push_back(&directive);
                at.deepen = deepen->plies;
            }
        } else if (std::holds_alternative<Now>(directive.action)) {
            if (auto line = run.from_root(directive.line)) {
                at.line = std::move(*line);
                at.now = true;
            }
        } else { // Clear
            const chess::Position cleared = about ? position->after(*about) : *position;
            analysis::NodeDirectives& there = run.node_directives[graph.intern(cleared)];
            there.deepen = 0;
            there.now = false;
            std::erase_if(includes, [&](const Directive* other) {
                return std::holds_alternative<Deepen>(other->action) &&
                       other->position == cleared.packed();
            });
        }
    }
    // To include a move, or to deepen at a position, is to include the line that leads there.
    for (const Directive* directive : includes) {
        // Where the game went another way the move is followed wherever one comes to it.
        const auto below = run.from_root(directive->line);
        chess::Position position = below ? run.root : *chess::Position::unpack(directive->position);
        std::vector<chess::Move> line = below.value_or(std::vector<chess::Move>{});
        if (const auto about = move_of(directive->action)) {
            line.push_back(*about);
        }
        for (const chess::Move move : line) {
            analysis::NodeDirectives& here = run.node_directives[graph.intern(position)];
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
