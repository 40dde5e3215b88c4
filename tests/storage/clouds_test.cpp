// What clouds said: of each position and cloud the last answer, and nothing of it counts elsewhere.
#include "place.hpp"
#include "raw.hpp"

#include "storage/open.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;

TEST_CASE("clouds: of each position and cloud the last answer comes back, also after a restart") {
    const Place place{GENERATE(kinds())};
    const auto here = adjourn::chess::Position::initial().packed();
    const auto there = sample_position(7).packed();
    const CloudRecord first{here, "lichess", 5, "{}"}, again{here, "lichess", 9, ""};
    const CloudRecord other{here, "chessdb", 7, R"({"status":"ok","moves":[]})"};
    {
        const auto store = open_owner(place);
        for (const CloudRecord& record : {first, other, again}) {
            store->write(record, {});
        }
        store->write(CloudRecord{there, "lichess", 6, "x"}, {});
        std::string refused;
        store->write(CloudRecord{{}, "lichess", 6, "x"},
                     [&](const auto& done) { refused = done ? "" : done.error(); });
        store->flush();
        CHECK(refused == "answer of a cloud refused: a position of no bytes");
        CHECK(store->clouds(here) == std::vector{other, again}); // by source
    }
    const auto store = open_owner(place);
    CHECK(store->clouds(here) == std::vector{other, again});
    CHECK(store->clouds(there).size() == 1);
    CHECK(store->clouds(sample_position(8).packed()).empty());
    CHECK(store->evaluation_count() == 0);
    CHECK(store->check() == std::vector<std::string>{});
}

TEST_CASE("clouds: a damaged answer is told and left out, and the next one takes its place") {
    const TemporaryDirectory directory;
    const CloudRecord record{adjourn::chess::Position::initial().packed(), "lichess", 5, "{}"};
    {
        const auto store = open_owner(directory);
        store->write(record, {});
    }
    damage(directory, "UPDATE clouds SET text = '[]'");
    const auto store = open_owner(directory);
    std::vector<std::string> told;
    CHECK(store->clouds(record.position, [&](const std::string& row) { told.push_back(row); })
              .empty());
    REQUIRE(told.size() == 1);
    CHECK(told[0].find("answer of a cloud at 5 is damaged") != std::string::npos);
    CHECK(store->check().size() == 1);
    store->write(record, {});
    store->flush();
    CHECK(store->clouds(record.position) == std::vector{record});
}
