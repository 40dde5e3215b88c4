// The capture resolver over tables of quiet positions only, against libfathom.
#include "files.hpp"
#include "positions.hpp"
#include "syzygy.hpp"

#include "chess/endgame/capture_resolver.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>

using namespace adjourn;
using namespace adjourn::tables;
using chess::Outcome;
using chess::Position;

namespace {

Outcome without_clock(chess::Wdl wdl) {
    const int value = static_cast<int>(wdl);
    return value > 0 ? Outcome::win : value < 0 ? Outcome::loss : Outcome::draw;
}

// Syzygy with everything hidden that is not quiet.
class QuietSyzygy final : public chess::QuietTable {
public:
    explicit QuietSyzygy(const Syzygy& tables) : tables_{tables} {}
    std::optional<Outcome> outcome(const Position& position) const override {
        REQUIRE(chess::is_quiet(position));
        const auto wdl = tables_.wdl(position);
        return wdl ? std::optional{without_clock(*wdl)} : std::nullopt;
    }

private:
    const Syzygy& tables_;
};

std::vector<std::filesystem::path> files_in(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{directory}) {
        if (entry.path().extension() != ".md") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

struct Comparison {
    std::size_t positions = 0;
    std::size_t not_quiet = 0;
    std::size_t en_passant = 0;

    void take(const Position& position, const Syzygy& tables, chess::CaptureResolver& resolver) {
        if (position.terminal() != chess::Terminal::no) {
            return;
        }
        ++positions;
        not_quiet += chess::is_quiet(position) ? 0 : 1;
        en_passant += position.en_passant() ? 1 : 0;
        const Outcome expected = without_clock(*tables.wdl(position));
        const auto found = resolver.outcome(position);
        if (found != expected) {
            FAIL_CHECK(position.fen());
        }
    }
};

// So many random positions of each material of so many men.
Comparison compare_at_random(const std::vector<std::filesystem::path>& files, int men,
                             std::size_t each) {
    const Syzygy tables{files};
    const QuietSyzygy quiet{tables};
    Comparison comparison;
    std::mt19937 random{20};
    for (const auto& file : files) {
        const auto material = *chess::Material::parse(file.stem().string());
        if (file.extension() != ".rtbw" || material.men() != men) {
            continue;
        }
        chess::CaptureResolver resolver{quiet};
        for (std::size_t i = 0; i < each; ++i) {
            comparison.take(random_position(material, random), tables, resolver);
        }
    }
    return comparison;
}

} // namespace

TEST_CASE("quiet: neither side can capture") {
    const auto quiet = [](const char* fen) { return chess::is_quiet(*Position::from_fen(fen)); };
    CHECK(quiet("8/8/8/3k4/8/8/4R3/4K3 w - - 0 1"));
    CHECK_FALSE(quiet("8/8/8/8/8/3k4/4R3/7K b - - 0 1")); // the king takes
    CHECK_FALSE(quiet("8/8/8/8/8/3k4/4R3/7K w - - 0 1")); // it would
    CHECK(quiet("8/8/8/8/8/3k4/4R3/4K3 b - - 0 1"));      // protected
    CHECK(quiet("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"));
    CHECK_FALSE(quiet("8/8/8/8/1k1pP3/8/8/4K3 b - e3 0 1"));
    CHECK(quiet("8/8/8/8/1k1pP3/8/8/4K3 b - - 0 1"));
    CHECK(quiet("8/8/8/r2pP2K/8/8/k7/8 b - - 0 1")); // nothing attacks anything
    // The pinned knight takes nothing, the rook that pins it is taken by nobody either.
    CHECK_FALSE(quiet("4k3/8/8/4n3/6P1/8/8/K3R3 w - - 0 1"));
}

TEST_CASE("capture resolver: every position of three men") {
    const auto files = files_in(table_data());
    const Syzygy tables{files};
    const QuietSyzygy quiet{tables};
    Comparison comparison;
    for (const char* name : {"KPvK", "KRvK", "KQvK"}) {
        chess::CaptureResolver resolver{quiet};
        for_each_position(*chess::Material::parse(name), [&](const Position& position) {
            comparison.take(position, tables, resolver);
        });
    }
    CHECK(comparison.positions == 1'097'374);
    CHECK(comparison.not_quiet > 80'000);
}

TEST_CASE("capture resolver: an endless chase is a draw, and found to be one") {
    if (!shared_tables()) {
        WARN("skipped: no ../shared/data/syzygy");
        return;
    }
    const Syzygy tables{files_in(*shared_tables())};
    const QuietSyzygy quiet{tables};
    chess::CaptureResolver resolver{quiet};
    // The king keeps attacking pawn or knight, or loses touch and comes back: neither ever wins.
    CHECK(resolver.outcome(*Position::from_fen("8/8/8/8/2N5/4pK1k/8/8 w - - 0 1")) ==
          Outcome::draw);
    CHECK(resolver.effort().largest_region > 1'000);
    CHECK(resolver.outcome(*Position::from_fen("8/8/8/3k4/8/2q5/4R3/3K4 w - - 0 1")) ==
          without_clock(*tables.wdl(*Position::from_fen("8/8/8/3k4/8/2q5/4R3/3K4 w - - 0 1"))));
}

TEST_CASE("capture resolver: what is not covered is not known") {
    const Syzygy tables{{table_data() / "KRvK.rtbw", table_data() / "KRvK.rtbz"}};
    const QuietSyzygy quiet{tables};
    chess::CaptureResolver resolver{quiet};
    CHECK(resolver.outcome(*Position::from_fen("8/8/8/3k4/8/8/4R3/4K3 w - - 0 1")) == Outcome::win);
    CHECK_FALSE(resolver.outcome(*Position::from_fen("8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1")));
    CHECK_FALSE(resolver.outcome(*Position::from_fen("8/8/8/3k4/8/8/8/4K2R w K - 0 1")));
}

TEST_CASE("capture resolver: random positions of four men") {
    if (!shared_tables()) {
        WARN("skipped: no ../shared/data/syzygy");
        return;
    }
    const Comparison comparison = compare_at_random(files_in(*shared_tables()), 4, 100);
    CHECK(comparison.positions > 2'500);
    CHECK(comparison.not_quiet > 500);
}

TEST_CASE("capture resolver: a million random positions of four men", "[slow]") {
    if (!shared_tables()) {
        WARN("skipped: no ../shared/data/syzygy");
        return;
    }
    const Comparison comparison = compare_at_random(files_in(*shared_tables()), 4, 36'000);
    CHECK(comparison.positions > 1'000'000);
    CHECK(comparison.en_passant > 20);
}

TEST_CASE("capture resolver: random positions of five men", "[slow]") {
    const auto five =
        std::filesystem::path{ADJOURN_SHARED_DATA} / "syzygy" / "5men_generated_md5_official";
    if (!shared_tables() || !std::filesystem::exists(five)) {
        WARN("skipped: no ../shared/data/syzygy");
        return;
    }
    auto files = files_in(*shared_tables());
    const auto more = files_in(five);
    files.insert(files.end(), more.begin(), more.end());
    CHECK(compare_at_random(files, 5, 20).positions > 150);
}
