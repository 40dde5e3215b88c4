#include "core/graphs/line_end.hpp"

#include <algorithm>

namespace adjourn::server {

LineEnd line_end(const RunView& run, const std::vector<chess::Move>& line) {
    LineEnd end{run.root, {}, {}};
    if (run.shown() != nullptr) {
        end.nodes = line_to_root(run);
        end.node = run.root_node;
    }
    for (const chess::Move move : line) {
        step(run, end, move);
    }
    return end;
}

void step(const RunView& run, LineEnd& end, chess::Move move) {
    end.position.play(move);
    end.node =
        run.shown() == nullptr ? std::nullopt : run.shown()->graph().find(end.position.packed());
    if (end.node) {
        end.nodes.push_back(*end.node);
    }
}

namespace {

constexpr int claimed_at = 100; // half-moves
constexpr int drawn_at = 150;

} // namespace

std::optional<int> clock_left(const RunView& run, const chess::Position& position) {
    return run.spec.fifty_moves ? std::optional{std::max(0, claimed_at - position.halfmove_clock())}
                                : std::nullopt;
}

bool drawn_by_clock(const RunView& run, const chess::Position& position) {
    return run.spec.fifty_moves && position.halfmove_clock() >= drawn_at &&
           position.terminal() != chess::Terminal::checkmate;
}

std::string clock_note(const RunView& run, const chess::Position& position,
                       std::span<const chess::Move> value) {
    const auto left = clock_left(run, position);
    if (!left) {
        return "";
    }
    if (drawn_by_clock(run, position)) {
        return "a draw: 75 moves without a capture or a pawn move";
    }
    if (position.terminal() != chess::Terminal::no) {
        return "";
    }
    if (*left == 0) {
        return "a draw can be claimed: 50 moves without a capture or a pawn move";
    }
    chess::Position at = position;
    for (const chess::Move move : value) {
        at.play(move);
        if (at.halfmove_clock() == 0) {
            break;
        }
        if (at.halfmove_clock() >= claimed_at && at.terminal() != chess::Terminal::checkmate) {
            return "in " + std::to_string(*left) +
                   " half-moves a draw can be claimed, within the line behind the value";
        }
    }
    return "";
}

std::optional<chess::Score> solved_value(const RunView& run, const chess::Position& position) {
    const analysis::Tables* tables = run.slot == nullptr ? nullptr : run.slot->graph().tables();
    if (tables == nullptr || position.terminal() != chess::Terminal::no) {
        return std::nullopt;
    }
    return tables->value(position);
}

std::vector<SolvedMove> solved_moves(const RunView& run, const std::vector<chess::Move>& line) {
    std::vector<SolvedMove> solved;
    if (run.slot == nullptr || run.slot->graph().tables() == nullptr) {
        return solved;
    }
    std::vector<chess::Position> before = run.repeated;
    before.push_back(run.root);
    for (const chess::Move move : line) {
        before.push_back(before.back().after(move));
    }
    const chess::Position& here = before.back();
    for (const analysis::TableMove& move : run.slot->graph().tables()->moves(here)) {
        const bool seen =
            std::find(before.begin(), before.end(), here.after(move.move)) != before.end();
        solved.push_back({move, seen});
    }
    std::stable_sort(solved.begin(), solved.end(), [](const SolvedMove& a, const SolvedMove& b) {
        return a.alpha().rank() > b.alpha().rank();
    });
    return solved;
}

void ask_ahead(const analysis::Tables* tables, const analysis::Evaluation& fact) {
    if (tables == nullptr) {
        return;
    }
    const auto position = chess::Position::unpack(fact.question.position);
    if (!position) {
        return;
    }
    const auto ask = [&](const chess::Position& at) {
        if (at.terminal() == chess::Terminal::no) {
            (void)tables->value(at);
        }
    };
    ask(*position);
    if (fact.move && position->is_legal(*fact.move)) {
        ask(position->after(*fact.move));
    }
}

} // namespace adjourn::server
