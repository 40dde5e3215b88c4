#include "search/engine/thinking.hpp"

#include "search/engine/conversation.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::engine {

using chess::Move;
using chess::uci::Go;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds progress_period{1'000};
// Of the optimum: a further iteration takes several times as long as all before it.
constexpr int last_start_percent = 60;

} // namespace

Thinking::Thinking(chess::uci::Game game, Go go, Settings settings, Output& out,
                   Clock::time_point start)
    : game_{std::move(game)}, go_{std::move(go)}, settings_{settings}, out_{out}, start_{start},
      allotment_{chess::uci::allot(go_, game_.position.turn(), settings.overhead)},
      clocked_{allotment_ && !go_.movetime}, moves_{allowed_moves()}, stable_since_{start},
      told_{start}, holding_{go_.infinite || go_.ponder}, clock_start_{start} {}

std::vector<Move> Thinking::allowed_moves() const {
    if (!game_.problem.empty()) {
        return {};
    }
    std::vector<Move> named;
    for (const std::string& word : go_.searchmoves) {
        if (const auto move = chess::parse_uci(game_.position, word); !move) {
            out_.say(chess::uci::info_string("searchmoves: " + move.error().brief));
        } else if (std::ranges::find(named, *move) == named.end()) {
            named.push_back(*move);
        }
    }
    if (!named.empty()) {
        return named;
    }
    if (!go_.searchmoves.empty()) {
        out_.say(chess::uci::info_string("searchmoves: none is legal, all are searched"));
    }
    const chess::MoveList all = game_.position.legal_moves();
    return {all.begin(), all.end()};
}

search::Query Thinking::query() const {
    search::Query query;
    query.root = game_.position;
    chess::Position at = game_.start;
    for (const Move move : game_.moves) {
        query.history.push_back(at.hash());
        at.play(move);
    }
    if (!go_.searchmoves.empty()) {
        query.moves = moves_;
    }
    query.lines = settings_.lines;
    query.limits.depth = go_.depth;
    query.limits.nodes = go_.nodes;
    if (go_.mate && !go_.depth && settings_.selection == search::Selection::full_width) {
        constexpr int most_moves = 1'000; // more than any search sees
        query.limits.depth = 2 * std::min(*go_.mate, most_moves) - 1;
    }
    return query;
}

milliseconds Thinking::since(Clock::time_point start) const {
    return std::chrono::duration_cast<milliseconds>(Clock::now() - start);
}

void Thinking::stop() {
    const std::lock_guard lock{mutex_};
    stopped_ = true;
    changed_.notify_all();
}

void Thinking::ponderhit() {
    if (!go_.ponder) {
        return;
    }
    const std::lock_guard lock{mutex_};
    clock_start_ = Clock::now();
    holding_ = go_.infinite;
    changed_.notify_all();
}

bool Thinking::ends_by_itself() const {
    return stopped_ || (!holding_ && chess::uci::limited(go_));
}

void Thinking::wait_to_answer() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return stopped_ || !holding_; });
}

bool Thinking::enough_of(const search::Info& info) {
    const search::Line& first = info.lines.front();
    const chess::Score score = first.score();
    if (go_.mate && first.bound == chess::Bound::exact && score.is_win() &&
        score.plies() < 2 * *go_.mate) {
        return true;
    }
    return clocked_ && !holding_ &&
           (moves_.size() == 1 ||
            since(clock_start_) >= allotment_->optimum * last_start_percent / 100);
}

void Thinking::hear(const search::Info& info, const search::Search& search) {
    chess::uci::Report report;
    report.depth = info.iteration;
    report.longest = info.longest;
    report.nodes = info.nodes;
    report.time = since(start_);
    report.hashfull = search.hashfull();
    for (const search::Line& line : info.lines) {
        report.lines.push_back({line.score(), line.moves, line.bound, {}, line.iteration});
        if (settings_.shows_wdl) {
            report.lines.back().wdl = chances(line.score());
        }
    }
    for (const std::string& line :
         chess::uci::info_lines(report, game_.position, settings_.castling())) {
        out_.say(line);
    }
    told_ = Clock::now();
    const Move best = info.lines.front().moves.front();
    if (best_ != best) {
        best_ = best;
        stable_since_ = told_;
    }
    enough_ = enough_ || enough_of(info);
}

bool Thinking::over(const search::Search& search) {
    if (stopped_ || enough_) {
        return true;
    }
    const Clock::time_point now = Clock::now();
    if (now - told_ >= progress_period) {
        told_ = now;
        out_.say("info time " + std::to_string(since(start_).count()) + " hashfull " +
                 std::to_string(search.hashfull()));
        if (out_.failed()) {
            stop();
        }
    }
    if (holding_ || !allotment_) {
        return false;
    }
    const Clock::time_point from = clock_start_;
    const auto stable = std::chrono::duration_cast<milliseconds>(stable_since_ - from);
    return chess::uci::enough(*allotment_, since(from), std::max(milliseconds{0}, stable));
}

void Thinking::run(search::Search& search) {
    if (!game_.problem.empty()) {
        give_up(game_.problem);
        return;
    }
    if (moves_.empty()) {
        out_.say(std::string{"info depth 0 score "} +
                 (game_.position.in_check() ? "mate 0" : "cp 0"));
        wait_to_answer();
        out_.say(chess::uci::bestmove_line(game_.position, {}, settings_.castling()));
        return;
    }
    search::Hooks hooks;
    hooks.stop = [&] { return over(search); };
    hooks.inform = [&](const search::Info& info) { hear(info, search); };
    const search::Result result = search.run(query(), hooks);
    if (!best_) { // nothing was found in time, and the first move is as good as any
        chess::uci::Report report;
        report.nodes = result.nodes;
        report.time = since(start_);
        out_.say(chess::uci::info_lines(report, game_.position, settings_.castling()).front());
    }
    wait_to_answer();
    out_.say(chess::uci::bestmove_line(game_.position, result.lines.front().moves,
                                       settings_.castling()));
}

void Thinking::give_up(const std::string& reason) {
    say(reason);
    wait_to_answer();
    out_.say(chess::uci::bestmove_line(
        game_.position, moves_.empty() ? std::vector<Move>{} : std::vector<Move>{moves_.front()},
        settings_.castling()));
}

} // namespace adjourn::engine
