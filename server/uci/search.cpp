#include "uci/search.hpp"

#include "analysis/records.hpp"
#include "analysis/strategy.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace adjourn::server::uci {

using std::chrono::milliseconds;

std::optional<milliseconds> longest_wait(const Clock& clock) {
    return clock.left <= milliseconds{0} ? std::nullopt
                                         : std::optional{std::min(most_wait, clock.left / 2)};
}

std::optional<milliseconds> longest_wait(milliseconds movetime, milliseconds overhead) {
    return movetime <= milliseconds{0}
               ? std::nullopt
               : std::optional{(allot(movetime, overhead).maximum + movetime) / 2};
}

std::uint64_t evaluation_nodes(milliseconds time, double nodes_per_second, double evaluations) {
    const double nodes =
        static_cast<double>(time.count()) / 1000.0 * nodes_per_second / evaluations;
    const double within = std::clamp(nodes, static_cast<double>(least_evaluation_nodes),
                                     static_cast<double>(most_evaluation_nodes));
    return std::bit_floor(static_cast<std::uint64_t>(within));
}

using std::chrono::duration_cast;

namespace {

constexpr milliseconds info_least{100};  // between two that only refine the picture
constexpr milliseconds info_most{1'000}; // silence lasts no longer
// Where no clock is shown, for the first word about a position: of an engine that has been asked,
// and without one.
constexpr milliseconds last_chance{1'000};
constexpr milliseconds a_moment{100}; // that an engine may take for it without being stopped, too
constexpr std::uint64_t most_grown_nodes = std::uint64_t{1} << 40;
constexpr std::uint64_t most_grown_depth = 245;

milliseconds between(Search::Time from, Search::Time to) {
    return std::max(milliseconds{0}, duration_cast<milliseconds>(to - from));
}

std::optional<milliseconds> patience_of(const Go& go, chess::Color mover, milliseconds overhead) {
    if (go.movetime) {
        return longest_wait(*go.movetime, overhead);
    }
    return longest_wait((mover == chess::Color::white ? go.white : go.black).value_or(Clock{}));
}

// The moves that `texts` name; all legal ones where they name none. The first that is not legal is
// told in `problem`.
std::vector<chess::Move> chosen_moves(const Game& game, const std::vector<std::string>& texts,
                                      std::string& problem) {
    std::vector<chess::Move> moves;
    for (const std::string& text : texts) {
        const auto move = chess::parse_uci(game.position, text);
        if (!move) {
            problem = "searchmoves: " + move.error().message;
        } else if (std::ranges::find(moves, *move) == moves.end()) {
            moves.push_back(*move);
        }
    }
    if (moves.empty()) {
        for (const chess::Move move : game.position.legal_moves()) {
            moves.push_back(move);
        }
    }
    return moves;
}

// ---- what the searches of one "go" may cost: each, and all together ----

constexpr double unknown_speed = 200'000; // nodes a second
constexpr std::uint64_t untimed_nodes = 1 << 17;
// Evaluations that the nodes of a move are divided into: of each worker by a clock, of all of them
// by "go nodes".
constexpr double evaluations_of_time = 8;
constexpr std::uint64_t evaluations_of_nodes = 16;
// With `anchored` the first long search is as large as eight of these, half of the budget: no
// larger one would fit after it, so it is the last as well and gets the whole. A move of a game is
// decided best that way (docs/measurements/benchmarks.md).
constexpr std::uint64_t evaluations_anchored = 16;

analysis::Limit nodes_limit(std::uint64_t nodes) {
    return {analysis::Limit::Kind::nodes, std::max<std::uint64_t>(1, nodes)};
}

bool anchored(const Settings& settings) {
    return analysis::strategy_of(settings.strategy).has_anchor();
}

// What all searches together may cost. By a clock it is a guess, and only `anchored` has a use for
// it, for its last long search; a search that still runs when the time is over has its say all the
// same. `speed`: nodes a second of one worker; 0 where it is not known.
std::optional<std::uint64_t> budget_of(const Go& go, const Settings& settings,
                                       const std::optional<Allotment>& allotment, double speed) {
    std::optional<std::uint64_t> budget = go.nodes;
    if (anchored(settings) && !go.ponder && !go.infinite && allotment && speed > 0) {
        const double seconds = static_cast<double>(allotment->optimum.count()) / 1000.0;
        const double nodes = seconds * speed * static_cast<double>(settings.profile().count);
        const auto most = static_cast<std::uint64_t>(std::clamp(nodes, 1.0, 1e18));
        budget = std::min(budget.value_or(most), most);
    }
    return budget;
}

analysis::Limit limit_of(const Go& go, const Settings& settings,
                         const std::optional<Allotment>& allotment, double speed,
                         const std::optional<std::uint64_t>& budget) {
    if (settings.evaluation_depth > 0) {
        return {analysis::Limit::Kind::depth,
                static_cast<std::uint64_t>(settings.evaluation_depth)};
    }
    if (settings.evaluation_nodes > 0) {
        return nodes_limit(static_cast<std::uint64_t>(settings.evaluation_nodes));
    }
    if (anchored(settings) && budget) {
        return nodes_limit(*budget / evaluations_anchored / settings.profile().count);
    }
    std::uint64_t nodes = untimed_nodes;
    if (allotment) {
        nodes = evaluation_nodes(allotment->optimum, speed > 0 ? speed : unknown_speed,
                                 evaluations_of_time);
    }
    if (go.nodes) {
        nodes = std::min(
            nodes, std::bit_floor(std::max<std::uint64_t>(1, *go.nodes / evaluations_of_nodes)));
    }
    return nodes_limit(nodes);
}

constexpr int fifty_moves = 100; // plies

bool is_exact(const Candidate& candidate) {
    return candidate.line.bound == analysis::Bound::exact;
}

// Whether a search that runs says more than the tree. It runs because the tree's evaluations of the
// position, if there are any, are of a smaller limit.
bool surpasses(const Candidate& running, const Finding& finding) {
    const chess::Score known = finding.lines.front().score;
    const chess::Score score = running.line.score;
    const bool sooner_mate =
        score.kind() == chess::Score::Kind::mate && score.is_win() && score > known;
    if (!is_exact(running) && !running.final) {
        return false;
    }
    // A search that preferred another move in its last moments stands in the store with what it had
    // thought before, and with the depth of that.
    const bool changed = !is_exact(running);
    const bool deeper = running.depth > finding.evidence - (changed ? 1 : 0);
    return sooner_mate || ((finding.settled == 0 || finding.anchored) && deeper);
}

} // namespace

Search::Search(Game game, Go go, const Settings& settings, double nodes_per_second, Time start)
    : game_{std::move(game)}, go_{std::move(go)}, start_{start}, overhead_{settings.move_overhead},
      lines_{static_cast<std::size_t>(settings.multi_pv)},
      castling_{settings.chess960 ? chess::CastlingStyle::king_rook
                                  : chess::CastlingStyle::standard},
      engine_depth_{settings.engine_depth}, refine_{settings.refine},
      choice_{game_, refused() ? std::vector<chess::Move>{}
                               : chosen_moves(game_, go_.searchmoves, problem_)},
      holding_{go_.infinite || go_.ponder}, clock_start_{start}, said_at_{start}, stable_since_{
                                                                                      start} {
    holding_ = holding_ || !(limited(go_) || refine_ > 0); // a bare "go" is infinite
    if (!go_.infinite) {
        allotment_ = allot(go_, game_.position.turn(), overhead_);
        patience_ = patience_of(go_, game_.position.turn(), overhead_);
    }
    budget_ = budget_of(go_, settings, allotment_, nodes_per_second);
    limit_ = limit_of(go_, settings, allotment_, nodes_per_second, budget_);
    if (go_.depth && engine_depth_) {
        // Nothing ends the tree; over() looks at what is told.
    } else if (go_.depth) {
        const int depth = std::min(*go_.depth, 200);
        refine_ = refine_ > 0 ? std::min(refine_, depth) : depth;
    } else if (go_.mate && refine_ == 0) {
        refine_ = 1; // mates are found by larger searches, not by deeper trees
        searches_again_ = true;
    } else {
        searches_again_ = holding_ && refine_ == 0;
    }
    strategy_ = analysis::default_parameters(settings.strategy);
    strategy_.move_distance = settings.move_distance;
    strategy_.refine = refine_;
    if (choice_.moves().size() < game_.position.legal_moves().size()) {
        searchmoves_ = choice_.moves();
    }
}

std::optional<SearchRequest> Search::request() const {
    if (choice_.moves().empty()) {
        return std::nullopt;
    }
    std::optional<std::uint64_t> budget = budget_;
    if (budget) {
        budget = std::max<std::uint64_t>(1, *budget - std::min(*budget, nodes_before_));
    }
    return SearchRequest{game_, limit_, strategy_, searchmoves_, lines_, budget};
}

// Where a tree has nothing to ask any more, a mate was found that it does not look behind. A larger
// search of the position itself may find a shorter one.
bool Search::may_grow() const {
    const bool grown =
        limit_.amount >=
        (limit_.kind == analysis::Limit::Kind::depth ? most_grown_depth : most_grown_nodes);
    const bool spent = budget_ && nodes_before_ + finding_.nodes >= *budget_;
    if (!searches_again_ || grown || spent || best_.empty() || finding_.lines.empty() ||
        !finding_.problem.empty() || goal_reached()) {
        return false;
    }
    const chess::Score score = best_.front().score;
    if (go_.mate) {
        return !score.is_loss();
    }
    return score.kind() == chess::Score::Kind::mate && score.is_win() && score.plies() > 1;
}

std::optional<SearchRequest> Search::next_request() {
    if (!finding_.finished || !may_grow()) {
        return std::nullopt;
    }
    if (limit_.kind == analysis::Limit::Kind::depth) {
        ++limit_.amount;
    } else {
        limit_.amount *= 2;
    }
    nodes_before_ += std::exchange(finding_.nodes, 0);
    finding_.finished = false;
    return request();
}

std::vector<std::string> Search::look(const Finding& finding, Time now) {
    const std::optional<RankedLine> before = best();
    Finding next_finding = finding;
    if (finding.lines.empty()) { // of a request that has just begun
        next_finding.lines = std::move(finding_.lines);
        next_finding.evidence = finding_.evidence;
    }
    next_finding.settled = std::max(finding.settled, finding_.settled);
    if (!next_finding.running ||
        (finding_.running && finding_.running->depth > next_finding.running->depth)) {
        next_finding.running = std::move(finding_.running); // its engine may be gone by now
    }
    finding_ = std::move(next_finding);
    if (choice_.moves().empty()) {
        const bool say_it = !refused() && !std::exchange(said_terminal_, true);
        return say_it ? std::vector<std::string>{terminal_line()} : std::vector<std::string>{};
    }
    best_ = choice_.lines(finding_, lines_);
    if (!before || best_.empty() || before->pv.front() != best_.front().pv.front()) {
        stable_since_ = now;
    }
    const bool first = (!said_ || said_->lines.empty()) && !best_.empty();
    const Report next = report(now);
    const bool differs =
        first || (said_ && (next.depth != said_->depth || next.lines != said_->lines));
    const milliseconds silence = between(said_at_, now);
    if (first || silence >= info_most || (differs && silence >= info_least)) {
        return say(now);
    }
    held_back_ = differs;
    return {};
}

void Search::start_clock(Time now) {
    holding_ = false;
    clock_start_ = now;
}

void Search::ponderhit(Time now) {
    if (go_.ponder && !go_.infinite) {
        start_clock(now);
    }
}

void Search::stop(Time now) {
    holding_ = false;
    if (!stopped_) {
        stopped_ = now;
    }
}

bool Search::time_is_up(Time now) const {
    if (stopped_) {
        return true;
    }
    return allotment_ &&
           enough(*allotment_, between(clock_start_, now), between(clock_start_, stable_since_));
}

bool Search::needs_a_word(Time now) {
    const bool bound = !holding_ && (stopped_ || allotment_);
    const bool needs = bound && !choice_.moves().empty() && best_.empty() && now >= word_due();
    asked_for_a_word_ = asked_for_a_word_ || needs;
    return needs;
}

// The latest for a bestmove without knowing anything: nobody is waited for beyond the clock.
Search::Time Search::last_moment() const {
    const milliseconds unclocked = finding_.looked ? last_chance : a_moment;
    return stopped_ ? *stopped_ + unclocked
                    : clock_start_ + std::max(patience_.value_or(unclocked), allotment_->maximum);
}

// Engines have a first line within milliseconds. Who has none by then is made to answer.
Search::Time Search::word_due() const {
    const Time due = stopped_ ? *stopped_ : clock_start_ + allotment_->maximum;
    return due + std::min(a_moment, between(due, last_moment()) / 2);
}

bool Search::goal_reached() const {
    if (!go_.mate || best_.empty() || best_.front().bound != analysis::Bound::exact) {
        return false;
    }
    const chess::Score score = best_.front().score;
    const std::int64_t plies = std::int64_t{2} * *go_.mate - 1;
    return score.kind() == chess::Score::Kind::mate && score.is_win() && score.plies() <= plies;
}

bool Search::over(Time now) const {
    if (holding_) {
        return false;
    }
    const bool nobody = without_engine() && finding_.looked && !(finding_.starting && allotment_);
    if (choice_.moves().empty() || nobody) {
        return true;
    }
    const bool known = !best_.empty();
    if (finding_.finished && !(may_grow() && !stopped_)) {
        return true;
    }
    if (stopped_) {
        return known || now >= last_moment();
    }
    if (allotment_ &&
        (known ? choice_.moves().size() == 1 || time_is_up(now) : now >= last_moment())) {
        return true;
    }
    // As a rule the analysis ends by itself when its budget is spent, with all answers known. (An
    // engine that takes more than it is given does not go on for ever.)
    const std::uint64_t nodes = nodes_before_ + finding_.nodes;
    const bool deep = go_.depth && engine_depth_ && depth() >= *go_.depth;
    return known && (deep || (go_.nodes && nodes / 2 >= *go_.nodes) || goal_reached());
}

Search::Time Search::next_turn() const {
    if (choice_.moves().empty()) {
        return said_at_ + std::chrono::hours{24}; // nothing comes but the GUI's word
    }
    Time next = said_at_ + (held_back_ ? info_least : info_most);
    if (best_.empty()) {
        return stopped_ || bound_to_clock()
                   ? std::min(next, asked_for_a_word_ ? last_moment() : word_due())
                   : next;
    }
    if (bound_to_clock()) {
        const Time optimum = clock_start_ + allotment_->optimum;
        const Time maximum = clock_start_ + allotment_->maximum;
        // Stable for half of the time: 2 × (the moment of the last change).
        const Time stable =
            clock_start_ + 2 * (std::max(stable_since_, clock_start_) - clock_start_);
        next = std::min({next, maximum, std::max(optimum, stable)});
    }
    return next;
}

std::string Search::terminal_line() const {
    return game_.position.in_check() ? "info depth 0 score mate 0" : "info depth 0 score cp 0";
}

std::vector<std::string> Search::last_words(const std::optional<RankedLine>& fallback, Time now) {
    if (refused()) {
        return {info_string(game_.problem + "; there is no move until a good position comes"),
                bestmove_line(game_.position, {}, castling_)};
    }
    if (over_by_the_rules()) {
        return {terminal_line(), bestmove_line(game_.position, {}, castling_)};
    }
    std::vector<std::string> lines;
    bool arbitrary = false;
    if (best_.empty() && fallback && choice_.holds(fallback->pv.front())) {
        best_ = {choice_.within_the_game(*fallback)};
    }
    if (best_.empty()) {
        const std::string& problem = finding_.problem;
        lines.push_back(info_string(
            std::string{without_engine() ? "no engine"
                                         : "no engine has said anything of this "
                                           "position"} +
            (problem.empty() ? "" : ": " + problem) + "; " + std::string{any_legal_move}));
        best_ = {{chess::Score::cp(0), {choice_.moves().front()}}};
        arbitrary = true;
    }
    const Report next = report(now);
    if (!said_ || said_at_ != now || next.lines != said_->lines || next.depth != said_->depth) {
        std::ranges::move(say(now), std::back_inserter(lines));
    }
    lines.push_back(bestmove_line(game_.position, best_.front().pv, castling_));
    if (arbitrary) {
        best_.clear(); // nobody is to expect it
    }
    return lines;
}

std::optional<RankedLine> Search::best() const {
    return best_.empty() ? std::nullopt : std::optional{best_.front()};
}

int Search::depth() const {
    int depth = finding_.settled;
    if (!engine_depth_ || best_.empty()) {
        return depth;
    }
    depth = std::max(depth, finding_.evidence);
    // As the store has it: up to the last exact score.
    if (finding_.running && finding_.running->line.bound == analysis::Bound::exact) {
        depth = std::max(depth, finding_.running->depth);
    }
    if (finding_.stored && finding_.lines.empty()) {
        depth = std::max(depth, finding_.stored->depth);
    }
    return depth;
}

Report Search::report(Time now) const {
    Report report;
    report.depth = depth();
    report.nodes = nodes_before_ + finding_.nodes;
    report.time = between(start_, now);
    const std::size_t count = std::min(lines_, best_.size());
    report.lines.assign(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(count));
    return report;
}

std::vector<std::string> Search::say(Time now) {
    said_ = report(now);
    said_at_ = now;
    held_back_ = false;
    return info_lines(*said_, game_.position, castling_);
}

Choice::Choice(const Game& game, std::vector<chess::Move> moves)
    : position_{game.position}, moves_{std::move(moves)} {
    for (const chess::Position& position : analysis::repeated_before(game.start, game.moves)) {
        past_.push_back(position.packed());
    }
}

bool Choice::holds(chess::Move move) const {
    return std::ranges::find(moves_, move) != moves_.end();
}

std::vector<RankedLine> Choice::lines(const Finding& finding, std::size_t most) const {
    const auto usable = [&](const std::optional<Candidate>& candidate) {
        return candidate && holds(candidate->line.pv.front());
    };
    std::vector<RankedLine> lines = finding.lines;
    std::erase_if(lines, [&](const RankedLine& line) { return !holds(line.pv.front()); });
    if (usable(finding.running) && (lines.empty() || surpasses(*finding.running, finding))) {
        // Before the lines of other moves, which GUIs that ask for several do not want to lose.
        const RankedLine& running = finding.running->line;
        std::erase_if(
            lines, [&](const RankedLine& line) { return line.pv.front() == running.pv.front(); });
        lines.insert(lines.begin(), running);
    } else if (usable(finding.stored) && lines.empty()) {
        lines = {finding.stored->line};
    }
    if (lines.empty() && !moves_.empty() && position_.terminal() == chess::Terminal::dead) {
        lines = {{chess::Score::cp(0), {moves_.front()}}}; // nobody need be asked
    }
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(std::min(most, lines.size())),
                lines.end());
    std::ranges::transform(lines, lines.begin(),
                           [&](RankedLine& line) { return within_the_game(std::move(line)); });
    return lines;
}

RankedLine Choice::within_the_game(RankedLine line) const {
    std::vector<chess::PackedPosition> seen = past_;
    chess::Position at = position_;
    for (std::size_t i = 0; i < line.pv.size(); ++i) {
        const chess::Move move = line.pv[i];
        if (at.is_irreversible(move)) {
            seen.clear();
        } else {
            seen.push_back(at.packed());
        }
        at.play(move);
        const bool again = std::ranges::find(seen, at.packed()) != seen.end();
        const bool claimed =
            at.halfmove_clock() >= fifty_moves && at.terminal() != chess::Terminal::checkmate;
        if ((again || claimed) && i == 0) {
            line.score = chess::Score::cp(0);
            line.bound = analysis::Bound::exact;
        }
        if (again || claimed || at.terminal() != chess::Terminal::no) {
            line.pv.erase(line.pv.begin() + static_cast<std::ptrdiff_t>(i) + 1, line.pv.end());
            break;
        }
    }
    return line;
}

} // namespace adjourn::server::uci
