#include "core/schedule/verifier.hpp"

#include "core/graphs/node_directives.hpp"
#include "core/schedule/answer.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace adjourn::server {

using analysis::AnalysisId;

namespace {

constexpr std::chrono::milliseconds at_once{5}; // for a decision within the call

std::uint64_t nominal_nodes(const analysis::Limit& limit) {
    return limit.kind == analysis::Limit::Kind::nodes
               ? limit.amount
               : static_cast<std::uint64_t>(std::exp2(analysis::effort(limit)));
}

WorkError not_now(std::string why) {
    return {WorkError::Kind::no_verifying, "not now: " + std::move(why)};
}

void spend(Verify& from, const analysis::Limit& limit) {
    auto& left = from.evaluations ? *from.evaluations : *from.nodes;
    const std::uint64_t cost =
        from.evaluations ? 1 : std::max<std::uint64_t>(1, nominal_nodes(limit));
    left -= std::min(left, cost);
}

} // namespace

// An order as it is stored, by the answers to it, which come on another thread.
struct Verifier::Stored {
    const AnalysisId id;
    Directive order;
    std::mutex mutex{};

    storage::DirectiveRecord answered(const analysis::Limit& limit) {
        const std::scoped_lock lock{mutex};
        spend(std::get<Verify>(order.action), limit);
        return record_of(order, id);
    }
};

std::optional<WorkError> Verifier::refuses(const AnalysisRun* run,
                                           const std::vector<chess::Move>& line) const {
    if (run == nullptr) {
        return WorkError{WorkError::Kind::no_analysis, "there is no such analysis"};
    }
    if (std::string why = scheduler_.why_idle(*run); !why.empty()) {
        return not_now(std::move(why));
    }
    if (!run->has_graph() || run->shown() == nullptr) {
        return not_now("the evaluations of the analysis are still being read");
    }
    if (verdict_search(*run, line) == nullptr) {
        return not_now("there is no answer in this position yet");
    }
    return std::nullopt;
}

Pending<Queue::CheckedDirective> Verifier::give(AnalysisId id, std::vector<chess::Move> line,
                                                const Verify& work) {
    const AnalysisRun* run = queue_.find(id);
    if (auto refused = refuses(run, line)) {
        return Pending<Queue::CheckedDirective>::over(std::unexpected(std::move(*refused)));
    }
    auto search = verdict_search(*run, line);
    const Pending<Queue::CheckedDirective> told{[this] {
        while (!requests_.empty()) {
            decide(std::chrono::steady_clock::time_point::max());
        }
        queue_.wait();
    }};
    requests_.push_back({id, std::move(line), work, std::move(search), run->slot, told});
    decide(health_.steady_now() + at_once);
    return told;
}

// The requests, one after the other, as long as there is time.
void Verifier::decide(std::chrono::steady_clock::time_point until) {
    while (!requests_.empty()) {
        Request& request = requests_.front();
        const AnalysisRun* run = queue_.find(request.id);
        std::string why = run == nullptr || run->slot != request.slot
                              ? "the tree of the analysis is another one meanwhile"
                              : "";
        if (why.empty()) {
            while (request.search->go_on()) {
                if (health_.steady_now() >= until) {
                    return;
                }
            }
            why = why_nothing(*run, request.search->take());
        }
        Request decided = std::move(request);
        requests_.erase(requests_.begin());
        if (!why.empty()) {
            decided.told.end(std::unexpected(not_now(std::move(why))));
            continue;
        }
        queue_.verify(decided.id, std::move(decided.line), decided.work)
            .map([this](Queue::CheckedDirective said) {
                take_up(*said.run);
                return said;
            })
            .then([told = decided.told](auto result) { told.end(std::move(result)); });
    }
}

std::optional<Verifier::Next> Verifier::next_of(const AnalysisRun& run,
                                                const analysis::Carrier& carrier) const {
    const analysis::Graph& graph = run.slot->graph();
    auto question = analysis::question_about(graph, carrier, run.record.limit,
                                             excluded_moves(run, carrier.node));
    if (!question || graph.exact(question->node)) {
        return std::nullopt;
    }
    using State = analysis::QuestionState;
    const State state =
        graphs_.state(*run.slot, {question->node, question->limit, question->excluded});
    return state == State::open || state == State::pending
               ? std::optional{Next{std::move(*question), state == State::pending}}
               : std::nullopt;
}

// "" if something that the verdict rests on can be asked, or is.
std::string Verifier::why_nothing(const AnalysisRun& run,
                                  const std::optional<analysis::Verdict>& verdict) const {
    if (!verdict) {
        return "the result in this position is known, or there is no other move";
    }
    if (verdict->carriers.empty()) {
        return "no error of an evaluation could change the answer in this position";
    }
    const bool any = std::ranges::any_of(verdict->carriers, [&](const analysis::Carrier& carrier) {
        return next_of(run, carrier).has_value();
    });
    return any ? "" : "what the answer rests on is known, or its engine gave no answer";
}

void Verifier::take_up(const AnalysisRun& run) {
    if (const Directive* said = verified_in(run.directives)) {
        tasks_.insert_or_assign(run.record.id,
                                Task{.work = std::get<Verify>(said->action),
                                     .stored = std::make_shared<Stored>(run.record.id, *said),
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
    const auto until = health_.steady_now() + most;
    decide(until);
    for (auto at = tasks_.begin(); at != tasks_.end();) {
        AnalysisRun* run = queue_.find(at->first);
        if (run != nullptr && (waits(*run) || go_on(*run, at->second, until))) {
            ++at;
            continue;
        }
        const auto given = at->second.stored->order.at;
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
    if (task.work.spent() || !line || !scheduler_.why_idle(run).empty()) {
        return false;
    }
    if (task.search == nullptr || task.slot != run.slot) {
        task.search = verdict_search(run, *line);
        task.slot = run.slot;
    }
    while (task.search != nullptr && health_.steady_now() < until) {
        if (task.search->go_on()) {
            continue;
        }
        const auto verdict = task.search->take();
        task.search.reset();
        return verdict && ask(run, *line, task, *verdict);
    }
    return task.search != nullptr;
}

// Whether anything was asked, or is.
bool Verifier::ask(AnalysisRun& run, const std::vector<chess::Move>& line, Task& task,
                   const analysis::Verdict& verdict) {
    bool asked = false; // by others
    for (const analysis::Carrier& carrier : verdict.carriers) {
        auto next = task.work.spent() ? std::nullopt : next_of(run, carrier);
        if (!next || next->out) {
            asked = asked || next;
            continue;
        }
        const analysis::Limit limit = next->question.limit;
        next->question.urgent = true;
        auto& path = next->question.line;
        path.insert(path.begin(), line.begin(), line.end());
        const auto job =
            scheduler_.ask_now(run, std::move(next->question),
                               [stored = task.stored, limit] { return stored->answered(limit); });
        if (!job) {
            return false;
        }
        task.out.push_back(*job);
        spend(task.work, limit);
    }
    run.changed = run.changed || !task.out.empty();
    return asked || !task.out.empty();
}

} // namespace adjourn::server
