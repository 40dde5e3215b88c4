#include "search/search.hpp"

#include "search/interest.hpp"
#include "search/table.hpp"
#include "search/tree.hpp"

#include <algorithm>

namespace adjourn::search {

using chess::Bound;

namespace {

constexpr int most_iterations = 250;

// Whether no further iteration can tell more.
template <class Game>
bool is_settled(const Query& query, const Result& result, int iteration) {
    const Value value = result.lines.front().value;
    if (query.lines > 1 || !is_mate(value)) {
        return false;
    }
    // Full width has seen all lines of that length; a selection may have missed a defence.
    return std::is_same_v<Game, FullWidth> ? mate_value - std::abs(value) <= iteration
                                           : value > won;
}

// Those that an iteration left unfinished, in their order, behind those that it found.
void append_missing(const std::vector<Line>& before, std::vector<Line>& found) {
    const std::size_t most = std::max(before.size(), found.size());
    for (const Line& line : before) {
        const bool there = std::any_of(found.begin(), found.end(), [&](const Line& other) {
            return other.moves.front() == line.moves.front();
        });
        if (!there && found.size() < most) {
            found.push_back(line);
        }
    }
}

// The lines of one iteration, best first. False if the limits ended it; then `lines` has what it
// found by then, if anything, before what is left of the iteration before.
template <class Game>
bool iterate(Game& game, const Hooks& hooks, int iteration, int lines, std::vector<Line>& found) {
    const std::vector<Line> before = std::move(found);
    found.clear();
    const auto rest = game.rest_of_iteration(iteration);
    game.open_all();
    for (int rank = 0; rank < lines && !game.stopped(); ++rank) {
        const auto index = static_cast<std::size_t>(rank);
        game.begin_line(index < before.size() ? std::optional{before[index].moves.front()}
                                              : std::nullopt);
        negamax(game, -infinite, infinite, rest, 0);
        Line line = game.best();
        if (line.moves.empty()) {
            break;
        }
        line.bound = game.stopped() ? Bound::lower : Bound::exact;
        line.iteration = iteration;
        game.close(line.moves.front());
        game.lengthen(line, static_cast<std::size_t>(iteration));
        found.push_back(std::move(line));
        // A line that turned out better than those before it.
        std::stable_sort(found.begin(), found.end(),
                         [](const Line& a, const Line& b) { return a.value > b.value; });
    }
    if (game.stopped()) {
        append_missing(before, found);
    }
    if (hooks.inform && !found.empty()) {
        hooks.inform({iteration, game.longest(), game.nodes(), game.elapsed(), found});
    }
    return !game.stopped();
}

template <class Game>
Result deepen(Game& game, const Query& query, const Hooks& hooks) {
    Result result;
    const chess::MoveList moves = query.root.legal_moves();
    const auto open = std::count_if(moves.begin(), moves.end(),
                                    [&](chess::Move move) { return game.is_open(0, move); });
    const int lines = std::min(query.lines, static_cast<int>(open));
    const int last = std::clamp(query.limits.depth.value_or(most_iterations), 1, most_iterations);
    for (int iteration = 1; lines > 0 && iteration <= last; ++iteration) {
        if (!iterate(game, hooks, iteration, lines, result.lines)) {
            break;
        }
        result.iterations = iteration;
        if (is_settled<Game>(query, result, iteration)) {
            break;
        }
    }
    if (lines > 0 && result.lines.empty()) { // not even a first move was looked at in time
        const auto first = std::find_if(moves.begin(), moves.end(),
                                        [&](chess::Move move) { return game.is_open(0, move); });
        result.lines.push_back({-infinite, Bound::lower, {*first}, 0});
    }
    result.longest = game.longest();
    result.nodes = game.nodes();
    return result;
}

} // namespace

struct Search::State {
    explicit State(const Options& how) : options{how}, table{how.table_bytes} {}

    Options options;
    Table table;
    MoveMemory memory;
};

Search::Search(const Options& options) : state_{std::make_unique<State>(options)} {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

int Search::hashfull() const {
    return state_->table.hashfull();
}

void Search::clear() {
    state_->table.clear();
    state_->memory.clear();
}

Result Search::run(const Query& query, const Hooks& hooks) {
    state_->table.age();
    state_->memory.begin();
    if (state_->options.selection == Selection::interest) {
        InterestTree tree{state_->options, query, hooks, state_->table, state_->memory};
        return deepen(tree, query, hooks);
    }
    FullWidth tree{state_->options, query, hooks, state_->table, state_->memory};
    return deepen(tree, query, hooks);
}

} // namespace adjourn::search
