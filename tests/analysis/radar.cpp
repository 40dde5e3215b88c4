// Places worth a look: answers that changed by what is below them, and leaves that would join what
// is known.
#include "facts.hpp"

#include "analysis/radar.hpp"
#include "chess/notation.hpp"
#include "test.hpp"

using analysis::Graph;
using analysis::NodeId;
using analysis::Rejoin;
using analysis::RejoinLimits;
using analysis::RejoinSearch;
using chess::Position;
using chess::Score;
using facts::fact;

namespace {

struct RadarTree {
    Graph graph;
    NodeId root;
    std::int64_t next = 1;

    RadarTree() : root{graph.intern(Position::initial())} { graph.add_root(root); }
    // At the moment that its number is.
    void say(const char* line, const char* move, int cp) {
        const Position position = facts::after(line);
        graph.apply(fact(next++, position, facts::move(position, move), Score::cp(cp)));
    }
    std::optional<analysis::Refutation> refuted(const char* before, const char* now,
                                                analysis::UnixMs moment) {
        const Position start = Position::initial();
        return analysis::refutation(graph, root, facts::move(start, before),
                                    facts::move(start, now), moment);
    }
};

std::vector<Rejoin> all_rejoins(const Graph& graph, NodeId root, const RejoinLimits& limits) {
    RejoinSearch search{graph, root, limits};
    while (search.go_on()) {
    }
    return search.found();
}

std::string rejoin_text(const Rejoin& found) {
    std::vector<chess::Move> line = found.line;
    line.push_back(found.reply);
    return chess::to_san_line(Position::initial(), line);
}

RejoinLimits every_rejoin() {
    return {.since = -1, .margin = 100'000, .gap = -100'000, .positions = 100'000, .most = 100'000};
}

} // namespace

TEST_CASE("radar: an answer that changed by what lies below, with little behind it") {
    RadarTree tree;
    tree.say("", "e4", 40); // 1
    tree.say("", "d4", 30); // 2
    tree.say("1. e4", "e5", -38);
    tree.say("1. e4 e5", "Nf3", 37);
    tree.say("1. e4 e5 2. Nf3", "Nc6", -36);
    tree.say("1. e4 e5 2. Nf3 Nc6", "Bb5", 35);
    const analysis::UnixMs moment = tree.next - 1;
    tree.say("1. e4 e5 2. Nf3 Nc6 3. Bb5", "a6", 60); // now d4 is better
    const auto found = tree.refuted("e4", "d4", moment);
    REQUIRE(found);
    CHECK(found->behind_before == 5);
    CHECK(found->behind_now == 0);
    CHECK_FALSE(tree.refuted("e4", "e4", moment));
    CHECK_FALSE(tree.refuted("e4", "c4", moment)); // no move of the root
    CHECK_FALSE(tree.refuted("d4", "e4", moment)); // that has more behind it
    CHECK_FALSE(tree.refuted("e4", "d4", 1));      // d4 was searched after that
    tree.say("1. d4", "d5", -28);
    const auto less = tree.refuted("e4", "d4", moment);
    REQUIRE(less); // 1 of 5 is less than a quarter
    CHECK(less->behind_now == 1);
    tree.say("1. d4 d5", "c4", 27);
    CHECK_FALSE(tree.refuted("e4", "d4", moment));
}

TEST_CASE("radar: a new evaluation of the former answer itself is no refutation") {
    RadarTree tree;
    tree.say("", "e4", 40);
    tree.say("", "d4", 30);
    tree.say("1. e4", "e5", -38);
    CHECK(tree.refuted("e4", "d4", 2));
    const Position start = Position::initial();
    tree.graph.apply(fact(tree.next++, start, facts::move(start, "e4"), Score::cp(-20), 12));
    CHECK_FALSE(tree.refuted("e4", "d4", 2));
    CHECK(tree.refuted("e4", "d4", 4));
}

TEST_CASE("radar: a leaf from which a reply leads to what is known, where that is worse") {
    RadarTree tree;
    tree.say("", "e4", 40);
    tree.say("", "d4", 35);
    tree.say("1. e4", "e6", -38); // a leaf: 2. d4 leads to what 1. d4 e6 2. e4 is
    tree.say("1. d4", "e6", -30);
    tree.say("1. d4 e6", "e4", 60);
    tree.say("1. d4 e6 2. e4", "d5", -62);
    const auto found = all_rejoins(tree.graph, tree.root, {});
    REQUIRE(found.size() == 1);
    CHECK(rejoin_text(found[0]) == "1. e4 e6 2. d4");
    CHECK(found[0].engine == Score::cp(-38));
    CHECK(found[0].known == Score::cp(-62));
    CHECK(found[0].gap == 24);
    CHECK(found[0].at == 6);
    CHECK(all_rejoins(tree.graph, tree.root, {.since = 6}).empty());
    CHECK(all_rejoins(tree.graph, tree.root, {.since = 5}).size() == 1);
    CHECK(all_rejoins(tree.graph, tree.root, {.gap = 200}).empty());
    CHECK(all_rejoins(tree.graph, tree.root, {.most = 0}).empty());
    // Searched, it is no leaf any more.
    tree.say("1. e4 e6", "d4", 61);
    CHECK(all_rejoins(tree.graph, tree.root, {}).empty());
}

TEST_CASE("radar: to come back to a position of the way is no rejoin") {
    RadarTree tree;
    tree.say("", "Nf3", 20);
    tree.say("1. Nf3", "Nf6", -20);
    tree.say("1. Nf3 Nf6", "Ng1", 0); // a leaf; 2...Ng8 is the start position
    CHECK(all_rejoins(tree.graph, tree.root, every_rejoin()).empty());
}

TEST_CASE("radar: leaves one move away from the tree, against all moves of all leaves") {
    model::Random random{31};
    std::size_t seen = 0;
    for (int round = 0; round < 200; ++round) {
        // Pawn moves of four files: many orders of the same moves, and no way back.
        const auto allowed = [](const Position& from, chess::Move move) {
            const std::string uci = chess::to_uci(from, move);
            return uci[0] < 'e' && uci[0] == uci[2] && from.after(move).packed() != from.packed() &&
                   (uci[1] == '2' || uci[1] == '7');
        };
        const auto all = facts::random_facts(random, Position::initial(), 120, allowed);
        const Graph graph = facts::build(all, Position::initial());
        const NodeId root = *graph.find(Position::initial().packed());
        // By target of the leaf: the replies that lead to what is known.
        std::map<NodeId, std::set<std::uint16_t>> wanted;
        std::set<NodeId> met{root};
        std::vector<NodeId> open{root};
        while (!open.empty()) {
            const NodeId node = open.back();
            open.pop_back();
            for (const analysis::GraphMove& move : graph.moves(node)) {
                if (graph.expanded(move.target)) {
                    if (met.insert(move.target).second) {
                        open.push_back(move.target);
                    }
                    continue;
                }
                const Position leaf = graph.position(move.target);
                for (const chess::Move reply : leaf.legal_moves()) {
                    const auto known = graph.find(leaf.after(reply).packed());
                    if (known && graph.expanded(*known)) {
                        wanted[move.target].insert(reply.raw());
                    }
                }
            }
        }
        const auto found = all_rejoins(graph, root, every_rejoin());
        CHECK(found.size() == wanted.size());
        int before = 1'000'000;
        for (const Rejoin& one : found) {
            Position leaf = Position::initial();
            for (const chess::Move move : one.line) {
                leaf.play(move);
            }
            const NodeId target = *graph.find(leaf.packed());
            REQUIRE(wanted.contains(target));
            CHECK(wanted[target].contains(one.reply.raw()));
            const auto value = [&](chess::Move reply) {
                return *graph.game_value(*graph.find(leaf.after(reply).packed()));
            };
            CHECK(one.known == value(one.reply));
            for (const std::uint16_t raw : wanted[target]) {
                CHECK(std::max(-1000, value(chess::Move::from_raw(raw)).rank()) >=
                      std::max(-1000, std::min(1000, one.known.rank())));
            }
            CHECK(one.gap <= before);
            before = one.gap;
        }
        seen += found.size();
        // The first ones are those that say most.
        RejoinLimits few = every_rejoin();
        few.most = 2;
        const auto first = all_rejoins(graph, root, few);
        REQUIRE(first.size() == std::min<std::size_t>(2, found.size()));
        for (std::size_t i = 0; i < first.size(); ++i) {
            CHECK(first[i].gap == found[i].gap);
        }
    }
    CHECK(seen > 200);
}
