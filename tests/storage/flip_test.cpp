// One bit of the file is another than was written, wherever it is: then all that is read is what
// was written, or the damage is found and named. Nothing else is ever believed.
#include "contents.hpp"
#include "raw.hpp"
#include "samples.hpp"
#include "test.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;

namespace {

struct Tally {
    std::size_t flips = 0, harmless = 0, refused = 0, named = 0;
};

// Flips `count` bits, one at a time, spread over the whole file.
Tally flip(std::size_t count) {
    const TemporaryDirectory directory;
    fill_all_tables(directory);
    const std::string whole = read_file(database_file(directory));
    const AllRows contents = read_all(*open_store(directory, OpenMode::read));
    REQUIRE(open_store(directory, OpenMode::read)->check().empty());
    REQUIRE(contents.facts.size() == 60);
    REQUIRE(contents.asked.size() == 40);
    std::mt19937_64 random{2'026};
    Tally tally;
    // The header and the schema, bit by bit as far as it goes; then anywhere where something
    // stands.
    while (tally.flips < count) {
        const std::size_t n = tally.flips;
        const std::size_t bit = n % 5 == 0 ? random() % (100 * 8) : random() % (whole.size() * 8);
        if (n % 5 != 0 && whole[bit / 8] == 0 && random() % 8 != 0) {
            continue; // mostly free room
        }
        ++tally.flips;
        std::string damaged = whole;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
        CAPTURE(bit / 8, bit % 8);
        write_file(database_file(directory), damaged);
        try {
            const auto store = open_store(directory, OpenMode::read);
            const std::vector<std::string> findings = store->check();
            CAPTURE(findings);
            AllRows now;
            try {
                now = read_all(*store);
            } catch (const StoreError&) { // says what is wrong: nothing is believed
                REQUIRE_FALSE(findings.empty());
                ++tally.named;
                continue;
            }
            REQUIRE(invented(now, contents) == "");
            REQUIRE((now == contents || !findings.empty()));
            ++(findings.empty() ? tally.harmless : tally.named);
        } catch (const StoreError& error) {
            REQUIRE_FALSE(std::string{error.what()}.empty());
            ++tally.refused;
        }
    }
    return tally;
}

} // namespace

TEST_CASE("flips: one bit is another, and nothing that it changes is believed") {
    const Tally tally = flip(200);
    CHECK(tally.named > 40);
}

TEST_CASE("flips: 5,000 single bits, one at a time", "[.][exhaustive][reliability]") {
    const Tally tally = flip(5'000);
    std::cout << "reliability: single bits flipped in a store | " << tally.flips << " | 0 | "
              << tally.named << " named by check, " << tally.refused << " refused at opening, "
              << tally.harmless << " without effect\n";
    CHECK(tally.named > 1'000);
}
