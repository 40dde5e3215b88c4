// Laws of growth: the unit of scores has no say, nor has the colour of the side to move, and a tree
// without windows finds what a full search finds.
#include "world.hpp"

using analysis::NodeId;
using analysis::testing::World;

namespace {

using AskedLines = std::vector<std::string>;

// "position | excluded moves" of each question, sorted within each round of answers.
struct Grown {
    AskedLines questions;
    std::size_t positions = 0;

    friend bool operator==(const Grown&, const Grown&) = default;
};

chess::Position mirrored(const chess::Position& position) {
    std::istringstream in{position.fen()};
    std::string board, turn, castling, en_passant, clocks;
    in >> board >> turn >> castling >> en_passant;
    std::getline(in, clocks);
    const auto other_case = [](std::string text) {
        for (char& c : text) {
            const auto u = static_cast<unsigned char>(c);
            c = static_cast<char>(std::isupper(u) != 0 ? std::tolower(u) : std::toupper(u));
        }
        return text;
    };
    std::string rows;
    std::istringstream ranks{board};
    for (std::string row; std::getline(ranks, row, '/');) {
        rows = other_case(row) + (rows.empty() ? "" : "/") + rows;
    }
    castling = other_case(castling);
    std::sort(castling.begin(), castling.end());
    if (en_passant != "-") {
        en_passant[1] = en_passant[1] == '3' ? '6' : '3';
    }
    return *chess::Position::from_fen(rows + (turn == "w" ? " b " : " w ") + castling + " " +
                                      en_passant + clocks);
}

chess::Move mirrored(chess::Move move) {
    constexpr int from_rank = 0x38; // of each square's six bits
    return chess::Move::from_raw(
        static_cast<std::uint16_t>(move.raw() ^ from_rank ^ (from_rank << 6)));
}

// An engine whose scores are no round numbers, so that no two moves are alike, in units of which
// `unit` make a centipawn's sixteenth. It can look at the board from the other side.
struct FineEngine {
    hash_engine::Evaluation oracle{7};
    int unit = 1;
    bool flip = false;

    analysis::Evaluation answer(World& world, const analysis::PlannedQuestion& question) const {
        const chess::Position shown = world.graph.position(question.node);
        const chess::Position position = flip ? mirrored(shown) : shown;
        std::optional<chess::Move> best;
        int most = 0;
        for (const chess::Move move : position.legal_moves()) {
            const chess::Move named = flip ? mirrored(move) : move;
            if (std::find(question.excluded.begin(), question.excluded.end(), named) !=
                question.excluded.end()) {
                continue;
            }
            const int said = score(position, move);
            if (!best || said > most) {
                best = named;
                most = said;
            }
        }
        REQUIRE(best);
        return facts::fact(world.next_id++, shown, *best, chess::Score::cp(most * unit),
                           question.limit.amount, question.excluded);
    }

    int score(const chess::Position& position, chess::Move move) const {
        const std::uint64_t hash = hash_engine::mix(chess::PackedPositionHash{}(position.packed()),
                                                    std::uint64_t{move.raw()});
        const int said = oracle.search(position, {move}, 8, 12).front().score.rank();
        return std::clamp(said, -400, 400) * 16 + static_cast<int>(hash % 16);
    }
};

Grown grown_by(const std::string& kind, int unit, bool flip) {
    World world;
    world.parameters = analysis::default_parameters(kind);
    analysis::StrategyParameters& parameters = world.parameters;
    parameters.move_distance = 16 * 16 * unit;
    parameters.floor = 4 * 16 * unit;
    analysis::testing::make_dearer(parameters, 3, 16 * unit);
    world.root = *chess::Position::from_fen(
        "r3k2r/pppq1ppp/2np1n2/4p3/4P3/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 0 1");
    if (flip) {
        world.root = mirrored(world.root);
    }
    const FineEngine engine{hash_engine::Evaluation{7}, unit, flip};
    Grown result;
    for (int level = 1; level <= (analysis::strategy_of(kind).windowed() ? 3 : 2); ++level) {
        for (auto now = world.plan(level); !now.settled(); now = world.plan(level)) {
            AskedLines round;
            for (const analysis::PlannedQuestion& question : now.questions) {
                const chess::Position position = world.graph.position(question.node);
                std::string text = (flip ? mirrored(position) : position).engine_fen() + " |";
                std::vector<chess::Move> excluded = question.excluded;
                if (flip) {
                    std::transform(excluded.begin(), excluded.end(), excluded.begin(),
                                   [](chess::Move move) { return mirrored(move); });
                    std::sort(excluded.begin(), excluded.end());
                }
                for (const chess::Move move : excluded) {
                    text += ' ' + std::to_string(move.raw());
                }
                round.push_back(std::move(text));
                world.graph.apply(engine.answer(world, question));
            }
            std::sort(round.begin(), round.end());
            result.questions.insert(result.questions.end(), round.begin(), round.end());
            REQUIRE(result.questions.size() < 20'000);
        }
    }
    result.positions = world.expanded();
    return result;
}

// Full width to `plies`, where a move is worth what the engine says of it.
int full_search(const World& world, const chess::Position& position, int plies) {
    if (position.terminal() != chess::Terminal::no) {
        return position.terminal() == chess::Terminal::checkmate ? -1'000'000 : 0;
    }
    int best = -1'000'000;
    for (const chess::Move move : position.legal_moves()) {
        const chess::Position next = position.after(move);
        const bool leaf = plies == 1 || next.terminal() != chess::Terminal::no;
        best = std::max(best, leaf ? world.opinion(position, move).rank()
                                   : -full_search(world, next, plies - 1));
    }
    return best;
}

} // namespace

TEST_CASE(
    "laws: neither the unit of scores and parameters nor the colours have a say in what is asked") {
    for (const std::string& kind : analysis::strategy_names()) {
        INFO(kind);
        const Grown plain = grown_by(kind, 1, false);
        CHECK(plain.questions.size() > 20);
        if (analysis::testing::compares(kind)) { // else 10 pawns are a factor
            CHECK(grown_by(kind, 3, false) == plain);
        }
        CHECK(grown_by(kind, 1, true) == plain); // mirrored questions
    }
}

TEST_CASE("laws: without windows a settled level is a full search to its ply") {
    for (const char* fen : {"4k3/5p2/8/8/8/8/2P5/4K3 w - - 0 1", "8/8/4k3/3p4/8/3PK3/8/8 b - - 0 1",
                            "8/5k2/8/4p3/3P4/8/1K6/8 w - - 0 1"}) {
        for (const std::string kind : {"halving", "uniform"}) {
            INFO(kind << " " << fen);
            World world;
            world.parameters = analysis::default_parameters(kind);
            world.parameters.move_distance = 10'000'000;
            world.parameters.floor = 10'000'000;
            world.root = *chess::Position::from_fen(fen);
            for (int level = 1; level <= 3; ++level) {
                world.grow(level);
                CHECK(world.graph.game_value(world.root_node())->rank() ==
                      full_search(world, world.root, level));
            }
        }
    }
}
