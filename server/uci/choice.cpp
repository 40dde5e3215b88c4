#include "uci/choice.hpp"

#include "analysis/records.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server::uci {

namespace {

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
