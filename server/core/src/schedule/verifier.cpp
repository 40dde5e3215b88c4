#include "core/schedule/verifier.hpp"

#include "core/graphs/node_directives.hpp"
#include "core/schedule/answer.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace adjourn::server {

using analysis::AnalysisId;

namespace {

std::uint64_t nominal_nodes(const analysis::Limit& limit) {
    return limit.kind == analysis::Limit::Kind::nodes
               ? limit.amount
               : static_cast<std::uint64_t>(std::exp2(analysis::effort(limit)));
}

} // namespace

std::optional<WorkError> Verifier::refuses(const AnalysisRun* run,
                                           const std::vector<chess::Move>& line) const {
    if (run == nullptr) {
        return WorkError{WorkError::Kind::no_analysis, "there is no such analysis"};
    }
    const auto refuse = [](std::string why) {
        return WorkError{WorkError::Kind::no_verifying, "not now: " + std::move(why)};
    };
    if (std::string why = scheduler_.why_idle(*run); !why.empty()) {
        return refuse(std::move(why));
    }
    if (!run->has_graph() || run->shown() == nullptr) {
        return refuse("the evaluations of the analysis are still being read");
    }
    if (run->in_turn()) {
        return refuse(
            "answers of a reproducible engine take effect in the order of the plan alone");
    }
    if (verdict_search(*run, engines_.of(*run), line) == nullptr) {
        return refuse("there is no answer in this position yet");
    }
    return std::nullopt;
}

Pending<Queue::CheckedDirective> Verifier::give(AnalysisId id, std::vector<chess::Move> line,
                                                const Verify& work) {
    if (auto refused = refuses(queue_.find(id), line)) {
        return Pending<Queue::CheckedDirective>::over(std::unexpected(std::move(*refused)));
    }
    return queue_.verify(id, std::move(line), work).map([this](Queue::CheckedDirective said) {
        take_up(*said.run);
        return said;
    });
}

void Verifier::take_up(const AnalysisRun& run) {
    if (const Directive* said = verified_in(run.directives)) {
        tasks_.insert_or_assign(run.record.id, Task{.work = std::get<Verify>(said->action),
                                                    .given = said->at,
                                                    .line = said->line,
                                                    .search = nullptr,
                                                    .out = {}});
    }
}

const Verify* Verifier::left(AnalysisId id) const {
    const auto found = tasks_.find(id);
    return found == tasks_.end() ? nullptr : &found->second.work;
}

// For what passes by itself, or by a person who wants it.
bool Verifier::waits(const AnalysisRun& run) const {
    if (run.record.state == storage::AnalysisState::failed || scheduler_.is_spent(run)) {
        return false;
    }
    const EngineSlot* engine = engines_.of(run);
    return engine == nullptr || !engine->identity || !run.has_graph() || run.shown() == nullptr ||
           !scheduler_.why_idle(run).empty();
}

void Verifier::look_after(std::chrono::milliseconds most) {
    const auto until = std::chrono::steady_clock::now() + most;
    for (auto at = tasks_.begin(); at != tasks_.end();) {
        AnalysisRun* run = queue_.find(at->first);
        if (run != nullptr && (waits(*run) || go_on(*run, at->second, until))) {
            ++at;
            continue;
        }
        const auto given = at->second.given;
        at = tasks_.erase(at);
        if (run != nullptr) {
            run->changed = true;
            queue_.verified(run->record.id, given).then([](const auto&) {}); // else once more
        }
    }
}

bool Verifier::go_on(AnalysisRun& run, Task& task, std::chrono::steady_clock::time_point until) {
    std::erase_if(task.out,
                  [&](engine_bridge::JobId job) { return scheduler_.job(job) == nullptr; });
    if (!task.out.empty()) {
        return true;
    }
    const auto line = run.from_root(task.line); // none: the game went another way
    if (task.work.spent() || !line || run.in_turn() || !scheduler_.why_idle(run).empty()) {
        return false;
    }
    if (task.search == nullptr || task.slot != run.slot) {
        task.search = verdict_search(run, engines_.of(run), *line);
        task.slot = run.slot;
    }
    while (task.search != nullptr && std::chrono::steady_clock::now() < until) {
        if (task.search->go_on()) {
            continue;
        }
        const auto verdict = task.search->take();
        task.search.reset();
        return verdict && ask(run, *line, task, *verdict);
    }
    return task.search != nullptr;
}

// Whether anything was asked.
bool Verifier::ask(AnalysisRun& run, const std::vector<chess::Move>& line, Task& task,
                   const analysis::Verdict& verdict) {
    for (const analysis::Carrier& carrier : verdict.carriers) {
        auto question = analysis::question_about(run.slot->graph(), carrier, run.record.limit,
                                                 excluded_moves(run, carrier.node));
        if (!question || task.work.spent()) {
            continue;
        }
        const NodeQuestion asked{question->node, question->limit, question->excluded};
        if (run.slot->graph().exact(asked.node) ||
            graphs_.state(*run.slot, asked) != analysis::QuestionState::open) {
            continue;
        }
        question->urgent = true;
        question->line.insert(question->line.begin(), line.begin(), line.end());
        const auto job = scheduler_.ask_now(run, std::move(*question));
        if (!job) {
            return false;
        }
        task.out.push_back(*job);
        if (task.work.evaluations) {
            --*task.work.evaluations;
        } else {
            *task.work.nodes -=
                std::min(*task.work.nodes, std::max<std::uint64_t>(1, nominal_nodes(asked.limit)));
        }
    }
    run.changed = run.changed || !task.out.empty();
    return !task.out.empty();
}

} // namespace adjourn::server
