// The engine that the program brings, where there is no other one.
#include "core_fixture.hpp"
#include "program.hpp"
#include "settled_tree.hpp"

namespace {

std::filesystem::path built_in_config(const std::filesystem::path& directory, int processes = 2) {
    const auto file = directory / "built_in.toml";
    std::ofstream{file} << "[[engine]]\nname = \"adjourn\"\ncommand = [\""
                        << std::filesystem::absolute(program_path()).string()
                        << "\", \"engine\"]\ncount = " << processes << "\noptions = { Hash = 2 }\n";
    return file;
}

} // namespace

TEST_CASE("program: an analysis with the built-in engine settles") {
    TemporaryDirectory directory;
    const Finished done =
        run_program({"analyse", "1. e4 e5 2. Nf3 Nc6 3. Bb5", "--nodes", "3000", "--config",
                     built_in_config(directory.path()).string(), "--data",
                     (directory.path() / "data").string(), "--refine", "2", "--json"});
    INFO(done.output << done.errors);
    REQUIRE(done.code == 0);
    const json result = json::parse(done.output);
    CHECK(result["settled"] == 2);
    CHECK(result["best"]["alpha"].contains("cp"));
    CHECK(result["evaluations"]["new"] > 3);
}

TEST_CASE("program: one process of the built-in engine soon has the demonstration's first move") {
    TemporaryDirectory directory;
    RunningServer server{directory.path() / "data",
                         built_in_config(directory.path(), 1),
                         "/dev/null",
                         {"--demonstration"}};
    until(server, "/analyses", [](const json& list) {
        return list["analyses"].size() == 1 && !list["analyses"][0]["best"].is_null();
    });
    const json example = server.get("/analyses")["analyses"][0];
    CHECK(example["tags"] == json{"example"});
    // A depth takes it minutes.
    CHECK(example["limit"].contains("nodes"));
}

TEST_CASE("program: adjourn engine ends with its input") {
    const Finished done = run_command({"sh", "-c",
                                       "printf 'uci\\nposition startpos\\ngo infinite\\n' | " +
                                           program_path().string() + " engine"});
    CHECK(done.code == 0);
    CHECK(done.output.starts_with("id name Adjourn engine "));
    CHECK(done.output.find("\nuciok\n") != std::string::npos);
    CHECK(done.output.find("\nbestmove ") != std::string::npos);
}
