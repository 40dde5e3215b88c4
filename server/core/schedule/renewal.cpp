#include "core/schedule/renewal.hpp"

#include "chess/notation.hpp"
#include "core/schedule/answer.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

namespace adjourn::server {

namespace {

using AnswerState = RenewedAnswer::State;

constexpr std::size_t most_answers = 16; // answers that are told of

// Where the line ends: the best move by alpha, of equal ones the one that is `preferred`; or none.
std::optional<std::size_t> best_by_alpha(const analysis::Graph& graph,
                                         const analysis::LineValues& values,
                                         std::size_t preferred = 0) {
    const std::size_t moves = graph.moves(values.node()).size();
    if (moves == 0 || graph.exact(values.node())) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < moves; ++i) {
        if (values.alpha_of(i).value > values.alpha_of(preferred).value) {
            preferred = i;
        }
    }
    return preferred;
}

// By the new engine: the move itself, or the position after it.
bool is_searched(const RunView& run, const analysis::GraphMove& move) {
    const analysis::Graph& graph = run.slot->graph();
    const auto as_large = [least = analysis::effort(run.record.limit)](const auto& each) {
        return each.effort >= least;
    };
    return as_large(move) || graph.exact(move.target) ||
           std::ranges::any_of(graph.moves(move.target), as_large);
}

} // namespace

Renewal renewal_of(const RunView& run, analysis::UnixMs at) {
    const storage::EngineRecord& now = run.slot->engine();
    Renewal made = run.spec.renewal;
    made = {made.engines, now.name, at, std::max(settled_level(run), made.level), {}, {}};
    const std::string engine = now.fingerprint();
    std::erase(made.engines, engine);
    made.engines.push_back(engine);
    chess::Position before = run.made_at;
    for (const chess::Move move : run.played) {
        made.line.push_back(chess::to_uci(before, move));
        before.play(move);
    }
    const analysis::Graph& graph = run.slot->graph();
    const auto answer = answer_of(run);
    analysis::LineValues values{graph, line_to_root(run), court_of(run)};
    auto next = answer ? std::optional{answer->index} : std::nullopt;
    while (next && made.scores.size() < most_answers) {
        const analysis::MoveValue value = values.alpha_of(*next);
        const chess::Move move = graph.moves(values.node())[*next].move;
        made.line.push_back(chess::to_uci(before, move));
        made.scores.push_back(value.value);
        if (value.repetition) {
            break;
        }
        before.play(move);
        values.follow(*next);
        next = best_by_alpha(graph, values);
    }
    return made;
}

std::vector<chess::Move> renewed_line(const RunView& run) {
    std::vector<chess::Move> line;
    chess::Position position = run.made_at;
    for (const std::string& uci : run.spec.renewal.line) {
        const auto move = chess::parse_uci(position, uci);
        if (!move) {
            return {};
        }
        line.push_back(*move);
        position.play(*move);
    }
    const auto rest = run.from_root(line);
    return rest && rest->size() <= run.spec.renewal.scores.size() ? *rest
                                                                  : std::vector<chess::Move>{};
}

std::vector<RenewedAnswer> renewed_answers(const RunView& run) {
    if (run.slot->key().renewed.empty()) {
        return {}; // it is the graph of the engine before, as long as nobody knows the other one
    }
    const std::vector<chess::Move> line = renewed_line(run);
    const auto before = std::span{run.spec.renewal.scores}.last(line.size());
    const analysis::Graph& graph = run.slot->graph();
    const double within = confirmed_within(run);
    std::vector<RenewedAnswer> answers;
    chess::Position position = run.root;
    const auto answer = line.empty() ? std::nullopt : answer_of(run);
    analysis::LineValues values{graph, line_to_root(run), court_of(run)};
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto moves = graph.moves(values.node());
        const auto at = std::ranges::find(moves, line[i], &analysis::GraphMove::move);
        if (at == moves.end()) { // excluded since, or the result is known
            break;
        }
        const auto index = static_cast<std::size_t>(at - moves.begin());
        const auto best =
            i == 0 && answer ? std::optional{answer->index} : best_by_alpha(graph, values, index);
        if (!best) {
            break;
        }
        const chess::Score now = values.alpha_of(index).value;
        const bool same = *best == index;
        const bool searched = is_searched(run, *at) || (!same && is_searched(run, moves[*best]));
        const bool near = std::abs(now.rank() - before[i].rank()) <= within;
        answers.push_back({position, line[i], before[i], now, moves[*best].move,
                           values.alpha_of(*best).value,
                           !searched ? AnswerState::open
                           : !same   ? AnswerState::fell
                           : near    ? AnswerState::confirmed
                                     : AnswerState::differs});
        if (values.alpha_of(index).repetition) {
            break;
        }
        position.play(line[i]);
        values.follow(index);
    }
    return answers;
}

double confirmed_within(const RunView& run) {
    return 2 * analysis::reckoned_sigma(run.slot->noise().value_or(analysis::Noise{}));
}

std::string renewal_text(const RunView& run, const std::vector<RenewedAnswer>& answers) {
    if (run.slot == nullptr || run.slot->key().renewed.empty()) {
        return "nothing is searched yet"; // the new engine's graph is still read
    }
    const auto with = [&](AnswerState state) {
        return std::ranges::count(answers, state, &RenewedAnswer::state);
    };
    const auto tree = run.slot->renewed(confirmed_within(run));
    return fmt::format("{} of {} answers confirmed, {} fell; of {} positions {} searched again, "
                       "{} confirmed",
                       with(AnswerState::confirmed), answers.size(), with(AnswerState::fell),
                       tree.known, tree.searched, tree.confirmed);
}

bool is_renewing(const RunView& run) {
    const int last = run.spec.strategy.refine;
    const int level = run.spec.renewal.level;
    return run.spec.renewal.at != 0 &&
           settled_level(run) < (last == 0 ? level : std::min(level, last));
}

void Renewer::take_up(AnalysisRun& run) {
    tasks_.erase(run.record.id); // it looked at the graph of before
    run.second_asked.reset();
    run.second_due = false;
    run.confirming = is_renewing(run);
    if (!run.confirming) {
        return;
    }
    Task& task = tasks_[run.record.id];
    const std::vector<chess::Move> line = renewed_line(run);
    task.lines.push_back({});
    for (std::size_t i = 1; i < line.size(); ++i) {
        task.lines.emplace_back(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

bool Renewer::waits(const AnalysisRun& run) const {
    const EngineSlot* engine = engines_.of(run);
    const EngineSlot* second = engines_.named(run.spec.second_engine);
    const bool starts = second != nullptr && !second->identity && second->problem.empty();
    return (run.second_due && starts) || !run.has_graph() || engine == nullptr ||
           !engine->identity || engine->id != run.slot->engine().id ||
           !scheduler_.why_idle(run).empty();
}

void Renewer::look_after(std::chrono::milliseconds most) {
    const auto until = health_.steady_now() + most;
    std::vector<AnalysisRun*> runs;
    for (const auto& run : queue_.runs()) {
        if ((run->confirming || run->second_due) && !waits(*run)) {
            runs.push_back(run.get());
        }
    }
    std::ranges::stable_sort(runs, {}, [](const AnalysisRun* run) {
        return std::tuple{-run->record.priority, run->spec.renewal.at};
    });
    for (AnalysisRun* run : runs) {
        const auto [at, of_second] = tasks_.try_emplace(run->record.id);
        if (of_second) {
            at->second.lines.emplace_back();
        }
        if (!go_on(*run, at->second, until)) {
            run->confirming = run->second_due = false;
            run->plan.stale = true;
            run->changed = true;
        }
    }
    std::erase_if(tasks_, [&](const auto& entry) {
        const AnalysisRun* run = queue_.find(entry.first);
        return run == nullptr || !(run->confirming || run->second_due);
    });
}

bool Renewer::go_on(AnalysisRun& run, Task& task, std::chrono::steady_clock::time_point until) {
    std::erase_if(task.out,
                  [&](engine_bridge::JobId job) { return scheduler_.job(job) == nullptr; });
    while (health_.steady_now() < until) {
        if (task.next >= task.lines.size()) { // what carries them may be something else now
            if (task.reading || !task.out.empty() || !std::exchange(task.asked, false)) {
                return task.reading || !task.out.empty();
            }
            task.next = 0;
            if (std::exchange(task.elsewhere, false)) {
                return true; // until the others' answers are there: with the next tick
            }
        }
        if (task.search == nullptr) {
            task.search = verdict_search(run, task.lines[task.next]);
        }
        if (task.search != nullptr && task.search->go_on()) {
            continue;
        }
        const auto verdict = task.search == nullptr ? std::nullopt : task.search->take();
        task.search.reset();
        if (verdict) {
            run.confirming ? ask(run, task, *verdict) : ask_second(run, task, *verdict);
        }
        // The answer itself first: the others when nothing that carries it is the other engine's.
        task.next = task.next == 0 && task.asked ? task.lines.size() : task.next + 1;
    }
    return true;
}

void Renewer::ask(AnalysisRun& run, Task& task, const analysis::Verdict& verdict) {
    for (const analysis::Carrier& carrier : verdict.carriers) {
        if (carrier.effort >= analysis::effort(run.record.limit)) {
            continue; // the new engine's own
        }
        auto next = verifier_.next_of(run, carrier);
        if (!next || next->out) {
            if (next) {
                task.asked = task.elsewhere = true;
            }
            continue;
        }
        next->question.urgent = true;
        auto& path = next->question.line;
        path.insert(path.begin(), task.lines[task.next].begin(), task.lines[task.next].end());
        if (const auto job = scheduler_.ask_now(run, std::move(next->question), {})) {
            task.out.push_back(*job);
            task.asked = true;
            run.changed = true;
        }
    }
}

// What it has answered, or had no answer to, is not asked again.
void Renewer::ask_second(AnalysisRun& run, Task& task, const analysis::Verdict& verdict) {
    const EngineSlot* second = second_engine_of(run, engines_);
    if (second == nullptr) {
        return;
    }
    const auto ask = [this, id = run.record.id,
                      slot = run.slot->weak_from_this()](const std::vector<SecondQuestion>& open) {
        if (const auto found = tasks_.find(id); found != tasks_.end()) {
            found->second.reading = false;
        }
        AnalysisRun* run = queue_.find(id);
        EngineSlot* second = run == nullptr ? nullptr : second_engine_of(*run, engines_);
        if (second == nullptr || run->slot != slot.lock().get()) {
            return;
        }
        for (const SecondQuestion& each : open) {
            scheduler_.ask_second(*second, *run, each.question);
        }
    };
    task.reading = true;
    beside_.read(
        [&store = store_, engine = second->id, ask,
         all = second_questions(run, run.root_node, verdict)]() -> std::function<void()> {
            const auto failures = store.failures(engine);
            auto open = all;
            std::erase_if(open, [&](const SecondQuestion& each) {
                const analysis::Question question{each.position.packed(), engine,
                                                  each.question.limit, each.question.excluded};
                return second_answer(store, engine, each) ||
                       std::ranges::find(failures, question, &storage::FailureRecord::question) !=
                           failures.end();
            });
            return [ask, open = std::move(open)] { ask(open); };
        },
        [ask](const std::string&) { ask({}); });
}

} // namespace adjourn::server
