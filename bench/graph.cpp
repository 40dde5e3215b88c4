#include "bench/benches.hpp"

#include "analysis/graph.hpp"
#include "analysis/root_answer.hpp"
#include "analysis/verdict.hpp"
#include "bench/arguments.hpp"
#include "bench/process_use.hpp"
#include "chess/position.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <iomanip>
#include <optional>
#include <ostream>
#include <random>
#include <sstream>

namespace adjourn::bench {

namespace {

using analysis::Evaluation;
using analysis::Graph;
using analysis::NodeId;
using chess::Move;
using chess::Position;
using chess::Score;
using Clock = std::chrono::steady_clock;

struct GraphOptions {
    std::size_t moves = 1'000'000;
    std::size_t changes = 20'000;
};

double microseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::micro>(duration).count();
}

struct Percentiles {
    double median = 0;
    double p99 = 0;
    double most = 0;
};

Percentiles percentiles(std::vector<double> samples) {
    if (samples.empty()) {
        return {};
    }
    std::sort(samples.begin(), samples.end());
    return {samples[samples.size() / 2], samples[samples.size() * 99 / 100], samples.back()};
}

// Answers as an analysis gets them. Every position has a taste for moves that depends on the moves
// more than on the position, so that lines transpose; now and then a piece goes back.
class Answers {
public:
    Answers(Graph& graph, const Position& root) : graph_{graph}, taste_{random_()} {
        const NodeId node = graph_.intern(root);
        graph_.add_root(node);
        frontier_.push_back({node, Score::cp(20), std::nullopt});
    }

    // The answers that establish the next position: the best move, then alternatives.
    std::vector<Evaluation> next() {
        while (!frontier_.empty()) {
            const Open open = take();
            if (graph_.expanded(open.node) || graph_.exact(open.node)) {
                continue;
            }
            return establish(open);
        }
        return {};
    }

    // What the search of a position found about one of its moves, some centipawns off what is
    // known.
    Evaluation again(NodeId node, std::size_t i) {
        const analysis::GraphMove& known = graph_.moves(node)[i];
        const int score = known.engine_score.is_cp() ? known.engine_score.centipawns() : 0;
        return fact(graph_.position(node).packed(), known.move, {}, score + noise(12.0));
    }

    // After the graph has taken the answers in.
    void discover(NodeId node) {
        const auto moves = graph_.moves(node);
        for (const analysis::GraphMove& move : moves) {
            frontier_.push_back({move.target, move.engine_score, move.move});
        }
    }

    std::size_t pick(std::size_t size) { return static_cast<std::size_t>(random_() % size); }

private:
    struct Open {
        NodeId node;
        Score reached; // what the move that leads there is worth to who plays it
        std::optional<Move> by;
    };

    bool chance(double p) { return std::uniform_real_distribution{}(random_) < p; }
    int noise(double deviation) {
        return static_cast<int>(std::normal_distribution{0.0, deviation}(random_));
    }

    // Mostly the oldest, so that the tree grows broad, sometimes a recent one.
    Open take() {
        const bool recent = chance(0.3);
        const std::size_t at =
            recent ? frontier_.size() - 1 - pick(std::min<std::size_t>(64, frontier_.size())) : 0;
        std::swap(frontier_[at], recent ? frontier_.back() : frontier_.front());
        const Open open = recent ? frontier_.back() : frontier_.front();
        recent ? frontier_.pop_back() : frontier_.pop_front();
        return open;
    }

    std::vector<Evaluation> establish(const Open& open) {
        const Position position = graph_.position(open.node);
        std::vector<std::pair<std::uint64_t, Move>> ranked;
        for (const Move move : position.legal_moves()) {
            std::uint64_t liking = ((move.raw() + taste_) * 0x9e37'79b9'7f4a'7c15) >> 44;
            liking += random_() % (1 << 18);
            ranked.emplace_back(liking, move);
        }
        std::size_t count = 1; // three on average
        while (count < ranked.size() && chance(2.0 / 3.0)) {
            ++count;
        }
        std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count),
                          ranked.end(), std::greater<>{});
        std::vector<Evaluation> result;
        std::vector<Move> excluded;
        const int reached = open.reached.is_cp() ? open.reached.centipawns() : 0;
        int score = noise(15.0) - reached;
        const chess::PackedPosition packed = position.packed();
        for (std::size_t i = 0; i < count; ++i) {
            const Move move = ranked[i].second;
            result.push_back(fact(packed, move, excluded, score));
            excluded.insert(std::lower_bound(excluded.begin(), excluded.end(), move), move);
            score -= 1 + std::abs(noise(12.0));
        }
        return result;
    }

    Evaluation fact(const chess::PackedPosition& position, Move move, std::vector<Move> excluded,
                    int score) {
        Evaluation result;
        result.id = analysis::EvaluationId{++last_id_};
        result.question = {position,
                           analysis::EngineId{1},
                           {analysis::Limit::Kind::depth, 18},
                           std::move(excluded)};
        result.move = move;
        result.score = Score::cp(score);
        result.at = last_id_;
        return result;
    }

    Graph& graph_;
    std::mt19937_64 random_{1};
    std::uint64_t taste_;
    std::deque<Open> frontier_;
    std::int64_t last_id_ = 0;
};

// What a position's moves are from: one evaluation each, without the moves before.
void add_facts(const Graph& graph, NodeId node, std::vector<Evaluation>& facts) {
    std::vector<chess::Move> excluded;
    const chess::PackedPosition position = graph.position(node).packed();
    for (const analysis::GraphMove& move : graph.moves(node)) {
        Evaluation fact;
        fact.id = move.evaluation;
        fact.question = {
            position, analysis::EngineId{1}, {analysis::Limit::Kind::depth, 18}, excluded};
        fact.move = move.move;
        fact.score = move.engine_score;
        fact.pv = {move.move};
        fact.at = move.at;
        excluded.insert(std::ranges::lower_bound(excluded, move.move), move.move);
        facts.push_back(std::move(fact));
    }
}

// What take() needs for all of them, position by position in the order in which they were first
// met, as a store gives them; in seconds of one core.
template <class Take>
double time_facts(const Graph& graph, Take take) {
    constexpr std::size_t at_once = 512;
    double seconds = 0;
    std::vector<Evaluation> facts;
    const auto give = [&] {
        const double start = thread_seconds();
        for (const Evaluation& fact : facts) {
            take(fact);
        }
        seconds += thread_seconds() - start;
        facts.clear();
    };
    for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
        if (graph.expanded(NodeId{n})) {
            add_facts(graph, NodeId{n}, facts);
        }
        if (facts.size() >= at_once) {
            give();
        }
    }
    give();
    return seconds;
}

struct ReadingTime {
    double seconds = 0; // of one core
    bool equal = false; // to the graph
};

// Reads a graph from the facts that the graph is of, in one go. Making the facts is not part of it.
// `root`: the graph's only one.
ReadingTime time_reading(const Graph& graph, const chess::Position& root) {
    analysis::GraphReader reader;
    ReadingTime reading;
    reading.seconds = time_facts(graph, [&](const Evaluation& fact) { reader.take(fact); });
    const double start = thread_seconds();
    const Graph read = reader.finish(std::vector{root});
    reading.seconds += thread_seconds() - start;
    reading.equal = read.digest() == graph.digest();
    return reading;
}

// What the verdict costs at a position that has values.
struct VerdictTimes { // ms
    double whole = 0;
    double longest = 0;       // slice
    std::size_t carriers = 0; // 0: there is no verdict
};

VerdictTimes time_verdict(const analysis::Graph& graph, analysis::NodeId node) {
    const auto ms_since = [](Clock::time_point start) {
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    };
    const std::array line{node};
    const chess::Move best = analysis::alpha_pv(graph, line, 1).front();
    VerdictTimes times;
    const auto start = Clock::now();
    analysis::VerdictSearch search{
        graph,
        {node},
        best,
        analysis::overruling_lead,
        analysis::leaf_noise(std::nullopt, {analysis::Limit::Kind::depth, 18})};
    times.longest = ms_since(start);
    for (bool more = true; more;) {
        const auto slice = Clock::now();
        more = search.go_on();
        times.longest = std::max(times.longest, ms_since(slice));
    }
    const auto verdict = search.take();
    times.whole = ms_since(start);
    times.carriers = verdict ? verdict->carriers.size() : 0;
    return times;
}

struct GraphRow {
    std::string name;
    Graph graph;
    double bytes_per_move = 0;
    ReadingTime reading;
    double solve_ns = 0;  // a move
    Percentiles growth;   // an answer about a leaf, µs
    Percentiles change;   // of the score of a leaf, µs
    Percentiles alpha;    // the values at the end of a line, µs
    VerdictTimes verdict; // at the root
    bool right = false;
};

// Node and move of random moves that lead to leaves.
struct Leaf {
    NodeId node;
    std::size_t move;
};

std::optional<Leaf> random_leaf(const Graph& graph, Answers& answers) {
    for (int attempt = 0; attempt < 1'000; ++attempt) {
        const NodeId node{static_cast<std::uint32_t>(answers.pick(graph.node_count()))};
        const auto moves = graph.moves(node);
        if (moves.empty()) {
            continue;
        }
        const std::size_t i = answers.pick(moves.size());
        if (!graph.expanded(moves[i].target) && !graph.exact(moves[i].target)) {
            return Leaf{node, i};
        }
    }
    return std::nullopt;
}

template <class Work>
void time_one(std::vector<double>& samples, Work work) {
    const auto start = Clock::now();
    work();
    samples.push_back(microseconds(Clock::now() - start));
}

void load(GraphRow& row, Answers& answers, std::size_t moves) {
    Graph& graph = row.graph;
    graph.begin_bulk();
    while (graph.move_count() < moves) {
        const std::vector<Evaluation> made = answers.next();
        if (made.empty()) {
            break;
        }
        for (const Evaluation& fact : made) {
            graph.apply(fact);
        }
        answers.discover(graph.find(made.front().question.position).value());
    }
    const auto start = Clock::now();
    graph.end_bulk();
    const auto count = static_cast<double>(graph.move_count());
    row.solve_ns = 1'000 * microseconds(Clock::now() - start) / count;
    row.bytes_per_move = static_cast<double>(graph.memory()) / count;
}

void change(GraphRow& row, Answers& answers, std::size_t changes) {
    Graph& graph = row.graph;
    std::vector<double> growth;
    for (std::size_t i = 0; i < changes / 2; ++i) {
        for (const Evaluation& fact : answers.next()) {
            time_one(growth, [&] { graph.apply(fact); });
        }
    }
    std::vector<double> change;
    std::vector<double> alpha;
    for (std::size_t i = 0; i < changes; ++i) {
        const auto leaf = random_leaf(graph, answers);
        if (!leaf) {
            break;
        }
        const Evaluation fact = answers.again(leaf->node, leaf->move);
        time_one(change, [&] { graph.apply(fact); });
        std::vector<NodeId> line{leaf->node};
        while (line.size() < 40) {
            const auto parents = graph.parents(line.back());
            if (parents.empty()) {
                break;
            }
            line.push_back(parents[answers.pick(parents.size())].node);
        }
        std::reverse(line.begin(), line.end());
        time_one(alpha, [&] { analysis::LineValues{graph, line}; });
    }
    row.growth = percentiles(std::move(growth));
    row.change = percentiles(std::move(change));
    row.alpha = percentiles(std::move(alpha));
}

GraphRow measure(std::string name, const char* fen, std::size_t moves,
                 const GraphOptions& options) {
    GraphRow row;
    row.name = std::move(name);
    Answers answers{row.graph, Position::from_fen(fen).value()};
    load(row, answers, moves);
    row.reading = time_reading(row.graph, Position::from_fen(fen).value());
    change(row, answers, options.changes);
    row.verdict =
        time_verdict(row.graph, row.graph.find(Position::from_fen(fen)->packed()).value());
    row.right = row.reading.equal && row.graph.verify().empty();
    return row;
}

std::string one_digit(double value) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(1) << value;
    return out.str();
}

std::string in_text(const Percentiles& of) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(1) << of.median << " / " << of.p99 << " / "
        << std::setprecision(0) << of.most;
    return out.str();
}

void print(const std::vector<GraphRow>& rows, std::ostream& out) {
    const auto line = [&](const char* what, auto value, const char* target) {
        out << std::left << std::setw(44) << what << std::right;
        for (const GraphRow& row : rows) {
            std::ostringstream cell;
            cell << std::fixed << std::setprecision(0) << value(row);
            out << std::setw(24) << cell.str();
        }
        out << "   " << target << '\n';
    };
    line(
        "graph", [](const GraphRow& row) { return row.name; }, "target");
    line(
        "moves", [](const GraphRow& row) { return row.graph.move_count(); }, "");
    line(
        "memory, bytes a move", [](const GraphRow& row) { return row.bytes_per_move; }, "<= 64");
    line(
        "full solve, ns a move", [](const GraphRow& row) { return row.solve_ns; }, "<= 1000");
    line(
        "facts read in one go, ms of one core",
        [](const GraphRow& row) { return row.reading.seconds * 1'000; }, "");
    line(
        "answer about a leaf, us median / p99 / most",
        [](const GraphRow& row) { return in_text(row.growth); }, "<= 20 / 1000");
    line(
        "leaf change, us median / p99 / most",
        [](const GraphRow& row) { return in_text(row.change); }, "<= 20 / 1000");
    line(
        "alpha along a line, us median / p99 / most",
        [](const GraphRow& row) { return in_text(row.alpha); }, "");
    line(
        "verdict at the root, ms",
        [](const GraphRow& row) {
            return row.verdict.carriers == 0 ? std::string{"none"} : one_digit(row.verdict.whole);
        },
        "<= 50");
    line(
        "  its longest slice, ms",
        [](const GraphRow& row) { return one_digit(row.verdict.longest); }, "<= 20");
    line(
        "equal to a solution made afresh",
        [](const GraphRow& row) { return row.right ? "yes" : "NO"; }, "yes");
}

Arguments arguments(GraphOptions& to) {
    return {number("--moves", "N", "of the tree, at least 1000", to.moves, 1'000),
            number("--changes", "N", "answers that are worked in and timed", to.changes)};
}

} // namespace

int run_graph(const std::vector<std::string>& args, std::ostream& out) {
    GraphOptions options;
    if (const auto code = answer_arguments("graph", arguments(options), args, out)) {
        return *code;
    }
    std::vector<GraphRow> rows;
    rows.push_back(measure("opening tree",
                           "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                           options.moves, options));
    rows.push_back(measure("rook endgame shuffles", "8/5pk1/4p1p1/3rP2p/5P1P/6P1/3R2K1/8 w - - 0 1",
                           options.moves / 10, options));
    print(rows, out);
    return std::all_of(rows.begin(), rows.end(), [](const GraphRow& row) { return row.right; }) ? 0
                                                                                                : 1;
}

} // namespace adjourn::bench
