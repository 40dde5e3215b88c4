#include "analysis/growth/anchoring.hpp"

#include "analysis/growth/walk.hpp"
#include "analysis/root_answer.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

namespace adjourn::analysis {

namespace {

// Efforts are doubles; limits that are one or the other differ by more.
constexpr double effort_rounding = 1e-6;

// Of the window, how far behind the best a move is still searched with the analysis's limit.
constexpr int named_numerator = 5;
constexpr int named_denominator = 3;

// Of what is kept for the last court, how small an earlier one is that it leaves nearly whole.
constexpr std::uint64_t small_court = 8;
// How many steps of the anchor beyond the last one a court has that somebody will end.
constexpr int without_end = 4;

double court_share(const PlanRequest& request) {
    const auto& own = request.parameters.own;
    return own.empty() ? anchor_numbers.front().usual : own.front();
}

std::optional<std::uint64_t> reserve_of(const PlanRequest& request, double share) {
    if (!request.nodes_left || !request.nodes_spent || request.limit.kind != Limit::Kind::nodes ||
        share <= 0) {
        return std::nullopt;
    }
    const std::uint64_t all = *request.nodes_left + *request.nodes_spent;
    const auto kept = static_cast<std::uint64_t>(share * static_cast<double>(all));
    // What is less than that goes to one long search better.
    return kept < anchor_limit(request.limit, 0).amount ? std::nullopt : std::optional{kept};
}

// Behind what is there.
void add(Plan& to, Plan&& more) {
    std::move(more.questions.begin(), more.questions.end(), std::back_inserter(to.questions));
    to.pending += more.pending;
    to.complete = to.complete && more.complete;
    if (!to.unanswered) {
        to.unanswered = std::move(more.unanswered);
    }
}

} // namespace

// A level asks for all that the levels before it ask for on the same facts, so that what is settled
// stays settled.
Anchoring::Anchoring(const PlanRequest& request)
    : request_{request}, graph_{request.graph}, root_directives_{directives_at(request,
                                                                               request.root)},
      excluded_{excluded_by(root_directives_)}, known_{graph_.exact(request.root).has_value()},
      share_{court_share(request)}, reserve_{reserve_of(request, share_)},
      last_part_{reserve_ && *request.nodes_left <= *reserve_} {
    for (int level = 1; level <= std::min(request_.refine, last_anchor) && !known_; ++level) {
        ask_level(level);
    }
    make_set(followed_);
}

PlanRequest Anchoring::at_level(int level) const {
    PlanRequest result = request_;
    result.limit = candidate_limit(request_.limit, level);
    return result;
}

Questions::Subject Anchoring::root_subject() const {
    return {request_.root, root_directives_, {}, 0, false};
}

// The root's moves with an engine score of the limit or a larger one, best first.
std::vector<Candidate> Anchoring::engine_scores(const PlanRequest& request) const {
    std::vector<Candidate> result =
        candidates_of(request, request.root, root_directives_, request.before);
    std::erase_if(result, [](const Candidate& candidate) { return !candidate.fresh; });
    std::ranges::stable_sort(result, std::ranges::greater{}, [](const Candidate& candidate) {
        return candidate.move.engine_score.rank();
    });
    return result;
}

int Anchoring::window() const {
    const Place at_root{0, graph_.position(request_.root).turn()};
    return Windows{request_.parameters, 1, 1}.window(at_root);
}

bool Anchoring::inside(const std::vector<Candidate>& scored, const Candidate& candidate) const {
    const int gap = scored.front().move.engine_score.rank() - candidate.move.engine_score.rank();
    return candidate.included || gap <= window();
}

void Anchoring::ask_level(int level) {
    const PlanRequest request = at_level(level);
    const auto candidates = engine_scores(request);
    const bool complete = ask_candidates(request, candidates);
    std::vector<Candidate> guesses;
    if (!complete && level > 1) {
        guesses = likely_candidates(level, candidates);
        ask_guesses(request, candidates, guesses);
    }
    ask_below(request, candidates, guesses);
}

// Asks for alternatives until one is outside the window. Engine scores are compared with engine
// scores: the value of a move that was searched below is mostly lower, and a window around it would
// bring in ever more moves. The first level goes on for two thirds of the window more: those moves
// are not followed, but have a value. Returns whether all these scores are known.
bool Anchoring::ask_candidates(const PlanRequest& request,
                               const std::vector<Candidate>& candidates) {
    Plan asked;
    Questions questions{request, asked};
    if (candidates.empty()) { // while the anchor is out, the others begin
        questions.first(root_subject());
    } else {
        const auto rest = graph_.rest_bound(request_.root, effort(request.limit), excluded_);
        const int gap = rest ? candidates.front().move.engine_score.rank() - rest->rank() : 0;
        const bool first_level = request.limit == request_.limit;
        if (gap <= (first_level ? window() * named_numerator / named_denominator : window())) {
            questions.alternative(root_subject(), candidates, 0);
        }
    }
    questions.finish();
    const bool complete = !candidates.empty() && asked.asks_nothing();
    add(candidates_, std::move(asked));
    return complete;
}

// The scores of a limit come one after the other, each search without the moves of those before.
// The scores of the level before tell which moves these will most likely be, best first.
std::vector<Candidate> Anchoring::likely_candidates(int level,
                                                    const std::vector<Candidate>& known) const {
    const auto before = engine_scores(at_level(level - 1));
    std::vector<Candidate> likely;
    for (const Candidate& guess : before) {
        const bool has_score = std::ranges::any_of(known, [&](const Candidate& candidate) {
            return candidate.move.move == guess.move.move;
        });
        if (inside(before, guess) && !has_score) {
            likely.push_back(guess);
        }
    }
    return likely;
}

// So processes that have nothing else to do may begin with the searches after the next one.
void Anchoring::ask_guesses(const PlanRequest& request, std::vector<Candidate> known,
                            const std::vector<Candidate>& guesses) {
    Plan asked;
    Questions questions{request, asked};
    for (const Candidate& guess : guesses) {
        known.push_back(guess);
        questions.alternative(root_subject(), known, 0);
    }
    questions.finish();
    add(guesses_, std::move(asked));
}

// The position after each candidate, with the candidates' limit. The answers to what will most
// likely be one need not wait for its score.
void Anchoring::ask_below(const PlanRequest& request, const std::vector<Candidate>& candidates,
                          const std::vector<Candidate>& guesses) {
    Plan asked;
    Questions questions{request, asked};
    for (const Candidate& candidate : candidates) {
        if (inside(candidates, candidate)) {
            followed_.push_back(candidate.move.move);
            ask_after(candidate, request, questions);
        }
    }
    for (const Candidate& guess : guesses) {
        ask_after(guess, request, questions);
    }
    questions.finish();
    add(replies_, std::move(asked));
}

void Anchoring::ask_after(const Candidate& candidate, const PlanRequest& request,
                          Questions& questions) {
    const NodeId target = candidate.move.target;
    // What the engine sees won or lost is proven as far as it goes, and not grown.
    if (candidate.repeats || graph_.exact(target) || !candidate.move.engine_score.is_cp()) {
        return;
    }
    replies_.visited.push_back(target);
    const double wanted = effort(request.limit);
    if (std::ranges::none_of(graph_.moves(target),
                             [&](const GraphMove& move) { return move.effort >= wanted; })) {
        const std::array<chess::Move, 1> line{candidate.move.move};
        questions.first({target, directives_at(request_, target), line, 0, false});
        searched_.insert(target);
    }
}

PlanRequest Anchoring::request_below() const {
    PlanRequest below = request_;
    if (known_) {
        return below;
    }
    const bool waited_for = root_directives_ != nullptr &&
                            root_directives_->now; // a person's questions are asked at once
    const std::size_t choices = graph_.position(request_.root).legal_moves().size();
    below.state = [this, waited_for, choices](NodeId node, const Limit& limit,
                                              const std::vector<chess::Move>& excluded) {
        const bool alone = excluded.size() + 1 >= choices; // a move that people or games brought in
        // Like limits are nothing for this strategy: the anchor's are meant to be larger.
        const bool asked_here =
            (node == request_.root && !alone && !waited_for) || limit != request_.limit ||
            (searched_.contains(node) && excluded == excluded_by(directives_at(request_, node)));
        return asked_here ? QuestionState::dead : request_.state(node, limit, excluded);
    };
    return below;
}

Plan Anchoring::with(Plan below) const {
    if (known_) {
        return below;
    }
    below.visited.insert(below.visited.end(), replies_.visited.begin(), replies_.visited.end());
    make_set(below.visited);
    below.evaluations = evaluations_at(request_, below.visited);
    below.followed.insert(below.followed.end(), followed_.begin(), followed_.end());
    make_set(below.followed);

    const auto urgent =
        std::stable_partition(below.questions.begin(), below.questions.end(),
                              [](const PlannedQuestion& question) { return question.urgent; });
    Plan rest;
    rest.questions.assign(std::make_move_iterator(urgent),
                          std::make_move_iterator(below.questions.end()));
    below.questions.erase(urgent, below.questions.end());
    const Due due = anchor_due(below.visited);
    if (last_part_) {
        ask_court(below, due.step);
    }
    // While the anchor keeps one process busy, what the others can do without its hash goes first.
    if (due.fits && ask_anchor(below, due)) {
        add(below, Plan{replies_});
        add(below, std::move(rest));
        add(below, Plan{candidates_});
        add(below, Plan{guesses_});
    } else {
        add(below, Plan{candidates_});
        add(below, Plan{replies_});
        add(below, std::move(rest));
        add(below, Plan{guesses_});
        if (!due.fits) { // only if there is nothing else that the budget could pay for
            ask_anchor(below, due);
        }
    }
    if (!last_part_ && below.settled()) {
        ask_court(below, due.step);
    }
    std::set<std::tuple<NodeId, Limit::Kind, std::uint64_t, std::vector<chess::Move>>> seen;
    std::erase_if(below.questions, [&](const PlannedQuestion& question) {
        return !seen.emplace(question.node, question.limit.kind, question.limit.amount,
                             question.excluded)
                    .second;
    });
    if (below.questions.size() > request_.max_questions) {
        below.questions.erase(below.questions.begin() +
                                  static_cast<std::ptrdiff_t>(request_.max_questions),
                              below.questions.end());
        below.complete = false;
    }
    return below;
}

// Where a budget of nodes is known, what it leaves goes to the last search of the root, as soon as
// no larger one would fit after it.
Anchoring::Due Anchoring::anchor_due(std::span<const NodeId> visited) const {
    const auto known = anchor_of(graph_, request_.root, request_.limit, excluded_);
    Due due{known ? known->step + 1 : 0, step_due(nodes_elsewhere(visited)), std::nullopt, true};
    const bool wanted = due.step >= due.next;
    if (wanted) {
        due.limit = anchor_limit(request_.limit, due.step);
    }
    if (request_.standing_search || !request_.nodes_left ||
        request_.limit.kind != Limit::Kind::nodes || due.next > last_anchor) {
        return due;
    }
    const std::uint64_t left = *request_.nodes_left - (last_part_ ? 0 : reserve_.value_or(0));
    const std::uint64_t least = anchor_limit(request_.limit, due.next).amount;
    // Engines spend a little more than they are told, and questions are out already.
    const std::uint64_t other = 2 * candidate_limit(request_.limit, request_.refine + 1).amount;
    if (left < (wanted ? 3 * due.limit->amount : least + other)) {
        const Limit last = largest_anchor_limit(request_.limit, left);
        if (last.amount <= left && 2 * last.amount > least) { // larger than the one before
            due.limit = last;
        }
    }
    due.fits = !due.limit || due.limit->amount <= left;
    return due;
}

// One after the other: each begins with the hash that the one before has filled.
bool Anchoring::anchor_is_out(const Due& due) const {
    const int furthest = std::min(std::max(due.next, due.step) + 2, last_anchor);
    for (int step = due.next; step <= furthest; ++step) {
        for (int part = 0; part < anchor_parts; ++part) {
            if (request_.state(request_.root, anchor_limit(request_.limit, step, part),
                               excluded_) == QuestionState::pending) {
                return true;
            }
        }
    }
    return false;
}

bool Anchoring::ask_anchor(Plan& plan, const Due& due) const {
    if (!due.limit) {
        return false;
    }
    if (request_.standing_search || anchor_is_out(due)) {
        ++plan.pending;
        return true;
    }
    PlanRequest request = request_;
    request.limit = *due.limit;
    Plan asked;
    Questions questions{request, asked};
    questions.first(root_subject());
    questions.finish();
    const bool to_come = !asked.asks_nothing();
    add(plan, std::move(asked));
    return to_come;
}

// Nominal nodes (2^effort) of what was asked at the positions that the level needs, the anchors
// apart. At the root these are told from candidates by their limits. A score of a larger limit than
// the analysis's has most often been asked for with each limit up to it: that is twice as much.
// What later levels have asked there counts as this one's: otherwise, with many processes, the
// levels would wait for a search of the root as large as all that was done meanwhile.
double Anchoring::nodes_elsewhere(std::span<const NodeId> visited) const {
    const double candidates =
        effort(candidate_limit(request_.limit, request_.refine)) + effort_rounding;
    const double least = effort(request_.limit) + effort_rounding;
    double sum = 0;
    for (const NodeId node : visited) {
        for (const GraphMove& move : graph_.moves(node)) {
            if (node != request_.root || move.effort <= candidates) {
                const double spent = std::min(move.effort, candidates);
                sum += std::exp2(spent) * (spent > least ? 2 : 1);
            }
        }
    }
    return sum;
}

// Twice as large at each level, and again as soon as everything else has had more nodes.
int Anchoring::step_due(double elsewhere) const {
    int step = 0;
    double sum = std::exp2(effort(anchor_limit(request_.limit, 0)));
    while ((step < request_.refine - 1 || sum < elsewhere) && step < last_anchor) {
        sum += std::exp2(effort(anchor_limit(request_.limit, ++step)));
    }
    return step;
}

// Court.

// The long search's move, the tree's best, then those that searches of this level or the first
// placed best; wherever the window ends. What is known exactly, or a draw by repetition alone, is
// nothing for an engine to judge.
std::vector<chess::Move> Anchoring::court_candidates(const Anchor& anchor,
                                                     std::span<const chess::Move> followed) const {
    std::vector<NodeId> line = request_.before;
    line.push_back(request_.root);
    const LineValues values{graph_, line};
    const auto moves = graph_.moves(request_.root);
    std::vector<chess::Move> chosen;
    const auto add_move = [&](chess::Move move) {
        const auto at = std::ranges::find(moves, move, &GraphMove::move);
        const auto i = static_cast<std::size_t>(at - moves.begin());
        if (chosen.size() < JointSearch::most_moves && !base::contains(chosen, move) &&
            !base::contains(excluded_, move) && !graph_.exact(at->target) &&
            !drawn_by_history(graph_, request_.root, i, values.alpha_of(i))) {
            chosen.push_back(move);
        }
    };
    add_move(anchor.move);
    add_move(root_answer(graph_, line, followed)->move);
    for (const int level : {request_.refine, 1}) {
        for (const Candidate& candidate : engine_scores(at_level(level))) {
            add_move(candidate.move.move);
        }
    }
    return chosen;
}

// As large as belongs to the long search's work so far, or what a budget has left; nullopt: there
// was one that is large enough. A budget has its own at its end, and before that only such as cost
// little. `step`: of the anchor that the level asks for.
std::optional<Limit> Anchoring::court_due(const Anchor& anchor, int step) const {
    Limit limit = court_limit(request_.limit, anchor.step, share_);
    double enough =
        effort(court_limit(request_.limit, std::min(step, anchor.step), share_)) - effort_rounding;
    if (last_part_ && request_.standing_search) {
        limit = anchor_limit(request_.limit, std::min(anchor.step + without_end, last_anchor));
        enough = effort(limit);
    } else if (last_part_) {
        // Of a time that ends, a little passes before the question is out.
        limit.amount = *request_.nodes_left - *request_.nodes_left / 32;
        if (limit.amount < request_.limit.amount) {
            return std::nullopt;
        }
        enough = effort(limit);
    } else if (reserve_ && limit.amount > *reserve_ / small_court) {
        return std::nullopt;
    }
    const bool held =
        std::ranges::any_of(graph_.joint_searches(request_.root), [&](const JointSearch& search) {
            return search.effort >= enough &&
                   std::ranges::none_of(search.among, [&](chess::Move move) {
                       return base::contains(excluded_, move);
                   });
        });
    return held ? std::nullopt : std::optional{limit};
}

// When all else of the level is there, or the last part of a budget has come: first the positions
// after the candidates, so that the hash knows them, then these together.
void Anchoring::ask_court(Plan& plan, int step) const {
    const auto anchor = anchor_of(graph_, request_.root, request_.limit, excluded_);
    if (share_ <= 0 || !anchor || !anchor->score.is_cp()) {
        return;
    }
    const auto limit = court_due(*anchor, step);
    if (!limit) {
        return;
    }
    if (request_.court_is_out) {
        ++plan.pending;
        return;
    }
    const auto candidates = court_candidates(*anchor, plan.followed);
    const std::size_t choices = graph_.position(request_.root).legal_moves().size();
    if (candidates.size() < 2 || candidates.size() + excluded_.size() >= choices) {
        return; // the long search had no other choice
    }
    Plan asked;
    const PlanRequest request = last_part_ ? request_ : at_level(request_.refine);
    Questions before{request, asked};
    for (const chess::Move move : candidates) {
        const auto moves = graph_.moves(request_.root);
        const NodeId target = std::ranges::find(moves, move, &GraphMove::move)->target;
        if (std::ranges::none_of(graph_.moves(target), [&](const GraphMove& reply) {
                return reply.effort >= effort(request.limit);
            })) {
            const std::array<chess::Move, 1> line{move};
            before.first({target, directives_at(request_, target), line, 0, false});
        }
    }
    before.finish();
    if (asked.asks_nothing()) {
        Questions together{request_, asked};
        together.among(QuestionKind::court, root_subject(), candidates, *limit);
        together.finish();
    }
    add(plan, std::move(asked));
}

} // namespace adjourn::analysis
