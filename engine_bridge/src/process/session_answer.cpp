// Session, the end of a search: whether what came is its answer, and what follows if that is in
// doubt.
#include "engine_bridge/process/session.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::engine_bridge {
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
