#include "finding_reader.hpp"

#include "analysis/move_order.hpp"
#include "core/schedule/answer.hpp"
#include "storage/store.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace adjourn::server::uci {

using analysis::NodeId;

bool among(const std::vector<chess::Move>& searchmoves, chess::Move move) {
    return searchmoves.empty() || std::ranges::find(searchmoves, move) != searchmoves.end();
}

Candidate candidate_of(const engine_bridge::BestLine& line) {
    const auto bound = static_cast<analysis::Bound>(line.bound);
    return {{line.score.value_or(chess::Score::cp(0)), line.pv,
             line.score ? bound : analysis::Bound::lower},
            line.depth};
}

namespace {

constexpr std::size_t longest_pv = 64;
// Shorter searches tell no speed: a move that is given time by it would be cut short.
constexpr std::uint64_t least_engine_ms = 50;

// What single searches of the root have found: what the lines stand on, and an
// answer where there are none, be it of another engine or a bound: of all moves rather than of
// some.
void read_root(const storage::Store& store, const ToRead& wanted,
               const std::vector<chess::Move>& searchmoves, Finding& finding) {
    std::pair<bool, int> best{false, -1};
    for (const analysis::Evaluation& fact : store.evaluations(*wanted.root)) {
        if (!fact.move || !among(searchmoves, *fact.move)) {
            continue;
        }
        if (!finding.lines.empty()) {
            if (wanted.graph && wanted.graph->holds(fact.question.engine)) {
                finding.evidence = std::max(finding.evidence, fact.depth);
            }
        } else if (const std::pair rank{fact.question.excluded.empty(), fact.depth};
                   fact.score && rank > best) {
            best = rank;
            auto pv = fact.pv.empty() ? std::vector{*fact.move} : fact.pv;
            finding.stored = Candidate{{*fact.score, std::move(pv), fact.bound}, fact.depth};
        }
    }
}

void read_tail(const storage::Store& store, const ToRead::Tail& tail,
               std::vector<chess::Move>& pv) {
    for (const analysis::Evaluation& fact : store.evaluations(tail.source)) {
        if (fact.id == tail.evaluation && fact.pv.size() > 1 && fact.pv.front() == tail.move) {
            chess::Position position = tail.target;
            for (const chess::Move move : std::span{fact.pv}.subspan(1)) {
                if (!position.is_legal(move)) {
                    break; // of a fact that somebody has damaged
                }
                pv.push_back(move);
                position.play(move);
            }
        }
    }
}

// On the core's thread, without the store.
class FindingReader {
public:
    FindingReader(const Core& core, const AnalysisRun& run, const SearchRequest& request)
        : core_{core}, run_{run}, request_{request} {}

    Finding make(ToRead& to_read) {
        Finding finding;
        finding.looked = true;
        finding.settled = run_.plan.settled;
        const bool stopped = run_.record.state == storage::AnalysisState::paused ||
                             run_.record.state == storage::AnalysisState::exhausted;
        finding.anchored = analysis::strategy_of(run_.spec.strategy.kind).has_anchor();
        finding.finished = run_.plan.finished || (stopped && run_.out.in_flight == 0);
        finding.nodes = run_.usage.nodes;
        if (run_.usage.engine_ms >= least_engine_ms) {
            finding.nodes_per_second = static_cast<double>(run_.usage.nodes) * 1000.0 /
                                       static_cast<double>(run_.usage.engine_ms);
        }
        const EngineSlot* engine = core_.engines().of(run_);
        if (engine != nullptr) {
            finding.ready = engine->identity.has_value();
            finding.problem = engine->problem;
            for (const engine_bridge::ProcessStatus& process : engine->status()) {
                const JobInfo* job = process.job ? core_.scheduler().job(*process.job) : nullptr;
                if (job != nullptr && job->analysis == run_.record.id) {
                    finding.nodes += process.nodes;
                }
            }
        }
        if (!core_.health().store_problem().empty()) {
            finding.problem = "the store cannot write: " + core_.health().store_problem();
            finding.finished = true;
        }
        if (run_.slot != nullptr) {
            rank_moves(finding.lines, to_read.tails);
        }
        if (run_.out.last_report && allowed(run_.out.last_report->pv.front())) {
            finding.running = candidate_of(*run_.out.last_report);
            finding.running->final = true;
        }
        if (finding.lines.empty() || finding.settled == 0 || finding.anchored) {
            to_read.root = run_.root.packed();
            if (run_.slot != nullptr) {
                to_read.graph = run_.slot->key();
            }
        }
        return finding;
    }

private:
    void rank_moves(std::vector<RankedLine>& lines, std::vector<ToRead::Tail>& tails) const {
        const analysis::Graph& graph = run_.slot->graph();
        const std::vector<NodeId> line = line_to_root(run_);
        const analysis::LineValues values{graph, line};
        const auto moves = graph.moves(run_.root_node);
        if (moves.empty() && graph.exact(run_.root_node)) {
            rank_exact_moves(lines);
            return;
        }
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (allowed(moves[i].move)) {
                order.push_back(i);
            }
        }
        std::ranges::sort(order, {}, [&](std::size_t i) {
            return analysis::move_order(graph, moves[i], values.alpha_of(i).value);
        });
        // The answer first, also where another move has a better alpha.
        if (analysis::strategy_of(run_.spec.strategy.kind).has_anchor()) {
            const auto answer = answer_of(run_, answer_margin(core_.engines().of(run_)), line);
            const auto place = answer ? std::ranges::find(order, answer->index) : order.end();
            if (place != order.end()) {
                std::rotate(order.begin(), place, place + 1);
            }
        }
        for (const std::size_t i : order) {
            RankedLine ranked{values.alpha_of(i).value, {moves[i].move}};
            if (lines.size() < request_.lines) {
                ranked.pv =
                    variation(line, moves[i], values.alpha_of(i).repetition, lines.size(), tails);
            }
            lines.push_back(std::move(ranked));
        }
    }

    bool allowed(chess::Move move) const { return among(request_.searchmoves, move); }

    // Where the rules or endgame tables know the root's value, no engine is asked: they know its
    // moves' values too.
    void rank_exact_moves(std::vector<RankedLine>& lines) const {
        const analysis::Graph& graph = run_.slot->graph();
        if (graph.tables() != nullptr) {
            for (const analysis::TableMove& move : graph.tables()->moves(run_.root)) {
                if (allowed(move.move)) {
                    lines.push_back({move.value, {move.move}});
                }
            }
        }
        if (!lines.empty()) {
            return; // best first, by the distance where the value is the same
        }
        for (const chess::Move move : run_.root.legal_moves()) {
            const auto value = graph.exact(run_.slot->intern(run_.root.after(move)));
            if (value && allowed(move)) {
                lines.push_back({value->backed_up(), {move}});
            }
        }
        std::ranges::stable_sort(lines, std::ranges::greater{},
                                 [](const RankedLine& line) { return line.score.rank(); });
    }

    // By alpha as far as the tree goes. What the engine expected at its end is to be read.
    std::vector<chess::Move> variation(std::vector<NodeId> line, analysis::GraphMove first,
                                       bool repetition, std::size_t rank,
                                       std::vector<ToRead::Tail>& tails) const {
        const analysis::Graph& graph = run_.slot->graph();
        std::vector<chess::Move> pv{first.move};
        if (repetition) {
            return pv;
        }
        line.push_back(first.target);
        NodeId source = run_.root_node;
        analysis::GraphMove last = first;
        for (const chess::Move move : analysis::alpha_pv(graph, line, longest_pv)) {
            const auto moves = graph.moves(last.target);
            source = last.target;
            last = *std::ranges::find(moves, move, &analysis::GraphMove::move);
            pv.push_back(move);
            line.push_back(last.target);
        }
        const bool repeats =
            std::ranges::find(line.begin(), line.end() - 1, last.target) != line.end() - 1;
        if (!repeats && !graph.expanded(last.target) && !graph.exact(last.target)) {
            tails.push_back({rank, graph.position(source).packed(), last.evaluation, last.move,
                             graph.position(last.target)});
        }
        return pv;
    }

    const Core& core_;
    const AnalysisRun& run_;
    const SearchRequest& request_;
};

} // namespace

Finding finding_of(const Core& core, const AnalysisRun& run, const SearchRequest& request,
                   ToRead& to_read) {
    return FindingReader{core, run, request}.make(to_read);
}

void read(const storage::Store& store, const ToRead& wanted,
          const std::vector<chess::Move>& searchmoves, Finding& finding) {
    for (const ToRead::Tail& tail : wanted.tails) {
        read_tail(store, tail, finding.lines.at(tail.line).pv);
    }
    if (wanted.root) {
        read_root(store, wanted, searchmoves, finding);
    }
}

} // namespace adjourn::server::uci
