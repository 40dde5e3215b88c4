#include "engine_bridge/process/session.hpp"

#include "engine_bridge/process/option_plan.hpp"
#include "engine_bridge/process/text.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

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

namespace {

// Silent periods that an engine may spend answering isready and no more.
constexpr int most_pings = 6;

// Some engines ignore "go nodes" and search for ever (GNU Chess, Toga II). Others overshoot: by
// their polling interval, or by threads. Beyond this many nodes the bridge says stop.
std::uint64_t enough_nodes(std::uint64_t limit) {
    constexpr std::uint64_t slack = 20'000;
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 2;
    return std::min(limit, most) + std::min(limit, most) / 5 + slack;
}

std::string seconds(std::chrono::milliseconds time) {
    return std::to_string(duration_cast<std::chrono::seconds>(time).count()) + " s";
}

// How many answers in disorder a process may give before it is replaced.
constexpr int most_missteps = 1;

} // namespace

Session::Session(const Profile& profile, const Timeouts& timeouts)
    : timeouts_{timeouts}, wanted_{profile.options}, wishes_{profile.wishes},
      reproducible_{profile.reproducible}, name_{profile.name} {}

std::vector<std::string> Session::take_commands() {
    return std::exchange(commands_, {});
}

std::optional<Session::Report> Session::take_report() {
    return std::exchange(report_, {});
}

void Session::start(Time now) {
    assert(state_ == State::created);
    send("uci");
    state_ = State::handshake;
    deadline_ = now + timeouts_.start;
}

void Session::line(std::string_view text, Time now) {
    if (state_ != State::created && state_ != State::lost) {
        std::visit([&](const auto& event) { on(event, now); }, uci::parse(text));
    }
}

void Session::on(const uci::Id& id, Time) {
    if (state_ == State::handshake) {
        const bool is_name = id.field == uci::Id::Field::name;
        (is_name ? identity_.name : identity_.author) = printable(id.value);
        if (is_name && !identity_.name.empty()) {
            name_ = identity_.name;
        }
    }
}

void Session::on(const uci::Option& option, Time) {
    // No engine has so many; one that lists options without end must not fill our memory.
    constexpr std::size_t most_options = 2'000;
    if (state_ != State::handshake) {
        return; // output after uciok (Arasan)
    }
    if (declared_.size() == most_options) {
        lose(Failure::Kind::unavailable, "declares too many options");
        return;
    }
    declared_.push_back(option);
}

void Session::on(const uci::UciOk&, Time now) {
    if (state_ != State::handshake) {
        return;
    }
    std::expected<OptionPlan, std::string> plan = plan_options(wanted_, declared_, wishes_);
    if (!plan) {
        lose(Failure::Kind::unavailable, plan.error());
        return;
    }
    identity_.options = std::move(plan->options);
    identity_.network = std::move(plan->network);
    chess960_ = plan->chess960;
    for (std::string& command : plan->commands) {
        send(std::move(command));
    }
    send("ucinewgame");
    send_isready(now);
    state_ = State::configuring;
}

void Session::send_isready(Time now) {
    send("isready");
    ++ready_owed_;
    deadline_ = now + timeouts_.ready;
}

void Session::on(const uci::ReadyOk&, Time now) {
    if (ready_owed_ == 0 || --ready_owed_ > 0) {
        return; // unasked, or the answer to an earlier question
    }
    if (pinged_) {
        pinged_ = false;
        ++pings_;
        if (state_ == State::searching) {
            deadline_ = now + timeouts_.silence;
        }
    } else if (state_ == State::configuring) {
        state_ = State::idle;
        deadline_.reset();
        report_ = identity_;
    } else if (state_ == State::confirming) {
        conclude(now);
    } else if (state_ == State::preparing) {
        if (stop_reason_ == StopReason::cancelled) {
            fail(Failure::Kind::cancelled, "the search was cancelled");
        } else {
            send_go(now);
        }
    }
}

std::optional<std::string> Session::unfit(const Search& search) const {
    if (!search.position.has_legal_move()) {
        return "the position is finished; engines are not asked about those";
    }
    if (search.position.chess960() && !chess960_) {
        return name_ + " does not play Chess960";
    }
    for (const chess::Move move : search.searchmoves) {
        if (!search.position.is_legal(move)) {
            return "a move to be searched is not legal";
        }
    }
    // Lc0 reads the number into 32 bits.
    if (search.limit.kind == chess::Limit::Kind::nodes && identity_.name.starts_with("Lc0") &&
        search.limit.amount > std::numeric_limits<std::int32_t>::max()) {
        return "Lc0 does not take so many nodes";
    }
    return std::nullopt;
}

void Session::go(Search search, Time now) {
    assert(state_ == State::idle);
    record_.emplace(std::move(search));
    busy_ = true;
    stop_reason_ = StopReason::none;
    pinged_ = false;
    pings_ = 0;
    if (std::optional<std::string> why = unfit(record_->search())) {
        fail(Failure::Kind::unfit, *why);
        return;
    }
    const std::uint64_t game = record_->search().game;
    if (reproducible_ || game_.value_or(game) != game) {
        send("ucinewgame");
        send_isready(now);
        state_ = State::preparing;
    } else {
        send_go(now);
    }
}

void Session::send_go(Time now) {
    using enum chess::CastlingStyle;
    const Search& search = record_->search();
    game_ = search.game;
    send(uci::position_command(search.position));
    send(uci::go_command(search.limit, search.position, search.searchmoves,
                         chess960_ ? king_rook : standard));
    ++best_owed_;
    started_ = now;
    state_ = State::searching;
    if (search.limit.kind == chess::Limit::Kind::movetime) {
        // Beyond this a sum with the clock could overflow. It is a month.
        constexpr std::uint64_t most_ms = 31ULL * 24 * 3600 * 1000;
        deadline_ = now + std::chrono::milliseconds{std::min(search.limit.amount, most_ms)} +
                    timeouts_.movetime_grace;
    } else {
        deadline_ = now + timeouts_.silence;
    }
}

void Session::send_stop(StopReason reason, Time now) {
    stop_reason_ = reason;
    send("stop");
    state_ = State::stopping;
    deadline_ = now + timeouts_.stop;
}

void Session::cancel(Time now) {
    if (state_ == State::searching) {
        send_stop(StopReason::cancelled, now);
    } else if (busy_) {
        stop_reason_ = StopReason::cancelled;
    }
}

void Session::on(const uci::Info& info, Time now) {
    if (!info.progress || !busy_) {
        return;
    }
    if (state_ == State::clearing && info.score) { // it searches still
        deadline_ = std::min(clearing_until_, now + usual_ + timeouts_.clearing);
        return;
    }
    if (best_owed_ == 0 && state_ != State::confirming) {
        return;
    }
    record_->info(info);
    if (state_ != State::searching) {
        return;
    }
    const chess::Limit& limit = record_->search().limit;
    if (limit.kind != chess::Limit::Kind::movetime) {
        deadline_ = now + timeouts_.silence;
        pinged_ = false;
        pings_ = 0;
    }
    if (limit.kind == chess::Limit::Kind::nodes &&
        record_->progress().nodes >= enough_nodes(limit.amount)) {
        send_stop(StopReason::enough_nodes, now);
    }
}

Result Session::outcome() const {
    const auto failure = [](Failure::Kind kind, std::string reason) {
        return std::unexpected(Failure{kind, std::move(reason), 0});
    };
    if (stop_reason_ == StopReason::cancelled) { // nobody wants it, but it has an opinion
        return std::unexpected(
            Failure{Failure::Kind::cancelled, "the search was cancelled", 0, record_->best_line()});
    }
    if (stop_reason_ == StopReason::silent) {
        return failure(Failure::Kind::hung, name_ + " said nothing for " +
                                                seconds(timeouts_.silence * (1 + pings_)) +
                                                " and had to be stopped");
    }
    if (record_->out_of_step()) {
        return failure(Failure::Kind::no_result,
                       name_ + " gave two answers to one question; neither is taken");
    }
    return record_->answer(name_,
                           static_cast<std::uint32_t>(std::clamp<std::int64_t>(
                               took_.count(), 0, std::numeric_limits<std::uint32_t>::max())));
}

std::optional<Result> Session::last_words() const {
    if (state_ != State::confirming) {
        return std::nullopt;
    }
    Result result = outcome();
    return result ? std::optional{std::move(result)} : std::nullopt;
}

void Session::time(Time now) {
    if (!deadline_ || now < *deadline_) {
        return;
    }
    switch (state_) {
    case State::handshake:
        lose(Failure::Kind::unavailable, "no uciok within " + seconds(timeouts_.start));
        break;
    case State::configuring:
        lose(Failure::Kind::unavailable, "no readyok within " + seconds(timeouts_.ready));
        break;
    case State::preparing:
    case State::confirming:
        lose(Failure::Kind::hung, "no readyok within " + seconds(timeouts_.ready));
        break;
    case State::clearing:
        finish(stop_reason_ == StopReason::cancelled ? outcome() : std::move(*held_));
        break;
    case State::searching:
        if (record_->search().limit.kind == chess::Limit::Kind::movetime) {
            send_stop(StopReason::movetime_over, now);
        } else if (!pinged_ && pings_ < most_pings) {
            // A deep search may say nothing for long. Most engines answer this while they search;
            // Glaurung does only after stop, and is then taken for hung.
            pinged_ = true;
            send_isready(now);
            deadline_ = now + timeouts_.stop;
        } else {
            send_stop(StopReason::silent, now);
        }
        break;
    case State::stopping:
        lose(Failure::Kind::hung, "no bestmove within " + seconds(timeouts_.stop) + " after stop");
        break;
    case State::created:
    case State::idle:
    case State::lost: deadline_.reset(); break;
    }
}

void Session::broken(std::string reason) {
    if (state_ != State::lost) {
        const bool started = state_ != State::handshake && state_ != State::configuring;
        lose(started ? Failure::Kind::crashed : Failure::Kind::unavailable, std::move(reason));
    }
}

void Session::lose(Failure::Kind kind, std::string reason) {
    state_ = State::lost;
    deadline_.reset();
    busy_ = false;
    commands_.clear();
    report_ = Lost{kind, name_ + ": " + std::move(reason)};
}

void Session::fail(Failure::Kind kind, const std::string& what) {
    finish(std::unexpected(Failure{kind, what, 0}));
}

void Session::finish(Result result) {
    busy_ = false;
    held_.reset();
    state_ = State::idle;
    deadline_.reset();
    report_ = std::move(result);
}

// Session, the end of a search: whether what came is its answer, and what follows if that is in
// doubt.

void Session::on(const uci::BestMove& best, Time now) {
    if (best_owed_ > 0) {
        --best_owed_;
        took_ = std::chrono::duration_cast<std::chrono::milliseconds>(now - started_);
        record_->best_move(best);
        // A late line of this search or an earlier one, if it is under way, comes before readyok.
        send_isready(now);
        pinged_ = false;
        state_ = State::confirming;
    } else if (state_ == State::confirming) {
        record_->best_move(best);
    } else if (state_ == State::clearing) {
        if (!std::exchange(counted_, true)) {
            misstep("gave two answers to one question");
        }
    } else if (state_ == State::idle || state_ == State::preparing) {
        misstep("gave a bestmove that nobody had asked for");
    }
}

void Session::misstep(const std::string& what) {
    if (++missteps_ > most_missteps) {
        lose(Failure::Kind::crashed, what + ", and not for the first time; it is replaced");
    }
}

void Session::conclude(Time now) {
    counted_ = record_->out_of_step() || !record_->legal();
    if (record_->out_of_step()) {
        misstep("gave two answers to one question");
    } else if (!record_->legal()) {
        misstep("gave a move that is not legal");
    }
    if (state_ == State::lost) {
        return;
    }
    const bool wanted = stop_reason_ != StopReason::cancelled && stop_reason_ != StopReason::silent;
    const bool repeated = wanted && last_good_ && record_->repeats(*last_good_);
    Result result = repeated ? std::unexpected(Failure{Failure::Kind::no_result,
                                                       name_ + " repeated its answer to the "
                                                               "question before, word by word",
                                                       0})
                             : outcome();
    if (repeated) {
        last_good_.reset(); // said again it is taken for the truth
    }
    if (result) {
        last_good_ = record_;
        usual_ = took_;
        finish(std::move(result));
    } else if (wanted || record_->out_of_step()) {
        clear(std::move(result), now);
    } else {
        finish(std::move(result));
    }
}

// What is doubtful may be an old line, and the true answer still to come: it must not meet the next
// question.
void Session::clear(Result result, Time now) {
    held_ = std::move(result);
    state_ = State::clearing;
    clearing_until_ = now + timeouts_.stop;
    deadline_ = std::min(clearing_until_, now + usual_ + timeouts_.clearing);
}

} // namespace adjourn::engine_bridge
