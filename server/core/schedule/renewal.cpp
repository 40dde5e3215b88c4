#include "core/schedule/renewal.hpp"

#include "chess/notation.hpp"
#include "core/graphs/line_end.hpp"
#include "core/schedule/answer.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace adjourn::server {

namespace {

using AnswerState = RenewedAnswer::State;

constexpr std::size_t most_answers = 16; // answers that are told of

// At the root that of the analysis, elsewhere the best alpha.
std::optional<analysis::RootAnswer> answer_at(const RunView& run, const LineEnd& end, bool at_root,
                                              int margin) {
    if (!end.node || run.slot->graph().exact(*end.node)) {
        return std::nullopt;
    }
    return at_root ? answer_of(run, margin)
                   : analysis::root_answer(run.slot->graph(), end.nodes, {});
}

AnswerState state_of_answer(const RunView& run, const analysis::GraphMove& move,
                            const RenewedAnswer& answer) {
    const double limit = analysis::effort(run.record.limit);
    const auto searched = [&](const analysis::GraphMove& m) { return m.effort >= limit; };
    const analysis::Graph& graph = run.slot->graph();
    if (!searched(move) && !graph.exact(move.target) &&
        std::ranges::none_of(graph.moves(move.target), searched)) {
        return AnswerState::open;
    }
    if (answer.best != answer.move) {
        return AnswerState::fell;
    }
    const bool near = std::abs(answer.now.rank() - answer.before.rank()) <= confirmed_within(run);
    return near ? AnswerState::confirmed : AnswerState::differs;
}

} // namespace

Renewal renewal_of(const RunView& run, int margin, std::size_t positions, analysis::UnixMs at) {
    const storage::EngineRecord& now = run.slot->engine();
    Renewal made{run.spec.renewal.engines, now.name, at, settled_level(run), positions, {}, {}};
    const std::string engine = now.fingerprint();
    std::erase(made.engines, engine);
    made.engines.push_back(engine);
    chess::Position before = run.made_at;
    for (const chess::Move move : run.played) {
        made.line.push_back(chess::to_uci(before, move));
        before.play(move);
    }
    LineEnd end = line_end(run, {});
    for (auto best = answer_at(run, end, true, margin); best && made.scores.size() < most_answers;
         best = answer_at(run, end, false, margin)) {
        made.line.push_back(chess::to_uci(end.position, best->move));
        made.scores.push_back(best->alpha);
        step(run, end, best->move);
        if (end.node && std::ranges::count(end.nodes, *end.node) > 1) {
            break; // it repeats
        }
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

std::vector<RenewedAnswer> renewed_answers(const RunView& run, int margin) {
    if (run.slot->key().renewed.empty()) {
        return {}; // it is the graph of the engine before, as long as nobody knows the other one
    }
    const std::vector<chess::Move> line = renewed_line(run);
    const auto before = std::span{run.spec.renewal.scores}.last(line.size());
    const analysis::Graph& graph = run.slot->graph();
    std::vector<RenewedAnswer> answers;
    LineEnd end = line_end(run, {});
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto best = answer_at(run, end, i == 0, margin);
        if (!best) {
            break;
        }
        const auto moves = graph.moves(*end.node);
        const auto at = std::ranges::find(moves, line[i], &analysis::GraphMove::move);
        if (at == moves.end()) { // excluded since
            break;
        }
        const auto index = static_cast<std::size_t>(at - moves.begin());
        const chess::Score now = analysis::LineValues{graph, end.nodes}.alpha_of(index).value;
        answers.push_back({end.position, line[i], before[i], now, best->move, best->alpha});
        answers.back().state = state_of_answer(run, *at, answers.back());
        step(run, end, line[i]);
    }
    return answers;
}

double confirmed_within(const RunView& run) {
    return 2 * analysis::reckoned_sigma(run.slot->noise().value_or(analysis::Noise{}));
}

std::string renewal_text(const RunView& run, const std::vector<RenewedAnswer>& answers) {
    const auto with = [&](AnswerState state) {
        return std::ranges::count(answers, state, &RenewedAnswer::state);
    };
    const auto& tree = run.plan.renewed;
    return fmt::format("{} of {} answers confirmed, {} fell; of {} positions {} searched again, "
                       "{} confirmed",
                       with(AnswerState::confirmed), answers.size(), with(AnswerState::fell),
                       std::max(run.spec.renewal.positions, tree.known), tree.searched,
                       tree.confirmed);
}

bool is_renewing(const RunView& run) {
    return run.spec.renewal.at != 0 && settled_level(run) < run.spec.renewal.level;
}

} // namespace adjourn::server
