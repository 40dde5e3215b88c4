
#include "analysis/graph.hpp"
#include "api/views/graph_views.hpp"
#include "core/graphs/node_directives.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <unordered_map>
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
    std::size_t seldom = none;         // place of the line that it is a part of, in the list
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
};

// A move that may be followed.
struct Candidate {
    chess::Move move;
    std::optional<chess::Score> value; // the mover's; none: not searched
    bool mine = false;                 // of the file, or included
    std::uint64_t games = 0;
};

// A line of my file that begins with a move of theirs which hardly ever comes.
struct SeldomLine {
    std::size_t from; // place among the reached
    chess::Move move;
    double likelihood;
    std::uint64_t games;
    std::size_t answers = 0; // of mine in it
};

constexpr double seldom = 0.001; // a line of my file that is less likely is not worth its moves
// Coverage: after so many moves of mine it is told how much is answered; what is less likely is not
// followed.
constexpr std::array coverage_moves{5, 8, 12};
constexpr double least_share = 1e-4;

// A centipawn loss by which a move becomes half as likely, where no games say otherwise.
constexpr double halving_loss = 30;

class Gaps {
public:
    Gaps(const RunView& run, const LineEnd& standing, const GapLimits& limits,
         std::shared_ptr<const collections::Collection> collection)
        : run_{run}, graph_{run.slot->graph()}, limits_{limits}, collection_{
                                                                     std::move(collection)} {
        reach({standing.position,
               0,
               chess::Move::from_raw(0),
               0,
               1.0,
               0,
               false,
               false,
               {},
               Reached::none});
    }

    void look(const GraphReading& reading) {
        while (!open_.empty()) {
            const auto [likelihood, at] = open_.top();
            open_.pop();
            if (likelihood == reached_[at].likelihood) { // else it was reached more likely, too
                look_at(at, reading);
            }
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
                 {"truncated", truncated_},
                 {"coverage", std::move(coverage_)},
                 {"ends", std::move(ends_)},
                 {"seldom", seldom_json()}};
        if (limits_.answers) {
            out["answers"] = std::move(answers_);
        }
        return out;
    }

    // Level by level, so that lines which meet again count together.
    void cover(const GraphReading& reading) {
        using Level = std::unordered_map<chess::PackedPosition, std::pair<chess::Position, double>,
                                         chess::PackedPositionHash>;
        const chess::Position& first = reached_.front().position;
        Level level{{first.packed(), {first, 1.0}}};
        double over = 0;   // games that have ended, with all their moves answered
        double unseen = 0; // what was not followed
        std::size_t seen = 0;
        for (int moves = 0; moves < coverage_moves.back();) {
            Level next;
            double answered = over;
            bool mine = false;
            for (const auto& [packed, place] : level) {
                const auto& [position, share] = place;
                const auto reach_next = [&](chess::Move move, double part) {
                    const chess::Position to = position.after(move);
                    next.try_emplace(to.packed(), to, 0.0).first->second.second += part;
                };
                mine = position.turn() == limits_.side;
                const auto node = graph_.find(packed);
                if (position.terminal() != chess::Terminal::no || (node && graph_.exact(*node))) {
                    over += share;
                    answered += share;
                } else if (share < least_share || ++seen > most_positions_seen) {
                    unseen += share;
                } else if (const auto candidates = candidates_of(position, node, reading); !mine) {
                    const bool played = std::ranges::any_of(
                        candidates, [](const Candidate& each) { return each.games > 0; });
                    double all = 0;
                    const auto part = [&](const Candidate& each) {
                        return played ? static_cast<double>(each.games)
                                      : weight(candidates.front(), each);
                    };
                    for (const Candidate& each : candidates) {
                        all += part(each);
                    }
                    for (const Candidate& each : candidates) {
                        if (part(each) > 0) {
                            reach_next(each.move, share * part(each) / all);
                        }
                    }
                } else if (const Candidate* move = choose(candidates).move) {
                    reach_next(move->move, share);
                    answered += share;
                }
                reading.breathe();
            }
            const bool answer_due = mine || level.empty();
            moves += answer_due ? 1 : 0;
            if (answer_due && std::ranges::find(coverage_moves, moves) != coverage_moves.end()) {
                coverage_.push_back(
                    {{"moves", moves}, {"answered", std::min(answered, 1.0)}, {"unseen", unseen}});
            }
            level = std::move(next);
        }
    }

private:
    // Where it was met already, the likelier way counts: it has not been looked at then.
    void reach(Reached place) {
        const auto [met, fresh] = met_.try_emplace(place.position.packed(), reached_.size());
        if (!fresh) {
            Reached& there = reached_[met->second];
            if (place.likelihood > there.likelihood) {
                open_.emplace(place.likelihood, met->second);
                there = std::move(place);
            }
            return;
        }
        if (reached_.size() == most_positions_seen) {
            met_.erase(met);
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
        const std::vector<Candidate> candidates = candidates_of(position, node, reading);
        if (position.turn() == limits_.side) {
            answer(at, candidates);
        } else {
            follow_theirs(at, candidates);
        }
    }

    // Best first; those without a value last.
    std::vector<Candidate> candidates_of(const chess::Position& position,
                                         std::optional<NodeId> node,
                                         const GraphReading& reading) const {
        const auto played =
            collection_ ? reading.without_graph([&] { return collection_->counts(position); })
                        : std::vector<collections::PlayedMove>{};
        std::vector<Candidate> list;
        const auto entry = [&](chess::Move move) -> Candidate& {
            const auto found = std::ranges::find(list, move, &Candidate::move);
            return found != list.end() ? *found : list.emplace_back(Candidate{move, {}, false, 0});
        };
        if (node) {
            const auto moves = graph_.moves(*node);
            const auto value = [&, court = court_at(run_, node)](std::size_t i) {
                return after_court(graph_, moves[i], graph_.game_value_of(*node, i), court);
            };
            std::vector<std::pair<analysis::MoveOrder, std::size_t>> order;
            for (std::size_t i = 0; i < moves.size(); ++i) {
                order.emplace_back(analysis::move_order(graph_, moves[i], value(i)), i);
            }
            std::ranges::sort(order);
            for (const auto& [place, i] : order) {
                entry(moves[i].move).value = value(i);
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

    struct Choice {
        const Candidate* move = nullptr; // null: there is no answer
        bool own = false;
    };
    // Mine, of several the best; else, unless own_only, the best one.
    Choice choose(const std::vector<Candidate>& candidates) const {
        const auto own = std::ranges::find(candidates, true, &Candidate::mine);
        if (own != candidates.end()) {
            return {&*own, true};
        }
        const bool best = !limits_.own_only && !candidates.empty() && candidates.front().value;
        return {best ? &candidates.front() : nullptr, false};
    }

    // I am to move: one answer is followed, or there is a gap.
    void answer(std::size_t at, const std::vector<Candidate>& candidates) {
        std::uint64_t games = 0;
        for (const Candidate& candidate : candidates) {
            games += candidate.games;
        }
        const auto [chosen, own] = choose(candidates);
        own_moves_ += own ? 1 : 0;
        if (own && reached_[at].seldom != Reached::none) {
            ++seldom_[reached_[at].seldom].answers;
        }
        if (chosen == nullptr || !chosen->value) {
            tell_gap(at, chosen);
        } else {
            ++answered_;
            tell_answer(at, *chosen);
            if (own) {
                tell_loss(at, *chosen, candidates.front());
            }
            if (collection_ && chosen->games == 0 &&
                games >= std::max<std::uint64_t>(limits_.games, 1)) {
                tell_novelty(at, *chosen, games);
            }
        }
        if (chosen != nullptr) {
            follow(at, *chosen, reached_[at].likelihood, false, false, reached_[at].seldom);
        }
    }

    // They are to move: everything that matters is followed, by how likely it is.
    void follow_theirs(std::size_t at, const std::vector<Candidate>& candidates) {
        double all = 0;
        bool known = false; // by the games
        for (const Candidate& candidate : candidates) {
            all += weight(candidates.front(), candidate);
            known = known || candidate.games >= limits_.games;
        }
        if (!known && reached_[at].games >= limits_.games && ends_.size() < limits_.limit) {
            ends_.push_back({{"line", line_to(at)},
                             {"games", reached_[at].games},
                             {"likelihood", reached_[at].likelihood}});
        }
        for (const Candidate& candidate : candidates) {
            const bool played = candidate.games >= limits_.games && candidate.games > 0;
            const bool close =
                candidate.value && behind(candidates.front(), candidate) <= limits_.within;
            if (!played && !close && !candidate.mine) {
                continue;
            }
            const double likelihood =
                reached_[at].likelihood * weight(candidates.front(), candidate) / all;
            std::size_t line = reached_[at].seldom;
            if (candidate.mine && line == Reached::none && likelihood < seldom) {
                line = seldom_.size();
                seldom_.push_back({at, candidate.move, likelihood, candidate.games});
            }
            follow(at, candidate, likelihood, played, close, line);
        }
    }

    static int behind(const Candidate& best, const Candidate& candidate) {
        return candidate.value ? best.value->rank() - candidate.value->rank() : 100'000;
    }
    static double weight(const Candidate& best, const Candidate& candidate) {
        return static_cast<double>(candidate.games) +
               (candidate.value ? std::exp2(-std::max(behind(best, candidate), 0) / halving_loss)
                                : 0.01);
    }

    void follow(std::size_t at, const Candidate& candidate, double likelihood, bool played,
                bool close, std::size_t line) {
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
                     {},
                     line};
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

    // The longest first: it is worth most to be left out.
    json seldom_json() {
        std::erase_if(seldom_, [](const SeldomLine& line) { return line.answers == 0; });
        std::ranges::stable_sort(seldom_, std::greater{}, &SeldomLine::answers);
        json list = json::array();
        for (const auto& [from, move, likelihood, games, answers] : seldom_) {
            if (list.size() < limits_.limit) {
                list.push_back({{"line", line_to(from, move)},
                                {"likelihood", likelihood},
                                {"games", games},
                                {"answers", answers}});
            }
        }
        return list;
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
    std::unordered_map<chess::PackedPosition, std::size_t, chess::PackedPositionHash> met_;
    std::vector<SeldomLine> seldom_;
    json coverage_ = json::array();
    json ends_ = json::array();
    json gaps_ = json::array();
    std::size_t gap_count_ = 0;
    std::vector<json> losses_;
    json novelties_ = json::array();
    json answers_ = json::array();
    std::size_t answered_ = 0;
    std::size_t own_moves_ = 0;
    bool truncated_ = false;
};

// The mover's; nullopt: it was not searched.
std::optional<chess::Score> value_of(const analysis::Graph& graph, const chess::Position& position,
                                     chess::Move move) {
    const auto node = graph.find(position.packed());
    const std::size_t count = node ? graph.moves(*node).size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (graph.moves(*node)[i].move == move) {
            return graph.game_value_of(*node, i);
        }
    }
    return std::nullopt;
}

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

json gaps_json(const RunView& run, const GraphReading& reading,
               const std::vector<chess::Move>& line, const GapLimits& limits,
               std::shared_ptr<const collections::Collection> collection) {
    Gaps gaps{run, line_end(run, line), limits, std::move(collection)};
    gaps.look(reading);
    gaps.cover(reading);
    return gaps.result();
}

chess::Position left_from(const chess::Position& root, const LeavingGame& game) {
    return root.after(std::span{game.line}.first(game.line.size() - 1));
}

std::optional<int> loss_by_leaving(const analysis::Graph& graph, const chess::Position& from,
                                   LeavingGame& game) {
    std::ranges::stable_sort(game.known, std::greater{}, [&](chess::Move move) {
        const auto value = value_of(graph, from, move);
        return value ? value->rank() : std::numeric_limits<int>::min();
    });
    const auto best = value_of(graph, from, game.known.front());
    const auto played = value_of(graph, from, game.line.back());
    return best && played ? std::optional{chart_value(*best) - chart_value(*played)} : std::nullopt;
}

json left_json(const RunView& run, std::vector<LeavingGame> games) {
    const analysis::Graph& graph = run.slot->graph();
    json list = json::array();
    for (LeavingGame& game : games) {
        const chess::Position from = left_from(run.root, game);
        const auto loss = loss_by_leaving(graph, from, game);
        const auto scored = [&](chess::Move move) {
            json out = move_json(from, move);
            out["score"] = score_json(value_of(graph, from, move), from.turn());
            return out;
        };
        json known = json::array();
        for (const chess::Move move : game.known) {
            known.push_back(scored(move));
        }
        list.push_back({{"players", game.players},
                        {"at", game.at},
                        {"line", line_json(run.root, game.line)},
                        {"mine", game.me ? json(*game.me == from.turn()) : json{}},
                        {"known", std::move(known)},
                        {"score", scored(game.line.back())["score"]},
                        {"loss", loss ? json(*loss) : json{}}});
    }
    return list;
}

// Where the tree and the engine disagree: moves whose backed-up value lies far from what the engine
// said of them, anywhere below a position.

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
