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

std::expected<void, WorkError> Verifier::begin(AnalysisId id, std::vector<chess::Move> line,
                                               const VerifyWork& work) {
    AnalysisRun* run = queue_.find(id);
    if (run == nullptr) {
        return std::unexpected(
            WorkError{WorkError::Kind::no_analysis, "there is no such analysis"});
    }
    const auto refuse = [](std::string why) {
        return std::unexpected(
            WorkError{WorkError::Kind::no_verifying, "not now: " + std::move(why)});
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
    tasks_.insert_or_assign(id, Task{std::move(line), work, nullptr, {}});
    return {};
}

const VerifyWork* Verifier::left(AnalysisId id) const {
    const auto found = tasks_.find(id);
    return found == tasks_.end() ? nullptr : &found->second.work;
}

void Verifier::look_after(std::chrono::milliseconds most) {
    const auto until = std::chrono::steady_clock::now() + most;
    for (auto at = tasks_.begin(); at != tasks_.end();) {
        AnalysisRun* run = queue_.find(at->first);
        const bool more = run != nullptr && run->has_graph() && !run->in_turn() &&
                          scheduler_.why_idle(*run).empty() && go_on(*run, at->second, until);
        if (!more && run != nullptr) {
            run->changed = true;
        }
        at = more ? std::next(at) : tasks_.erase(at);
    }
}

bool Verifier::go_on(AnalysisRun& run, Task& task, std::chrono::steady_clock::time_point until) {
    std::erase_if(task.out,
                  [&](engine_bridge::JobId job) { return scheduler_.job(job) == nullptr; });
    if (!task.out.empty()) {
        return true;
    }
    if (task.work.spent()) {
        return false;
    }
    if (task.search == nullptr) {
        task.search = verdict_search(run, engines_.of(run), task.line);
    }
    while (task.search != nullptr && std::chrono::steady_clock::now() < until) {
        if (task.search->go_on()) {
            continue;
        }
        const auto verdict = task.search->take();
        task.search.reset();
        return verdict && ask(run, task, *verdict);
    }
    return task.search != nullptr;
}

// Whether anything was asked.
bool Verifier::ask(AnalysisRun& run, Task& task, const analysis::Verdict& verdict) {
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
        question->line.insert(question->line.begin(), task.line.begin(), task.line.end());
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
