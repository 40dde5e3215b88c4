// What changed since a moment, against two trees that are each made from their facts, one by one.
#include "temporary_directory.hpp"

#include "analysis/graph.hpp"
#include "analysis/records.hpp"
#include "api/views/view.hpp"
#include "chess/notation.hpp"
#include "storage/open.hpp"
#include "test.hpp"

using namespace adjourn::server;
using analysis::Evaluation;
using analysis::Graph;
using analysis::NodeId;
using chess::Move;
using chess::Position;
using chess::Score;
using nlohmann::json;
using Random = std::mt19937_64;

namespace {

std::size_t below(Random& random, std::size_t bound) {
    return static_cast<std::size_t>(random() % bound);
}

constexpr analysis::UnixMs second = 1'000; // a graph tells moments apart by some

// Answers about positions that a few moves lead to, of depth 7 to 9, at moments from 1 to 100
// seconds.
std::vector<Evaluation> random_facts(Random& random, analysis::EngineId engine,
                                     const Position& root, std::size_t count) {
    std::vector<Position> positions{root};
    std::vector<Evaluation> made;
    std::set<std::tuple<chess::PackedPosition, std::uint64_t, std::vector<Move>>> asked;
    for (std::size_t i = 0; i < 10 * count && made.size() < count; ++i) {
        const Position from = positions[below(random, positions.size())];
        const chess::MoveList legal = from.legal_moves();
        if (legal.size() == 0) {
            continue;
        }
        const auto some = [&] {
            return legal[below(random, std::min<std::size_t>(legal.size(), 4))];
        };
        Evaluation fact;
        fact.move = some();
        if (const Move other = some(); other != fact.move && below(random, 2) == 0) {
            fact.question.excluded = {other};
        }
        fact.question.position = from.packed();
        fact.question.engine = engine;
        fact.question.limit = {analysis::Limit::Kind::depth, 7 + below(random, 3)};
        fact.score = Score::cp(static_cast<int>(below(random, 13)) * 10 - 60);
        fact.pv = {*fact.move};
        fact.at = second * (1 + static_cast<analysis::UnixMs>(below(random, 100)));
        if (asked.emplace(from.packed(), fact.question.limit.amount, fact.question.excluded)
                .second) {
            made.push_back(fact);
            positions.push_back(from.after(*fact.move));
        }
    }
    // As they would have come: those of one position in the order of time.
    std::ranges::stable_sort(made, {}, &Evaluation::at);
    return made;
}

// The tree at a moment.
struct Then {
    Graph graph;
    NodeId root{};
    std::vector<NodeId> line;
    analysis::LineValues values() const { return {graph, line}; }
};

Then tree(const std::vector<Evaluation>& facts, const Position& root,
          const std::vector<Position>& repeated, analysis::UnixMs until,
          const analysis::Basis& basis) {
    Then then{Graph{nullptr, basis}, {}, {}};
    then.root = then.graph.intern(root);
    then.graph.add_root(then.root);
    for (const Evaluation& fact : facts) {
        if (fact.at <= until) {
            then.graph.apply(fact);
        }
    }
    for (const Position& position : repeated) {
        if (const auto node = then.graph.find(position.packed())) {
            then.line.push_back(*node);
        }
    }
    then.line.push_back(then.root);
    return then;
}

std::vector<Move> by_value(const Graph& graph, NodeId node) {
    std::vector<std::pair<analysis::MoveOrder, Move>> order;
    const auto moves = graph.moves(node);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        order.emplace_back(analysis::move_order(graph, moves[i], graph.game_value_of(node, i)),
                           moves[i].move);
    }
    std::ranges::sort(order);
    std::vector<Move> result;
    for (const auto& [key, move] : order) {
        result.push_back(move);
    }
    return result;
}

std::size_t index_of(const Graph& graph, NodeId node, Move move) {
    const auto moves = graph.moves(node);
    return static_cast<std::size_t>(std::ranges::find(moves, move, &analysis::GraphMove::move) -
                                    moves.begin());
}

json expected(const std::vector<Evaluation>& facts, const Position& root,
              const std::vector<Position>& repeated, const analysis::Basis& basis,
              analysis::UnixMs since, analysis::UnixMs now) {
    const Then before = tree(facts, root, repeated, since, basis);
    const Then after = tree(facts, root, repeated, now, basis);
    json result;
    const auto pv = [&](const Then& then) {
        json out = json::array();
        Position position = root;
        for (const Move move : analysis::alpha_pv(then.graph, then.line)) {
            out.push_back(chess::to_san(position, move));
            position.play(move);
        }
        return out;
    };
    result["pv"] = {{"before", pv(before)}, {"after", pv(after)}};
    result["alpha"] = {{"before", score_json(before.values().alpha(), root.turn())},
                       {"after", score_json(after.values().alpha(), root.turn())}};
    result["moves"] = json::object();
    for (const Move move : by_value(after.graph, after.root)) {
        const std::size_t now_at = index_of(after.graph, after.root, move);
        const std::size_t then_at = index_of(before.graph, before.root, move);
        const json is = score_json(after.values().alpha_of(now_at).value, root.turn());
        json was = nullptr;
        if (then_at < before.graph.moves(before.root).size()) {
            was = score_json(before.values().alpha_of(then_at).value, root.turn());
        }
        if (is != was) {
            result["moves"][chess::to_san(root, move)] = {was, is};
        }
    }
    // Positions of the tree as it is now, each by the first line that leads there.
    std::vector<std::pair<Position, std::vector<Move>>> open{{root, {}}};
    std::set<chess::PackedPosition> met{root.packed()};
    result["swings"] = result["new_lines"] = json::array();
    result["new_best"] = json::array();
    for (std::size_t at = 0; at < open.size(); ++at) {
        const auto [position, line] = open[at];
        const NodeId node = after.graph.find(position.packed()).value();
        const auto then = before.graph.find(position.packed());
        const bool known = then && before.graph.expanded(*then);
        const std::vector<Move> moves = by_value(after.graph, node);
        if (known) {
            const Move old = by_value(before.graph, *then).front();
            const auto worth = [&](Move move) {
                return after.graph.game_value_of(node, index_of(after.graph, node, move));
            };
            if (worth(old) < worth(moves.front())) {
                result["new_best"].push_back({{"line", line_json(root, line)},
                                              {"before", move_json(position, old)},
                                              {"after", move_json(position, moves.front())}});
            }
        }
        for (const Move move : moves) {
            const Position target = position.after(move);
            const NodeId there = after.graph.find(target.packed()).value();
            if (!after.graph.expanded(there) || !met.insert(target.packed()).second) {
                continue;
            }
            std::vector<Move> longer = line;
            longer.push_back(move);
            const auto white = [&](Score score) {
                return target.turn() == chess::Color::white ? score : -score;
            };
            const Score is = white(after.graph.game_value(there).value());
            const auto old = before.graph.find(target.packed());
            const auto was = old ? before.graph.game_value(*old) : std::nullopt;
            if (was && white(*was) != is) {
                result["swings"].push_back({{"line", line_json(root, longer)},
                                            {"before", score_json(white(*was))},
                                            {"after", score_json(is)},
                                            {"delta", chart_value(is) - chart_value(white(*was))}});
            } else if (!was && (known || line.empty())) {
                result["new_lines"].push_back(
                    {{"line", line_json(root, longer)}, {"alpha", score_json(is)}});
            }
            open.emplace_back(target, std::move(longer));
        }
    }
    result["evaluations"] = std::ranges::count_if(facts, [&](const Evaluation& fact) {
        return fact.at > since && analysis::large_enough(basis, fact) &&
               met.contains(fact.question.position);
    });
    // The largest swings, whatever their kind of score: here all are centipawns.
    std::ranges::stable_sort(result["swings"].get_ref<json::array_t&>(), std::greater{},
                             [](const json& swing) { return std::abs(swing["delta"].get<int>()); });
    for (const char* list : {"swings", "new_lines", "new_best"}) {
        auto& entries = result[list].get_ref<json::array_t&>();
        entries.resize(std::min<std::size_t>(entries.size(), 20));
    }
    return result;
}

} // namespace

TEST_CASE("changes are the differences of two trees made from their facts") {
    constexpr std::uint64_t seed = 20'261'123;
    std::cout << "changes: seed " << seed << '\n';
    Random random{seed};
    for (int round = 0; round < 24; ++round) {
        INFO("round " << round);
        TemporaryDirectory directory;
        const auto store = storage::open_store(directory.path(), storage::OpenMode::owner);
        storage::EngineRecord engine;
        engine.name = "Some 1.0";
        storage::AnalysisRecord record;
        record.engine = store->engine(engine);
        record.limit = {analysis::Limit::Kind::depth, round % 2 == 0 ? 7u : 9u};
        // In every third round the game before the root has been at some positions twice.
        const bool repeated = round % 3 == 2;
        record.root_fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        Position root = Position::from_fen(record.root_fen).value();
        if (repeated) {
            record.root_moves =
                chess::parse_line(root, "1. Ra2 Kd8 2. Ra1 Ke8 3. Ra2 Kd8 4. Ra1 Ke8").value();
        }
        for (const Move move : record.root_moves) {
            root.play(move);
        }
        const std::vector<Evaluation> facts =
            random_facts(random, record.engine, root, 20 + below(random, 200));
        for (const Evaluation& fact : facts) {
            store->append(fact, [](const auto&) {});
        }
        store->flush();
        std::vector<Evaluation> stored;
        store->for_each_evaluation(record.engine,
                                   [&](const Evaluation& fact) { stored.push_back(fact); });
        REQUIRE(stored.size() == facts.size());
        std::ranges::shuffle(stored, random);
        std::vector<Directive> said;
        for (int i = 0; i < 4 && round % 2 == 0; ++i) {
            const Evaluation& one = stored[below(random, stored.size())];
            said.push_back({0, one.question.position, {}, Exclude{*one.move}, 0});
        }
        const analysis::Basis basis = basis_of(record.limit, said);
        const Position start = Position::from_fen(record.root_fen).value();
        const std::vector<Position> before = analysis::repeated_before(start, record.root_moves);
        CHECK(before.empty() == !repeated);
        const analysis::UnixMs now = 100 * second;
        const GraphKey key{record.engine, {}, basis};
        const Graph graph = read_graph(*store, key, root, nullptr);
        for (const int moment : {0, 10, 50, 90, 97, 99, 100}) {
            INFO("since " << moment);
            const analysis::UnixMs since = moment * second;
            const json found =
                changes_json(*store, key, graph, GraphReading{nullptr}, root, before, since, now);
            json wanted = expected(stored, root, before, basis, since, now);
            CHECK(found["evaluations"] == wanted["evaluations"]);
            CHECK(found["alpha"] == wanted["alpha"]);
            CHECK(found["pv"] == wanted["pv"]);
            CHECK(found["new_best"] == wanted["new_best"]);
            CHECK(found["swings"] == wanted["swings"]);
            CHECK(found["new_lines"] == wanted["new_lines"]);
            json moves = json::object();
            for (const json& move : found["moves"]) {
                moves[move["san"].get<std::string>()] = {move["before"], move["after"]};
            }
            CHECK(moves == wanted["moves"]);
        }
    }
}
