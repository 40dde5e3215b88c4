#include "bench/made_up.hpp"

#include "chess/notation.hpp"

#include <algorithm>
#include <sstream>

namespace adjourn::bench {

using analysis::Evaluation;
using chess::Move;
using chess::Position;

FactMaker::FactMaker(analysis::EngineId engine, std::uint64_t seed)
    : engine_{engine}, random_{seed} {
    discover(Position::initial());
}

Evaluation FactMaker::next() {
    while (open_.size() < most_open && !frontier_.empty()) {
        open_.push_back({frontier_.front(), {}, 18});
        frontier_.pop_front();
    }
    const std::size_t at = pick(open_.size());
    Open& open = open_[at];
    Evaluation fact = search(open);
    discover(open.position.after(*fact.move));
    open.tried.insert(std::ranges::lower_bound(open.tried, *fact.move), *fact.move);
    if (open.tried.size() == open.position.legal_moves().size() || chance(0.4)) {
        if (open.depth == 18 && chance(0.05)) {
            later_.push_back({open.position, {}, 20});
        }
        std::swap(open, open_.back());
        open_.pop_back();
    }
    if (!later_.empty() && (open_.empty() || chance(0.02))) {
        const std::size_t which = pick(later_.size());
        std::swap(later_[which], later_.back());
        open_.push_back(std::move(later_.back()));
        later_.pop_back();
    }
    return fact;
}

void FactMaker::discover(const Position& position) {
    if (frontier_.size() < 1'000'000 && position.has_legal_move() &&
        seen_.insert(position.packed()).second) {
        frontier_.push_back(position);
    }
}

Evaluation FactMaker::search(const Open& open) {
    Evaluation fact;
    fact.question = {
        open.position.packed(), engine_, {analysis::Limit::Kind::depth, open.depth}, open.tried};
    const auto length = static_cast<std::size_t>(std::max(1.0, pv_length_(random_)));
    Position position = open.position;
    while (fact.pv.size() < length) {
        const auto moves = position.legal_moves();
        if (moves.empty()) {
            break;
        }
        Move move = moves[pick(moves.size())];
        while (fact.pv.empty() && std::ranges::binary_search(open.tried, move)) {
            move = moves[pick(moves.size())];
        }
        fact.pv.push_back(move);
        position.play(move);
    }
    fact.move = fact.pv.front();
    fact.score = chance(0.02) ? chess::Score::mate_in(1 + 2 * static_cast<int>(pick(15)))
                              : chess::Score::cp(static_cast<int>(score_(random_)));
    fact.depth = static_cast<int>(open.depth);
    fact.seldepth = fact.depth + static_cast<int>(pick(12));
    fact.nodes = static_cast<std::uint64_t>(nodes_(random_));
    fact.time_ms = static_cast<std::uint32_t>(fact.nodes / 900);
    fact.at = now_ += static_cast<std::int64_t>(pick(100));
    return fact;
}

std::string made_up_games(std::uint64_t count, std::uint64_t seed, int plies, bool evaluated) {
    std::mt19937_64 random{seed};
    std::ostringstream out;
    for (std::uint64_t game = 0; game < count; ++game) {
        out << "[Event \"made up\"]\n[Round \"" << game + 1
            << "\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n";
        Position position = Position::initial();
        for (int ply = 0; ply < plies && position.has_legal_move(); ++ply) {
            const auto moves = position.legal_moves();
            const Move move = moves[random() % moves.size()];
            if (ply % 2 == 0 || evaluated) {
                out << ply / 2 + 1 << (ply % 2 == 0 ? ". " : "... ");
            }
            out << chess::to_san(position, move) << (ply % 12 == 11 ? '\n' : ' ');
            if (evaluated) {
                out << "{ [%eval " << static_cast<int>(random() % 400) / 100.0 << "] } ";
            }
            position.play(move);
        }
        out << "*\n\n";
    }
    return out.str();
}

void insert_paused_analysis(storage::Store& store) {
    storage::AnalysisRecord record;
    record.name = "bench";
    record.root_fen = Position::initial().fen();
    record.profile = "bench";
    record.engine = store.engines().front().id;
    record.limit = {analysis::Limit::Kind::depth, 18};
    record.parameters = R"({"strategy":{"kind":"halving","move_distance":30,"refine":4}})";
    record.state = storage::AnalysisState::paused;
    record.created_at = 1;
    store.insert(record, {});
    store.flush();
}

server::Config config_without_engine() {
    server::Config config;
    config.listen_address = "127.0.0.1";
    config.listen_port = 0;
    engine_bridge::Profile profile;
    profile.name = "bench";
    profile.command = {"/bin/false"};
    profile.count = 1;
    config.engines = {profile};
    return config;
}

} // namespace adjourn::bench
