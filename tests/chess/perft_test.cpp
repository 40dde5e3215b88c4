// Node counts against published tables, and perft against itself.
#include "chess/kernel.hpp"
#include "support.hpp"
#include "test.hpp"

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

namespace {

struct PerftEntry {
    std::string fen;
    std::vector<std::pair<int, std::uint64_t>> counts; // depth, nodes
};

// "FEN;D1 20;D2 400" (semicolons and blanks as they come), or paragraphs of "epd FEN" and
// "perft 1 20".
std::vector<PerftEntry> read_perft_table(const std::string& text) {
    std::vector<PerftEntry> table;
    for (std::string line : lines_of(text)) {
        std::ranges::replace(line, ';', ' ');
        std::erase_if(line, [](char c) { return c == '\x1a' || c == '\0'; }); // old ends of files
        std::istringstream words{line};
        std::string word;
        words >> word;
        if (word == "epd") {
            std::getline(words >> std::ws, table.emplace_back().fen);
        } else if (word == "perft") {
            auto& [depth, nodes] = table.back().counts.emplace_back();
            words >> depth >> nodes;
        } else if (!word.empty() && word != "id" && word[0] != '#') {
            PerftEntry entry{word, {}};
            while (words >> word) {
                if (word.size() == 2 && word[0] == 'D' && word[1] >= '1' && word[1] <= '9') {
                    words >> entry.counts.emplace_back(word[1] - '0', 0).second;
                } else {
                    entry.fen += " " + word;
                }
            }
            if (!entry.counts.empty()) {
                table.push_back(std::move(entry));
            }
        }
    }
    return table;
}

// Positions of the tables that no game can reach and our gate refuses: a double check that one move
// cannot give, too many pieces.
const std::vector<std::string> refused{
    "1b1k4/8/8/1rPpK3/8/8/8/8 w - d6",
    "1q4k1/3r1Ppp/5NP1/pP6/8/1Q6/3B4/2K2R2 b - -",
    "1rrrrrk1/1PPPPPPP/8/8/8/8/8/6K1 b - -",
    "2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - -",
    "2b5/1nbn4/n3n3/1kn5/n3n3/1n1n4/5RQ1/2KQ1R2 w K -",
    "3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - -",
    "5R2/2P5/8/4k3/8/3rK2r/8/8 w - -",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3",
    "B6b/8/8/8/2K5/5k2/8/b6B b - -",
    "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - -",
    "rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6",
};

bool is_listed_as_refused(const std::string& fen) {
    return std::any_of(refused.begin(), refused.end(),
                       [&](const std::string& listed) { return fen.starts_with(listed); });
}

// Every count of at most `cap` nodes; how many there were.
int check_table(const std::string& text, std::uint64_t cap) {
    int checked = 0;
    for (const PerftEntry& entry : read_perft_table(text)) {
        if (is_listed_as_refused(entry.fen)) {
            CHECK_FALSE(Position::from_fen(entry.fen));
            continue;
        }
        const Position start = position(entry.fen);
        for (const auto& [depth, nodes] : entry.counts) {
            if (nodes <= cap) {
                INFO(entry.fen << " depth " << depth);
                REQUIRE(perft(start, depth) == nodes);
                ++checked;
            }
        }
    }
    return checked;
}

const std::vector<std::string> shared_tables{
    "amundsen_perftsuite.epd", "cozychess_extracted.epd",      "ethereal_fischer_frc.epd",
    "ethereal_standard.epd",   "fairystockfish_extracted.epd", "shakmaty_chess960.perft",
    "shakmaty_random.perft",   "shakmaty_tricky.perft",        "whittington_perft-marcel.epd"};

void check_shared_tables(std::uint64_t cap) {
    for (const std::string& name : shared_tables) {
        INFO(name);
        const auto text = shared_file("perft/" + name);
        REQUIRE(text);
        // One table starts at depth 5.
        CHECK((check_table(*text, cap) > 0 || cap < 4'865'609));
    }
}

} // namespace

TEST_CASE("perft: our own table", "[chess]") {
    CHECK(check_table(own_file("perft.epd"), 1'000'000) > 50);
}

TEST_CASE("perft: published tables, shallow", "[chess]") {
    check_shared_tables(10'000);
}

TEST_CASE("perft: published tables, ten million nodes each", "[.][exhaustive]") {
    check_shared_tables(10'000'000);
}

TEST_CASE("perft: by the portable kernel, at the ends, and where there are most moves", "[chess]") {
    CHECK(detail::portable_kernel().perft(Position::initial().board(), Color::white, 4) == 197281);
    CHECK(perft(Position::initial(), 0) == 1);
    CHECK(perft(position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 1) == 0);
    CHECK(perft(position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 3) == 0);
    CHECK(perft(position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"), 1) == 218);
}
