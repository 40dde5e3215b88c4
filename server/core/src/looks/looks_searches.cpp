// Looks, what is asked: the position at each depth, the best moves one after the other.
#include "core/graphs/graph_slot.hpp"
#include "core/graphs/node_directives.hpp"
#include "core/looks/looks.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

namespace {

using analysis::Evaluation;

// An engine that tells so many answers in a row no larger depth goes no deeper.
constexpr int most_alike = 3;

// Plies that a search is good for: what was asked for, or what a search by nodes or time told.
int depth_of(const Evaluation& fact) {
    return fact.question.limit.kind == chess::Limit::Kind::depth
               ? static_cast<int>(fact.question.limit.amount)
               : fact.depth;
}

// A mate that is nearer than the search was deep: a deeper one would say the same.
bool is_decided(const Evaluation& fact) {
    return fact.score->kind() == chess::Score::Kind::mate && fact.score->plies() <= depth_of(fact);
}

const Evaluation* deepest(const std::vector<Evaluation>& known,
                          const std::vector<chess::Move>& excluded) {
    const Evaluation* best = nullptr;
    for (const Evaluation& fact : known) {
        if (fact.question.excluded == excluded &&
            (best == nullptr || depth_of(fact) > depth_of(*best))) {
            best = &fact;
        }
    }
    return best;
}

std::vector<chess::Move> left_out_at(const AnalysisRun& run, const chess::Position& position) {
    const auto node =
        run.slot == nullptr ? std::nullopt : run.slot->graph().find(position.packed());
    return node ? excluded_moves(run, *node) : std::vector<chess::Move>{};
}

void insert_sorted_move(std::vector<chess::Move>& moves, chess::Move move) {
    moves.insert(std::ranges::upper_bound(moves, move), move);
}

} // namespace

void Looks::begin_at(Look& look, const AnalysisRun& run) {
    look.position = run.root.after(look.wish.line);
    look.depth = 0;
    look.deepest = 0;
    look.no_deeper = 0;
    look.lines.clear();
    look.known.clear();
    read_known(look, engines_.named(look.engine)->id);
}

// Nothing is asked before it is there. Without it all is searched again, which costs time and no
// more: the store refuses doubles.
void Looks::read_known(Look& look, analysis::EngineId engine) {
    const std::uint64_t number = look.reading = ++last_read_;
    const auto facts = std::make_shared<std::vector<Evaluation>>();
    const auto later = std::make_shared<bool>(false);
    const auto read = [&store = store_, position = look.position.packed(), facts] {
        *facts = store.evaluations(position);
    };
    reads_.ask(
        "reading what is known of a position", read,
        [this, id = look.id, number, engine, facts, later](const std::optional<Trouble>& trouble) {
            if (trouble) {
                health_.take(*trouble);
            }
            Look* asked = find(id);
            if (asked == nullptr || asked->reading != number) {
                return;
            }
            asked->reading = 0;
            for (Evaluation& fact : trouble ? std::vector<Evaluation>{} : *facts) {
                if (fact.question.engine == engine && usable(fact)) {
                    asked->known.push_back(std::move(fact));
                }
            }
            if (*later) {
                go_on(*asked);
                tell_soon(*asked);
            }
        });
    *later = true;
}

// What it had found becomes known where it was finished; the rest is forgotten.
void Looks::call_off(Look& look) {
    if (look.search) {
        engines_.dispatcher()->cancel(std::exchange(look.search, std::nullopt)->job);
    }
}

// Asks the next question that nobody has answered, or ends.
void Looks::go_on(Look& look) {
    const AnalysisRun* run = queue_.find(look.analysis);
    if (!look.ended.empty() || look.search || look.reading != 0 || run == nullptr) {
        return;
    }
    const std::vector<chess::Move> left_out = left_out_at(*run, look.position);
    const std::size_t count =
        std::min(look.wish.lines, legal_moves_but(look.position, left_out).size());
    if (count == 0) {
        end(look, "all its moves are excluded");
        return;
    }
    for (int depth = std::max(first_depth, look.depth + 1); depth <= last_depth; ++depth) {
        if (!reach(look, depth, left_out, count)) {
            return;
        }
        if (std::ranges::all_of(look.lines, is_decided)) {
            end(look, look.lines.size() == 1 ? "the game is decided: it ends in mate"
                                             : "the game is decided: all these lines end in mate");
            return;
        }
    }
    end(look, "no search can be deeper than " + std::to_string(last_depth));
}

// Whether all lines are known at that depth; if not, the first that is missing is asked for.
bool Looks::reach(Look& look, int depth, const std::vector<chess::Move>& left_out,
                  std::size_t count) {
    std::vector<chess::Move> excluded = left_out;
    std::vector<Evaluation> lines;
    while (lines.size() < count) {
        const Evaluation* fact = deepest(look.known, excluded);
        if (fact == nullptr || (depth_of(*fact) < depth && !is_decided(*fact))) {
            break;
        }
        lines.push_back(*fact);
        insert_sorted_move(excluded, *fact->move);
    }
    const std::size_t number = lines.size();
    for (Evaluation& before : look.lines) { // until they are found anew
        const bool there = std::ranges::find(lines, before.move, &Evaluation::move) != lines.end();
        if (lines.size() < count && !there && !std::ranges::binary_search(left_out, *before.move)) {
            lines.push_back(std::move(before));
        }
    }
    look.lines = std::move(lines);
    if (number == count) {
        look.depth = depth;
        return true;
    }
    ask(look, depth, number, std::move(excluded));
    return false;
}

void Looks::ask(Look& look, int depth, std::size_t number, std::vector<chess::Move> excluded) {
    const EngineSlot& engine = *engines_.named(look.engine);
    Dispatcher& dispatcher = *engine.dispatcher;
    engine_bridge::Job job{dispatcher.next_id(),
                           look.position,
                           {chess::Limit::Kind::depth, static_cast<std::uint64_t>(depth)},
                           {}};
    job.watched = true;
    job.place = look.place;
    if (!excluded.empty()) {
        job.searchmoves = legal_moves_but(look.position, excluded);
    }
    look.search = Look::Search{job.id, depth, number};
    ++out_;
    auto done = recorder_.expect(
        {{look.position.packed(), engine.id, job.limit, std::move(excluded)},
         std::nullopt, // nobody pays
         0,
         [this, id = look.id, job = job.id](const Recorder::Ending& ending) {
             const HoldWatch::Hold hold{health_.watch(), "fact"};
             --out_;
             health_.attempt("an answer about what is looked at", [&] { ended(id, job, ending); });
             finish_stop();
         }});
    dispatcher.submit(look.profile, std::move(job), std::move(done));
}

void Looks::ended(LookId id, engine_bridge::JobId job, const Recorder::Ending& ending) {
    if (const auto* answered = std::get_if<Answered>(&ending.outcome)) {
        listener_.answered(answered->fact);
    }
    Look* look = find(id);
    if (look != nullptr && look->search && look->search->job == job) {
        take(*look, ending);
    }
}

// What came of the question that is out.
void Looks::take(Look& look, const Recorder::Ending& ending) {
    const Look::Search asked = *std::exchange(look.search, std::nullopt);
    const auto* answered = std::get_if<Answered>(&ending.outcome);
    if (const auto* failed = std::get_if<Unanswered>(&ending.outcome)) {
        end(look, "the engine gave no answer: " + failed->reason);
    } else if (answered == nullptr || !usable(answered->fact)) {
        end(look,
            !ending.engine_problem.empty() ? "the engine does not work: " + ending.engine_problem
            : !ending.not_stored.empty()   ? "its answer could not be stored: " + ending.not_stored
                                           : "the search was called off");
    } else {
        const Evaluation& fact = answered->fact;
        look.known.push_back(fact);
        if (asked.number == 0) {
            look.no_deeper = fact.depth > look.deepest ? 0 : look.no_deeper + 1;
            look.deepest = std::max(look.deepest, fact.depth);
        }
        if (look.no_deeper >= most_alike) {
            end(look, "the engine goes no deeper than depth " + std::to_string(look.deepest));
            return;
        }
        go_on(look);
        tell_soon(look);
    }
}

} // namespace adjourn::server
