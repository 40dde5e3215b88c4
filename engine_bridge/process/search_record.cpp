#include "engine_bridge/process/search_record.hpp"

#include "engine_bridge/process/text.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::engine_bridge {

std::optional<SearchRecord::ScoreLine> SearchRecord::score_line(const uci::Info& info) const {
    constexpr std::size_t most_plies = 512; // lines are kept; theirs may be as long as 64 KiB
    if (!info.score || info.pv.empty()) {
        return std::nullopt;
    }
    const bool mated = *info.score == uci::RawScore{uci::Mate{0}};
    const auto score = uci::to_score(*info.score, info.tbhits.value_or(0) > 0);
    const auto move = parse_uci(search_.position, info.pv.front());
    if (mated || !score || !move) {
        return std::nullopt; // not about our position, which has legal moves
    }
    ScoreLine line{*move, *score,  info.bound, info.depth.value_or(0), info.seldepth.value_or(0),
                   {},    info.wdl};
    const auto end =
        info.pv.begin() + static_cast<std::ptrdiff_t>(std::min(most_plies, info.pv.size()));
    line.pv.assign(info.pv.begin(), end);
    return line;
}

void SearchRecord::info(const uci::Info& info) {
    std::optional<ScoreLine> said = score_line(info);
    const bool first = info.multipv == 1;
    if (answered_) {
        // A last summary of the same search is harmless; another depth or move is another search.
        out_of_step_ = out_of_step_ ||
                       (said && first &&
                        (!line() || said->depth < line()->depth || said->move != line()->move));
        return;
    }
    if (!info.out_of_range.empty()) { // and what was said before it is no answer either
        out_of_range_ = printable(info.out_of_range, 60);
        exact_.reset();
        bound_.reset();
        exact_lines_.clear();
        later_bounds_.clear();
        return;
    }
    if (!info.odd_counter.empty()) {
        odd_counter_ = printable(info.odd_counter, 60);
    }
    progress_.depth = info.depth.value_or(progress_.depth);
    progress_.nodes = std::max(progress_.nodes, info.nodes.value_or(0));
    if (info.nps && *info.nps > 0) { // GNU Chess and Toga II say 0
        progress_.nps = *info.nps;
    }
    if (!said) {
        if (first && info.names_score) {
            gave_ = !info.score       ? "a score without cp or mate"
                    : info.pv.empty() ? "a score without pv"
                                      : "a score that is not about this position";
        }
        return;
    }
    if (said->bound == chess::Bound::exact) {
        exact_lines_.insert_or_assign(said->move, *said);
    }
    if (first) {
        out_of_range_.clear();
        if (said->bound == chess::Bound::exact) {
            later_bounds_.clear();
            exact_ = std::move(said);
        } else {
            later_bounds_.insert_or_assign(said->move, *said);
            bound_ = std::move(said);
        }
    }
}

void SearchRecord::best_move(const uci::BestMove& best) {
    const std::optional<std::string> move =
        best.move ? std::optional{std::string{*best.move}} : std::nullopt;
    if (answered_) {
        out_of_step_ = out_of_step_ || move != best_; // some engines say the same line twice
        return;
    }
    answered_ = true;
    best_ = move;
}

bool SearchRecord::asked(chess::Move move) const {
    return search_.searchmoves.empty() ||
           std::ranges::find(search_.searchmoves, move) != search_.searchmoves.end();
}

bool SearchRecord::legal() const {
    return !best_ || parse_uci(search_.position, *best_).has_value();
}

bool SearchRecord::repeats(const SearchRecord& earlier) const {
    const bool other_question = search_.position != earlier.search_.position ||
                                search_.searchmoves != earlier.search_.searchmoves ||
                                search_.limit != earlier.search_.limit;
    return other_question && line() && line() == earlier.line() && best_ == earlier.best_ &&
           progress_.nodes == earlier.progress_.nodes;
}

Result SearchRecord::answer(const std::string& engine, std::uint32_t time_ms) const {
    assert(answered_);
    const auto failure = [](Failure::Kind kind, std::string reason) {
        return std::unexpected(Failure{kind, std::move(reason), 0});
    };
    if (!best_) {
        return failure(Failure::Kind::no_result, engine + " gave no move");
    }
    const auto best_move = parse_uci(search_.position, *best_);
    if (!best_move) {
        return failure(Failure::Kind::no_result,
                       engine + " gave the move " + printable(*best_, 20) + ", which is not legal");
    }
    if (!out_of_range_.empty()) {
        return failure(Failure::Kind::no_result,
                       engine + " said " + out_of_range_ + ", which is out of range");
    }
    const ScoreLine* const line = exact_line_of(*best_move);
    if (!asked(*best_move) || (exact_ && !line && !asked(exact_->move)) ||
        (line != nullptr && !asked(line->move))) {
        return failure(Failure::Kind::ignored_searchmoves,
                       engine + " ignores searchmoves: it answered " + printable(*best_, 20) +
                           ", which was not among the moves asked for");
    }
    if (line == nullptr && exact_) {
        return failure(Failure::Kind::no_result,
                       engine + " contradicts itself: its best move is " + printable(*best_, 20) +
                           ", and its last score is of " + printable(exact_->pv.front(), 20));
    }
    if (line == nullptr) {
        return failure(Failure::Kind::no_result,
                       bound_ ? engine + "'s search ended with a bound only, not with a score"
                              : engine + " gave " +
                                    (gave_.empty() ? "a move without a score" : gave_));
    }
    BestLine best = told(*line);
    Answer result{.move = line->move,
                  .score = best.score,
                  .depth = best.depth,
                  .seldepth = best.seldepth,
                  .nodes = progress_.nodes,
                  .time_ms = time_ms,
                  .pv = std::move(best.pv),
                  .wdl = best.wdl,
                  .set_aside = odd_counter_};
    if (line->move != *best_move) { // it had just come to prefer that one
        result.changed = told(later_bounds_.at(*best_move));
        result.changed->pv = {*best_move};
    }
    if (ignored_node_limit(result)) {
        return failure(Failure::Kind::no_result, engine +
                                                     " ignores node limits: it answered after " +
                                                     std::to_string(result.nodes) + " of " +
                                                     std::to_string(search_.limit.amount) +
                                                     " nodes; give it a limit in depth or time");
    }
    return result;
}

// Lines carry no number of their question: those of an earlier one that come late look like those
// of this one. Only what fits the bestmove is this search's.
const SearchRecord::ScoreLine* SearchRecord::exact_line_of(chess::Move best) const {
    if (exact_ && (exact_->move == best || later_bounds_.contains(best))) {
        return &*exact_;
    }
    const auto earlier = exact_lines_.find(best);
    return earlier == exact_lines_.end() ? nullptr : &earlier->second;
}

std::optional<BestLine> SearchRecord::best_line() const {
    const auto best = parse_uci(search_.position, best_.value_or(""));
    const ScoreLine* said = line() ? &*line() : nullptr;
    if (best) {
        const ScoreLine* const fits = exact_line_of(*best);
        const bool bound_fits = bound_ && bound_->move == *best;
        said = fits != nullptr ? fits : bound_fits ? &*bound_ : nullptr;
    }
    if (said != nullptr) {
        return told(*said);
    }
    return best ? std::optional{BestLine{.score = std::nullopt, .pv = {*best}}} : std::nullopt;
}

BestLine SearchRecord::told(const ScoreLine& line) const {
    return {line.score,
            line.bound,
            line.depth,
            line.seldepth,
            uci::legal_part(search_.position, line.pv),
            line.wdl};
}

// Ethereal 12 answers every "go nodes" from depth 1. A real search of so many nodes can end so
// early only where nothing is left to decide.
bool SearchRecord::ignored_node_limit(const Answer& answer) const {
    constexpr std::uint64_t least = 1'000;
    const std::size_t choices = search_.searchmoves.empty() ? search_.position.legal_moves().size()
                                                            : search_.searchmoves.size();
    return search_.limit.kind == chess::Limit::Kind::nodes && search_.limit.amount >= least &&
           answer.depth == 1 && odd_counter_.empty() && answer.nodes < search_.limit.amount / 10 &&
           choices > 1 && answer.score && answer.score->is_cp();
}

} // namespace adjourn::engine_bridge
