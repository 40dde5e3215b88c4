#include "search/engine/conversation.hpp"

#include "base/line_reader.hpp"
#include "chess/uci/allotment.hpp"
#include "chess/uci/command.hpp"
#include "chess/uci/report.hpp"
#include "search/engine/settings.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <istream>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace adjourn::engine {

namespace {

// Output: lines for the GUI, from the thread that listens and the one that searches.
class Output {
public:
    explicit Output(std::ostream& out) : out_{out} {}

    void say(const std::string& line) {
        const std::lock_guard lock{mutex_};
        out_ << line << '\n' << std::flush;
    }
    // Nobody reads any more.
    bool failed() const {
        const std::lock_guard lock{mutex_};
        return !out_.good();
    }

private:
    mutable std::mutex mutex_;
    std::ostream& out_;
};

// Thinking: one "go", from its first moment to its "bestmove".
class Thinking {
public:
    using Clock = std::chrono::steady_clock;

    // `start`: when "go" was read.
    Thinking(chess::uci::Game game, chess::uci::Go go, Settings settings, Output& out,
             Clock::time_point start);

    // Searches, and says so: what it finds, and the move. Once, on a thread of its own. Throws only
    // what out of memory throws, before "bestmove".
    void run(search::Search& search);
    // In place of run(), where there is no search: the first legal move.
    void give_up(const std::string& reason);

    // From any thread; neither waits.
    void stop();
    void ponderhit();
    // Whether it has a limit, or was stopped: nobody has to say another word.
    bool ends_by_itself() const;

private:
    search::Query query() const;
    std::vector<chess::Move> allowed_moves() const;
    std::chrono::milliseconds since(Clock::time_point start) const;
    void hear(const search::Info& info, const search::Search& search);
    bool over(const search::Search& search);
    bool enough_of(const search::Info& info);
    void wait_to_answer();
    void say(const std::string& text) { out_.say(chess::uci::info_string(text)); }

    const chess::uci::Game game_;
    const chess::uci::Go go_;
    const Settings settings_;
    Output& out_;
    const Clock::time_point start_;
    std::optional<chess::uci::Allotment> allotment_;
    bool clocked_ = false; // the allotment is of a clock, so that what it leaves is saved

    // Of the thread that searches.
    std::vector<chess::Move> moves_; // that may be played
    std::optional<chess::Move> best_;
    Clock::time_point stable_since_;
    Clock::time_point told_;
    bool enough_ = false;

    std::atomic<bool> stopped_{false};
    std::atomic<bool> holding_; // the move is not wanted yet, whatever the clock shows
    std::atomic<Clock::time_point> clock_start_;
    std::mutex mutex_; // for the condition: that one of the two above has changed
    std::condition_variable changed_;
};

using chess::Move;
using chess::uci::Go;
using std::chrono::milliseconds;

constexpr milliseconds progress_period{1'000};
// Of the optimum: a further iteration takes several times as long as all before it.
constexpr int last_start_percent = 60;

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

namespace uci = chess::uci;

class Conversation {
public:
    explicit Conversation(std::ostream& out) : out_{out} {}
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    ~Conversation() { end_search(); }

    // False: it is over.
    bool hear(std::string_view line) {
        const Thinking::Clock::time_point now = Thinking::Clock::now();
        uci::Command command = uci::parse(line);
        if (const auto* nothing = std::get_if<uci::Nothing>(&command)) {
            if (!nothing->problem.empty()) {
                complain(nothing->problem);
            }
        } else if (std::holds_alternative<uci::Uci>(command)) {
            introduce();
        } else if (std::holds_alternative<uci::IsReady>(command)) {
            out_.say("readyok");
        } else if (std::holds_alternative<uci::NewGame>(command)) {
            forgets_ = true;
        } else if (const auto* option = std::get_if<uci::SetOption>(&command)) {
            set(*option);
        } else if (auto* game = std::get_if<uci::Game>(&command)) {
            take(std::move(*game));
        } else if (auto* go = std::get_if<uci::Go>(&command)) {
            think(std::move(*go), now);
        } else if (std::holds_alternative<uci::Stop>(command)) {
            if (thinking_) {
                thinking_->stop();
            }
        } else if (std::holds_alternative<uci::PonderHit>(command)) {
            if (thinking_) {
                thinking_->ponderhit();
            }
        }
        return !std::holds_alternative<uci::Quit>(command) && !out_.failed();
    }

    // Nothing more comes: a search with a limit is waited for.
    void hear_the_end() {
        if (thinking_ && thinking_->ends_by_itself()) {
            thread_ = {};
        }
    }

    void complain(const std::string& problem) { out_.say(uci::info_string(problem)); }

private:
    void introduce() {
        out_.say(std::string{"id name Adjourn engine "} + ADJOURN_VERSION);
        out_.say("id author the Adjourn developers");
        for (const std::string& line : declared_options()) {
            out_.say(line);
        }
        out_.say("uciok");
    }

    void set(const uci::SetOption& option) {
        if (const auto done = settings_.set(option.name, option.value); !done) {
            complain(done.error());
        } else {
            forgets_ = forgets_ || *done == Settings::Effect::clear;
        }
    }

    void take(uci::Game game) {
        if (!game.problem.empty()) {
            complain(game.problem);
        }
        for (const std::string& note : game.notes) {
            complain(note);
        }
        game_ = std::move(game);
    }

    void end_search() {
        if (thinking_) {
            thinking_->stop();
        }
        thread_ = {}; // waits for it
        thinking_.reset();
    }

    // What was said meanwhile of options and of a new game counts from here on.
    void think(uci::Go go, Thinking::Clock::time_point now) {
        end_search();
        for (const std::string& problem : go.problems) {
            complain(problem);
        }
        thinking_.emplace(game_, std::move(go), settings_, out_, now);
        try {
            prepare();
            thread_ = std::jthread{[this] { search(); }};
        } catch (const std::exception& error) { // no memory, no thread
            thinking_->stop();
            thinking_->give_up(error.what());
        }
    }

    // A search of these settings, which knows of this game alone.
    void prepare() {
        const Made wanted{settings_.hash_mib, settings_.selection, settings_.quiescence};
        if (search_ && made_ == wanted) {
            if (std::exchange(forgets_, false)) {
                search_->clear();
            }
            return;
        }
        search_.reset(); // not both at a time
        try {
            search_ = std::make_unique<search::Search>(settings_.search());
        } catch (const std::bad_alloc&) {
            complain("there is no memory for Hash " + std::to_string(settings_.hash_mib) +
                     ": 1 MiB is used");
            Settings smaller = settings_;
            smaller.hash_mib = 1;
            search_ = std::make_unique<search::Search>(smaller.search());
        }
        made_ = wanted;
        forgets_ = false;
    }

    // On its own thread.
    void search() {
        try {
            thinking_->run(*search_);
        } catch (const std::exception& error) {
            thinking_->give_up(error.what());
        }
    }

    using Made = std::tuple<std::size_t, search::Selection, search::Quiescence>;

    Output out_;
    Settings settings_;
    uci::Game game_;
    bool forgets_ = false;
    std::unique_ptr<search::Search> search_; // while one runs, its thread's alone
    Made made_;                              // it is of these
    std::optional<Thinking> thinking_;
    std::jthread thread_;
};

} // namespace

void converse(std::istream& in, std::ostream& out) {
    Conversation conversation{out};
    base::LineReader lines{in};
    while (lines.next()) {
        if (lines.too_long()) {
            conversation.complain(base::LineReader::trouble());
        } else if (!conversation.hear(lines.text())) {
            return;
        }
    }
    conversation.hear_the_end();
}

namespace {

// A game is won as often as lost or drawn together at `middle` centipawns; `spread` is how slowly
// that changes.
constexpr double middle = 70;
constexpr double spread = 110;

int permille_won(double centipawns) {
    return static_cast<int>(std::lround(1'000 / (1 + std::exp((middle - centipawns) / spread))));
}

} // namespace

chess::WinDrawLoss chances(chess::Score score) {
    if (score.is_win() || score.is_loss()) {
        return score.is_win() ? chess::WinDrawLoss{1'000, 0, 0} : chess::WinDrawLoss{0, 0, 1'000};
    }
    const double centipawns = score.is_cp() ? score.centipawns() : 0;
    const int win = permille_won(centipawns);
    const int loss = permille_won(-centipawns);
    return {static_cast<std::uint16_t>(win), static_cast<std::uint16_t>(1'000 - win - loss),
            static_cast<std::uint16_t>(loss)};
}

} // namespace adjourn::engine
