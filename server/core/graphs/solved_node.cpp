#include "core/graphs/solved_node.hpp"

#include <algorithm>

namespace adjourn::server {

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
