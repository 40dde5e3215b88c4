
#include "analysis/move_order.hpp"
#include "api/views/graph_views.hpp"
#include "core/graphs/node_directives.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_set>

namespace adjourn::server {

using analysis::NodeId;
using nlohmann::json;

namespace {

// A position, and how it is reached from the one it was met at first.
struct Reached {
    chess::Position position;
    std::size_t from;                  // place among the reached; the first has its own
    chess::Move move;                  // from there
    std::size_t plies;                 // from the first
    double likelihood;                 // that they play so
    std::uint64_t games;               // with the last move of theirs
    bool played = false;               // by it, `games` is what made it matter
    bool close = false;                // or its value
    std::optional<chess::Score> white; // White's, of the last move
};

// A move that may be followed.
struct Candidate {
    chess::Move move;
    std::optional<chess::Score> value; // the mover's; none: not searched
    bool mine = false;                 // of the file, or included
    std::uint64_t games = 0;
};

// A centipawn loss by which a move becomes half as likely, where no games say otherwise.
constexpr double halving_loss = 30;

class Gaps {
public:
    Gaps(const RunView& run, const LineEnd& standing, const GapLimits& limits,
         std::shared_ptr<const collections::Collection> collection)
        : run_{run}, graph_{run.slot->graph()}, limits_{limits}, collection_{
                                                                     std::move(collection)} {
        reach({standing.position, 0, chess::Move::from_raw(0), 0, 1.0, 0, false, false, {}});
    }

    void look(const GraphReading& reading) {
        while (!open_.empty()) {
            const std::size_t at = open_.top().second;
            open_.pop();
            look_at(at, reading);
            reading.breathe();
        }
    }

    json result() {
        std::ranges::stable_sort(losses_, [](const json& a, const json& b) {
            return a["loss"].get<int>() > b["loss"].get<int>();
        });
        const std::size_t gaps = gap_count_;
        json out{{"side", limits_.side == chess::Color::white ? "white" : "black"},
                 {"gaps", std::move(gaps_)},
                 {"total", gaps},
                 {"loses",
                  json(std::vector<json>(losses_.begin(),
                                         losses_.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                               losses_.size(), limits_.limit))))},
                 {"novelties", std::move(novelties_)},
                 {"answered", answered_},
                 {"own_moves", own_moves_},
                 {"positions", reached_.size()},
                 {"truncated", truncated_}};
        if (limits_.answers) {
            out["answers"] = std::move(answers_);
        }
        return out;
    }

private:
    void reach(Reached place) {
        if (!met_.insert(place.position.packed()).second) {
            return;
        }
        if (reached_.size() == most_positions_seen) {
            truncated_ = true;
            return;
        }
        open_.emplace(place.likelihood, reached_.size());
        reached_.push_back(std::move(place));
    }

    void look_at(std::size_t at, const GraphReading& reading) {
        const chess::Position position = reached_[at].position;
        const auto node = graph_.find(position.packed());
        if (position.terminal() != chess::Terminal::no || (node && graph_.exact(*node)) ||
            reached_[at].plies >= limits_.plies) {
            return;
        }
        const auto played =
            collection_ ? reading.without_graph([&] { return collection_->counts(position); })
                        : std::vector<collections::PlayedMove>{};
        std::vector<Candidate> candidates = candidates_at(node, played);
        if (position.turn() == limits_.side) {
            answer(at, candidates);
        } else {
            follow_theirs(at, candidates);
        }
    }

    // Best first; those without a value last.
    std::vector<Candidate> candidates_at(std::optional<NodeId> node,
                                         const std::vector<collections::PlayedMove>& played) const {
        std::vector<Candidate> list;
        const auto entry = [&](chess::Move move) -> Candidate& {
            const auto found = std::ranges::find(list, move, &Candidate::move);
            return found != list.end() ? *found : list.emplace_back(Candidate{move, {}, false, 0});
        };
        if (node) {
            const auto moves = graph_.moves(*node);
            std::vector<std::pair<analysis::MoveOrder, std::size_t>> order;
            for (std::size_t i = 0; i < moves.size(); ++i) {
                order.emplace_back(
                    analysis::move_order(graph_, moves[i], graph_.game_value_of(*node, i)), i);
            }
            std::ranges::sort(order);
            for (const auto& [place, i] : order) {
                entry(moves[i].move).value = graph_.game_value_of(*node, i);
            }
            for (const chess::Move move : own_moves(run_, *node)) {
                entry(move).mine = true;
            }
        }
        for (const collections::PlayedMove& each : played) {
            entry(each.move).games = each.games();
        }
        return list;
    }

    // I am to move: one answer is followed, or there is a gap.
    void answer(std::size_t at, const std::vector<Candidate>& candidates) {
        const Candidate* chosen = nullptr;
        std::uint64_t games = 0;
        for (const Candidate& candidate : candidates) {
            games += candidate.games;
            const bool better = chosen == nullptr || (!chosen->value && candidate.value);
            if (candidate.mine && better) {
                chosen = &candidate;
            }
        }
        const bool own = chosen != nullptr;
        own_moves_ += own ? 1 : 0;
        const Candidate* best =
            !candidates.empty() && candidates.front().value ? &candidates.front() : nullptr;
        if (!own && !limits_.own_only) {
            chosen = best;
        }
        if (chosen == nullptr || !chosen->value) {
            tell_gap(at, chosen);
        } else {
            ++answered_;
            tell_answer(at, *chosen);
            if (own) {
                tell_loss(at, *chosen, *best);
            }
            if (collection_ && chosen->games == 0 &&
                games >= std::max<std::uint64_t>(limits_.games, 1)) {
                tell_novelty(at, *chosen, games);
            }
        }
        if (chosen != nullptr) {
            follow(at, *chosen, reached_[at].likelihood, false, false);
        }
    }

    // They are to move: everything that matters is followed, by how likely it is.
    void follow_theirs(std::size_t at, const std::vector<Candidate>& candidates) {
        if (candidates.empty()) {
            return;
        }
        const auto best = candidates.front().value;
        const auto behind = [&](const Candidate& candidate) {
            return candidate.value ? best->rank() - candidate.value->rank() : 100'000;
        };
        const auto weight = [&](const Candidate& candidate) {
            return static_cast<double>(candidate.games) +
                   (candidate.value ? std::exp2(-std::max(behind(candidate), 0) / halving_loss)
                                    : 0.01);
        };
        double all = 0;
        for (const Candidate& candidate : candidates) {
            all += weight(candidate);
        }
        for (const Candidate& candidate : candidates) {
            const bool played = candidate.games >= limits_.games && candidate.games > 0;
            const bool close = candidate.value && behind(candidate) <= limits_.within;
            if (played || close || candidate.mine) {
                follow(at, candidate, reached_[at].likelihood * weight(candidate) / all, played,
                       close);
            }
        }
    }

    void follow(std::size_t at, const Candidate& candidate, double likelihood, bool played,
                bool close) {
        const Reached& here = reached_[at];
        const chess::Color mover = here.position.turn();
        Reached next{here.position.after(candidate.move),
                     at,
                     candidate.move,
                     here.plies + 1,
                     likelihood,
                     mover == limits_.side ? here.games : candidate.games,
                     played,
                     close,
                     {}};
        if (candidate.value) {
            next.white = mover == chess::Color::white ? *candidate.value : -*candidate.value;
        }
        reach(std::move(next));
    }

    json line_to(std::size_t at, std::optional<chess::Move> last = {}) const {
        std::vector<chess::Move> line;
        if (last) {
            line.push_back(*last);
        }
        for (; at != 0; at = reached_[at].from) {
            line.push_back(reached_[at].move);
        }
        std::ranges::reverse(line);
        return line_json(reached_.front().position, line);
    }

    json score_of(std::optional<chess::Score> white) const {
        return white ? score_json(*white) : json{};
    }

    void tell_gap(std::size_t at, const Candidate* mine) {
        ++gap_count_;
        if (gaps_.size() >= limits_.limit) {
            return;
        }
        const Reached& here = reached_[at];
        json gap{{"line", line_to(at)},           {"fen", here.position.fen()},
                 {"games", here.games},           {"likelihood", here.likelihood},
                 {"score", score_of(here.white)}, {"played", here.played},
                 {"close", here.close},           {"mine", nullptr}};
        if (mine != nullptr) {
            gap["mine"] = move_json(here.position, mine->move);
        }
        gaps_.push_back(std::move(gap));
    }

    void tell_answer(std::size_t at, const Candidate& answer) {
        if (limits_.answers && answers_.size() < limits_.limit) {
            const Reached& here = reached_[at];
            answers_.push_back({{"line", line_to(at)},
                                {"move", move_json(here.position, answer.move)},
                                {"score", score_json(answer.value, here.position.turn())},
                                {"games", here.games},
                                {"likelihood", here.likelihood}});
        }
    }

    // REQUIRES: both have values.
    void tell_loss(std::size_t at, const Candidate& mine, const Candidate& best) {
        const int loss = chart_value(*best.value) - chart_value(*mine.value);
        if (loss < limits_.loses || losses_.size() >= 10 * limits_.limit) {
            return;
        }
        const Reached& here = reached_[at];
        losses_.push_back({{"line", line_to(at, mine.move)},
                           {"score", score_json(mine.value, here.position.turn())},
                           {"best", move_json(here.position, best.move)},
                           {"best_score", score_json(best.value, here.position.turn())},
                           {"loss", loss},
                           {"likelihood", here.likelihood}});
    }

    void tell_novelty(std::size_t at, const Candidate& mine, std::uint64_t games) {
        if (novelties_.size() < limits_.limit) {
            novelties_.push_back({{"line", line_to(at, mine.move)},
                                  {"score", score_json(mine.value, reached_[at].position.turn())},
                                  {"games", games},
                                  {"likelihood", reached_[at].likelihood}});
        }
    }

    const RunView& run_;
    const analysis::Graph& graph_;
    GapLimits limits_;
    std::shared_ptr<const collections::Collection> collection_;

    struct Later { // the likelier first, then what was met first
        bool operator()(const std::pair<double, std::size_t>& a,
                        const std::pair<double, std::size_t>& b) const {
            return a.first != b.first ? a.first < b.first : a.second > b.second;
        }
    };
    using Open = std::pair<double, std::size_t>;
    std::priority_queue<Open, std::vector<Open>, Later> open_;
    std::vector<Reached> reached_;
    std::unordered_set<chess::PackedPosition, chess::PackedPositionHash> met_;
    json gaps_ = json::array();
    std::size_t gap_count_ = 0;
    std::vector<json> losses_;
    json novelties_ = json::array();
    json answers_ = json::array();
    std::size_t answered_ = 0;
    std::size_t own_moves_ = 0;
    bool truncated_ = false;
};

} // namespace

json gaps_json(const RunView& run, const GraphReading& reading,
               const std::vector<chess::Move>& line, const GapLimits& limits,
               std::shared_ptr<const collections::Collection> collection) {
    Gaps gaps{run, line_end(run, line), limits, std::move(collection)};
    gaps.look(reading);
    return gaps.result();
}

// Where the tree and the engine disagree: moves whose backed-up value lies far from what the engine
// said of them, anywhere below a position.

namespace {

// Positions in the order they are met, each with the way to it.
struct Visit {
    NodeId node;
    std::size_t from; // place of the position before; the first has its own
    chess::Move move; // from there
};

struct Finding {
    std::size_t place; // in the walk
    std::size_t move;  // of its position
    int gap;           // alpha − engine for the mover, cp
};

// A finding with the value that its line gives it.
struct Told {
    std::vector<chess::Move> line;
    chess::Score engine; // the mover's, as the others
    chess::Score alpha;
    int gap;
};

int gap_of(chess::Score alpha, chess::Score engine) {
    return chart_value(alpha) - chart_value(engine);
}

template <class T>
void keep_largest(std::vector<T>& list, std::size_t most) {
    std::ranges::stable_sort(list, std::greater{},
                             [](const T& each) { return std::abs(each.gap); });
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(std::min(list.size(), most)), list.end());
}

} // namespace

json disagreements_json(const RunView& run, const GraphReading& reading,
                        const std::vector<chess::Move>& line, const DisagreementLimits& limits) {
    const analysis::Graph& graph = run.slot->graph();
    const LineEnd standing = line_end(run, line);
    std::unordered_set<NodeId> met{standing.nodes.begin(), standing.nodes.end()};
    std::vector<Visit> visits;
    if (standing.node) {
        visits.push_back({*standing.node, 0, chess::Move::from_raw(0)});
    }
    std::vector<Finding> found;
    bool truncated = false;
    // Breadth first along moves within the margin of the best one of their position.
    for (std::size_t at = 0; at < visits.size(); ++at) {
        reading.breathe();
        const NodeId node = visits[at].node;
        const auto moves = graph.moves(node);
        int best = std::numeric_limits<int>::min();
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const chess::Score value = graph.game_value_of(node, i);
            best = std::max(best, value.rank());
            const int gap = gap_of(value, moves[i].engine_score);
            if (std::abs(gap) >= limits.gap) {
                found.push_back({at, i, gap});
            }
        }
        for (std::size_t i = 0; i < moves.size() && !truncated; ++i) {
            if (!graph.expanded(moves[i].target) ||
                graph.game_value_of(node, i).rank() < best - limits.margin ||
                !met.insert(moves[i].target).second) {
                continue;
            }
            truncated = visits.size() == most_positions_seen;
            if (!truncated) {
                visits.push_back({moves[i].target, at, moves[i].move});
            }
        }
    }
    // Values so far know no history; those that may be shown get that of their line.
    keep_largest(found, 2 * limits.limit);
    std::vector<Told> told;
    for (const Finding& finding : found) {
        reading.breathe();
        const NodeId node = visits[finding.place].node;
        const analysis::GraphMove& move = graph.moves(node)[finding.move];
        std::vector<NodeId> nodes;
        std::vector<chess::Move> way{move.move};
        for (std::size_t at = finding.place; at != 0; at = visits[at].from) {
            nodes.push_back(visits[at].node);
            way.push_back(visits[at].move);
        }
        nodes.insert(nodes.end(), standing.nodes.rbegin(), standing.nodes.rend());
        std::ranges::reverse(nodes);
        std::ranges::reverse(way);
        const chess::Score alpha = analysis::LineValues{graph, nodes}.alpha_of(finding.move).value;
        const int gap = gap_of(alpha, move.engine_score);
        if (std::abs(gap) >= limits.gap) {
            told.push_back({std::move(way), move.engine_score, alpha, gap});
        }
    }
    keep_largest(told, limits.limit);
    auto entries = json::array();
    for (const Told& each : told) {
        const chess::Color turn = standing.position.turn();
        const chess::Color mover = each.line.size() % 2 == 1 ? turn : !turn;
        entries.push_back({{"line", line_json(standing.position, each.line)},
                           {"engine", score_json(each.engine, mover)},
                           {"alpha", score_json(each.alpha, mover)},
                           {"gap", mover == chess::Color::white ? each.gap : -each.gap}});
    }
    return {{"disagreements", std::move(entries)},
            {"positions", visits.size()},
            {"truncated", truncated}};
}

} // namespace adjourn::server
