#include "engine_bridge/search_record.hpp"

#include "engine_bridge/text.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::engine_bridge {

std::optional<SearchRecord::ScoreLine> SearchRecord::score_line(const uci::Info& info) const {
    if (info.multipv != 1 || !info.score || info.pv.empty()) {
        return std::nullopt;
    }
    const bool mated = *info.score == uci::RawScore{uci::Mate{0}};
    if (mated || !parse_uci(search_.position, info.pv.front())) {
        return std::nullopt; // not about our position, which has legal moves
    }
    ScoreLine line{uci::to_score(*info.score, info.tbhits.value_or(0) > 0),
                   info.bound,
                   info.depth.value_or(0),
                   info.seldepth.value_or(0),
                   {}};
    line.pv.assign(info.pv.begin(), info.pv.end());
    return line;
}

void SearchRecord::info(const uci::Info& info) {
    std::optional<ScoreLine> said = score_line(info);
    if (answered_) {
        // A last summary of the same search is harmless; another depth or move is another search.
        out_of_step_ = out_of_step_ || (said && (!line() || said->depth < line()->depth ||
                                                 said->pv.front() != line()->pv.front()));
        return;
    }
    progress_.depth = info.depth.value_or(progress_.depth);
    progress_.nodes = std::max(progress_.nodes, info.nodes.value_or(0));
    if (info.nps && *info.nps > 0) { // GNU Chess and Toga II say 0
        progress_.nps = *info.nps;
    }
    if (said) {
        (said->bound == chess::Bound::exact ? exact_ : bound_) = std::move(said);
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
    Answer result{.move = *best_move, .score = std::nullopt, .pv = {*best_move}};
    if (auto told = best_line()) {
        result.score = told->score;
        result.bound = told->bound;
        result.depth = told->depth;
        result.seldepth = told->seldepth;
        result.pv = std::move(told->pv);
        result.move = result.pv.front();
    }
    if (*best_move != result.move) {
        const bool about_it = bound_ && bound_->pv.front() == *best_;
        result.changed = BestLine{about_it ? bound_->score : result.score,
                                  about_it ? bound_->bound : chess::Bound::lower,
                                  about_it ? bound_->depth : result.depth,
                                  about_it ? bound_->seldepth : result.seldepth,
                                  {*best_move}};
    }
    result.nodes = progress_.nodes;
    result.time_ms = time_ms;
    if (!asked(result.move) || !asked(*best_move)) {
        return failure(Failure::Kind::ignored_searchmoves,
                       engine + " ignores searchmoves: it answered " + printable(*best_, 20) +
                           ", which was not among the moves asked for");
    }
    if (!result.score) {
        return failure(Failure::Kind::no_result, engine + " gave a move without a score");
    }
    if (result.bound != chess::Bound::exact) {
        return failure(Failure::Kind::no_result,
                       engine + "'s search ended with a bound only, not with a score");
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

std::optional<BestLine> SearchRecord::best_line() const {
    if (!line()) {
        const auto move = parse_uci(search_.position, best_.value_or(""));
        return move ? std::optional{BestLine{.score = std::nullopt, .pv = {*move}}} : std::nullopt;
    }
    BestLine told{line()->score, line()->bound, line()->depth, line()->seldepth, {}};
    chess::Position at = search_.position;
    for (const std::string& text : line()->pv) {
        const auto move = parse_uci(at, text);
        if (!move) {
            break;
        }
        told.pv.push_back(*move);
        at.play(*move);
    }
    return told;
}

// Ethereal 12 answers every "go nodes" from depth 1. A real search of so many nodes can end so
// early only where nothing is left to decide.
bool SearchRecord::ignored_node_limit(const Answer& answer) const {
    constexpr std::uint64_t least = 1'000;
    const std::size_t choices = search_.searchmoves.empty() ? search_.position.legal_moves().size()
                                                            : search_.searchmoves.size();
    return search_.limit.kind == chess::Limit::Kind::nodes && search_.limit.amount >= least &&
           answer.depth == 1 && answer.nodes < search_.limit.amount / 10 && choices > 1 &&
           answer.score && answer.score->is_cp();
}

} // namespace adjourn::engine_bridge
