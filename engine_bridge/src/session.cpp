#include "engine_bridge/session.hpp"

#include "engine_bridge/option_plan.hpp"
#include "engine_bridge/text.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace adjourn::engine_bridge {
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
    if (search.limit.kind == SearchLimit::Kind::nodes && identity_.name.starts_with("Lc0") &&
        search.limit.amount > std::numeric_limits<std::int32_t>::max()) {
        return "Lc0 does not take so many nodes";
    }
    return std::nullopt;
}

void Session::go(Search search, Time now) {
    assert(state_ == State::idle);
    search_ = std::move(search);
    stop_reason_ = StopReason::none;
    pinged_ = false;
    pings_ = 0;
    progress_ = {};
    exact_.reset();
    bound_.reset();
    if (std::optional<std::string> why = unfit(*search_)) {
        fail(Failure::Kind::no_result, *why);
        return;
    }
    if (reproducible_) {
        send("ucinewgame");
    }
    if (reproducible_ || sync_each_time_) {
        send_isready(now);
        state_ = State::preparing;
    } else {
        send_go(now);
    }
}

void Session::send_go(Time now) {
    using enum chess::CastlingStyle;
    send(uci::position_command(search_->position));
    send(uci::go_command(search_->limit, search_->position, search_->searchmoves,
                         chess960_ ? king_rook : standard));
    ++best_owed_;
    started_ = now;
    state_ = State::searching;
    if (search_->limit.kind == SearchLimit::Kind::movetime) {
        // Beyond this a sum with the clock could overflow. It is a month.
        constexpr std::uint64_t most_ms = 31ULL * 24 * 3600 * 1000;
        deadline_ = now + std::chrono::milliseconds{std::min(search_->limit.amount, most_ms)} +
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
    } else if (state_ == State::preparing || state_ == State::stopping) {
        stop_reason_ = StopReason::cancelled;
    }
}

void Session::on(const uci::Info& info, Time now) {
    if (best_owed_ == 0 || !info.progress) {
        return;
    }
    progress_.depth = info.depth.value_or(progress_.depth);
    progress_.nodes = std::max(progress_.nodes, info.nodes.value_or(0));
    if (info.nps && *info.nps > 0) { // GNU Chess and Toga II say 0
        progress_.nps = *info.nps;
    }
    keep_score(info);
    if (state_ != State::searching) {
        return;
    }
    if (search_->limit.kind != SearchLimit::Kind::movetime) {
        deadline_ = now + timeouts_.silence;
        pinged_ = false;
        pings_ = 0;
    }
    if (search_->limit.kind == SearchLimit::Kind::nodes &&
        progress_.nodes >= enough_nodes(search_->limit.amount)) {
        send_stop(StopReason::enough_nodes, now);
    }
}

void Session::keep_score(const uci::Info& info) {
    if (info.multipv != 1 || !info.score || info.pv.empty()) {
        return;
    }
    const bool mated = *info.score == uci::RawScore{uci::Mate{0}};
    if (mated || !parse_uci(search_->position, info.pv.front())) {
        return; // not about our position, which has legal moves
    }
    ScoreLine line{uci::to_score(*info.score, info.tbhits.value_or(0) > 0),
                   info.bound,
                   info.depth.value_or(0),
                   info.seldepth.value_or(0),
                   {}};
    line.pv.assign(info.pv.begin(), info.pv.end());
    (info.bound == BoundKind::exact ? exact_ : bound_) = std::move(line);
}

void Session::on(const uci::BestMove& best, Time now) {
    if (best_owed_ == 0) {
        // Nobody asked. Were the next search under way already, this would have been taken for its
        // answer: from now on wait for readyok between two searches.
        sync_each_time_ = sync_each_time_ || state_ == State::idle || state_ == State::preparing;
        return;
    }
    --best_owed_;
    if (stop_reason_ == StopReason::cancelled) {
        fail(Failure::Kind::cancelled, "the search was cancelled");
    } else if (stop_reason_ == StopReason::silent) {
        fail(Failure::Kind::hung,
             name_ + " said nothing for " +
                 std::to_string(std::chrono::duration_cast<std::chrono::seconds>(timeouts_.silence *
                                                                                 (1 + pings_))
                                    .count()) +
                 " s and had to be stopped");
    } else {
        finish(answer(best, now));
    }
}

Result Session::answer(const uci::BestMove& best, Time now) const {
    const auto failure = [](Failure::Kind kind, std::string reason) {
        return std::unexpected(Failure{kind, std::move(reason), 0});
    };
    const chess::Position& position = search_->position;
    if (!best.move) {
        return failure(Failure::Kind::no_result, name_ + " gave no move");
    }
    const auto best_move = parse_uci(position, *best.move);
    if (!best_move) {
        return failure(Failure::Kind::no_result, name_ + " gave the move " +
                                                     printable(*best.move, 20) +
                                                     ", which is not legal");
    }

    Answer result{.move = *best_move, .score = std::nullopt, .pv = {}};
    if (const auto& line = exact_ ? exact_ : bound_) {
        result.score = line->score;
        result.bound = line->bound;
        result.depth = line->depth;
        result.seldepth = line->seldepth;
        chess::Position at = position;
        for (const std::string& text : line->pv) {
            const auto move = parse_uci(at, text);
            if (!move) {
                break;
            }
            result.pv.push_back(*move);
            at.play(*move);
        }
        result.move = result.pv.front();
    } else {
        result.pv.push_back(*best_move);
    }
    result.nodes = progress_.nodes;
    result.time_ms = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(duration_cast<std::chrono::milliseconds>(now - started_).count(),
                                 0, std::numeric_limits<std::uint32_t>::max()));

    const auto asked = [&](chess::Move move) {
        return search_->searchmoves.empty() ||
               std::ranges::find(search_->searchmoves, move) != search_->searchmoves.end();
    };
    if (!asked(result.move) || !asked(*best_move)) {
        return failure(Failure::Kind::ignored_searchmoves,
                       name_ + " ignores searchmoves: it answered " + printable(*best.move, 20) +
                           ", which was not among the moves asked for");
    }
    if (ignored_node_limit(result)) {
        return failure(Failure::Kind::no_result, name_ +
                                                     " ignores node limits: it answered after " +
                                                     std::to_string(result.nodes) + " of " +
                                                     std::to_string(search_->limit.amount) +
                                                     " nodes; give it a limit in depth or time");
    }
    return result;
}

// Ethereal 12 answers every "go nodes" from depth 1. A real search of so many nodes can end so
// early only where nothing is left to decide.
bool Session::ignored_node_limit(const Answer& answer) const {
    constexpr std::uint64_t least = 1'000;
    const std::size_t choices = search_->searchmoves.empty()
                                    ? search_->position.legal_moves().size()
                                    : search_->searchmoves.size();
    return search_->limit.kind == SearchLimit::Kind::nodes && search_->limit.amount >= least &&
           answer.depth == 1 && answer.nodes < search_->limit.amount / 10 && choices > 1 &&
           answer.score && answer.score->is_cp();
}

void Session::time(Time now) {
    if (!deadline_ || now < *deadline_) {
        return;
    }
    const auto seconds = [](std::chrono::milliseconds time) {
        return std::to_string(duration_cast<std::chrono::seconds>(time).count()) + " s";
    };
    switch (state_) {
    case State::handshake:
        lose(Failure::Kind::unavailable, "no uciok within " + seconds(timeouts_.start));
        break;
    case State::configuring:
        lose(Failure::Kind::unavailable, "no readyok within " + seconds(timeouts_.ready));
        break;
    case State::preparing:
        lose(Failure::Kind::hung, "no readyok within " + seconds(timeouts_.ready));
        break;
    case State::searching:
        if (search_->limit.kind == SearchLimit::Kind::movetime) {
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
    commands_.clear();
    report_ = Lost{kind, name_ + ": " + std::move(reason)};
}

void Session::fail(Failure::Kind kind, const std::string& what) {
    finish(std::unexpected(Failure{kind, what, 0}));
}

void Session::finish(Result result) {
    search_.reset();
    state_ = State::idle;
    deadline_.reset();
    report_ = std::move(result);
}

} // namespace adjourn::engine_bridge
