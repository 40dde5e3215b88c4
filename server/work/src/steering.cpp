#include "work/steering.hpp"

#include "records/stored_analysis.hpp"

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
    std::vector<const storage::DirectiveRecord*> includes; // of moves, and lines to deepen at
    for (const storage::DirectiveRecord& said : run.directives) {
        const auto position = chess::Position::unpack(said.position);
        if (!position || said.action == "note") {
            continue;
        }
        const auto same = [&](const storage::DirectiveRecord* other) {
            return other->position == said.position && other->move == said.move;
        };
        analysis::NodeSteering& at = run.steering[graph.intern(*position)];
        if (said.move) {
            forget(at.included, *said.move);
            forget(at.excluded, *said.move);
            std::erase_if(includes, same);
        }
        if (said.action == "include" && said.move) {
            includes.push_back(&said);
        } else if (said.action == "exclude" && said.move) {
            at.excluded.push_back(*said.move);
        } else if (said.action == "deepen") {
            at.line = said.line;
            std::erase_if(includes, same);
            includes.push_back(&said);
            at.deepen = deepen_plies(said).value_or(0);
        } else if (said.action == "now") {
            at.line = said.line;
            at.now = true;
        } else if (said.action == "clear") {
            const chess::Position cleared = said.move ? position->after(*said.move) : *position;
            analysis::NodeSteering& there = run.steering[graph.intern(cleared)];
            there.deepen = 0;
            there.now = false;
            std::erase_if(includes, [&](const storage::DirectiveRecord* other) {
                return other->action == "deepen" && other->position == cleared.packed();
            });
        }
    }
    // To include a move, or to deepen at a position, is to include the line that leads there.
    for (const storage::DirectiveRecord* said : includes) {
        chess::Position position = run.root;
        std::vector<chess::Move> line = said->line;
        if (said->move) {
            line.push_back(*said->move);
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
