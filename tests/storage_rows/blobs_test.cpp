// The encodings of docs/internals/database-format.md: stable bytes, one encoding for each value, no
// crash on any bytes; and rows that are no records.
#include "storage/rows/checksum.hpp"
#include "storage/rows/records.hpp"

#include "samples.hpp"

#include "base/text.hpp"
#include "chess/notation.hpp"
#include "test.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using chess::Move;
using chess::Score;
using chess::Square;

namespace {

Buffer bytes(std::initializer_list<int> list) {
    Buffer out;
    for (const int byte : list) {
        out.push_back(static_cast<std::uint8_t>(byte));
    }
    return out;
}

Buffer encoded(const std::vector<Move>& moves) {
    Buffer out;
    encode_moves(moves, out);
    return out;
}

Buffer encoded(const Evaluation& fact) {
    Buffer out;
    encode_answer(fact, fact.machine.size(), out); // any number, for those that have one
    return out;
}

bool decodes(const Buffer& blob) {
    std::vector<Move> moves;
    return decode_moves(blob, moves).has_value();
}

std::string hex(std::string_view message) {
    return adjourn::base::hex(sha256(message));
}

} // namespace

TEST_CASE("moves: bytes are those of docs/internals/database-format.md") {
    const Move e2e4 = Move::normal(Square{12}, Square{28});
    const Move g1f3 = Move::normal(Square{6}, Square{21});
    CHECK(encoded(std::vector<Move>{}).empty());
    CHECK(encoded({e2e4}) == bytes({0x0c, 0x07}));
    CHECK(encoded({e2e4, g1f3}) == bytes({0x0c, 0x67, 0x54}));
    CHECK(encoded({e2e4, g1f3, e2e4}) == bytes({0x0c, 0x67, 0x54, 0x0c, 0x07}));
    // Castling e1h1: kind 3 << 2 is 12, said by a unit "from m1 to m1" before the squares.
    CHECK(encoded({Move::castling(Square{4}, Square{7})}) == bytes({0x0c, 0x43, 0x1c}));
    CHECK(encoded({Move::promotion(Square{52}, Square{60}, chess::Role::queen)}) ==
          bytes({0xc7, 0x41, 0xf3}));
}

TEST_CASE("moves: every 16-bit value comes back, alone and among others") {
    std::vector<Move> all, decoded;
    for (unsigned raw = 0; raw <= 0xffff; ++raw) {
        const Move move = Move::from_raw(static_cast<std::uint16_t>(raw));
        all.push_back(move);
        const Buffer blob = encoded({move});
        if (!decode_moves(blob, decoded) || decoded != std::vector{move}) {
            FAIL("raw " << raw);
        }
    }
    REQUIRE(decode_moves(encoded(all), decoded));
    CHECK(decoded == all);
}

TEST_CASE("moves: what no encoder makes is refused") {
    CHECK(decodes({}));
    CHECK_FALSE(decodes(bytes({0x0c})));             // eight bits hold no move
    CHECK_FALSE(decodes(bytes({0x0c, 0x17})));       // something in the last four bits
    CHECK_FALSE(decodes(bytes({0x0c, 0x03})));       // a kind, but no squares after it
    CHECK_FALSE(decodes(bytes({0x10, 0x04, 0x00}))); // kind 16
    CHECK_FALSE(decodes(bytes({0x00, 0xc0, 0x70}))); // kind 0 said where it need not be
    CHECK_FALSE(decodes(bytes({0x0c, 0x67, 0x54, 0x0c})));
}

TEST_CASE("keys: a position without the zeros at its end") {
    for (std::uint64_t n = 0; n < 300; ++n) {
        const auto packed = sample_position(n).packed();
        const Bytes key = position_key(packed);
        REQUIRE(!key.empty());
        CHECK(key.back() != 0);
        CHECK(decode_key(key) == packed);
    }
    CHECK_FALSE(decode_key({}));
    CHECK_FALSE(decode_key(bytes({1, 2, 0})));
    CHECK_FALSE(decode_key(Buffer(25, 1)));
    CHECK(position_key(chess::PackedPosition{}).empty());
}

TEST_CASE("answers: bytes are those of docs/internals/database-format.md") {
    Evaluation fact;
    CHECK(encoded(fact) == bytes({0x00, 0, 0, 0, 0}));
    fact.score = Score::cp(-23);
    fact.bound = analysis::Bound::upper;
    fact.depth = 18;
    fact.seldepth = 24;
    fact.nodes = 300;
    fact.time_ms = 128;
    fact.move = Move::normal(Square{12}, Square{28});
    CHECK(encoded(fact) == bytes({0x25, 45, 18, 24, 0xac, 0x02, 0x80, 0x01, 0x0c, 0x07}));
    fact.pv = {*fact.move};
    fact.score = Score::mate_in(5);
    const Buffer blob = encoded(fact);
    REQUIRE(blob.size() == 13);
    CHECK(blob[0] == 0x2a);
    const std::uint32_t code = Score::mate_in(5).encode();
    CHECK(Buffer(blob.begin() + 1, blob.begin() + 5) ==
          bytes({int(code & 255), int(code >> 8 & 255), int(code >> 16 & 255), int(code >> 24)}));
}

TEST_CASE("answers: chances and the machine follow the time, each where its bit says so") {
    Evaluation fact, decoded;
    fact.score = Score::cp(0);
    fact.move = Move::normal(Square{12}, Square{28});
    fact.wdl = chess::WinDrawLoss{312, 640, 48};
    Buffer blob;
    encode_answer(fact, 0, blob);
    // 312 × 1001 + 640 = 312952
    CHECK(blob == bytes({0x45, 0, 0, 0, 0, 0, 0xf8, 0x8c, 0x13, 0x0c, 0x07}));
    CHECK(decode_answer(blob, decoded) == 0);
    CHECK(decoded == fact);
    blob.clear();
    encode_answer(fact, 300, blob);
    CHECK(blob == bytes({0xc5, 0, 0, 0, 0, 0, 0xf8, 0x8c, 0x13, 0xac, 0x02, 0x0c, 0x07}));
    CHECK(decode_answer(blob, decoded) == 300);
    CHECK(decoded == fact);
    fact.wdl.reset();
    blob.clear();
    encode_answer(fact, 1, blob);
    CHECK(blob == bytes({0x85, 0, 0, 0, 0, 0, 1, 0x0c, 0x07}));
    CHECK(decode_answer(blob, decoded) == 1);
    CHECK(decoded == fact); // what stood there before is gone
    for (const auto& wdl : {chess::WinDrawLoss{1'000, 0, 0}, {0, 0, 1'000}, {0, 1'000, 0}}) {
        fact.wdl = wdl;
        blob.clear();
        encode_answer(fact, 0, blob);
        REQUIRE(decode_answer(blob, decoded));
        CHECK(decoded == fact);
    }
    fact.wdl = chess::WinDrawLoss{1'000, 1, 0};
    CHECK(answer_trouble(fact) == "chances that are not 1,000 in all");
}

TEST_CASE("answers: facts of every kind come back") {
    Evaluation largest, again;
    largest.depth = largest.seldepth = std::numeric_limits<int>::max();
    largest.nodes = ~std::uint64_t{0};
    largest.time_ms = ~std::uint32_t{0};
    for (const int cp : {Score::max_cp, -Score::max_cp, 0, -1, 63, -64, 64}) {
        largest.score = Score::cp(cp);
        REQUIRE(decode_answer(encoded(largest), again));
        CHECK(again == largest);
    }
    for (std::uint64_t n = 0; n < 2'000; ++n) {
        const Evaluation fact = sample_fact(EngineId{1}, n);
        REQUIRE(question_trouble(fact.question).empty());
        REQUIRE(answer_trouble(fact).empty());
        Evaluation decoded;
        decoded.question = fact.question;
        decoded.at = fact.at;
        REQUIRE(decode_answer(encoded(fact), decoded) ==
                static_cast<std::int64_t>(fact.machine.size()));
        decoded.machine = fact.machine;
        REQUIRE(decoded == fact);
    }
}

TEST_CASE("answers: what no encoder makes is refused") {
    const std::pair<const char*, Buffer> none[] = {
        {"nothing", {}},
        {"line", {0x03, 0, 0, 0, 0}},
        {"score form", {0x0c, 0, 0, 0, 0}},
        {"bound", {0x30, 0, 0, 0, 0}},
        {"no chances", {0x40, 0, 0, 0, 0}},
        {"no machine", {0x80, 0, 0, 0, 0}},
        {"machine 0", {0x80, 0, 0, 0, 0, 0}},
        {"chances 1, 1000", {0x40, 0, 0, 0, 0, 0xd1, 0x0f}},
        {"chances 1000, 1", {0x40, 0, 0, 0, 0, 0xa9, 0x8c, 0x3d}},
        {"too short", {0x00, 0, 0, 0}},
        {"overlong number", {0x00, 0x80, 0x00, 0, 0, 0}},
        {"a move too many", {0x00, 0, 0, 0, 0, 0x0c, 0x07}},
        {"no move", {0x01, 0, 0, 0, 0}},
        {"no PV", {0x02, 0, 0, 0, 0}},
        {"two moves", {0x01, 0, 0, 0, 0, 0x0c, 0x67, 0x54}},
        {"cp too large", {0x04, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0}},
        {"cp as code", {0x08, 0, 0, 0x10, 0x20, 0, 0, 0, 0}},
        {"no score", {0x08, 0, 0, 0, 0xff, 0, 0, 0, 0}},
        {"65 bits", {0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0}}};
    for (const auto& [what, blob] : none) {
        CAPTURE(what);
        Evaluation fact;
        CHECK_FALSE(decode_answer(blob, fact));
    }
}

TEST_CASE("records that are none are told by their form") {
    const Evaluation good = sample_fact(EngineId{1}, 1);
    const Move a = Move::from_raw(10), b = Move::from_raw(20);
    Question question = good.question;
    question.excluded = {a, b};
    CHECK(question_trouble(question).empty());
    question.excluded = {b, a};
    CHECK(question_trouble(question) == "excluded moves that are not sorted or there twice");
    question.excluded = {a, a};
    CHECK_FALSE(question_trouble(question).empty());
    question = good.question;
    question.limit.amount = 0;
    CHECK_FALSE(question_trouble(question).empty());
    question.limit.amount = std::uint64_t{1} << 63;
    CHECK_FALSE(question_trouble(question).empty());
    question.limit = {static_cast<analysis::Limit::Kind>(3), 1};
    CHECK_FALSE(question_trouble(question).empty());
    Evaluation fact = good;
    fact.depth = -1;
    CHECK_FALSE(answer_trouble(fact).empty());
    fact = good;
    fact.pv = {a, b};
    fact.move = b;
    CHECK(answer_trouble(fact) == "a PV that does not begin with the move");
    fact.move.reset();
    CHECK_FALSE(answer_trouble(fact).empty());
}

TEST_CASE("SHA-256: the examples of FIPS 180-4") {
    CHECK(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(hex(std::string(1'000'000, 'a')) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("fingerprints of engines never change") {
    const EngineRecord engine{
        {}, "Stockfish 15.1", "", "Hash=64\nThreads=1", "nn-ad9b42354671.nnue"};
    CHECK(engine.fingerprint() == "70e454ac6dcd95e008d66a31849af35c");
    EngineRecord other = engine;
    other.id = EngineId{7};
    CHECK(other.fingerprint() == engine.fingerprint());
    // Where a field ends matters.
    CHECK(EngineRecord{{}, "ab", "c", "", ""}.fingerprint() !=
          EngineRecord{{}, "a", "bc", "", ""}.fingerprint());
    CHECK(EngineRecord{{}, "a", "1:b,", "", ""}.fingerprint() !=
          EngineRecord{{}, "a", "", "1:b,", ""}.fingerprint());
}

TEST_CASE("records: what is no record says why") {
    AnalysisRecord analysis = sample_analysis(EngineId{3}, "name", 1);
    RecordRow row = row_of(analysis, "");
    const auto trouble = [&](std::size_t column, Cell is) {
        std::vector<Cell> cells = row.cells;
        cells[column] = is;
        AnalysisRecord out;
        return read(cells, out);
    };
    CHECK(trouble(6, std::int64_t{7}) == "a limit of unknown kind");
    CHECK(trouble(7, std::int64_t{0}) == "a limit of 0 or less");
    CHECK(trouble(11, std::string_view{"asleep"}) == "unknown state asleep");
    const std::uint8_t half = 0x0c;
    CHECK(trouble(3, Bytes{&half, 1}) == "moves end in the middle");
    CHECK(trouble(10, std::numeric_limits<double>::infinity()) == "");
    const chess::Position at = sample_position(7);
    const SeedRecord seed{AnalysisId{4}, at.packed(), at.legal_moves()[0], "games.pgn", 5};
    RecordRow of_seed = row_of(seed, 6, 8, 9);
    of_seed.cells[3] = std::int64_t{0x10000};
    SeedRecord out;
    CHECK(read(of_seed.cells, out) == "its move is illegal: of unknown kind");
}

TEST_CASE("records: the checksum of a row does not depend on how it is added up") {
    // Of 0 to 70 bytes: each way through the tables.
    Buffer bytes;
    for (int n = 0; n < 70; ++n) {
        Checksum whole, parts;
        whole.add(Bytes{bytes});
        parts.add(std::array{static_cast<std::int64_t>(bytes.size())}, Bytes{});
        for (const std::uint8_t byte : bytes) {
            parts.add(std::array<std::int64_t, 0>{}, Bytes{&byte, 1});
        }
        CHECK(whole.value() == parts.value());
        bytes.push_back(static_cast<std::uint8_t>(n * 37 + 11));
    }
}
