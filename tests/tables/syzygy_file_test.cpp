// Damaged files are refused before libfathom sees them.
#include "files.hpp"
#include "tables/endgame_tables.hpp"
#include "tables/syzygy.hpp"

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

TEST_CASE("syzygy files: every shorter length and every flipped bit of the magic is noticed") {
    const auto bytes = read_file(table_data() / "KRvK.rtbw");
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        if (length % 64 == 16 && length > 64) {
            continue; // as long as another table may be
        }
        CAPTURE(length);
        CHECK(problem({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}));
    }
    for (std::size_t bit = 0; bit < 32; ++bit) {
        auto damaged = bytes;
        damaged[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
        CAPTURE(bit);
        CHECK(problem(damaged));
    }
}

TEST_CASE("syzygy files: all of a directory pass") {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator{shared_tables()}) {
        const auto bytes = read_file(entry.path());
        const auto kind = entry.path().extension() == ".rtbw" ? SyzygyKind::wdl : SyzygyKind::dtz;
        const auto material = chess::Material::parse(entry.path().stem().string());
        INFO(entry.path());
        REQUIRE(material);
        CHECK_FALSE(syzygy_problem(bytes, kind, *material));
        ++files;
    }
    CHECK(files > (has_all_data() ? 60 : 15));
}

TEST_CASE("endgame tables: bad files are named and not used, the others are") {
    const TemporaryDirectory copies;
    for (const auto& entry : std::filesystem::directory_iterator{table_data()}) {
        const auto name = entry.path().filename();
        if (name.extension() != ".md" && name != "KQvK.rtbw" && name != "KRvK.rtbz") {
            write_file(copies.path() / name, read_file(entry.path()));
        }
    }
    write_file(copies.path() / "KNvK.rtbw", read_file(table_data() / "KBvK.rtbw"));
    write_file(copies.path() / "KPvK.rtbz", {});
    write_file(copies.path() / "notes.rtbw", {1, 2, 3}); // not a material's name: none of ours

    const EndgameTables tables{{copies.path().string() + ":/nonexistent", ""}};
    const Inventory& found = tables.inventory();
    CHECK(found.wdl == std::vector<std::string>{"KBvK", "KPvK", "KRvK"});
    CHECK(found.dtz == std::vector<std::string>{"KBvK", "KNvK", "KQvK"});
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
