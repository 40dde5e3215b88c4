// tests/data/formats-corpus.txt: what the readers make of every file that other projects left us:
// file, read as, records, read, refused, first refusal. Run with ADJOURN_WRITE_FORMATS=1 to write
// it anew, and correct the sums in docs/measurements/formats-corpus.md then.
#include "pgn_log.hpp"

#include "chess/epd.hpp"
#include "shared_data.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::chess;
using namespace adjourn::chess::testing;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const fs::path shared = adjourn::data_root();
const fs::path known_table = fs::path{ADJOURN_SOURCE_DIR} / "tests/data/formats-corpus.txt";

struct Counts {
    std::string kind;
    std::size_t records = 0;
    std::size_t refused = 0;
    std::string refusal;

    void refuse(const std::string& message) {
        ++refused;
        if (refusal.empty()) {
            refusal = message;
        }
    }
};

std::string contents(const fs::path& file) {
    std::ifstream in{file, std::ios::binary};
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// Games; one with several errors is refused once.
Counts games_in(const std::string& text) {
    const PgnLog log = read_pgn(text);
    Counts counts{"PGN", log.games, 0, {}};
    std::size_t last = 0;
    for (const PgnError& error : log.errors) {
        if (error.game != last) {
            counts.refuse(to_text(error));
        }
        last = error.game;
    }
    return counts;
}

std::optional<std::string> epd_trouble(const std::string& line) {
    const auto record = parse_epd(line);
    if (!record) {
        return record.error();
    }
    const auto verdict = verdict_of(*record);
    return verdict ? std::nullopt : std::optional{verdict.error()};
}

Counts records_in(const std::string& text) {
    Counts counts{"EPD", 0, 0, {}};
    std::size_t number = 0;
    for (const std::string& line : lines_of(text)) {
        ++number;
        if (!is_epd_comment(line)) {
            ++counts.records;
            if (const auto trouble = epd_trouble(line)) {
                counts.refuse("line " + std::to_string(number) + ": " + *trouble);
            }
        }
    }
    return counts;
}

// Cases of other projects' tests: a game or a position each; what is neither is not counted.
Counts cases_in(const std::string& text) {
    Counts counts{"cases", 0, 0, {}};
    std::size_t number = 0;
    for (const std::string& line : lines_of(text)) {
        ++number;
        const json item = json::parse(line, nullptr, false);
        if (!item.is_object()) {
            continue;
        }
        std::optional<std::string> trouble;
        if (item.contains("pgn") && item["pgn"].is_string()) {
            const Counts games = games_in(item["pgn"]);
            trouble = games.refused > 0 ? std::optional{games.refusal} : std::nullopt;
        } else {
            const auto field = std::find_if(item.begin(), item.end(), [&](const json& value) {
                return value.is_string() && value.get<std::string>().find('/') != std::string::npos;
            });
            if (field == item.end()) {
                continue;
            }
            trouble = epd_trouble(*field);
        }
        ++counts.records;
        if (trouble) {
            counts.refuse("line " + std::to_string(number) + ": " + *trouble);
        }
    }
    return counts;
}

// 16 bytes an entry, by ascending key.
Counts entries_in(const std::string& bytes) {
    Counts counts{"Polyglot", bytes.size() / 16, 0, {}};
    if (bytes.size() % 16 != 0) {
        counts.refuse("a last entry of " + std::to_string(bytes.size() % 16) + " bytes");
    }
    for (std::size_t at = 16; at + 16 <= bytes.size(); at += 16) {
        if (bytes.compare(at - 16, 8, bytes, at, 8) > 0) {
            counts.refuse("entry " + std::to_string(at / 16) + ": its key is below the one before");
        }
    }
    return counts;
}

Counts counts_of(const fs::path& file) {
    const std::string ending = file.extension().string();
    const std::string text = contents(file);
    if (ending == ".bin") {
        return entries_in(text);
    }
    if (ending == ".jsonl") {
        return cases_in(text);
    }
    const bool positions = file.string().find("/fen/") != std::string::npos;
    if (ending == ".epd" || ending == ".fen" || positions) {
        return records_in(text);
    }
    return games_in(text);
}

std::string cell(std::string text) {
    for (std::size_t at = 0; (at = text.find_first_of("|\n\r<`", at)) != std::string::npos; ++at) {
        if (text[at] == '|' || text[at] == '<' || text[at] == '`') {
            text.insert(at++, "\\");
        } else {
            text[at] = ' ';
        }
    }
    return text;
}

std::string row(const fs::path& file, const Counts& counts) {
    return "| " + fs::relative(file, shared).string() + " | " + counts.kind + " | " +
           std::to_string(counts.records) + " | " +
           std::to_string(counts.records - std::min(counts.records, counts.refused)) + " | " +
           std::to_string(counts.refused) + " | " + cell(counts.refusal) + " |\n";
}

std::vector<fs::path> files() {
    std::vector<fs::path> files;
    for (const char* folder : {"pgn", "epd", "fen", "polyglot", "books"}) {
        std::error_code missing;
        for (const auto& entry : fs::recursive_directory_iterator{shared / folder, missing}) {
            const std::string name = entry.path().filename().string();
            const bool numbers = name == "random64.txt" || name.ends_with(".csv");
            if (entry.is_regular_file() && !numbers) {
                files.push_back(entry.path());
            }
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

TEST_CASE("formats: the readers find in every file what tests/data/formats-corpus.txt says",
          "[chess]") {
    std::string now;
    REQUIRE(files().size() > 20);
    for (const fs::path& file : files()) {
        INFO(file);
        const Counts counts = counts_of(file);
        CHECK(counts.records > 0);
        now += row(file, counts);
    }
    if (!adjourn::has_all_data()) {
        adjourn::skip("no ../shared/data");
        return;
    }
    if (std::getenv("ADJOURN_WRITE_FORMATS") != nullptr) {
        std::ofstream{known_table, std::ios::binary} << now;
        return;
    }
    std::istringstream expected{contents(known_table)};
    std::istringstream found{now};
    std::string ours;
    std::string theirs;
    while (std::getline(found, theirs)) {
        std::getline(expected, ours);
        REQUIRE(ours == theirs);
    }
    CHECK_FALSE(std::getline(expected, ours));
}
