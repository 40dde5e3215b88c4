// The estimate in the node call: that of the graph, from White's side.
#include "analysis/estimate.hpp"
#include "api_fixture.hpp"

namespace {

void require_same(const json& shown, const std::optional<analysis::Estimate>& made, bool white) {
    REQUIRE(shown.is_object() == made.has_value());
    if (!made) {
        return;
    }
    const int sign = white ? 1 : -1;
    CHECK(shown["cp"] == std::lround(sign * made->cp));
    CHECK(shown["low"] == std::lround(sign * (white ? made->low : made->high)));
    CHECK(shown["high"] == std::lround(sign * (white ? made->high : made->low)));
    CHECK(shown["low"] < shown["cp"]);
    CHECK(shown["cp"] < shown["high"]);
    CHECK(shown["searches"] == made->searches);
}

} // namespace

TEST_CASE("estimate: shown for the position and each move, from White's side") {
    ApiFixture f;
    for (const bool white : {true, false}) {
        const auto id = f.post(ApiFixture::wanted({{"moves", white ? "1. e4 e5" : "1. e4"}}));
        f.settle(id);
        const json node = f.get(address_of(id, "/node"));
        const AnalysisRun& run = f.core.run(analysis::AnalysisId{id});
        const analysis::Graph& graph = run.slot->graph();
        const analysis::Estimates made =
            analysis::estimates(graph, run.root_node, analysis::error_model(run.slot->noise()));
        require_same(node["estimate"], made.position, white);
        std::size_t more_than_a_word = 0;
        for (const json& move : node["moves"]) {
            const auto moves = graph.moves(run.root_node);
            for (std::size_t i = 0; i < moves.size(); ++i) {
                if (chess::to_uci(run.root, moves[i].move) == move["uci"]) {
                    require_same(move["estimate"], made.moves[i], white);
                    more_than_a_word += made.moves[i] && made.moves[i]->searches > 1 ? 1 : 0;
                }
            }
        }
        CHECK(more_than_a_word >= 2);
    }
    // Nothing is known of a position that nobody searched.
    const json beyond = f.get("/analyses/1/node?moves=a2a3,a7a6,a3a4,a6a5,h2h3");
    CHECK(beyond["estimate"].is_null());
}
