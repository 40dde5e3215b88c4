#include "engine_bridge/process/session.hpp"

#include "engine_bridge/process/option_plan.hpp"
#include "engine_bridge/process/text.hpp"

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

std::string seconds(std::chrono::milliseconds time) {
    return std::to_string(duration_cast<std::chrono::seconds>(time).count()) + " s";
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

namespace {

// How many answers in disorder a process may give before it is replaced.
constexpr int most_missteps = 1;

} // namespace

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
