#include "core/schedule/answer.hpp"

#include "analysis/strategy.hpp"
#include "chess/notation.hpp"
#include "core/graphs/line_end.hpp"
#include "core/graphs/node_directives.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ranges>
#include <tuple>
#include <utility>
#include <vector>

namespace adjourn::server {

namespace {

constexpr int contested = 30;      // cp: one of the recorded trees has another move as near
constexpr std::size_t enough = 50; // answers tell as much as a test

long percent(double share) {
    return std::lround(100 * share);
}

bool anchored(const RunView& run) {
    return analysis::strategy_of(run.spec.strategy.kind).has_anchor();
}

constexpr std::size_t most_named = 2; // evaluations

std::string named(const analysis::Carrier& carrier, const chess::Position& from) {
    const chess::Position at = from.after(carrier.line);
    const bool white = at.turn() == chess::Color::white;
    const std::string what =
        carrier.move
            ? chess::to_numbered_san(at, *carrier.move)
            : "the other moves at " + std::to_string(at.fullmove_number()) + (white ? "." : "...");
    return what + " " + chess::to_text(white ? carrier.score : -carrier.score);
}

constexpr double chances_apart = 10; // percent
constexpr int decided_from = 1'000;  // cp

} // namespace

std::optional<analysis::RootAnswer> answer_of(const RunView& run,
                                              std::span<const analysis::NodeId> line) {
    const analysis::Graph& graph = run.slot->graph();
    std::vector<analysis::NodeId> own;
    if (line.empty()) {
        own = line_to_root(run);
        line = own;
    }
    return anchored(run)
               ? analysis::anchored_answer(graph, line, run.plan.verified, run.record.limit,
                                           excluded_moves(run, run.root_node))
               : analysis::root_answer(graph, line, run.plan.verified);
}

std::unique_ptr<analysis::VerdictSearch> verdict_search(const RunView& run,
                                                        const std::vector<chess::Move>& line) {
    const LineEnd end = line_end(run, line);
    if (!end.node) {
        return nullptr;
    }
    const analysis::Graph& graph = run.slot->graph();
    const bool decided = line.empty() && anchored(run); // by searches of the root
    if (decided && court_of(run) == nullptr && settled_level(run) == 0) {
        return nullptr; // nothing was compared with the long search's move yet
    }
    const auto answer = line.empty() ? answer_of(run) : analysis::root_answer(graph, end.nodes, {});
    if (!answer) {
        return nullptr;
    }
    int lead = 0;
    if (decided) { // more than what the tree said when it was not followed
        const auto tree = analysis::root_answer(graph, end.nodes, run.plan.verified);
        const analysis::LineValues values{graph, end.nodes};
        lead = analysis::overruling_lead +
               std::max(0, tree->alpha.rank() - values.alpha_of(answer->index).value.rank());
    }
    return std::make_unique<analysis::VerdictSearch>(
        graph, end.nodes, answer->move, lead,
        analysis::leaf_noise(run.slot->noise(), run.record.limit), excluded_moves(run, *end.node));
}

Sure sure_of(const RunView& run, const Surety& surety, const std::vector<chess::Move>& line,
             const analysis::Verdict& verdict) {
    using Group = analysis::AnswerGroup;
    const bool hard = line.empty() && !surety.before.empty() &&
                      surety.before != chess::to_uci(run.root, verdict.best);
    const Group group = hard                       ? Group::hard
                        : verdict.lead > contested ? Group::clear
                                                   : Group::contested;
    const analysis::Limit& limit = run.record.limit;
    const std::size_t evaluations = run.plan.evaluations_used;
    const analysis::AnswerKind kind{group, analysis::size_class(limit, evaluations)};
    const analysis::LikeThis like = surety.calibration->like(kind);
    const std::string& engine = run.slot->engine().name;
    const bool tested =
        like.answers >= enough || analysis::confidence_is_tested(engine, limit, evaluations);
    std::string known;
    if (like.answers > 0) {
        known = fmt::format("of {} answer{} like this of your {}, said {} %, {} % stood [{}, {}]",
                            like.answers, like.answers == 1 ? "" : "s", engine, percent(like.said),
                            percent(like.stood), percent(like.low), percent(like.high));
    } else if (!tested) {
        known = "no answer like this of your " + engine + " has had four times the work yet";
    }
    return {kind, surety.calibration->confidence(verdict.cost, kind), tested, like,
            std::move(known)};
}

std::optional<chess::Move> overruled(const RunView& run, const analysis::JointSearch& court) {
    const auto tree =
        analysis::root_answer(run.slot->graph(), line_to_root(run), run.plan.verified);
    return tree && tree->move != court.move ? std::optional{tree->move} : std::nullopt;
}

std::string verdict_text(const analysis::Verdict& verdict, const Sure& sure,
                         const chess::Position& from) {
    std::string text =
        fmt::format("stands: {} %, {}{}", percent(sure.confidence.chance), sure.confidence.letter,
                    sure.known.empty() ? "" : " (" + sure.known + ")");
    if (!std::isfinite(verdict.cost)) {
        return text;
    }
    const std::size_t all = verdict.carriers.size(), shown = std::min(all, most_named);
    for (std::size_t i = 0; i < shown; ++i) {
        text += (i == 0                         ? "; it rests on "
                 : i + 1 < shown || all > shown ? ", "
                                                : " and ") +
                named(verdict.carriers[i], from);
    }
    if (all > shown) {
        text += fmt::format(" and {} more", all - shown);
    }
    return text;
}

EngineSlot* second_engine_of(const RunView& run, const Engines& engines) {
    EngineSlot* named = engines.named(run.spec.second_engine);
    return named != nullptr && named->identity && named->id != run.record.engine ? named : nullptr;
}

std::vector<SecondQuestion> second_questions(const RunView& run, analysis::NodeId node,
                                             const analysis::Verdict& verdict) {
    const analysis::Graph& graph = run.slot->graph();
    std::vector<analysis::Carrier> scores;
    for (const auto& move : {std::optional{verdict.best}, verdict.rival}) {
        if (move) {
            analysis::Carrier& made = scores.emplace_back();
            made.node = node;
            made.move = move;
        }
    }
    std::ranges::copy(verdict.carriers, std::back_inserter(scores));
    std::vector<SecondQuestion> questions;
    for (analysis::Carrier& about : scores) {
        auto question = analysis::question_about(graph, about, run.record.limit,
                                                 excluded_moves(run, about.node));
        const auto same = [&](const SecondQuestion& other) {
            return other.question.node == question->node &&
                   other.question.excluded == question->excluded;
        };
        if (!question || graph.exact(question->node) || std::ranges::any_of(questions, same)) {
            continue;
        }
        const auto moves = graph.moves(about.node);
        const auto scored = about.move
                                ? std::ranges::find(moves, *about.move, &analysis::GraphMove::move)
                                : moves.end();
        analysis::UnixMs at = 0;
        if (scored != moves.end()) {
            about.score = scored->engine_score;
            at = scored->at;
        }
        const chess::Position position = graph.position(question->node);
        questions.push_back({std::move(about), at, std::move(*question), position});
    }
    return questions;
}

std::optional<analysis::Evaluation>
second_answer(const storage::Store& store, analysis::EngineId engine, const SecondQuestion& asked) {
    const double least = analysis::least_effort(asked.question.limit);
    const auto rank = [](const analysis::Evaluation& fact) {
        return std::tuple{analysis::effort(fact.question.limit), fact.at};
    };
    std::optional<analysis::Evaluation> answer;
    for (analysis::Evaluation& fact : store.evaluations(asked.position.packed())) {
        if (fact.question.engine == engine && usable(fact) &&
            fact.question.excluded == asked.question.excluded &&
            analysis::effort(fact.question.limit) >= least &&
            (!answer || rank(*answer) < rank(fact))) {
            answer = std::move(fact);
        }
    }
    return answer;
}

std::optional<SecondOpinion> disagreement(const SecondQuestion& asked,
                                          const analysis::Evaluation& answer, double noise) {
    const bool of_move = asked.about.move.has_value();
    const chess::Score own = asked.about.score;
    const chess::Score second = of_move ? answer.score->backed_up() : *answer.score;
    const auto cp = [](chess::Score score) {
        return std::clamp(score.rank(), -decided_from, decided_from);
    };
    const double chances = chess::win_percent(second) - chess::win_percent(own);
    const bool apart = std::abs(cp(second) - cp(own)) > noise || std::abs(chances) >= chances_apart;
    if (!apart || (!of_move && second < own)) { // of moves not asked: none is worth more
        return std::nullopt;
    }
    const bool white = (asked.position.turn() == chess::Color::white) != of_move;
    return white ? SecondOpinion{own, second, chances} : SecondOpinion{-own, -second, -chances};
}

void Calibrator::look_after(std::chrono::milliseconds most) {
    fit();
    const auto until = health_.steady_now() + most;
    while (health_.steady_now() < until && (search_ != nullptr || begin())) {
        AnalysisRun* run = queue_.find(id_);
        const bool same = run != nullptr && run->slot == slot_ && run->plan.tree == tree_;
        if (same && search_->go_on()) {
            continue;
        }
        if (same) {
            run->said.emplace();
        }
        if (const auto verdict = same ? search_->take() : std::nullopt) {
            const Sure sure = sure_of(*run, of(*run), {}, *verdict);
            constexpr double most_cost = 1e6; // JSON has nothing infinite
            run->said =
                ToldAnswer{chess::to_uci(run->root, verdict->best), run->plan.nodes_used, sure.kind,
                           std::min(verdict->cost, most_cost), sure.confidence.chance};
        }
        search_.reset();
    }
}

// Whether there is an answer to look at. Where moves are left out it is one of another game.
bool Calibrator::begin() {
    for (const auto& run : queue_.runs()) {
        if (!run->said && run->plan.settled > 0 && !run->transient && run->has_graph() &&
            run->plan.tree.second.empty() && run->record.state == storage::AnalysisState::running) {
            search_ = verdict_search(*run, {});
            id_ = run->record.id;
            slot_ = run->slot;
            tree_ = run->plan.tree;
            if (search_ != nullptr) {
                return true;
            }
            run->said.emplace(); // there is none
        }
    }
    return false;
}

// By what is on record of all analyses: a few levels each.
void Calibrator::fit() {
    std::size_t levels = 0;
    for (const auto& run : queue_.runs()) {
        levels += run->snapshots.size();
    }
    if (std::exchange(levels_, levels) == levels) {
        return;
    }
    std::map<std::string, std::vector<analysis::Fate>> fates; // by the engine's name
    for (const auto& run : queue_.runs()) {
        const auto& all = run->snapshots;
        for (auto level = all.begin(); level != all.end(); ++level) {
            const auto& said = level->said;
            const auto later = std::find_if(level, all.end(), [&](const NotedSnapshot& other) {
                return said && other.nodes >= analysis::confidence_times * said->nodes &&
                       !other.best.empty() && other.engine == level->engine &&
                       other.same_rules(level->rules);
            });
            if (later != all.end()) {
                fates[level->engine].push_back(
                    {said->kind, said->cost, said->chance, later->best == said->best});
            }
        }
    }
    curves_.clear();
    for (const auto& [engine, of] : fates) {
        curves_.emplace(engine, std::make_shared<const analysis::Calibration>(of));
    }
}

Surety Calibrator::of(const AnalysisRun& run) const {
    static const auto built_in = std::make_shared<const analysis::Calibration>();
    Surety surety{built_in, ""};
    if (run.slot == nullptr) {
        return surety;
    }
    const std::string& engine = run.slot->engine().name;
    if (const auto found = curves_.find(engine); found != curves_.end()) {
        surety.calibration = found->second;
    }
    storage::SnapshotRecord present;
    present.data = run.plan.tree.first;
    const auto rules = NotedSnapshot{std::move(present)}.rules;
    for (const NotedSnapshot& level : std::views::reverse(run.snapshots)) {
        if (!level.best.empty() && level.engine == engine && level.same_rules(rules) &&
            analysis::confidence_times * level.nodes <= run.plan.nodes_used) {
            surety.before = run.plan.tree.second.empty() ? level.best : "";
            break;
        }
    }
    return surety;
}

} // namespace adjourn::server
