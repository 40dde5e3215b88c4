#include "search.hpp"

#include <algorithm>
#include <bit>

namespace adjourn::server::uci {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds info_least{100};   // between two that only refine the picture
constexpr milliseconds info_most{1'000};  // silence lasts no longer
constexpr milliseconds last_chance{250};  // to find any move at all after "stop"
constexpr double unknown_speed = 200'000; // nodes a second
constexpr std::uint64_t untimed_nodes = 1 << 17;
constexpr std::uint64_t evaluations_of_nodes = 16; // that "go nodes" is divided into

milliseconds between(Search::Time from, Search::Time to) {
    return std::max(milliseconds{0}, duration_cast<milliseconds>(to - from));
}

analysis::Limit nodes_limit(std::uint64_t nodes) {
    return {analysis::Limit::Kind::nodes, std::max<std::uint64_t>(1, nodes)};
}

std::optional<Allotment> allotment_of(const Go& go, chess::Color mover, milliseconds overhead) {
    if (go.movetime) {
        return allot(*go.movetime, overhead);
    }
    if (go.white || go.black) { // a clock that is not told counts as run down
        const Clock clock = (mover == chess::Color::white ? go.white : go.black).value_or(Clock{});
        return allot(clock, go.moves_to_go, overhead);
    }
    return std::nullopt;
}

analysis::Limit limit_of(const Go& go, const Settings& settings,
                         const std::optional<Allotment>& allotment, double speed) {
    if (settings.evaluation_depth > 0) {
        return {analysis::Limit::Kind::depth,
                static_cast<std::uint64_t>(settings.evaluation_depth)};
    }
    if (settings.evaluation_nodes > 0) {
        return nodes_limit(static_cast<std::uint64_t>(settings.evaluation_nodes));
    }
    std::uint64_t nodes = untimed_nodes;
    if (allotment) {
        nodes = evaluation_nodes(allotment->optimum, speed > 0 ? speed : unknown_speed);
    }
    if (go.nodes) {
        nodes = std::min(
            nodes, std::bit_floor(std::max<std::uint64_t>(1, *go.nodes / evaluations_of_nodes)));
    }
    return nodes_limit(nodes);
}

} // namespace

Search::Search(Game game, Go go, const Settings& settings, double nodes_per_second, Time start)
    : game_{std::move(game)}, go_{std::move(go)}, start_{start}, overhead_{settings.move_overhead},
      lines_{static_cast<std::size_t>(settings.multi_pv)},
      castling_{settings.chess960 ? chess::CastlingStyle::king_rook
                                  : chess::CastlingStyle::standard},
      refine_{settings.refine}, holding_{go_.infinite || go_.ponder},
      clock_start_{start}, said_at_{start}, stable_since_{start} {
    const bool bounded = go_.infinite || go_.white || go_.black || go_.movetime || go_.depth ||
                         go_.nodes || go_.mate || refine_ > 0;
    holding_ = holding_ || !bounded; // a bare "go" is infinite
    if (!go_.infinite) {
        allotment_ = allotment_of(go_, game_.position.turn(), overhead_);
    }
    limit_ = limit_of(go_, settings, allotment_, nodes_per_second);
    if (go_.depth) {
        const int depth = std::min(*go_.depth, 200);
        refine_ = refine_ > 0 ? std::min(refine_, depth) : depth;
    }
    strategy_ = analysis::default_parameters(settings.strategy);
    strategy_.move_distance = settings.move_distance;
    strategy_.refine = refine_;
    for (const std::string& text : go_.searchmoves) {
        const auto move = chess::parse_uci(game_.position, text);
        if (!move) {
            problem_ = "searchmoves: " + move.error().message;
        } else if (std::ranges::find(searchmoves_, *move) == searchmoves_.end()) {
            searchmoves_.push_back(*move);
        }
    }
    choice_ = searchmoves_;
    if (choice_.empty()) {
        for (const chess::Move move : game_.position.legal_moves()) {
            choice_.push_back(move);
        }
    }
}

std::optional<Assignment> Search::assignment() const {
    if (choice_.empty()) {
        return std::nullopt;
    }
    return Assignment{game_, limit_, strategy_, searchmoves_, lines_};
}

std::vector<std::string> Search::look(const Finding& finding, Time now) {
    const std::vector<chess::Move> before = best_line();
    finding_ = finding;
    const std::vector<chess::Move> best = best_line();
    if (before.empty() || best.empty() || before.front() != best.front()) {
        stable_since_ = now;
    }
    const bool first = (!said_ || said_->lines.empty()) && !finding.lines.empty();
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

bool Search::over(Time now) const {
    if (holding_) {
        return false;
    }
    if (choice_.empty()) {
        return true;
    }
    const bool known = !finding_.lines.empty();
    if (stopped_) {
        return known || finding_.finished || !finding_.problem.empty() ||
               between(*stopped_, now) >= last_chance;
    }
    if (finding_.finished || (!known && !finding_.problem.empty())) {
        return true;
    }
    if (allotment_) {
        const milliseconds elapsed = between(clock_start_, now);
        if (choice_.size() == 1 ||
            enough(*allotment_, elapsed, between(clock_start_, stable_since_))) {
            return true;
        }
    }
    if (go_.nodes && known && finding_.nodes >= *go_.nodes) {
        return true;
    }
    if (go_.mate && known) {
        const chess::Score score = finding_.lines.front().score;
        const std::int64_t plies = std::int64_t{2} * *go_.mate - 1;
        return score.kind() == chess::Score::Kind::mate && score.is_win() && score.plies() <= plies;
    }
    return false;
}

Search::Time Search::next_look() const {
    Time next = said_at_ + (held_back_ ? info_least : info_most);
    if (stopped_) {
        next = std::min(next, *stopped_ + last_chance);
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

std::vector<std::string> Search::last_words(std::optional<chess::Move> fallback, Time now) {
    std::vector<std::string> lines;
    std::vector<chess::Move> best = best_line();
    if (choice_.empty()) {
        const bool mated = game_.position.in_check();
        lines.emplace_back(mated ? "info depth 0 score mate 0" : "info depth 0 score cp 0");
    } else if (best.empty()) {
        const bool allowed = fallback && std::ranges::find(choice_, *fallback) != choice_.end();
        best = {allowed ? *fallback : choice_.front()};
    } else {
        const Report next = report(now);
        if (!said_ || next.lines != said_->lines || next.depth != said_->depth) {
            lines = say(now);
        }
    }
    lines.push_back(bestmove_line(game_.position, best, castling_));
    return lines;
}

std::vector<chess::Move> Search::best_line() const {
    return finding_.lines.empty() ? std::vector<chess::Move>{} : finding_.lines.front().pv;
}

Report Search::report(Time now) const {
    Report report;
    report.depth = finding_.settled;
    report.nodes = finding_.nodes;
    report.time = between(start_, now);
    const std::size_t count = std::min(lines_, finding_.lines.size());
    report.lines.assign(finding_.lines.begin(),
                        finding_.lines.begin() + static_cast<std::ptrdiff_t>(count));
    return report;
}

std::vector<std::string> Search::say(Time now) {
    said_ = report(now);
    said_at_ = now;
    held_back_ = false;
    return info_lines(*said_, game_.position, castling_);
}

} // namespace adjourn::server::uci
