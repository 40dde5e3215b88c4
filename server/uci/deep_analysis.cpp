#include "uci/deep_analysis.hpp"

#include "analysis/move_order.hpp"
#include "core/graphs/graph_slot.hpp"
#include "core/schedule/answer.hpp"
#include "core/schedule/core.hpp"
#include "storage/store.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace adjourn::server::uci {

using analysis::AnalysisId;
using analysis::NodeId;

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

// What is known of a search at some moment. On the core's thread, without the store: what is to be
// read there is added to `to_read`.
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

// On any thread: completes the finding. Blocks for the disk; throws storage::StoreError.
void read(const storage::Store& store, const ToRead& wanted,
          const std::vector<chess::Move>& searchmoves, Finding& finding) {
    for (const ToRead::Tail& tail : wanted.tails) {
        read_tail(store, tail, finding.lines.at(tail.line).pv);
    }
    if (wanted.root) {
        read_root(store, wanted, searchmoves, finding);
    }
}

} // namespace

// Between the two threads.
struct DeepAnalysis::Shared {
    std::function<void()> news;

    std::mutex mutex; // guards what follows
    std::uint64_t serial = 0;
    Finding finding;

    // ---- the core's thread only ----
    std::optional<AnalysisId> running;
    SearchRequest request;
    std::uint64_t running_serial = 0;
    bool reading = false; // for a finding that is told when that has been read
    bool changed = false; // since that reading began

    void tell(const std::function<void(Finding&)>& change) {
        {
            const std::scoped_lock lock{mutex};
            change(finding);
        }
        news();
    }

    static void publish(const std::shared_ptr<Shared>& self, const Core& core,
                        const AnalysisRun& run) {
        if (run.record.id != self->running) {
            return;
        }
        if (self->reading) {
            self->changed = true;
            return;
        }
        ToRead to_read;
        Finding now = FindingReader{core, run, self->request}.make(to_read);
        if (to_read.tails.empty() && !to_read.root) {
            self->publish(std::move(now), self->running_serial);
            return;
        }
        self->reading = true;
        self->changed = false;
        const auto finding = std::make_shared<Finding>(now);
        core.reads().ask(
            "reading what engines said of a position",
            [&store = core.store(), to_read = std::move(to_read), finding,
             searchmoves = self->request.searchmoves] {
                read(store, to_read, searchmoves, *finding);
            },
            [self, &core, finding, without = std::move(now),
             number = self->running_serial](const std::optional<Trouble>& trouble) {
                self->reading = false;
                self->publish(trouble ? without : std::move(*finding), number);
                const AnalysisRun* run =
                    self->changed && self->running ? core.queue().find(*self->running) : nullptr;
                if (run != nullptr) {
                    publish(self, core, *run);
                }
            });
    }

    // Of the request `number`.
    void publish(Finding now, std::uint64_t number) {
        tell([&](Finding& latest) {
            if (serial == number) {
                latest = std::move(now);
            }
        });
    }

    void end(Core& core) {
        if (running) {
            (void)core.remove(*running)
                .wait(); // transient: nothing to be written, nothing to go wrong
            running.reset();
        }
    }

    void hurry(Core& core) const {
        if (running) {
            core.hurry(*running);
        }
    }

    void begin(Core& core, SearchRequest wanted, std::uint64_t number) {
        end(core);
        request = std::move(wanted);
        running_serial = number;
        NewAnalysis analysis{
            "uci", request.game.start, request.game.moves, "", request.limit, {}, 0, false};
        analysis.spec.strategy = request.strategy;
        analysis.spec.budget.nodes = request.nodes;
        analysis.transient = true;
        analysis.game = request.game_number;
        const auto id = core.create(std::move(analysis)).wait(); // as above: nothing to wait for
        if (!id) {
            tell([&](Finding& latest) {
                latest.problem = id.error().message;
                latest.looked = latest.finished = true;
            });
            return;
        }
        running = *id;
        core.work_only_on(*id);
        if (!request.searchmoves.empty()) {
            for (const chess::Move move : request.game.position.legal_moves()) {
                if (std::ranges::find(request.searchmoves, move) == request.searchmoves.end()) {
                    (void)core.direct(*id, {move}, "exclude", "").wait();
                }
            }
        }
    }
};

DeepAnalysis::DeepAnalysis(Config config, const std::filesystem::path& data,
                           std::function<void()> news, std::function<void()> before_request)
    : before_request_{std::move(before_request)}, shared_{std::make_shared<Shared>()},
      service_{
          std::make_unique<Service>(std::move(config), ServiceOptions{data, false, "", true})} {
    shared_->news = std::move(news);
    service_->with_core([this, shared = shared_](Core& core) {
        processes_ = core.engines().all().front()->processes.get();
        core.work_only_on(AnalysisId{}); // analyses in the store wait for a server
        core.on_progress = [shared, &core](const AnalysisRun& run) {
            Shared::publish(shared, core, run);
        };
        core.on_engine = [shared, &core](const EngineSlot& engine) {
            shared->tell([&](Finding& latest) {
                latest.ready =
                    engine.identity.has_value() && core.graphs().of_engine(engine.id) != nullptr;
                latest.problem = engine.problem;
            });
        };
    });
    service_->start();
}

DeepAnalysis::~DeepAnalysis() {
    service_->stop();
}

void DeepAnalysis::begin(SearchRequest request) {
    forget();
    root_ = request.game.position;
    searchmoves_ = request.searchmoves;
    service_->post([shared = shared_, request = std::move(request), number = serial_,
                    before = before_request_](Core& core) {
        if (before) {
            before();
        }
        shared->begin(core, request, number);
    });
}

void DeepAnalysis::end() {
    forget();
    service_->post([shared = shared_](Core& core) { shared->end(core); });
}

void DeepAnalysis::hurry() {
    service_->post([shared = shared_](Core& core) { shared->hurry(core); });
}

// What is still to come of the request before is of no interest.
void DeepAnalysis::forget() {
    ++serial_;
    const std::scoped_lock lock{shared_->mutex};
    shared_->serial = serial_;
    Finding fresh;
    fresh.ready = shared_->finding.ready;
    fresh.problem = shared_->finding.problem;
    shared_->finding = std::move(fresh);
}

Finding DeepAnalysis::latest() const {
    Finding finding;
    {
        const std::scoped_lock lock{shared_->mutex};
        finding = shared_->finding;
    }
    // What the engines say at this moment: the core hears of it later, and may be busy.
    for (const engine_bridge::ProcessStatus& process : processes_->status()) {
        const bool of_root = process.position == root_ && process.line &&
                             std::ranges::is_permutation(process.searchmoves, searchmoves_) &&
                             among(searchmoves_, process.line->pv.front());
        if (of_root && (!finding.running || finding.running->depth <= process.line->depth)) {
            finding.running = candidate_of(*process.line);
        }
    }
    return finding;
}

} // namespace adjourn::server::uci
