// The capture resolver over tables of quiet positions only, against libfathom.
#include "files.hpp"
#include "positions.hpp"
#include "tables/syzygy.hpp"

#include "chess/endgame/capture_resolver.hpp"

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
        all_quiet_ = all_quiet_ && chess::is_quiet(position);
        const auto wdl = tables_.wdl(position);
        return wdl ? std::optional{without_clock(*wdl)} : std::nullopt;
    }

    // Whether it was asked about nothing else.
    bool all_quiet() const { return all_quiet_; }

private:
    const Syzygy& tables_;
    mutable bool all_quiet_ = true;
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
    std::vector<std::string> wrong; // FENs

    void take(const Position& position, const Syzygy& tables, chess::CaptureResolver& resolver) {
        if (position.terminal() != chess::Terminal::no) {
            return;
        }
        ++positions;
        not_quiet += chess::is_quiet(position) ? 0 : 1;
        en_passant += position.en_passant() ? 1 : 0;
        if (resolver.outcome(position) != without_clock(*tables.wdl(position))) {
            wrong.push_back(position.fen());
        }
    }

    void add(const Comparison& other) {
        positions += other.positions;
        not_quiet += other.not_quiet;
        en_passant += other.en_passant;
        wrong.insert(wrong.end(), other.wrong.begin(), other.wrong.end());
    }
};

// So many random positions of each material of so many men.
Comparison compare_at_random(const std::vector<std::filesystem::path>& files, int men,
                             std::size_t each) {
    const Syzygy tables{files};
    std::vector<std::future<Comparison>> results;
    for (const auto& file : files) {
        const auto material = *chess::Material::parse(file.stem().string());
        if (file.extension() != ".rtbw" || material.men() != men) {
            continue;
        }
        results.push_back(std::async(std::launch::async, [&tables, material, each] {
            const QuietSyzygy quiet{tables};
            std::mt19937 random{4};
            chess::CaptureResolver resolver{quiet};
            Comparison comparison;
            for (std::size_t i = 0; i < each; ++i) {
                comparison.take(random_position(material, random), tables, resolver);
            }
            if (!quiet.all_quiet()) {
                comparison.wrong.push_back("not quiet: " + material.name());
            }
            return comparison;
        }));
    }
    Comparison comparison;
    for (auto& result : results) {
        comparison.add(result.get());
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
    CHECK(quiet.all_quiet());
    CHECK(comparison.wrong == std::vector<std::string>{});
    CHECK(comparison.positions == 1'097'374);
    CHECK(comparison.not_quiet > 80'000);
}

TEST_CASE("capture resolver: an endless chase is a draw, and found to be one") {
    if (!has_all_tables()) {
        return;
    }
    const Syzygy tables{files_in(shared_tables())};
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
    const Comparison comparison = compare_at_random(files_in(shared_tables()), 4, 100);
    CHECK(comparison.wrong == std::vector<std::string>{});
    CHECK(comparison.positions > (has_all_data() ? 2'500 : 200));
    CHECK(comparison.not_quiet > (has_all_data() ? 500 : 10));
}

// With five men some positions come to regions of many millions: not these.
TEST_CASE("capture resolver: many random positions of four and of five men", "[.][exhaustive]") {
    const Comparison four = compare_at_random(files_in(shared_tables()), 4, 36'000);
    CHECK(four.wrong == std::vector<std::string>{});
    CHECK(four.positions > (has_all_data() ? 1'000'000 : 50'000));
    if (has_all_tables()) {
        CHECK(four.en_passant > 20); // the sample has no pawns
        auto files = files_in(shared_tables());
        const auto more = files_in(data_root() / "syzygy" / "5men_generated_md5_official");
        files.insert(files.end(), more.begin(), more.end());
        const Comparison five = compare_at_random(files, 5, 20);
        CHECK(five.wrong == std::vector<std::string>{});
        CHECK(five.positions > 150);
    }
}
