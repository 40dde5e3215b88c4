#include "program/doctor/checks.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

using namespace adjourn::server;
using Kind = Finding::Kind;

TEST_CASE("doctor: a token that is short, or that others may read, is doubtful") {
    TemporaryDirectory directory;
    const auto file = directory.path() / "adjourn.toml";
    std::ofstream{file} << "token";
    Config config;
    config.token = "a long token, not to be guessed";
    std::filesystem::permissions(file, std::filesystem::perms{0600});
    CHECK(check_tokens(config, file).empty());
    std::filesystem::permissions(file, std::filesystem::perms{0644});
    const Findings open = check_tokens(config, file);
    REQUIRE(open.size() == 1);
    CHECK(open[0].kind == Kind::doubtful);
    CHECK(open[0].cure.find("chmod 600") != std::string::npos);
    std::filesystem::permissions(file, std::filesystem::perms{0600});
    config.token = "short";
    const Findings brief = check_tokens(config, file);
    REQUIRE(brief.size() == 1);
    CHECK(brief[0].what == "the token has 5 characters only");
    config.token_file = "elsewhere";
    config.worker_token = "brief";
    std::filesystem::permissions(file, std::filesystem::perms{0644});
    const Findings worker = check_tokens(config, file);
    REQUIRE(worker.size() == 3);
    CHECK(worker[0].what.find("may read the token") != std::string::npos);
    CHECK(worker[2].what == "the worker_token has 5 characters only");
}

TEST_CASE("doctor: a data directory is a directory, and a store that is not there is no trouble") {
    TemporaryDirectory directory;
    const auto file = directory.path() / "file";
    std::ofstream{file} << "text";
    const Findings wrong = check_data_directory(file);
    REQUIRE(wrong.size() == 1);
    CHECK(wrong[0].kind == Kind::bad);
    CHECK(wrong[0].what == file.string() + " is not a directory");
    const Findings none = check_store(directory.path() / "data", 0);
    REQUIRE(none.size() == 1);
    CHECK(none[0].kind == Kind::good);
    CHECK(none[0].what == "no store there yet");
    CHECK_FALSE(std::filesystem::exists(directory.path() / "data")); // it only looks
    const auto tells_of_others = [&] {
        const Findings findings = check_data_directory(directory.path());
        return std::ranges::any_of(findings, [](const Finding& finding) {
            return finding.kind == Kind::doubtful &&
                   finding.what.starts_with("other users of this machine may look into");
        });
    };
    std::filesystem::permissions(directory.path(), std::filesystem::perms{0755});
    CHECK(tells_of_others());
    std::filesystem::permissions(directory.path(), std::filesystem::perms{0700});
    CHECK_FALSE(tells_of_others());
}

TEST_CASE("doctor: a database that cannot be opened has a database's cure") {
    const Findings away = check_store("postgresql://nobody@127.0.0.1:1/none", 0);
    REQUIRE(away.size() == 1);
    CHECK(away[0].kind == Kind::bad);
    CHECK(away[0].cure == "see docs/operate/postgresql.md");
}
