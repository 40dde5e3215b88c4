#include "facts.hpp"

#include "chess/notation.hpp"

#include <utility>

namespace facts {

namespace analysis = adjourn::analysis;
namespace chess = adjourn::chess;

Position position(std::string_view fen) {
    return Position::from_fen(fen).value();
}

Position after(std::string_view line) {
    Position result = Position::initial();
    const std::vector<Move> moves = chess::parse_line(result, line).value();
    for (const Move move : moves) {
        result.play(move);
    }
    return result;
}

Move move(const Position& position, std::string_view text) {
    return chess::parse_san(position, text).value();
}

std::vector<Move> moves(const Position& position, const std::vector<const char*>& texts) {
    std::vector<Move> result;
    for (const char* text : texts) {
        result.push_back(move(position, text));
    }
    std::sort(result.begin(), result.end());
    return result;
}

Evaluation fact(std::int64_t id, const Position& position, Move move, Score score,
                std::uint64_t depth, std::vector<Move> excluded) {
    Evaluation result;
    result.id = analysis::EvaluationId{id};
    result.question = {position.packed(),
                       analysis::EngineId{1},
                       {analysis::Limit::Kind::depth, depth},
                       std::move(excluded)};
    result.move = move;
    result.score = score;
    result.depth = static_cast<int>(depth);
    result.pv = {move};
    result.at = id;
    return result;
}

std::size_t index_of(const Graph& graph, NodeId node, Move move) {
    const auto moves = graph.moves(node);
    return static_cast<std::size_t>(
        std::find_if(moves.begin(), moves.end(), [&](const auto& m) { return m.move == move; }) -
        moves.begin());
}

void shuffle(model::Random& random, std::vector<Evaluation>& facts) {
    for (std::size_t i = facts.size(); i > 1; --i) {
        std::swap(facts[i - 1], facts[model::below(random, i)]);
    }
}

Graph build(const std::vector<Evaluation>& facts, const Position& root,
            const analysis::Basis& basis, std::shared_ptr<const analysis::Tables> tables) {
    Graph graph{std::move(tables), basis};
    graph.add_root(graph.intern(root));
    for (const Evaluation& fact : facts) {
        graph.apply(fact);
    }
    return graph;
}

} // namespace facts
