// Importing: what is lost of a damaged file is told, in every way in, and the rest is read.
#include "damage.hpp"
#include "temporary_directory.hpp"

#include "base/text.hpp"
#include "chess/notation.hpp"
#include "files/collections/collect.hpp"
#include "files/import/import.hpp"
#include "files/openings/openings.hpp"
#include "storage/open.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::server;
using nlohmann::json;

namespace {

// A store with one analysis of the initial position.
struct LosingImport {
    TemporaryDirectory directory;
    std::unique_ptr<storage::Store> store =
        storage::open_store(directory.path(), storage::OpenMode::owner);
    ImportOptions options;

    LosingImport() {
        storage::AnalysisRecord record;
        record.root_fen = chess::Position::initial().fen();
        store->insert(record, {});
        store->flush();
        options.name = "x";
        options.target = ImportTarget{analysis::AnalysisId{1}, chess::Position::initial(), {}};
    }
    ImportReport take(ImportFormat format, const std::string& text) {
        std::istringstream in{text};
        GamesText games = format == ImportFormat::pgn ? read_games_text(text) : GamesText{};
        const auto report = games.games.empty()
                                ? import_text(*store, format, in, options)
                                : import_games(*store, text, std::move(games), options);
        REQUIRE(report);
        return *report;
    }
};

const std::string open_brace =
    "[White \"First\"]\n[Result \"*\"]\n\n1. e4 {this one is never closed e5 2. Nf3 *\n\n[White "
    "\"Second\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n\n[White \"Third\"]\n[Result \"*\"]\n\n1. c4 "
    "{closed} c5 *\n";

using Messages = std::vector<std::string>;

Messages messages(const std::vector<ImportError>& list) {
    Messages texts;
    for (const ImportError& one : list) {
        texts.push_back(to_text(one, ImportFormat::pgn, "x"));
    }
    return texts;
}

} // namespace

TEST_CASE("import: a comment that is not closed hides no game, and is told with its place") {
    LosingImport import;
    const ImportReport report = import.take(ImportFormat::pgn, open_brace);
    CHECK(report.records == 3);
    CHECK(report.broken == 1);
    CHECK(report.seeds_added == 5);
    CHECK(messages(report.errors) ==
          Messages{"x: game 1, line 4: column 7: a comment is not closed; it ends before the tags "
                   "of line 6"});
    REQUIRE(report.file);
    CHECK(report.file->games == 3);
    CHECK(report.file->told.refused == 1);
    CHECK(to_text(report.file->told.notes.at(0))
              .starts_with("game 1, line 4, column 7: a comment is not closed"));
    CHECK(report.file->told.notes.at(0).main_line);

    std::istringstream in{open_brace};
    const auto collected =
        collections::collect(in, "x", {}, import.directory.path() / "x.games", {});
    REQUIRE(collected);
    CHECK(collected->damaged == 1);
    CHECK(collected->games == 1);
    CHECK(collected->without_result == 1);
    REQUIRE(collected->errors.size() == 1);
    CHECK(to_text(collected->errors[0]).starts_with("game 1, line 4, column 7: "));
}

TEST_CASE("import: what is left out beside the games is told") {
    LosingImport import;
    const ImportReport report = import.take(
        ImportFormat::pgn, "{one}\n[White \"A\"]\n{two}\n[Black \"B\"]\n\n1. e4 ~ e5 $999 1-0 "
                           "{three} 2. Nf3 *\n\nremark\n% four\n\n[White \"C\"]\n\n1. d4 *\n");
    CHECK(report.broken == 1);
    CHECK(messages(report.errors) ==
          Messages{"x: game 2, line 6: column 29: what follows a result without tags, and does not "
                   "begin with move 1, is no game"});
    CHECK(
        messages(report.warnings) ==
        Messages{"x: game 1, line 1: column 1: a comment before tags or behind a game is left out",
                 "x: game 1, line 3: column 1: a comment before tags or behind a game is left out",
                 "x: game 1, line 6: column 7: '~' is left out",
                 "x: game 1, line 6: column 12: '$999' is left out",
                 "x: game 2, line 6: column 21: a comment before tags or behind a game is left out",
                 "x: game 2, line 8: column 1: 'remark' is left out: it is in no game",
                 "x: game 2, line 9: column 1: a line behind % is left out"});
}

TEST_CASE("import: lines of comments in an EPD file are counted") {
    LosingImport import;
    const ImportReport report =
        import.take(ImportFormat::epd, "\n# a\n8/8/8/8/8/8/k7/3K4 w - - bm Kc2;\n; b\n//c\n");
    CHECK(report.moves == 1);
    CHECK(report.warned == 1);
    CHECK(messages(report.warnings) ==
          Messages{"x: game 1, line 2: left out as comments, from here on: 3 lines"});
}

TEST_CASE("import: lines end with CR, too") {
    const std::string epd = "8/8/8/8/8/8/k7/3K4 w - - - bm Kc2; id \"1\";\n"
                            "8/8/8/8/8/k7/8/3K4 w - - c0 \"text\" bm Kc2;\n"
                            "8/8/8/8/k7/8/8/3K4 w - - bm Kc2 c0 \"text\";\n";
    const std::string object =
        R"({"fen":"8/8/8/8/8/8/k7/3K4 w - -","evals":[{"pvs":[{"cp":0,"line":"d1c2"}],"depth":9}]})";
    for (const std::string end : {"\n", "\r", "\r\n"}) {
        LosingImport import;
        std::string text = base::replaced(epd, "\n", end);
        const ImportReport records = import.take(ImportFormat::epd, text);
        CHECK(records.records == 3);
        CHECK(records.moves == 3);
        CHECK(records.broken == 0);
        CHECK(messages(records.warnings) ==
              Messages{"x: game 1, line 1: column 26: '-' is left out: it has no opcode"});
        const ImportReport lines =
            import.take(ImportFormat::lichess, object + end + object + end + "x" + end);
        CHECK(lines.records == 3);
        CHECK(lines.moves == 2);
        REQUIRE(lines.errors.size() == 1);
        CHECK(lines.errors[0].line == 3);
        // In parts, as the command sends them.
        text = base::replaced(open_brace, "\n", end);
        std::istringstream in{text};
        ImportParts parts{in, ImportFormat::pgn, std::size_t{4} << 20};
        const auto part = parts.next();
        REQUIRE(part);
        CHECK(part->lines == 14);
        std::istringstream again{text};
        ImportParts by_line{again, ImportFormat::epd, 1};
        std::size_t count = 0;
        while (by_line.next()) {
            ++count;
        }
        CHECK(count == 14);
    }
}

namespace {

// What a line of lichess' export says, made anew of its facts.
json remade(const LichessLine& line, const json& given) {
    json evals = json::array();
    std::size_t next = 0;
    for (const json& eval : given.at("evals")) {
        json made{{"pvs", json::array()}, {"depth", line.facts.at(next).depth}};
        if (eval.contains("knodes")) {
            made["knodes"] = line.facts.at(next).nodes / 1'000;
        }
        for (std::size_t i = 0; i < eval.at("pvs").size(); ++i) {
            const analysis::Evaluation& fact = line.facts.at(next++);
            const auto position = chess::Position::unpack(fact.question.position);
            const chess::Score score =
                position->turn() == chess::Color::white ? *fact.score : -*fact.score;
            json pv;
            if (score.is_cp()) {
                pv["cp"] = score.centipawns();
            } else {
                pv["mate"] = (score.plies() + 1) / 2 * (score.is_win() ? 1 : -1);
            }
            pv["line"] = fact.pv.size();
            made["pvs"].push_back(std::move(pv));
        }
        evals.push_back(std::move(made));
    }
    return evals;
}

json evals_with_counts(json given) {
    for (json& eval : given.at("evals")) {
        for (json& pv : eval.at("pvs")) {
            const std::string text = pv.at("line");
            base::Words words{text};
            std::size_t count = 0;
            while (!words.next().empty()) {
                ++count;
            }
            pv["line"] = count;
        }
    }
    return given.at("evals");
}

// Removes what is told; false: something told is not there.
bool without_told(json& object, const std::vector<std::string>& told) {
    for (const std::string& text : told) {
        const std::string name = text.substr(0, text.find(" is left out"));
        const std::string last = name.substr(name.rfind('.') + 1);
        std::size_t removed = 0;
        const auto remove = [&](json& from, std::initializer_list<const char*> known) {
            for (auto it = from.begin(); it != from.end();) {
                const bool is_known =
                    std::ranges::any_of(known, [&](const char* one) { return it.key() == one; });
                const bool is_it = !is_known && (it.key() == last || it.key().size() > 60 ||
                                                 it.key().contains('.'));
                removed += is_it ? 1 : 0;
                it = is_it ? from.erase(it) : std::next(it);
            }
        };
        remove(object, {"fen", "evals"});
        for (json& eval : object.at("evals")) {
            remove(eval, {"pvs", "depth", "knodes"});
            for (json& pv : eval.at("pvs")) {
                remove(pv, {"cp", "mate", "line"});
            }
        }
        if (removed == 0) {
            return false;
        }
    }
    return true;
}

} // namespace

TEST_CASE("damage: of a line of lichess' export every value is read, or told") {
    const std::vector<std::string> lines{
        R"({"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","evals":[{"pvs":[{"cp":20,"line":"c7c5 g1f3"},{"mate":4,"line":"e7e5"}],"knodes":7,"depth":30},{"pvs":[{"cp":-31,"line":"e7e5 g1f3 b8c6"}],"depth":12}]})",
        R"({"fen":"8/8/8/8/8/8/k7/3K4 w - -","evals":[{"pvs":[{"cp":0,"line":"d1c2"}],"knodes":120,"depth":9}]})"};
    Damage damage{4};
    std::size_t read_lines = 0;
    for (int i = 0; i < 6'000; ++i) {
        const std::string line = damage(lines[damage.below(2)], lines[damage.below(2)]);
        INFO(line);
        const auto read = parse_lichess_line(line);
        if (!read) {
            CHECK_FALSE(read.error().empty());
            continue;
        }
        ++read_lines;
        json given = json::parse(line);
        REQUIRE(without_told(given, read->told));
        CHECK(given.size() == 2);
        CHECK(remade(*read, given) == evals_with_counts(given));
    }
    CHECK(read_lines > 100);
    std::cout << "JSON lines: " << damage.tried << " damages, " << read_lines
              << " lines read, 0 values unaccounted for\n";
}

TEST_CASE("damage: of a line of the opening table every column is read, or it is refused") {
    const std::vector<std::string> lines{
        "B90\tSicilian Defense: Najdorf Variation\t1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. "
        "Nc3 "
        "a6",
        "A00\tAmar Opening: Paris Gambit\t1. Nh3 d5 2. g3 e5 3. f4"};
    Damage damage{5};
    std::size_t read_lines = 0;
    for (int i = 0; i < 4'000; ++i) {
        const std::string line = damage(lines[damage.below(2)], lines[damage.below(2)]);
        INFO(line);
        const auto read = parse_opening(line);
        if (!read) {
            CHECK_FALSE(read.error().empty());
            continue;
        }
        ++read_lines;
        CHECK(std::string{read->eco} + "\t" + std::string{read->name} + "\t" +
                  std::string{read->pgn} ==
              line);
    }
    CHECK(read_lines > 100);
    CHECK(opening_book().all().size() == 3'807);
    std::cout << "opening table: " << damage.tried << " damages, 0 bytes unaccounted for\n";
}
