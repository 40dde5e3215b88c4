// `adjourn bench cluster`, small: one of each fault, and all evaluations are those of one machine.
#include "bench/postgres/postgres_cluster.hpp"
#include "program.hpp"
#include "shared_data.hpp"
#include "temporary_directory.hpp"

namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

} // namespace

TEST_CASE("bench cluster: by a database and by HTTP, among faults, nothing is lost, doubled or "
          "another",
          "[.][deep][reliability]") {
    const TemporaryDirectory directory;
    const Finished run = run_program({"bench", "cluster", "--workers", "4", "--engines", "2",
                                      "--analyses", "2", "--faults", "1", "--fast", "0", "--slow",
                                      "20", "--directory", directory.path().string()});
    INFO(run.output << run.errors);
    CHECK(run.code == 0);
    const std::string well = "  lost 0, doubled 0, different 0, check clean\n";
    const std::string faults =
        "  worker killed 1, worker stopped 1, engine killed 1, server killed 1";
    CHECK(count(run.output, faults + "\n") == 1);
    if (const std::string missing = PostgresCluster::missing(); !missing.empty()) {
        skip(missing);
        CHECK(count(run.output, well) == 1);
        CHECK(count(run.output, "\nskipped: ") == 1);
        return;
    }
    CHECK(count(run.output, faults + ", database crashed 1, connections cut 1\n") == 1);
    CHECK(count(run.output, well) == 3);
    CHECK(std::filesystem::is_empty(directory.path()));
}
