// Endgame tables made by a command.
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
    directory.write("a.toml", "tables_path = \"" + at + "\"\n");
    const Finished found = run_program({"doctor", "--config", directory.file("a.toml"), "--data",
                                        directory.file("data"), "--listen", "127.0.0.1:0"});
    CHECK_THAT(found.output, Contains("3 own, up to 3 men"));
}
