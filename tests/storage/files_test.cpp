// Files of games: versions, of which the last counts; and what was read of a PGN file comes back.
#include "contents.hpp"
#include "place.hpp"
#include "raw.hpp"

#include "storage/maintenance.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string game = "[Result \"*\"]\n\n1. e4 e5 *\n";
const std::string other_game = "[Result \"*\"]\n\n1. d4 {Größe ♞ '\"} d5 *\n";

FileRecord version(AnalysisId analysis, std::int64_t file, std::int64_t number,
                   std::int64_t version, std::string text) {
    return {0, analysis, file, number, version, version - 1, std::move(text), 100 + version};
}

struct Files : House {
    Outcome keep(std::vector<FileRecord> rows) const { return write(FileChange{std::move(rows)}); }
    const std::int64_t file = keep({version(id, 0, 0, 1, "mine.pgn"), version(id, 0, 1, 1, game),
                                    version(id, 0, 2, 1, game)})
                                  .value()
                                  .id;
};

} // namespace

TEST_CASE_METHOD(Files, "a file is kept with its games, and goes with its analysis") {
    std::vector<FileRecord> rows = store->files(id);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0] == FileRecord{file, id, file, 0, 1, 0, "mine.pgn", 101});
    CHECK(rows[2] == FileRecord{rows[2].id, id, file, 2, 1, 0, game, 101});
    CHECK(keep({version(id, file, 2, 2, other_game)}).value().inserted);
    CHECK(store->files(id).back().text == other_game);
    CHECK(store->files(id).back().before == 1);
    CHECK(store->check().empty());
    CHECK(store->files(AnalysisId{}).empty());

    const std::int64_t free = keep({version(AnalysisId{}, 0, 0, 1, "of a review")}).value().id;
    REQUIRE(store->files(AnalysisId{}).size() == 1);
    CHECK(store->files(AnalysisId{}).front().file == free);
    store->remove(id, {});
    store->flush();
    CHECK(store->files(id).empty());
    CHECK(store->files(AnalysisId{}).size() == 1);
    CHECK(store->check().empty());
    // Numbers are never given twice.
    CHECK(keep({version(AnalysisId{}, 0, 0, 1, "next")}).value().id > free);
}

TEST_CASE_METHOD(Files, "of two versions that come after the same one, the second is not written") {
    const auto first = keep({version(id, file, 1, 2, other_game)});
    CHECK(first.value().inserted);
    const auto second = keep({version(id, file, 2, 2, other_game), version(id, file, 1, 2, "")});
    CHECK_FALSE(second.value().inserted);
    CHECK(second.value().id == first.value().id);
    CHECK(store->files(id).size() == 4); // nothing of it
}

TEST_CASE_METHOD(Files, "what is no version of a file is refused") {
    const auto refusal = [&](std::vector<FileRecord> rows) {
        const Outcome outcome = keep(std::move(rows));
        return outcome ? "" : outcome.error().why;
    };
    CHECK_THAT(refusal({}), Contains("nothing to write"));
    CHECK_THAT(refusal({version(AnalysisId{77}, 0, 0, 1, "a")}), Contains("no analysis 77"));
    CHECK_THAT(refusal({version(id, 77, 1, 1, game)}), Contains("no file 77"));
    CHECK_THAT(refusal({version(AnalysisId{}, file, 1, 2, game)}), Contains("no file"));
    CHECK_THAT(refusal({version(id, 0, 1, 1, game)}), Contains("a game without its file"));
    CHECK_THAT(refusal({version(id, file, 1, 2, game), version(id, 0, 0, 1, "b")}),
               Contains("rows of several files"));
    CHECK_THAT(refusal({version(id, file, 1, 0, game)}), Contains("a version below 1"));
    CHECK_THAT(refusal({version(id, file, -1, 1, game)}), Contains("below 0"));
    FileRecord later = version(id, file, 1, 2, game);
    later.before = 2;
    CHECK_THAT(refusal({later}), Contains("the version before it is none"));
    CHECK(store->files(id).size() == 3);
}

TEST_CASE_METHOD(Files,
                 "a damaged version is set aside, found by the check, and written over by nobody") {
    keep({version(id, file, 1, 2, other_game)});
    store.reset();
    damage_rows(place, "UPDATE files SET at = 9 WHERE number = 1 AND version = 2");
    reopen();
    std::vector<std::string> told;
    const auto rows = store->files(id, [&](const std::string& what) { told.push_back(what); });
    CHECK(rows.size() == 3);
    REQUIRE(told.size() == 1);
    CHECK_THAT(told[0], Contains("version of a file 4 is damaged"));
    CHECK(store->check() ==
          std::vector<std::string>{"version of a file 4: its checksum is another"});
    // Whoever read the others goes on from the last of them.
    CHECK(keep({version(id, file, 1, 2, other_game)}).value().inserted);
    CHECK(store->files(id).back().version == 3);
}

TEST_CASE_METHOD(Files, "the check reads the games of files") {
    keep({version(id, file, 1, 2, "[Result \"*\"]\n\n1. e4 e4 *\n"),
          version(id, file, 2, 2, game + "\n" + game)});
    const auto findings = store->check();
    REQUIRE(findings.size() == 2);
    CHECK_THAT(findings[0], Contains("version of a file 4: game 1, line 3") && Contains("e4"));
    CHECK_THAT(findings[1], Contains("version of a file 5: it is no single game"));
}

TEST_CASE("repair keeps the files of an analysis that is lost") {
    const TemporaryDirectory directory;
    fill_all_tables(directory);
    const std::size_t files = open_owner(directory)->files(AnalysisId{1}).size();
    damage(directory, "UPDATE analyses SET priority = 7 WHERE id = 1");
    const fs::path to = directory.path() / "repaired";
    const RepairReport report = repair(directory, to);
    CHECK(report.findings.empty());
    CHECK(std::ranges::any_of(report.lines, [](const std::string& line) {
        return line.find("version of a file 2: its analysis 1 is lost") != std::string::npos;
    }));
    CHECK(open_owner(to)->files(AnalysisId{}).size() == files);
}
