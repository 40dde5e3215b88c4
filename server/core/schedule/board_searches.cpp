// LongSearches, of the positions on people's boards: what they want, what the clock drives, and
// what is asked: at each depth the best moves one after the other.
#include "core/graphs/line_end.hpp"
#include "core/graphs/node_directives.hpp"
#include "core/schedule/long_searches.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

using analysis::Evaluation;

namespace {

constexpr analysis::UnixMs told_every = 100; // ms, at the least; else with the next tick

void apply(const BoardSearchPatch& wanted, BoardSearch& board) {
    board.line = wanted.line.value_or(board.line);
    board.lines = wanted.lines.value_or(board.lines);
    board.from_queue = wanted.from_queue.value_or(board.from_queue);
    board.until_stopped = wanted.until_stopped.value_or(board.until_stopped);
}

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

} // namespace

// ---- what people want ----

std::optional<WorkError> LongSearches::too_many() const {
    const auto going_on = std::ranges::count_if(
        boards_, [](const auto& entry) { return entry.second.ended.empty(); });
    if (static_cast<std::size_t>(going_on) < most_at_once) {
        return std::nullopt;
    }
    return WorkError{WorkError::Kind::no_board_search,
                     std::to_string(most_at_once) +
                         " positions are looked at already, no more at once: end one of them"};
}

std::optional<WorkError> LongSearches::impossible(const AnalysisRun& run,
                                                  const std::vector<chess::Move>& line) const {
    const auto not_now = [](std::string why) {
        return WorkError{WorkError::Kind::no_board_search, std::move(why)};
    };
    const EngineSlot* engine = parts_.engines.of(run);
    if (stopping_) {
        return not_now("the server is stopping");
    }
    if (const std::string& problem = parts_.health.store_problem(); !problem.empty()) {
        return WorkError{WorkError::Kind::store_failed, "the store cannot write: " + problem};
    }
    if (engine == nullptr) {
        return not_now("no engine is named '" + run.record.profile + "' in the config");
    }
    if (!engine->identity) {
        return not_now(engine->problem.empty() ? "the engine has not started yet"
                                               : "the engine does not work: " + engine->problem);
    }
    const chess::Position position = run.root.after(line);
    if (position.terminal() != chess::Terminal::no) {
        return WorkError{WorkError::Kind::futile_line, "the game is over in this position"};
    }
    if (run.slot != nullptr && solved_value(run, position)) {
        return WorkError{WorkError::Kind::futile_line,
                         "nothing is asked in " + position.fen() + ": its value is exact"};
    }
    return std::nullopt;
}

std::expected<const BoardSearch*, WorkError> LongSearches::begin(const AnalysisRun& run,
                                                                 const BoardSearchPatch& wanted) {
    auto why = impossible(run, wanted.line.value_or(std::vector<chess::Move>{}));
    if (!why) {
        why = too_many();
    }
    if (why) {
        return std::unexpected(std::move(*why));
    }
    const BoardSearchId id{++last_board_};
    BoardSearch& board = boards_[id];
    board.id = id;
    board.analysis = run.record.id;
    apply(wanted, board);
    set_going(board, run);
    tell(board);
    return &board;
}

// A position, and a place for it.
void LongSearches::set_going(BoardSearch& board, const AnalysisRun& run) {
    EngineSlot& engine = *parts_.engines.of(run);
    board.engine = engine.profile.name;
    board.position = run.root.after(board.line);
    board.renewed_at = parts_.steady();
    board.depth = board.deepest = board.no_deeper = 0;
    board.found.clear();
    board.known.clear();
    if (!board.place) {
        board.ended.clear();
        board.profile = engine.index;
        board.place =
            engine.dispatcher->reserve(engine.index, {static_cast<std::uint64_t>(board.analysis)});
    }
    engine.dispatcher->lend(*board.place, board.from_queue);
    read_known(board, engine.id);
}

std::expected<const BoardSearch*, WorkError>
LongSearches::change(const AnalysisRun& run, BoardSearchId id, const BoardSearchPatch& patch) {
    BoardSearch& board = boards_.at(id);
    const bool over = !board.ended.empty();
    const bool moves_on = patch.line && (over || *patch.line != board.line);
    const bool anew = moves_on || (over && patch.lines.value_or(0) > board.lines);
    const bool other_lines = patch.lines && *patch.lines != board.lines;
    if (anew) {
        auto why = over ? too_many() : std::nullopt;
        if (!why) {
            why = impossible(run, patch.line.value_or(board.line));
        }
        if (why) {
            if (moves_on && why->kind == WorkError::Kind::futile_line) {
                end(board, why->message); // nobody is to think that the old one is shown
            }
            return std::unexpected(std::move(*why));
        }
    }
    board.renewed_at = parts_.steady();
    apply(patch, board);
    if (anew) {
        call_off(board);
        set_going(board, run);
    } else if (other_lines && !over) { // from the depth on that all of them have
        call_off(board);
        board.depth = 0;
        go_on(board);
    }
    if (board.place) {
        parts_.engines.dispatcher()->lend(*board.place, board.from_queue);
    }
    if (anew || patch.lines || patch.from_queue || patch.until_stopped) {
        tell(board);
    }
    return &board;
}

void LongSearches::stop(BoardSearchId id) {
    BoardSearch& board = boards_.at(id);
    if (board.ended.empty()) {
        end(board, "stopped");
    }
    boards_.erase(id);
}

void LongSearches::root_moved(const AnalysisRun& run, const std::vector<chess::Move>& before) {
    for (auto& [id, board] : boards_) {
        if (board.analysis != run.record.id) {
            continue;
        }
        const auto below = run.from_root(before, board.line);
        board.line = below.value_or(std::vector<chess::Move>{});
        if (!below && board.ended.empty()) {
            end(board, "the game went on another way");
        }
    }
}

void LongSearches::forget(analysis::AnalysisId analysis) {
    for (auto at = boards_.begin(); at != boards_.end();) {
        BoardSearch& board = at->second;
        const bool goes = board.analysis == analysis;
        if (goes && board.ended.empty()) {
            end(board, "the analysis was deleted");
        }
        at = goes ? boards_.erase(at) : std::next(at);
    }
}

// ---- looking ----

const BoardSearch* LongSearches::find(analysis::AnalysisId analysis, BoardSearchId id) const {
    const auto at = boards_.find(id);
    return at == boards_.end() || at->second.analysis != analysis ? nullptr : &at->second;
}

std::vector<const BoardSearch*> LongSearches::of(analysis::AnalysisId analysis) const {
    std::vector<const BoardSearch*> all;
    for (const auto& [id, board] : boards_) {
        if (board.analysis == analysis) {
            all.push_back(&board);
        }
    }
    return all;
}

std::optional<engine_bridge::ProcessStatus> LongSearches::live(const BoardSearch& board) const {
    const EngineSlot* engine = board.question ? parts_.engines.named(board.engine) : nullptr;
    return engine == nullptr ? std::nullopt : engine->process_of(board.question->job);
}

void LongSearches::process_changed(engine_bridge::ProfileId profile) {
    for (auto& [id, board] : boards_) {
        if (board.place && board.profile == profile) {
            parts_.health.attempt("telling of a person's search",
                                  [this, &told = board] { tell_soon(told); });
        }
    }
}

// ---- the clock ----

void LongSearches::look_at_boards() {
    const analysis::UnixMs at = parts_.steady();
    const std::string& problem = parts_.health.store_problem();
    for (auto& [id, board] : boards_) {
        if (board.ended.empty() && !problem.empty()) {
            end(board, "the store cannot write: " + problem);
        } else if (board.ended.empty() && !board.until_stopped &&
                   at - board.renewed_at >= patience) {
            end(board, "nobody looked any more");
        } else if (board.untold) {
            tell(board);
        }
    }
    std::erase_if(boards_, [&](const auto& entry) {
        return !entry.second.ended.empty() && at - entry.second.ended_at >= kept;
    });
    parts_.engines.dispatcher()->dismiss_idle(now(), std::chrono::milliseconds{warm});
}

void LongSearches::end(BoardSearch& board, std::string why) {
    call_off(board);
    board.ended = std::move(why);
    board.ended_at = parts_.steady();
    if (const auto place = std::exchange(board.place, std::nullopt)) {
        parts_.engines.dispatcher()->release(*place, now());
    }
    tell(board);
}

void LongSearches::tell(BoardSearch& board) {
    board.untold = false;
    board.told_at = parts_.steady();
    parts_.changed(board);
}

void LongSearches::tell_soon(BoardSearch& board) {
    board.untold = true;
    if (parts_.steady() - board.told_at >= told_every) {
        tell(board);
    }
}

// ---- what is asked ----

// Nothing is asked before it is there. Without it all is searched again, which costs time and no
// more: the store refuses doubles.
void LongSearches::read_known(BoardSearch& board, analysis::EngineId engine) {
    const std::uint64_t number = board.reading = ++last_read_;
    const auto facts = std::make_shared<std::vector<Evaluation>>();
    const auto read = [&store = parts_.store, position = board.position.packed(), facts] {
        *facts = store.evaluations(position);
    };
    const auto done = [this, id = board.id, number, engine,
                       facts](const std::optional<Trouble>& trouble) {
        if (trouble) {
            parts_.health.take(*trouble);
        }
        const auto at = boards_.find(id);
        if (at == boards_.end() || at->second.reading != number) {
            return;
        }
        BoardSearch& asked = at->second;
        asked.reading = 0;
        for (Evaluation& fact : trouble ? std::vector<Evaluation>{} : *facts) {
            if (fact.question.engine == engine && usable(fact)) {
                asked.known.push_back(std::move(fact));
            }
        }
        go_on(asked);
        tell_soon(asked);
    };
    parts_.reads.ask("reading what is known of a position", read, done);
}

// What it had found becomes known where it was finished; the rest is forgotten.
void LongSearches::call_off(BoardSearch& board) {
    if (const auto question = std::exchange(board.question, std::nullopt)) {
        parts_.engines.dispatcher()->cancel(question->job);
    }
}

// Asks the next question that nobody has answered, or ends.
void LongSearches::go_on(BoardSearch& board) {
    const AnalysisRun* run = parts_.queue.find(board.analysis);
    if (!board.ended.empty() || board.question || board.reading != 0 || run == nullptr) {
        return;
    }
    const std::vector<chess::Move> left_out = left_out_at(*run, board.position);
    const std::size_t count =
        std::min(board.lines, legal_moves_but(board.position, left_out).size());
    if (count == 0) {
        end(board, "all its moves are excluded");
        return;
    }
    for (int depth = std::max(first_depth, board.depth + 1); depth <= last_depth; ++depth) {
        if (!reach(board, depth, left_out, count)) {
            return;
        }
        if (std::ranges::all_of(board.found, is_decided)) {
            end(board, board.found.size() == 1
                           ? "the game is decided: it ends in mate"
                           : "the game is decided: all these lines end in mate");
            return;
        }
    }
    end(board, "no search can be deeper than " + std::to_string(last_depth));
}

// Whether all lines are known at that depth; if not, the first that is missing is asked for.
bool LongSearches::reach(BoardSearch& board, int depth, const std::vector<chess::Move>& left_out,
                         std::size_t count) {
    std::vector<chess::Move> excluded = left_out;
    std::vector<Evaluation> lines;
    while (lines.size() < count) {
        const Evaluation* fact = deepest(board.known, excluded);
        if (fact == nullptr || (depth_of(*fact) < depth && !is_decided(*fact))) {
            break;
        }
        lines.push_back(*fact);
        excluded.insert(std::ranges::upper_bound(excluded, *fact->move), *fact->move);
    }
    const std::size_t number = lines.size();
    for (Evaluation& before : board.found) { // until they are found anew
        const bool there = std::ranges::find(lines, before.move, &Evaluation::move) != lines.end();
        if (lines.size() < count && !there && !std::ranges::binary_search(left_out, *before.move)) {
            lines.push_back(std::move(before));
        }
    }
    board.found = std::move(lines);
    if (number == count) {
        board.depth = depth;
        return true;
    }
    EngineSlot& engine = *parts_.engines.named(board.engine);
    engine_bridge::Job job{
        0, board.position, {chess::Limit::Kind::depth, static_cast<std::uint64_t>(depth)}, {}};
    job.watched = true;
    job.place = board.place;
    Recorder::Expected expected;
    expected.question = {board.position.packed(), engine.id, job.limit, std::move(excluded)};
    const auto ended = [this, id = board.id](engine_bridge::JobId asked, const Ending& ending) {
        if (const auto* answered = std::get_if<Answered>(&ending.outcome)) {
            parts_.stored(answered->fact, std::nullopt);
        }
        const auto at = boards_.find(id);
        if (at != boards_.end() && at->second.question && at->second.question->job == asked) {
            take(at->second, ending);
        }
    };
    const auto asked = ask(engine, std::move(job), std::move(expected), ended);
    board.question = BoardSearch::Question{asked, depth, number};
    return false;
}

// What came of the question that is out.
void LongSearches::take(BoardSearch& board, const Ending& ending) {
    const std::size_t number = std::exchange(board.question, std::nullopt)->number;
    const auto* answered = std::get_if<Answered>(&ending.outcome);
    if (const auto* failed = std::get_if<Unanswered>(&ending.outcome)) {
        end(board, "the engine gave no answer: " + failed->reason);
    } else if (answered == nullptr || !usable(answered->fact)) {
        end(board,
            !ending.engine_problem.empty() ? "the engine does not work: " + ending.engine_problem
            : !ending.not_stored.empty()   ? "its answer could not be stored: " + ending.not_stored
                                           : "the search was called off");
    } else {
        const Evaluation& fact = answered->fact;
        board.known.push_back(fact);
        if (number == 0) {
            board.no_deeper = fact.depth > board.deepest ? 0 : board.no_deeper + 1;
            board.deepest = std::max(board.deepest, fact.depth);
        }
        if (board.no_deeper >= most_alike) {
            end(board, "the engine goes no deeper than depth " + std::to_string(board.deepest));
            return;
        }
        go_on(board);
        tell_soon(board);
    }
}

} // namespace adjourn::server
