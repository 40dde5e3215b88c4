// Damaged files are refused before libfathom sees them.
#include "files.hpp"
#include "syzygy_file.hpp"
#include "tables/check.hpp"
#include "tables/endgame_tables.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace adjourn;
using namespace adjourn::tables;

namespace {

const chess::Material krk = *chess::Material::parse("KRvK");

std::optional<std::string> problem(const std::vector<std::uint8_t>& bytes) {
    return syzygy_problem(bytes, SyzygyKind::wdl, krk);
}

} // namespace

TEST_CASE("syzygy files: sound ones pass, as what they are") {
    const auto bytes = read_file(table_data() / "KRvK.rtbw");
    CHECK_FALSE(problem(bytes));
    CHECK(syzygy_problem(bytes, SyzygyKind::dtz, krk)->find("DTZ") != std::string::npos);
    CHECK(syzygy_problem(bytes, SyzygyKind::wdl, *chess::Material::parse("KQvK"))
              ->find("another table") != std::string::npos);
    CHECK_FALSE(syzygy_problem(bytes, SyzygyKind::wdl, krk.flipped()));
}

TEST_CASE("syzygy files: every shorter length and every flipped bit is noticed") {
    const auto bytes = read_file(table_data() / "KRvK.rtbw");
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        CAPTURE(length);
        CHECK(problem({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}));
    }
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        auto damaged = bytes;
        damaged[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
        CAPTURE(bit);
        CHECK(problem(damaged));
    }
}

TEST_CASE("syzygy files: all of a directory pass, and none with a byte changed") {
    std::mt19937 random{5};
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator{shared_tables()}) {
        auto bytes = read_file(entry.path());
        const auto kind = entry.path().extension() == ".rtbw" ? SyzygyKind::wdl : SyzygyKind::dtz;
        const auto material = chess::Material::parse(entry.path().stem().string());
        INFO(entry.path());
        REQUIRE(material);
        CHECK_FALSE(syzygy_problem(bytes, kind, *material));
        bytes[random() % bytes.size()] ^= static_cast<std::uint8_t>(1 + random() % 255);
        CHECK(syzygy_problem(bytes, kind, *material));
        ++files;
    }
    CHECK(files > (has_all_data() ? 60 : 15));
}

TEST_CASE("endgame tables: bad files are named and not used, the others are") {
    const TemporaryDirectory copies;
    for (const auto& entry : std::filesystem::directory_iterator{table_data()}) {
        if (entry.path().extension() != ".md") {
            write_file(copies.path() / entry.path().filename(), read_file(entry.path()));
        }
    }
    auto short_one = read_file(table_data() / "KQvK.rtbw");
    short_one.resize(short_one.size() - 64); // the size rule alone would let it pass
    write_file(copies.path() / "KQvK.rtbw", short_one);
    auto damaged = read_file(table_data() / "KRvK.rtbz");
    damaged[damaged.size() / 2] ^= 4;
    write_file(copies.path() / "KRvK.rtbz", damaged);
    write_file(copies.path() / "KNvK.rtbw", read_file(table_data() / "KBvK.rtbw"));
    write_file(copies.path() / "KPvK.rtbz", {});
    write_file(copies.path() / "notes.rtbw", {1, 2, 3}); // not a material's name: none of ours

    const Inventory found = check_tables(copies.path().string() + ":/nonexistent");
    CHECK(found.wdl == std::vector<std::string>{"KBvK", "KPvK", "KRvK"});
    CHECK(found.dtz == std::vector<std::string>{"KBvK", "KNvK", "KQvK"});
    const auto named = [&](const std::string& name, const std::string& what) {
        return std::any_of(found.problems.begin(), found.problems.end(), [&](const auto& problem) {
            return problem.find(name) != std::string::npos &&
                   problem.find(what) != std::string::npos;
        });
    };
    CHECK(named("KQvK.rtbw", "checksum"));
    CHECK(named("KRvK.rtbz", "checksum"));
    CHECK(named("KNvK.rtbw", "another table"));
    CHECK(named("KPvK.rtbz", "cut short"));
    CHECK(named("/nonexistent", "cannot be read"));
    CHECK(named("KPvK leads to", "KQvK"));
}

TEST_CASE("endgame tables: the start looks at names, sizes and heads, and reads no file through") {
    const TemporaryDirectory copies;
    for (const auto& entry : std::filesystem::directory_iterator{table_data()}) {
        const auto name = entry.path().filename();
        if (name.extension() != ".md" && name != "KQvK.rtbw" && name != "KRvK.rtbz") {
            write_file(copies.path() / name, read_file(entry.path()));
        }
    }
    write_file(copies.path() / "KNvK.rtbw", read_file(table_data() / "KBvK.rtbw"));
    write_file(copies.path() / "KPvK.rtbz", {});
    // Behind the head a flipped bit is seen by `adjourn tables check` alone.
    const auto unread = copies.path() / "KBvK.rtbz";
    auto damaged = read_file(unread);
    damaged[damaged.size() - 1] ^= 4; // of the checksum, which no probe reads
    write_file(unread, damaged);

    const EndgameTables tables{{copies.path().string() + ":/nonexistent", ""}};
    const Inventory& found = tables.inventory();
    CHECK(found.wdl == std::vector<std::string>{"KBvK", "KPvK", "KRvK"});
    CHECK(found.dtz == std::vector<std::string>{"KBvK", "KNvK", "KQvK"});
    CHECK(check_tables(copies.path().string()).dtz == std::vector<std::string>{"KNvK", "KQvK"});
    const auto named = [&](const std::string& name, const std::string& what) {
        return std::any_of(found.problems.begin(), found.problems.end(), [&](const auto& problem) {
            return problem.find(name) != std::string::npos &&
                   problem.find(what) != std::string::npos;
        });
    };
    CHECK(named("KNvK.rtbw", "another table"));
    CHECK(named("KPvK.rtbz", "cut short"));
    CHECK(named("/nonexistent", "cannot be read"));
    CHECK(named("KPvK leads to", "KQvK"));

    const auto value = [&](const char* fen) {
        return tables.value(*chess::Position::from_fen(fen));
    };
    CHECK_FALSE(value("8/8/8/3k4/8/8/3Q4/4K3 b - - 0 1"));
    // Won, but how far is not known: as far as a win can be.
    CHECK(value("8/8/8/2k5/8/8/3R4/4K3 w - - 0 1") ==
          chess::Score::tablebase(chess::Wdl::win, 100));
}

TEST_CASE("endgame tables: another file of the same name is another identity") {
    const TemporaryDirectory copies;
    const auto file = copies.path() / "KRvK.rtbw";
    const auto bytes = read_file(table_data() / "KRvK.rtbw");
    const auto identity = [&] {
        return EndgameTables{{copies.path().string(), ""}}.inventory().identity;
    };
    write_file(file, bytes);
    const std::string first = identity();
    CHECK(first.starts_with("KRvK.rtbw " + std::to_string(bytes.size()) + " "));
    CHECK(identity() == first);
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) +
                                               std::chrono::seconds{1});
    CHECK(identity() != first);
}
