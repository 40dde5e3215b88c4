#include "samples.hpp"

#include "chess/notation.hpp"

#include <algorithm>
#include <future>
#include <random>
#include <stdexcept>

namespace adjourn::storage::test {

namespace {

using chess::Move;
using chess::Position;
using chess::Score;

Score sample_score(std::mt19937_64& random) {
    switch (random() % 8) {
    case 0: return Score::mate_in(static_cast<int>(1 + random() % 60));
    case 1: return Score::mated_in(static_cast<int>(random() % 60));
    case 2:
        return Score::tablebase(static_cast<chess::Wdl>(static_cast<int>(random() % 5) - 2),
                                static_cast<int>(random() % 100));
    default: return Score::cp(static_cast<int>(random() % 4001) - 2000);
    }
}

template <class Write>
Written wait_for(Write&& write) {
    std::promise<Outcome> promise;
    write([&promise](const Outcome& result) { promise.set_value(result); });
    const auto result = promise.get_future().get();
    if (!result) {
        throw StoreError{result.error().why};
    }
    return *result;
}

} // namespace

EngineRecord sample_engine(int n) {
    return {
        {}, "Sample " + std::to_string(n), "15.1", "Hash=64\nThreads=1", "nn-" + std::to_string(n)};
}

Position sample_position(std::uint64_t n) {
    std::mt19937_64 random{n + 1};
    Position position = Position::initial();
    for (std::uint64_t plies = random() % 120; plies > 0; --plies) {
        const auto moves = position.legal_moves();
        if (moves.empty()) {
            position = Position::initial();
            continue;
        }
        position.play(moves[random() % moves.size()]);
    }
    return position.has_legal_move() ? position : Position::initial();
}

Evaluation sample_fact(EngineId engine, std::uint64_t n) {
    // Seven facts a position, so that positions hold several; the limit makes the question unique.
    Position position = sample_position(n / 7);
    std::mt19937_64 random{n * 0x9e3779b97f4a7c15 + 7};
    Evaluation fact;
    fact.question.position = position.packed();
    fact.question.engine = engine;
    fact.question.limit = {static_cast<analysis::Limit::Kind>(n % 3),
                           1 + n * n % 1'000 + n * 1'000};
    const auto moves = position.legal_moves();
    std::vector<Move> candidates(moves.begin(), moves.end());
    std::ranges::shuffle(candidates, random);
    const std::size_t excluded = random() % std::min<std::size_t>(candidates.size(), 5);
    fact.question.excluded.assign(candidates.begin(),
                                  candidates.begin() + static_cast<std::ptrdiff_t>(excluded));
    std::ranges::sort(fact.question.excluded);
    if (n % 11 != 0) { // some searches find nothing
        fact.move = candidates.back();
        Move move = *fact.move;
        for (std::uint64_t plies = n % 5 == 0 ? 0 : random() % 30; plies > 0; --plies) {
            fact.pv.push_back(move);
            position.play(move);
            const auto next = position.legal_moves();
            if (next.empty()) {
                break;
            }
            move = next[random() % next.size()];
        }
    }
    if (n % 13 != 0) {
        fact.score = sample_score(random);
    }
    fact.bound = static_cast<analysis::Bound>(n % 17 < 3 ? n % 17 : 0);
    fact.depth = static_cast<int>(random() % 60);
    fact.seldepth = static_cast<int>(random() % 90);
    fact.nodes = random() >> (random() % 64);
    fact.time_ms = static_cast<std::uint32_t>(random() >> (32 + random() % 32));
    fact.at = 1'767'225'600'000 + static_cast<std::int64_t>(n);
    if (fact.score && n % 3 != 0) {
        const int win = static_cast<int>(n % 701), draw = static_cast<int>(n % 299);
        fact.wdl = chess::WinDrawLoss::of(win, draw, 1'000 - win - draw);
    }
    fact.machine = n % 5 == 0 ? "" : n % 5 == 1 ? "kitchen" : "a machine of a longer name";
    return fact;
}

AnalysisRecord sample_analysis(EngineId engine, const std::string& name, double rank) {
    AnalysisRecord a;
    a.name = name;
    a.root_fen = Position::initial().fen();
    a.root_moves = *chess::parse_line(Position::initial(), "e2e4 c7c5");
    a.profile = "stockfish";
    a.engine = engine;
    a.limit = {analysis::Limit::Kind::nodes, 1'000'000};
    a.parameters = R"({"kind":"halving"})";
    a.priority = -3;
    a.rank = rank;
    a.state = AnalysisState::running;
    a.state_reason = "because";
    a.created_at = 1'767'225'600'123;
    return a;
}

Evaluation without_id(Evaluation evaluation) {
    evaluation.id = {};
    return evaluation;
}

Written append_and_wait(Store& store, const Evaluation& evaluation) {
    return wait_for([&](Done done) { store.append(evaluation, std::move(done)); });
}

Written insert_and_wait(Store& store, const AnalysisRecord& analysis) {
    return wait_for([&](Done done) { store.insert(analysis, std::move(done)); });
}

std::unique_ptr<Store> open_owner(const std::filesystem::path& directory) {
    return open_store(directory, OpenMode::owner);
}

std::vector<Evaluation> all_facts(const Store& store, EngineId engine) {
    std::vector<Evaluation> facts;
    store.for_each_evaluation(engine, [&](const Evaluation& fact) { facts.push_back(fact); });
    return facts;
}

} // namespace adjourn::storage::test
