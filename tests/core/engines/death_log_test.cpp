#include "core/engines/engines.hpp"
#include "test.hpp"

using namespace adjourn::server;

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
