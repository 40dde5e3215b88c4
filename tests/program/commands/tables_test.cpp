// Endgame tables made and checked by commands.
#include "program.hpp"
#include "temporary_directory.hpp"

using Catch::Contains;

TEST_CASE("program: all tables of three men by one command, which tells their number and size") {
    const TemporaryDirectory directory;
    const std::string at = directory.path() / "own";
    const Finished made = run_program({"tables", "build", "--men", "3", "--out", at});
    CHECK(made.code == 0);
    CHECK_THAT(made.output, Contains("KRvK.adt") && Contains("KQvK.adt") && Contains("KPvK.adt"));
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator{at}) {
        bytes += entry.file_size();
    }
    CHECK_THAT(made.output, Contains("3 tables, " + std::to_string(bytes) + " bytes, made in "));
    const Finished checked = run_program({"tables", "check", at});
    CHECK(checked.code == 0);
    CHECK_THAT(checked.output, Contains("3 own tables, up to 3 men"));
}
