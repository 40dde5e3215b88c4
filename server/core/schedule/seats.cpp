#include "core/schedule/seats.hpp"

#include "analysis/graph.hpp"
#include "core/graphs/graph_slot.hpp"
#include "core/schedule/answer.hpp"
#include "core/schedule/core.hpp"
#include "storage/store.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace adjourn::server {

using analysis::AnalysisId;
using analysis::NodeId;
using chess::uci::RankedLine;

namespace {

// What of a finding only the store knows. It is read elsewhere: the core does not wait for a disk.
struct ToRead {
    struct Tail { // of a line: what the engine expected behind the tree
        std::size_t line = 0;
        chess::PackedPosition source;
        analysis::EvaluationId evaluation{};
        chess::Move move;
        chess::Position target;
    };
    std::vector<Tail> tails;
    std::optional<chess::PackedPosition> root; // where its facts are wanted
    std::optional<GraphKey> graph;             // whose evaluations the lines stand on
};

// None: all.
bool among(const std::vector<chess::Move>& searchmoves, chess::Move move) {
    return searchmoves.empty() || std::ranges::find(searchmoves, move) != searchmoves.end();
}

// A search that named a move without a score is worth a move.
Candidate candidate_of(const engine_bridge::BestLine& line) {
    const auto bound = static_cast<analysis::Bound>(line.bound);
    return {{line.score.value_or(chess::Score::cp(0)), line.pv,
             line.score ? bound : analysis::Bound::lower},
            line.depth};
}

constexpr std::size_t longest_pv = 64;
// Shorter searches tell no speed: a move that is given time by it would be cut short.
constexpr std::uint64_t least_engine_ms = 50;

// What single searches of the root have found: what the lines stand on, and an
// answer where there are none, be it of another engine or a bound: of all moves rather than of
// some.
void read_root(const storage::Store& store, const ToRead& wanted,
               const std::vector<chess::Move>& searchmoves, SeatFinding& finding) {
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

// What is known of a search at some moment. On the core's thread, without the store: what is to be
// read there is added to `to_read`.
class FindingReader {
public:
    FindingReader(const Core& core, const AnalysisRun& run, const SeatWish& wish)
        : core_{core}, run_{run}, wish_{wish} {}

    SeatFinding make(ToRead& to_read) {
        SeatFinding finding;
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
        if (const EngineSlot* engine = core_.engines().of(run_)) {
            finding.ready = engine->identity.has_value();
            finding.problem = engine->problem;
            for (const engine_bridge::ProcessStatus& process : engine->status(true)) {
                see(process, finding);
            }
        }
        if (!core_.health().store_problem().empty()) {
            finding.problem = "the store cannot write: " + core_.health().store_problem();
            finding.finished = true;
        }
        if (run_.slot != nullptr) {
            rank_moves(finding.lines, to_read.tails);
        }
        if (run_.out.last_report && allowed(run_.out.last_report->pv.front()) &&
            (!finding.running || finding.running->depth <= run_.out.last_report->depth)) {
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
    // Whoever asked: what searches the position now, and what this analysis' searches have cost.
    void see(const engine_bridge::ProcessStatus& process, SeatFinding& finding) const {
        const JobInfo* job = process.job ? core_.scheduler().job(*process.job) : nullptr;
        if (job != nullptr && job->analysis == run_.record.id) {
            finding.nodes += process.nodes;
        }
        const bool of_root = process.position == run_.root && process.line &&
                             std::ranges::is_permutation(process.searchmoves, wish_.searchmoves) &&
                             allowed(process.line->pv.front());
        if (of_root && (!finding.running || finding.running->depth <= process.line->depth)) {
            finding.running = candidate_of(*process.line);
        }
    }

    void rank_moves(std::vector<RankedLine>& lines, std::vector<ToRead::Tail>& tails) const {
        const analysis::Graph& graph = run_.slot->graph();
        const std::vector<NodeId> line = line_to_root(run_);
        const analysis::LineValues values{graph, line, court_of(run_)};
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
        // The answer first, also where another move has a better alpha before a court.
        if (analysis::strategy_of(run_.spec.strategy.kind).has_anchor()) {
            const auto answer = answer_of(run_, line);
            const auto place = answer ? std::ranges::find(order, answer->index) : order.end();
            if (place != order.end()) {
                std::rotate(order.begin(), place, place + 1);
            }
        }
        for (const std::size_t i : order) {
            RankedLine ranked{values.alpha_of(i).value, {moves[i].move}};
            if (lines.size() < wish_.lines) {
                ranked.pv =
                    variation(line, moves[i], values.alpha_of(i).repetition, lines.size(), tails);
            }
            lines.push_back(std::move(ranked));
        }
    }

    bool allowed(chess::Move move) const { return among(wish_.searchmoves, move); }

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
    const SeatWish& wish_;
};

// On any thread: completes the finding. Blocks for the disk; throws storage::StoreError.
void read(const storage::Store& store, const ToRead& wanted,
          const std::vector<chess::Move>& searchmoves, SeatFinding& finding) {
    for (const ToRead::Tail& tail : wanted.tails) {
        read_tail(store, tail, finding.lines.at(tail.line).pv);
    }
    if (wanted.root) {
        read_root(store, wanted, searchmoves, finding);
    }
}

// While nothing is looked at.
SeatFinding idle(const Core& core, const EngineSlot& engine) {
    SeatFinding finding;
    finding.ready = engine.identity && core.graphs().holds({engine.id});
    finding.problem = engine.problem;
    return finding;
}

void call(Seat& seat, const Seat* with) {
    if (const auto told = std::exchange(seat.told, nullptr)) {
        told(with);
    }
}

} // namespace

Seats::Refusal Seats::look(SeatId id, const std::string& engine, std::int64_t number,
                           std::optional<SeatWish> wish) {
    const EngineSlot* const slot =
        engine.empty() ? core_.engines().all().front().get() : core_.engines().named(engine);
    if (slot == nullptr) {
        return Refusal::no_engine;
    }
    if (!seats_.contains(id) && seats_.size() >= most_at_once) {
        return Refusal::too_many;
    }
    Seat& seat = seats_[id];
    leave(seat);
    seat.engine = slot->profile.name;
    seat.profile = slot->index;
    seat.number = number;
    seat.asked_at = core_.steady();
    const bool looks = wish.has_value();
    seat.wish = std::move(wish).value_or(SeatWish{});
    engine_told(*slot);
    if (looks) {
        begin(id, seat, *slot);
    }
    return Refusal::none;
}

void Seats::begin(SeatId id, Seat& seat, const EngineSlot& engine) {
    const SeatWish& wish = seat.wish;
    const bool alone = core_.scheduler().is_restricted(); // nobody else is worked for
    if (!alone && engine.identity &&
        engine.dispatcher->reserved(true) < engine_bridge::Dispatcher::most_reserved) {
        seat.place = engine.dispatcher->reserve(engine.index, {static_cast<std::uint64_t>(id)});
        engine.dispatcher->lend(*seat.place, 1);
    }
    NewAnalysis analysis{
        "seat", wish.game.start, wish.game.moves, seat.engine, wish.limit, {}, seat_priority,
        false};
    analysis.spec.strategy = wish.strategy;
    analysis.spec.budget.nodes = wish.nodes;
    analysis.transient = true;
    analysis.place = seat.place;
    analysis.game = alone || seat.place ? wish.game_number : 0; // others' hashes stay warm
    core_.create(std::move(analysis))
        .then([this, id, number = seat.number](Pending<AnalysisId>::Result made) {
            if (made) {
                began(id, number, *made);
            } else if (Seat* const still = at(id, number)) {
                SeatFinding finding = still->finding;
                finding.problem = made.error().message;
                finding.looked = finding.finished = true;
                tell(*still, std::move(finding));
            }
        });
}

void Seats::began(SeatId id, std::int64_t number, AnalysisId analysis) {
    Seat* const seat = at(id, number);
    if (seat == nullptr) {
        core_.remove(analysis);
        return;
    }
    seat->analysis = analysis;
    std::vector<std::vector<chess::Move>> others;
    for (const chess::Move move : seat->wish.game.position.legal_moves()) {
        if (!among(seat->wish.searchmoves, move)) {
            others.push_back({move});
        }
    }
    if (!others.empty()) {
        core_.direct_all(analysis, others, "exclude");
    }
    publish(id, *seat, *core_.queue().find(analysis)); // what the store has: before all planning
}

// While it looks at what has that number.
Seat* Seats::at(SeatId id, std::int64_t number) {
    const auto found = seats_.find(id);
    return found == seats_.end() || found->second.number != number ? nullptr : &found->second;
}

void Seats::leave(Seat& seat) {
    if (const auto analysis = std::exchange(seat.analysis, std::nullopt)) {
        core_.remove(*analysis); // in memory only: nothing goes wrong
    }
    if (const auto place = std::exchange(seat.place, std::nullopt)) {
        core_.engines().dispatcher()->release(
            *place, engine_bridge::Dispatcher::Time{std::chrono::milliseconds{core_.steady()}});
    }
}

void Seats::hurry(SeatId id, std::int64_t number) {
    const Seat* const seat = at(id, number);
    if (seat != nullptr && seat->analysis) {
        core_.hurry(*seat->analysis);
    }
}

void Seats::close(SeatId id) {
    if (auto node = seats_.extract(id); !node.empty()) {
        leave(node.mapped());
        call(node.mapped(), nullptr);
    }
}

void Seats::ask(SeatId id, std::uint64_t version, std::function<void(const Seat*)> told) {
    Seat& seat = seats_.at(id);
    call(seat, &seat); // its connection is gone
    seat.asked_at = core_.steady();
    seat.told = std::move(told);
    if (seat.version != version) {
        call(seat, &seat);
    }
}

// ---- what others tell ----

void Seats::look_after() {
    const analysis::UnixMs now = core_.steady();
    std::vector<SeatId> over;
    for (auto& [id, seat] : seats_) {
        const EngineSlot* const engine = core_.engines().named(seat.engine);
        const bool gone = engine == nullptr || engine->index != seat.profile;
        if (gone || now - seat.asked_at >= patience) {
            over.push_back(id);
        } else if (now - seat.asked_at >= longest_wait) {
            call(seat, &seat);
        }
    }
    std::ranges::for_each(over, [this](SeatId id) { close(id); });
}

void Seats::engine_told(const EngineSlot& engine) {
    for (auto& [id, seat] : seats_) {
        if (seat.engine == engine.profile.name && !seat.analysis) {
            if (engine.identity) {
                core_.want_graph(engine.id);
            }
            tell(seat, idle(core_, engine));
        }
    }
}

void Seats::progress(const AnalysisRun& run) {
    for (auto& [id, seat] : seats_) {
        if (seat.analysis == run.record.id) {
            publish(id, seat, run);
        }
    }
}

void Seats::tell(Seat& seat, SeatFinding finding) {
    seat.finding = std::move(finding);
    ++seat.version;
    call(seat, &seat);
}

void Seats::publish(SeatId id, Seat& seat, const AnalysisRun& run) {
    if (std::exchange(seat.reading, true)) {
        seat.changed = true;
        return;
    }
    seat.changed = false;
    const auto to_read = std::make_shared<ToRead>();
    const auto found =
        std::make_shared<SeatFinding>(FindingReader{core_, run, seat.wish}.make(*to_read));
    const auto done = [this, id, number = seat.number, found,
                       without = *found](const std::optional<Trouble>& trouble) {
        const auto still = seats_.find(id);
        if (still == seats_.end()) {
            return;
        }
        Seat& now = still->second;
        now.reading = false;
        if (now.number == number) {
            tell(now, trouble ? without : std::move(*found));
        }
        const bool again = now.changed || now.number != number;
        const AnalysisRun* const then =
            again && now.analysis ? core_.queue().find(*now.analysis) : nullptr;
        if (then != nullptr) {
            publish(id, now, *then);
        }
    };
    core_.reads().ask(
        "reading what engines said of a position",
        [&store = core_.store(), to_read, found, moves = seat.wish.searchmoves] {
            read(store, *to_read, moves, *found);
        },
        done);
}

} // namespace adjourn::server
