#include "core/engines/engines.hpp"
#include "core/engines/installed_engines.hpp"
#include "test.hpp"

using namespace adjourn::server;

TEST_CASE("releases: the year of an engine by the name that it calls itself") {
    CHECK(release_year("Stockfish 15.1") == 2022);
    CHECK(release_year("Stockfish 19 WASM Multithreaded") == 2026);
    CHECK(release_year("Stockfish dev-20240203-ededadcd") == 2024);
    CHECK(release_year("Fairy-Stockfish 11.1 LB 64") == 2020);
    CHECK(release_year("Lc0 v0.31.2+git.dirty") == 2024);
    CHECK(release_year("GNU Chess 6.2.7") == 2020);
    for (const char* const unknown :
         {"", "Stockfish", "Stockfish 1", "Stockfish 150", "Stockfish 15.2", "Stockfish dev-",
          "My Stockfish 15", "Adjourn 0.1"}) {
        CAPTURE(unknown);
        CHECK_FALSE(release_year(unknown));
    }
    CHECK(with_year("Stockfish 15.1") == "Stockfish 15.1 (2022)");
    CHECK(with_year("Nobody") == "Nobody");
}

TEST_CASE("releases: an engine older than two years is said to be so, with what to do") {
    constexpr adjourn::analysis::UnixMs year = 31'556'952'000;
    const auto in = [](int wanted) { return (wanted - 1970) * year + year / 2; };
    CHECK(advice_on("Stockfish 15.1", in(2024)).empty());
    const std::string advice = advice_on("Stockfish 15.1", in(2026));
    CHECK(advice.starts_with("It is of 2022, older than two years; Stockfish 19 is of 2026."));
    for (const char* const way : {"stockfishchess.org", "package", "npm install stockfish"}) {
        CHECK(advice.find(way) != std::string::npos);
    }
    CHECK(advice_on("Stockfish 19 WASM", in(2028)).empty());
    CHECK_FALSE(advice_on("Stockfish 19 WASM", in(2029)).empty());
    CHECK(advice_on("Nobody", in(2050)).empty());
}

TEST_CASE("deaths: of an engine that dies all the time ten deaths a minute are in the log") {
    DeathLog log;
    DeathLog::Time now{};
    std::size_t written = 0;
    for (int i = 0; i < 25; ++i) {
        written += log.died(now).written ? 1 : 0;
    }
    CHECK(written == DeathLog::most_lines);
    now += DeathLog::period;
    const DeathLog::Line line = log.died(now);
    CHECK(line.written);
    CHECK(line.left_out == 15);
    CHECK(log.died(now).left_out == 0);
}
