// Files of games: versions, of which the last counts; and what was read of a PGN file comes back.
#include "place.hpp"
#include "random_game.hpp"
#include "raw.hpp"

#include "chess/game_reader.hpp"
#include "chess/pgn_writer.hpp"
#include "storage/maintenance.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string game = "[Result \"*\"]\n\n1. e4 e5 *\n";
const std::string other_game = "[Result \"*\"]\n\n1. d4 {mine} d5 *\n";

Outcome keep(Store& store, std::vector<FileRecord> rows) {
    Outcome outcome;
    store.write(FileChange{std::move(rows)}, [&](const Outcome& done) { outcome = done; });
    store.flush();
    return outcome;
}

FileRecord version(AnalysisId analysis, std::int64_t file, std::int64_t number,
                   std::int64_t version, std::string text) {
    return {0, analysis, file, number, version, version - 1, std::move(text), 100 + version};
}

struct House {
    Place place{GENERATE(kinds())};
    std::unique_ptr<Store> store = open_owner(place);
    AnalysisId id{
        insert_and_wait(*store, sample_analysis(store->engine(sample_engine()), "a", 1)).id};

    std::int64_t new_file() {
        return keep(*store, {version(id, 0, 0, 1, "mine.pgn"), version(id, 0, 1, 1, game),
                             version(id, 0, 2, 1, game)})
            .value()
            .id;
    }
};

// Writes the games as one file, and reads them again as a server does.
void require_kept(Store& store, AnalysisId id, const std::string& name,
                  const std::vector<chess::AnnotatedGame>& games) {
    std::vector<FileRecord> rows{version(id, 0, 0, 1, name)};
    for (const chess::AnnotatedGame& one : games) {
        rows.push_back(
            version(id, 0, static_cast<std::int64_t>(rows.size()), 1, chess::to_pgn(one)));
    }
    const std::int64_t file = keep(store, std::move(rows)).value().id;
    const auto all = store.files(id);
    std::size_t found = 0;
    for (const FileRecord& row : all) {
        if (row.file != file || row.number == 0) {
            continue;
        }
        const auto [read, report] = chess::read_games(row.text);
        REQUIRE(report.notes.empty());
        REQUIRE(read.size() == 1);
        REQUIRE((read.front() == games[static_cast<std::size_t>(row.number) - 1]));
        ++found;
    }
    REQUIRE(found == games.size());
}

} // namespace

TEST_CASE("a file is kept with its games, and goes with its analysis") {
    House house;
    const std::int64_t file = house.new_file();
    std::vector<FileRecord> rows = house.store->files(house.id);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0] == FileRecord{file, house.id, file, 0, 1, 0, "mine.pgn", 101});
    CHECK(rows[2] == FileRecord{rows[2].id, house.id, file, 2, 1, 0, game, 101});
    CHECK(keep(*house.store, {version(house.id, file, 2, 2, other_game)}).value().inserted);
    CHECK(house.store->files(house.id).back().text == other_game);
    CHECK(house.store->files(house.id).back().before == 1);
    CHECK(house.store->check().empty());
    CHECK(house.store->files(AnalysisId{}).empty());

    const std::int64_t free =
        keep(*house.store, {version(AnalysisId{}, 0, 0, 1, "of a review")}).value().id;
    REQUIRE(house.store->files(AnalysisId{}).size() == 1);
    CHECK(house.store->files(AnalysisId{}).front().file == free);
    house.store->remove(house.id, {});
    house.store->flush();
    CHECK(house.store->files(house.id).empty());
    CHECK(house.store->files(AnalysisId{}).size() == 1);
    CHECK(house.store->check().empty());
    // Numbers are never given twice.
    CHECK(keep(*house.store, {version(AnalysisId{}, 0, 0, 1, "next")}).value().id > free);
}

TEST_CASE("of two versions that come after the same one, the second is not written") {
    House house;
    const std::int64_t file = house.new_file();
    const auto first = keep(*house.store, {version(house.id, file, 1, 2, other_game)});
    CHECK(first.value().inserted);
    const auto second = keep(*house.store, {version(house.id, file, 2, 2, other_game),
                                            version(house.id, file, 1, 2, "")});
    CHECK_FALSE(second.value().inserted);
    CHECK(second.value().id == first.value().id);
    CHECK(house.store->files(house.id).size() == 4); // nothing of it
}

TEST_CASE("what is no version of a file is refused") {
    House house;
    const std::int64_t file = house.new_file();
    const auto refusal = [&](std::vector<FileRecord> rows) {
        const Outcome outcome = keep(*house.store, std::move(rows));
        return outcome ? "" : outcome.error().why;
    };
    CHECK_THAT(refusal({}), Contains("nothing to write"));
    CHECK_THAT(refusal({version(AnalysisId{77}, 0, 0, 1, "a")}), Contains("no analysis 77"));
    CHECK_THAT(refusal({version(house.id, 77, 1, 1, game)}), Contains("no file 77"));
    CHECK_THAT(refusal({version(AnalysisId{}, file, 1, 2, game)}), Contains("no file"));
    CHECK_THAT(refusal({version(house.id, 0, 1, 1, game)}), Contains("a game without its file"));
    CHECK_THAT(refusal({version(house.id, file, 1, 2, game), version(house.id, 0, 0, 1, "b")}),
               Contains("rows of several files"));
    CHECK_THAT(refusal({version(house.id, file, 1, 0, game)}), Contains("a version below 1"));
    CHECK_THAT(refusal({version(house.id, file, -1, 1, game)}), Contains("below 0"));
    FileRecord later = version(house.id, file, 1, 2, game);
    later.before = 2;
    CHECK_THAT(refusal({later}), Contains("the version before it is none"));
    CHECK(house.store->files(house.id).size() == 3);
}

TEST_CASE("a damaged version is set aside, found by the check, and written over by nobody") {
    House house;
    const std::int64_t file = house.new_file();
    keep(*house.store, {version(house.id, file, 1, 2, other_game)});
    const std::string sql = "UPDATE files SET at = 9 WHERE number = 1 AND version = 2";
    if (house.place.kind() == Kind::sqlite) {
        house.store.reset();
        damage(house.place.location(), sql);
        house.store = open_owner(house.place);
    } else {
        shared_cluster().sql(house.place.location(), sql);
    }
    std::vector<std::string> told;
    const auto rows =
        house.store->files(house.id, [&](const std::string& what) { told.push_back(what); });
    CHECK(rows.size() == 3);
    REQUIRE(told.size() == 1);
    CHECK_THAT(told[0], Contains("version of a file 4 is damaged"));
    CHECK(house.store->check() ==
          std::vector<std::string>{"version of a file 4: its checksum is another"});
    // Whoever read the others goes on from the last of them.
    CHECK(keep(*house.store, {version(house.id, file, 1, 2, other_game)}).value().inserted);
    CHECK(house.store->files(house.id).back().version == 3);
}

TEST_CASE("the check reads the games of files") {
    House house;
    const std::int64_t file = house.new_file();
    keep(*house.store, {version(house.id, file, 1, 2, "[Result \"*\"]\n\n1. e4 e4 *\n"),
                        version(house.id, file, 2, 2, game + "\n" + game)});
    const auto findings = house.store->check();
    REQUIRE(findings.size() == 2);
    CHECK_THAT(findings[0], Contains("version of a file 4: game 1, line 3") && Contains("e4"));
    CHECK_THAT(findings[1], Contains("version of a file 5: it is no single game"));
}

TEST_CASE("repair keeps the files of an analysis that is lost") {
    const TemporaryDirectory directory;
    AnalysisId id;
    {
        const auto store = open_owner(directory);
        id = AnalysisId{
            insert_and_wait(*store, sample_analysis(store->engine(sample_engine()), "a", 1)).id};
        keep(*store, {version(id, 0, 0, 1, "mine.pgn"), version(id, 0, 1, 1, game)});
    }
    damage(directory, "UPDATE analyses SET priority = 7");
    const fs::path to = directory.path() / "repaired";
    const RepairReport report = repair(directory, to);
    CHECK(report.findings.empty());
    CHECK(std::ranges::any_of(report.lines, [](const std::string& line) {
        return line.find("version of a file 2: its analysis 1 is lost") != std::string::npos;
    }));
    const auto rows = open_owner(to)->files(AnalysisId{});
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].text == game);
}

TEST_CASE("games of every file of other projects are kept as they were read") {
    House house;
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator{data_root()}) {
        constexpr std::uintmax_t small = 20'000; // the others are read for one kind of store
        if (!entry.is_regular_file() || entry.path().extension() != ".pgn" ||
            (house.place.kind() != Kind::sqlite && entry.file_size() > small)) {
            continue;
        }
        INFO(entry.path());
        std::ifstream in{entry.path(), std::ios::binary};
        chess::GameReader reader{in};
        std::vector<chess::AnnotatedGame> games;
        while (auto one = reader.next()) {
            games.push_back(std::move(*one));
        }
        const AnalysisId own{
            insert_and_wait(*house.store, sample_analysis(EngineId{1}, "a", 1)).id};
        require_kept(*house.store, own, entry.path().filename().string(), games);
        ++files;
    }
    CHECK(files > (has_all_data() ? 100 : 3));
    chess::testing::Random random{31};
    for (int i = 0; i < 20; ++i) {
        require_kept(*house.store, house.id, "random",
                     {chess::testing::random_game(random), chess::testing::random_game(random)});
    }
    if (!has_all_data()) {
        skip("no ../shared/data: games of other projects are read from the sample only");
    }
}
