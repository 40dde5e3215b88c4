// Records as rows and back: what was written is read, and no other row is believed.
#include "storage/rows/records.hpp"

#include "samples.hpp"
#include "test.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;

namespace {

// Sound, the same record, and unsound with any of the cells that it is proved by changed.
template <class Record>
void require_proved(const RecordRow& row, const Record& record) {
    const Table& table = *table_of<Record>;
    CAPTURE(table.name);
    REQUIRE(is_sound(table, row.cells));
    Record again;
    REQUIRE(read(row.cells, again) == "");
    REQUIRE(again == record);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        CAPTURE(i);
        if (i < table.columns.size() && table.columns[i].refers != Refers::nothing) {
            continue; // a number: what it refers to is proved
        }
        std::vector<Cell> other = row.cells;
        if (const auto* number = std::get_if<std::int64_t>(&other[i])) {
            other[i] = *number ^ 1;
        } else if (const auto* real = std::get_if<double>(&other[i])) {
            other[i] = *real + 1;
        } else {
            other[i] = std::string_view{"other"};
        }
        CHECK_FALSE(is_sound(table, other));
    }
}

struct Sample {
    chess::PackedPosition place = sample_position(7).packed();
    chess::Move move = sample_position(7).legal_moves()[0];
};

} // namespace

TEST_CASE("records: each comes back from its row, and the row proves itself") {
    const auto [place, move] = Sample{};
    AnalysisRecord analysis = sample_analysis(EngineId{3}, "name", -1.5);
    analysis.id = AnalysisId{4};
    require_proved(row_of(analysis, "fingerprint"), analysis);
    require_proved(
        row_of(
            FailureRecord{
                {place, EngineId{3}, {analysis::Limit::Kind::nodes, 9}, {move}}, "died", 2, 5},
            "fingerprint", 8),
        FailureRecord{
            {place, EngineId{3}, {analysis::Limit::Kind::nodes, 9}, {move}}, "died", 2, 5});
    const DirectiveRecord said{6, AnalysisId{4}, place, move, {move}, "note", "text", 5};
    require_proved(row_of(said, 8), said);
    DirectiveRecord of_position = said;
    of_position.move.reset();
    require_proved(row_of(of_position, 8), of_position);
    const SnapshotRecord snapshot{6, AnalysisId{4}, 3, 5, "{}"};
    require_proved(row_of(snapshot), snapshot);
    const SeedRecord seed{AnalysisId{4}, place, move, "games.pgn", 5};
    require_proved(row_of(seed, 6, 8, 9), seed);
    const UsageRecord usage{AnalysisId{4}, 5, 6, 7};
    require_proved(row_of(usage), usage);
    const MachineRecord machine{7, "kitchen"};
    require_proved(row_of(machine), machine);
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
    const auto [place, move] = Sample{};
    const SeedRecord seed{AnalysisId{4}, place, move, "games.pgn", 5};
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
