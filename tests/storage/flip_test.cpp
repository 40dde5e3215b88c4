// The file is another than was written, by one bit, by part of a page or by its length: then all
// that is read is what was written, or the damage is found and named. Nothing else is ever
// believed.
#include "contents.hpp"
#include "raw.hpp"
#include "samples.hpp"

#include "storage/maintenance.hpp"
#include "test.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;

namespace {

enum class Noticed : std::uint8_t { no, named, refused };

Noticed notice(const std::filesystem::path& directory, const AllRows& contents) {
    try {
        const auto store = open_store(directory, OpenMode::read);
        const std::vector<std::string> findings = store->check();
        CAPTURE(findings);
        AllRows now;
        try {
            now = read_all(*store);
        } catch (const StoreError&) { // says what is wrong: nothing is believed
            REQUIRE_FALSE(findings.empty());
            return Noticed::named;
        }
        REQUIRE(invented(now, contents) == "");
        REQUIRE((now == contents || !findings.empty()));
        return findings.empty() ? Noticed::no : Noticed::named;
    } catch (const StoreError& error) {
        REQUIRE_FALSE(std::string{error.what()}.empty());
        return Noticed::refused;
    }
}

// The file of a store with rows of every kind, and these.
std::pair<std::string, AllRows> whole_store() {
    const TemporaryDirectory directory;
    fill_all_tables(directory);
    Database{database_file(directory), Access::write}.execute(
        "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"); // no page is free
    const auto store = open_store(directory, OpenMode::read);
    REQUIRE(store->check().empty());
    return {read_file(database_file(directory)), read_all(*store)};
}

} // namespace

TEST_CASE("flips: one bit is another, and nothing that it changes is believed") {
    const auto [whole, contents] = whole_store();
    REQUIRE(contents.facts.size() == 60);
    REQUIRE(contents.asked.size() == 40);
    const TemporaryDirectory directory;
    std::mt19937_64 random{2'026};
    std::size_t named = 0;
    // The header and the schema; then anywhere where something stands.
    for (std::size_t n = 0; n < 200;) {
        const std::size_t bit = n % 5 == 0 ? random() % (100 * 8) : random() % (whole.size() * 8);
        if (n % 5 != 0 && whole[bit / 8] == 0 && random() % 8 != 0) {
            continue; // mostly free room
        }
        ++n;
        std::string damaged = whole;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
        CAPTURE(bit / 8, bit % 8);
        write_file(database_file(directory), damaged);
        named += notice(directory, contents) == Noticed::named ? 1 : 0;
    }
    CHECK(named > 30);
}

TEST_CASE("a page that is written over, or a file that is cut, is told and never a crash") {
    constexpr std::size_t page_size = 4'096;
    const auto [whole, contents] = whole_store();
    for (std::size_t at = 0; at < whole.size(); at += page_size) {
        for (const bool cut : {false, true}) {
            CAPTURE(at, cut);
            std::string damaged = whole;
            if (cut) {
                damaged.resize(at + 100);
            } else {
                damaged.replace(at + (at == 0 ? 100 : 0), 300, std::string(300, '\xa5'));
            }
            const TemporaryDirectory directory;
            write_file(database_file(directory), damaged);
            CHECK(notice(directory, contents) != Noticed::no);
            try { // who writes to it ends, too
                const auto store = open_owner(directory);
                store->append(sample_fact(EngineId{1}, 5'000), [](const auto&) {});
                store->flush();
            } catch (const StoreError& error) {
                REQUIRE_THAT(error.what(), Contains(directory.path().string()));
            }
        }
    }
}
