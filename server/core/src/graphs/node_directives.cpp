#include "core/graphs/node_directives.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace adjourn::server {

namespace {

struct Said {
    struct Place {
        chess::Position position;
        analysis::NodeDirectives directives; // without what includes come to
    };

    std::vector<const Directive*> includes; // of moves, and lines to deepen at
    std::vector<Place> places;              // in the order in which people spoke of them
    std::unordered_map<chess::PackedPosition, std::size_t, chess::PackedPositionHash> found;

    analysis::NodeDirectives& at(const chess::Position& position) {
        const auto [place, is_new] = found.try_emplace(position.packed(), places.size());
        if (is_new) {
            places.push_back({position, {}});
        }
        return places[place->second].directives;
    }
    bool excludes(const chess::Position& position, chess::Move move) const {
        const auto place = found.find(position.packed());
        if (place == found.end()) {
            return false;
        }
        const auto& excluded = places[place->second].directives.excluded;
        return std::ranges::find(excluded, move) != excluded.end();
    }
};

// A later directive about the same move or position replaces the earlier one.
Said said_in(const AnalysisRun& run) {
    Said said;
    auto& includes = said.includes;
    for (const Directive* each : in_force(run.directives)) {
        const Directive& directive = *each;
        const auto position = chess::Position::unpack(directive.position);
        if (!position || is_remark(directive.action)) {
            continue;
        }
        const auto about = move_of(directive.action);
        const auto is_same = [&](const Directive* other) {
            return other->position == directive.position && move_of(other->action) == about;
        };
        analysis::NodeDirectives& at = said.at(*position);
        if (about) {
            std::erase(at.excluded, *about);
            std::erase_if(includes, is_same);
        }
        if (std::holds_alternative<Include>(directive.action)) {
            includes.push_back(&directive);
        } else if (const auto* exclude = std::get_if<Exclude>(&directive.action)) {
            at.excluded.push_back(exclude->move);
        } else if (const auto* deepen = std::get_if<Deepen>(&directive.action)) {
            std::erase_if(includes, is_same);
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
            analysis::NodeDirectives& there = said.at(cleared);
            there.deepen = 0;
            there.now = false;
            std::erase_if(includes, [&](const Directive* other) {
                return std::holds_alternative<Deepen>(other->action) &&
                       other->position == cleared.packed();
            });
        }
    }
    return said;
}

// To include a move, or to deepen at a position, is to include the line that leads there.
struct IncludedLine {
    chess::Position from;
    bool at_root = true; // else the game went another way: followed wherever one comes to it
    std::vector<chess::Move> moves;
};

std::vector<IncludedLine> lines_of(const Said& said, const AnalysisRun& run) {
    std::vector<IncludedLine> lines;
    for (const Directive* directive : said.includes) {
        const auto below = run.from_root(directive->line);
        std::vector<chess::Move> whole = below.value_or(std::vector<chess::Move>{});
        if (const auto about = move_of(directive->action)) {
            whole.push_back(*about);
        }
        IncludedLine& line = lines.emplace_back(
            IncludedLine{below ? run.root : *chess::Position::unpack(directive->position),
                         below.has_value(),
                         {}});
        chess::Position position = line.from;
        for (const chess::Move move : whole) {
            if (said.excludes(position, move) || !position.is_legal(move)) {
                break;
            }
            line.moves.push_back(move);
            position.play(move);
        }
    }
    return lines;
}

} // namespace

void rebuild_node_directives(AnalysisRun& run) {
    run.node_directives.clear();
    if (run.slot == nullptr) {
        return;
    }
    analysis::Graph& graph = run.slot->graph();
    const Said said = said_in(run);
    for (const auto& [position, directives] : said.places) {
        run.node_directives[graph.intern(position)] = directives;
    }
    for (const IncludedLine& line : lines_of(said, run)) {
        chess::Position position = line.from;
        for (const chess::Move move : line.moves) {
            auto& included = run.node_directives[graph.intern(position)].included;
            if (std::ranges::find(included, move) == included.end()) {
                included.push_back(move);
            }
            position.play(move);
        }
    }
}

std::vector<std::vector<chess::Move>> included_lines(const AnalysisRun& run) {
    std::vector<std::vector<chess::Move>> lines;
    for (IncludedLine& line : lines_of(said_in(run), run)) {
        if (line.at_root) {
            lines.push_back(std::move(line.moves));
        }
    }
    return lines;
}

std::vector<chess::Move> own_moves(const AnalysisRun& run, analysis::NodeId node) {
    std::vector<chess::Move> moves;
    std::vector<chess::Move> excluded;
    if (const auto said = run.node_directives.find(node); said != run.node_directives.end()) {
        moves = said->second.included;
        excluded = said->second.excluded;
    }
    if (const auto seeds = run.seeds.find(node); seeds != run.seeds.end()) {
        moves.insert(moves.end(), seeds->second.begin(), seeds->second.end());
    }
    std::erase_if(moves, [&](chess::Move move) {
        return std::ranges::find(excluded, move) != excluded.end();
    });
    return moves;
}

} // namespace adjourn::server
