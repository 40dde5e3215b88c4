#include "search/engine/conversation.hpp"

#include "base/line_reader.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "chess/notation.hpp"
#include "chess/uci/command.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <expected>
#include <functional>
#include <istream>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace adjourn::engine {

namespace {

using search::Quiescence;
using search::Selection;

// Settings: the options of the built-in engine.
struct Settings {
    std::size_t hash_mib = 16;
    int lines = 1;
    Selection selection = Selection::interest;
    Quiescence quiescence = Quiescence::captures;
    bool ponders = false; // that the GUI may ponder changes nothing
    int overhead_ms = 30;
    bool chess960 = false;
    bool shows_wdl = false;

    chess::CastlingStyle castling() const {
        return chess960 ? chess::CastlingStyle::king_rook : chess::CastlingStyle::standard;
    }
    // Another one needs another search::Search.
    search::Options search() const {
        search::Options options;
        options.selection = selection;
        options.quiescence = quiescence;
        options.table_bytes = hash_mib << 20;
        return options;
    }
};

// Option: what is declared of a setting, and how it is set. The error is for people, and nothing is
// changed.
struct Option {
    std::string name;
    std::string type; // and what belongs to it
    std::function<std::expected<void, std::string>(Settings&, std::string_view value)> set;
};

bool same_word(std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

constexpr std::size_t longest_shown = 100;

std::unexpected<std::string> refused(const char* option, std::string_view value,
                                     const std::string& what) {
    return std::unexpected("option " + std::string{option} + ": '" +
                           base::readable(value.substr(0, longest_shown)) + "' is " + what);
}

template <class Number>
Option spin(const char* name, Number Settings::*into, std::int64_t least, std::int64_t most) {
    const std::string from = std::to_string(least), to = std::to_string(most);
    return {name,
            "spin default " + std::to_string(Settings{}.*into) + " min " + from + " max " + to,
            [=](Settings& settings, std::string_view value) -> std::expected<void, std::string> {
                const auto number = base::parse_number<std::int64_t>(value);
                if (!number || *number < least || *number > most) {
                    return refused(name, value, "not a whole number from " + from + " to " + to);
                }
                settings.*into = static_cast<Number>(*number);
                return {};
            }};
}

// One of two words.
template <class Kind>
Option choice(const char* name, const char* type, Kind Settings::*into, const char* first,
              Kind of_first, const char* second, Kind of_second) {
    return {name, type,
            [=](Settings& settings, std::string_view value) -> std::expected<void, std::string> {
                if (!same_word(value, first) && !same_word(value, second)) {
                    return refused(name, value, std::string{"neither "} + first + " nor " + second);
                }
                settings.*into = same_word(value, first) ? of_first : of_second;
                return {};
            }};
}

Option check(const char* name, bool Settings::*into) {
    return choice(name, "check default false", into, "true", true, "false", false);
}

const std::vector<Option>& options() {
    constexpr std::int64_t most_lines = 218; // no position has more moves
    static const std::vector<Option> all{
        spin("Hash", &Settings::hash_mib, 1, 4'096),
        {"Clear Hash", "button",
         [](Settings&, auto) { return std::expected<void, std::string>{}; }},
        spin("MultiPV", &Settings::lines, 1, most_lines),
        choice("Selection", "combo default interest var full var interest", &Settings::selection,
               "full", Selection::full_width, "interest", Selection::interest),
        choice("Quiescence", "combo default captures var captures var consistency",
               &Settings::quiescence, "captures", Quiescence::captures, "consistency",
               Quiescence::consistency),
        check("Ponder", &Settings::ponders),
        spin("Move Overhead", &Settings::overhead_ms, 0, 5'000),
        check("UCI_Chess960", &Settings::chess960),
        check("UCI_ShowWDL", &Settings::shows_wdl)};
    return all;
}

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

using chess::Move;
using chess::uci::Go;
using std::chrono::milliseconds;

constexpr milliseconds progress_period{1'000};
// Of the optimum: a further iteration takes several times as long as all before it.
constexpr int last_start_percent = 60;

// Thinking: one "go", from its first moment to its "bestmove".
class Thinking {
public:
    using Clock = std::chrono::steady_clock;

    // `start`: when "go" was read.
    Thinking(chess::uci::Game game, Go go, Settings settings, Output& out, Clock::time_point start)
        : game_{std::move(game)}, go_{std::move(go)}, settings_{settings}, out_{out}, start_{start},
          allotment_{
              chess::uci::allot(go_, game_.position.turn(), milliseconds{settings.overhead_ms})},
          clocked_{allotment_ && !go_.movetime}, moves_{allowed_moves()}, stable_since_{start},
          told_{start}, holding_{go_.infinite || go_.ponder}, clock_start_{start} {}

    // Searches, and says so: what it finds, and the move. Once, on a thread of its own. Throws only
    // what out of memory throws, before "bestmove".
    void run(search::Search& search) {
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
    // In place of run(), where there is no search: the first legal move.
    void give_up(const std::string& reason) {
        say(reason);
        wait_to_answer();
        out_.say(chess::uci::bestmove_line(game_.position,
                                           moves_.empty() ? std::vector<Move>{}
                                                          : std::vector<Move>{moves_.front()},
                                           settings_.castling()));
    }

    // From any thread; neither waits.
    void stop() {
        const std::lock_guard lock{mutex_};
        stopped_ = true;
        changed_.notify_all();
    }
    void ponderhit() {
        if (!go_.ponder) {
            return;
        }
        const std::lock_guard lock{mutex_};
        clock_start_ = Clock::now();
        holding_ = go_.infinite;
        changed_.notify_all();
    }
    // Whether it has a limit, or was stopped: nobody has to say another word.
    bool ends_by_itself() const { return stopped_ || (!holding_ && chess::uci::limited(go_)); }

private:
    search::Query query() const {
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
        if (go_.mate && !go_.depth) {
            constexpr int most_moves = 1'000; // more than any search sees
            query.limits.depth = 2 * std::min(*go_.mate, most_moves) - 1;
        }
        return query;
    }
    std::vector<chess::Move> allowed_moves() const {
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
    std::chrono::milliseconds since(Clock::time_point start) const {
        return std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    }
    void hear(const search::Info& info, const search::Search& search) {
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
    bool over(const search::Search& search) {
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
    bool enough_of(const search::Info& info) {
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
    void wait_to_answer() {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [this] { return stopped_ || !holding_; });
    }
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

namespace uci = chess::uci;

class Conversation {
public:
    explicit Conversation(std::ostream& out) : out_{out} {}
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
        out_.say("id name Adjourn engine 2"); // another number whenever its answers change
        out_.say("id author the Adjourn developers");
        for (const Option& option : options()) {
            out_.say("option name " + option.name + " type " + option.type);
        }
        out_.say("uciok");
    }

    void set(const uci::SetOption& said) {
        const auto option = std::ranges::find_if(
            options(), [&](const Option& one) { return same_word(one.name, said.name); });
        if (option == options().end()) {
            complain("no option is named '" + base::readable(said.name.substr(0, longest_shown)) +
                     "'");
        } else if (const auto done = option->set(settings_, said.value); !done) {
            complain(done.error());
        } else {
            forgets_ = forgets_ || option->type == "button";
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
        Settings settings = settings_;
        if (go.mate && !go.depth) { // only that tells that there is none
            settings.selection = search::Selection::full_width;
        }
        thinking_.emplace(game_, std::move(go), settings, out_, now);
        try {
            prepare(settings);
            thread_ = std::jthread{[this] { search(); }};
        } catch (const std::exception& error) { // no memory, no thread
            thinking_->stop();
            thinking_->give_up(error.what());
        }
    }

    // A search of these settings, which knows of this game alone.
    void prepare(const Settings& settings) {
        const Made wanted{settings.hash_mib, settings.selection, settings.quiescence};
        if (search_ && made_ == wanted) {
            if (std::exchange(forgets_, false)) {
                search_->clear();
            }
            return;
        }
        search_.reset(); // not both at a time
        try {
            search_ = std::make_unique<search::Search>(settings.search());
        } catch (const std::bad_alloc&) {
            complain("there is no memory for Hash " + std::to_string(settings.hash_mib) +
                     ": 1 MiB is used");
            Settings smaller = settings;
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

// A game is won as often as lost or drawn together at `middle` centipawns; `spread` is how slowly
// that changes.
constexpr double middle = 70;
constexpr double spread = 110;

int permille_won(double centipawns) {
    return static_cast<int>(std::lround(1'000 / (1 + std::exp((middle - centipawns) / spread))));
}

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
