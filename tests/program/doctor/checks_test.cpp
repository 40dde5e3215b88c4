#include "program/doctor/checks.hpp"

#include "core/engines/installed_engines.hpp"
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
    std::filesystem::permissions(file, std::filesystem::perms{0640});
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

TEST_CASE("doctor: an old engine works, and is said to be old; what else is installed is named") {
    const TemporaryDirectory directory;
    const auto engine = (directory.path() / "talker").string();
    std::ofstream{engine} << R"(#!/bin/sh
while read -r line; do
  case "$line" in
    uci) echo "id name Stockfish 15.1"; echo uciok ;;
    isready) echo readyok ;;
    go*) echo "info depth 6 score cp 20 nodes 9 time 1 pv e2e4"; echo "bestmove e2e4" ;;
    quit) exit 0 ;;
  esac
done
)";
    std::filesystem::permissions(engine, std::filesystem::perms::owner_all);
    Config config;
    config.engines.resize(1);
    config.engines[0].name = "old";
    config.engines[0].command = {engine};
    constexpr std::int64_t november_2026 = 1'795'000'000'000;
    const Findings found = check_engines(config, november_2026);
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == Kind::good);
    CHECK(found[0].what.starts_with("engine 'old': Stockfish 15.1 (2022), depth 6"));
    CHECK(found[0].cure.starts_with("It is of 2022, older than two years"));

    const std::string path = std::getenv("PATH");
    setenv("PATH", directory.path().c_str(), 1);
    const KnownEngine known[] = {{"talker"}};
    InstalledEngines installed{directory.path() / "added", {}, known};
    const Findings others = check_installed(installed);
    REQUIRE(installed.add("talker", 1));
    CHECK(check_installed(installed).empty());
    setenv("PATH", path.c_str(), 1);
    REQUIRE(others.size() == 1);
    CHECK(others[0].kind == Kind::good);
    CHECK(others[0].what == "installed, and not used: talker: Stockfish 15.1 (2022)");
}

TEST_CASE("doctor: a database that cannot be opened has a database's cure") {
    const Findings away = check_store("postgresql://nobody@127.0.0.1:1/none", 0);
    REQUIRE(away.size() == 1);
    CHECK(away[0].kind == Kind::bad);
    CHECK(away[0].cure == "see docs/operate/postgresql.md");
}
