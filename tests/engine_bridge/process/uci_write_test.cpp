#include "engine_bridge/process/uci.hpp"
#include "test.hpp"

namespace chess = adjourn::chess;
namespace uci = adjourn::engine_bridge::uci;
using adjourn::chess::Limit;
using Kind = adjourn::chess::Limit::Kind;
using chess::CastlingStyle;

namespace {

chess::Position position(std::string_view fen) {
    return chess::Position::from_fen(fen).value();
}

std::vector<chess::Move> moves(const chess::Position& at,
                               std::initializer_list<const char*> texts) {
    std::vector<chess::Move> result;
    for (const char* const text : texts) {
        result.push_back(parse_uci(at, text).value());
    }
    return result;
}

} // namespace

TEST_CASE("pitfall 21: engines get the whole FEN without history, clock 0") {
    CHECK(uci::position_command(position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 37 61")) ==
          "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    // An en-passant square only where the capture is legal.
    CHECK(uci::position_command(
              position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")) ==
          "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

TEST_CASE("pitfall 22: a limit of 0 is never sent") {
    const auto start = chess::Position::initial();
    const auto go = [&](Kind kind, std::uint64_t amount) {
        return uci::go_command({kind, amount}, start, {}, CastlingStyle::king_rook);
    };
    CHECK(go(Kind::depth, 0) == "go depth 1");
    CHECK(go(Kind::nodes, 0) == "go nodes 1");
    CHECK(go(Kind::movetime, 0) == "go movetime 1");
    CHECK(go(Kind::nodes, 5'000'000'000) == "go nodes 5000000000");
    CHECK(go(Kind::depth, 18) == "go depth 18");
}

TEST_CASE("pitfall 23: searchmoves come last") {
    const auto start = chess::Position::initial();
    CHECK(uci::go_command({Kind::depth, 10}, start, moves(start, {"a2a3", "h2h4"}),
                          CastlingStyle::king_rook) == "go depth 10 searchmoves a2a3 h2h4");
}

TEST_CASE("pitfall 19: castling is sent as the engine was told") {
    const auto at = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    const auto castling = moves(at, {"e1g1", "e1a1"});
    CHECK(uci::go_command({Kind::depth, 1}, at, castling, CastlingStyle::king_rook) ==
          "go depth 1 searchmoves e1h1 e1a1");
    CHECK(uci::go_command({Kind::depth, 1}, at, castling, CastlingStyle::standard) ==
          "go depth 1 searchmoves e1g1 e1c1");
}

TEST_CASE("pitfall 16: values can carry no commands, buttons no value") {
    using Type = uci::Option::Type;
    const auto option = [](std::string name, Type type) {
        return uci::Option{std::move(name), type, {}, {}, {}, {}};
    };
    CHECK(uci::setoption_command(option("Hash", Type::spin), "64") ==
          "setoption name Hash value 64");
    CHECK(uci::setoption_command(option("Clear Hash", Type::button), "") ==
          "setoption name Clear Hash");
    CHECK(uci::setoption_command(option("SyzygyPath", Type::string), "") ==
          "setoption name SyzygyPath value <empty>");
    CHECK(uci::setoption_command(option("SyzygyPath", Type::string), "/a b/c") ==
          "setoption name SyzygyPath value /a b/c");
    for (const char* const value : {"a\nquit", "a\rquit", "\n", "a\x01", "a\x7f"}) {
        CHECK_FALSE(uci::setoption_command(option("SyzygyPath", Type::string), value));
    }
    CHECK_FALSE(
        uci::setoption_command(option("SyzygyPath", Type::string), std::string_view{"a\0b", 3}));
    CHECK_FALSE(uci::setoption_command(option("Bad\nName", Type::string), "x"));
}
