#include "core/graphs/node_directives.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace adjourn::server {

namespace {

struct Steering {
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

Steering said_in(const RunView& run) {
    Steering said;
    for (const auto& [directive, hold] : held_directives(run)) {
        const auto position = chess::Position::unpack(directive->position);
        if (!position || is_remark(directive->action)) {
            continue;
        }
        analysis::NodeDirectives& at = said.at(*position);
        if (hold != Hold::yes) {
            continue;
        }
        if (std::holds_alternative<Include>(directive->action)) {
            said.includes.push_back(directive);
        } else if (const auto* exclude = std::get_if<Exclude>(&directive->action)) {
            at.excluded.push_back(exclude->move);
        } else if (const auto* deepen = std::get_if<Deepen>(&directive->action)) {
            said.includes.push_back(directive);
            at.line = *run.from_root(directive->line);
            at.deepen = deepen->plies;
        } else if (std::holds_alternative<Now>(directive->action)) {
            at.line = *run.from_root(directive->line);
            at.now = true;
        } else if (const auto cleared = move_of(directive->action)) {
            said.at(position->after(*cleared));
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

std::vector<IncludedLine> lines_of(const Steering& said, const RunView& run) {
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

// What a directive is about: a move of a position, or the position itself.
bool same_matter(const Directive& a, const Directive& b) {
    const auto about = move_of(a.action);
    if (about || move_of(b.action)) {
        return about == move_of(b.action);
    }
    return a.action.index() == b.action.index() || std::holds_alternative<Clear>(a.action) ||
           std::holds_alternative<Clear>(b.action);
}

} // namespace

std::vector<HeldDirective> held_directives(const RunView& run) {
    std::vector<HeldDirective> all;
    // Those that hold, by their position: indices in `all`.
    std::unordered_map<chess::PackedPosition, std::vector<std::size_t>, chess::PackedPositionHash>
        holding;
    const auto overtake = [&](const chess::PackedPosition& position, auto is_over) {
        if (const auto there = holding.find(position); there != holding.end()) {
            std::erase_if(there->second, [&](std::size_t i) {
                const bool over = is_over(*all[i].said);
                all[i].hold = over ? Hold::overtaken : all[i].hold;
                return over;
            });
        }
    };
    for (const Directive* each : in_force(run.directives)) {
        all.push_back({each});
        if (is_remark(each->action)) {
            continue;
        }
        const bool hangs_on_line = std::holds_alternative<Deepen>(each->action) ||
                                   std::holds_alternative<Now>(each->action);
        if (hangs_on_line && !run.from_root(each->line)) {
            all.back().hold = Hold::off_root;
            continue;
        }
        overtake(each->position, [&](const Directive& other) { return same_matter(other, *each); });
        const auto* clear = std::get_if<Clear>(&each->action);
        const auto position = chess::Position::unpack(each->position);
        if (clear != nullptr && clear->move && position) {
            overtake(position->after(*clear->move).packed(), [](const Directive& other) {
                return std::holds_alternative<Deepen>(other.action) ||
                       std::holds_alternative<Now>(other.action);
            });
        }
        holding[each->position].push_back(all.size() - 1);
    }
    return all;
}

void rebuild_node_directives(AnalysisRun& run) {
    run.node_directives.clear();
    if (run.slot == nullptr) {
        return;
    }
    const Steering said = said_in(run);
    for (const auto& [position, directives] : said.places) {
        run.node_directives[run.slot->intern(position)] = directives;
    }
    for (const IncludedLine& line : lines_of(said, run)) {
        chess::Position position = line.from;
        for (const chess::Move move : line.moves) {
            auto& included = run.node_directives[run.slot->intern(position)].included;
            if (std::ranges::find(included, move) == included.end()) {
                included.push_back(move);
            }
            position.play(move);
        }
    }
}

std::vector<std::vector<chess::Move>> included_lines(const RunView& run) {
    std::vector<std::vector<chess::Move>> lines;
    for (IncludedLine& line : lines_of(said_in(run), run)) {
        if (line.at_root) {
            lines.push_back(std::move(line.moves));
        }
    }
    return lines;
}

std::vector<chess::Move> excluded_moves(const RunView& run, analysis::NodeId node) {
    const auto said = run.node_directives.find(node);
    std::vector<chess::Move> moves =
        said == run.node_directives.end() ? std::vector<chess::Move>{} : said->second.excluded;
    std::ranges::sort(moves);
    return moves;
}

std::vector<chess::Move> legal_moves_but(const chess::Position& position,
                                         const std::vector<chess::Move>& excluded) {
    std::vector<chess::Move> moves;
    for (const chess::Move move : position.legal_moves()) {
        if (!std::ranges::binary_search(excluded, move)) {
            moves.push_back(move);
        }
    }
    return moves;
}

std::vector<chess::Move> own_moves(const RunView& run, analysis::NodeId node) {
    std::vector<chess::Move> moves;
    std::vector<chess::Move> excluded;
    if (const auto said = run.node_directives.find(node); said != run.node_directives.end()) {
        moves = said->second.included;
        excluded = said->second.excluded;
    }
    if (const auto seeds = run.seeds->find(node); seeds != run.seeds->end()) {
        moves.insert(moves.end(), seeds->second.begin(), seeds->second.end());
    }
    std::erase_if(moves, [&](chess::Move move) {
        return std::ranges::find(excluded, move) != excluded.end();
    });
    return moves;
}

} // namespace adjourn::server
