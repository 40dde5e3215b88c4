// `adjourn import` from the outside: into a directory of its own, and through a running server.
#include "settled_tree.hpp"

namespace {

struct ImportPlace : Place {
    std::filesystem::path file(const std::string& name, const std::string& text) const {
        directory.write(name, text);
        return directory.path() / name;
    }
    Finished import(const std::filesystem::path& what,
                    const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"import", what, "--data", data, "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return run_program(words);
    }
};

json report(const Finished& finished) {
    INFO(finished.output << finished.errors);
    REQUIRE(finished.code == 0);
    return json::parse(finished.output);
}

constexpr const char* games = "[Event \"A\"]\n[White \"M\xfcller\"]\n\n1. a4 {[%eval 0.1]} a5 *\n\n"
                              "[Event \"B\"]\n\n1. h4 h5\n2. Kh8 *\n";

} // namespace

TEST_CASE("program: import seeds an analysis, and the next run works them in") {
    const ImportPlace place;
    place.analyse("startpos", {"--distance", "5"});
    const auto pgn = place.file("games.pgn", games);
    const Finished finished = place.import(pgn, {"--analysis", "1"});
    const json said = report(finished);
    CHECK(said["records"] == 2);
    CHECK(said["seeds"]["added"] == 4);
    CHECK(said["evaluations"]["added"] == 1);
    CHECK(said["broken"] == 1);
    CHECK(finished.errors.find("games.pgn: game 2, line 9: column 4: 'Kh8'") != std::string::npos);
    CHECK(said["file"]["games"] == 2);
    CHECK(said["file"]["refused"] == 1);
    CHECK(said["file"]["told"][0]["line"] == 9);
    const json again = report(place.import(pgn, {"--analysis", "1"}));
    CHECK(again["seeds"]["known"] == 4);
    CHECK(again["file"]["known"] == true);
    CHECK(again["file"]["id"] == said["file"]["id"]);
    const json result = place.analyse("startpos", {"--distance", "5"});
    CHECK(result["evaluations"]["new"].get<int>() > 0);
    CHECK(result["evaluations"]["new"].get<int>() <= 2); // a4 and h4 at the root, if not known
    CHECK(run_program({"check", "--data", place.data}).code == 0);
}

TEST_CASE("program: import goes through the server that owns the data") {
    const ImportPlace place;
    RunningServer server{place.data, place.config};
    const auto [status, body] = server.request(
        "POST", "/analyses",
        R"({"position":{},"limit":{"depth":6},"hold":true,"strategy":{"kind":"halving","move_distance":5,"refine":1}})");
    REQUIRE(status == 201);
    const json said =
        report(place.import(place.file("games.pgn", games), {"--analysis", "1", "--plies", "1"}));
    CHECK(said["seeds"]["added"] == 2);
    CHECK(said["errors"][0]["record"] == 2);
    CHECK(said["errors"][0]["line"] == 9);
    const json file = server.get("/analyses/1/files")["files"][0];
    CHECK(file["name"] == "games.pgn");
    CHECK(file["games"][0]["tags"]["White"] == "M\u00fcller");
    CHECK(server.get("/health")["store"]["evaluations"] == 1);
    CHECK(server.interrupt() == 0);
}

TEST_CASE("program: import can let an analysis accept what it brings") {
    const ImportPlace place;
    place.analyse("startpos", {"--distance", "5"});
    const auto pgn = place.file("games.pgn", games);
    CHECK(place.import(pgn, {"--accept"}).code == 2); // whose?
    const auto epd = place.file("x.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - ce 31; acd 12; pv Kd2;\n");
    report(place.import(epd, {"--analysis", "1", "--accept"}));
    RunningServer server{place.data, place.config};
    const auto accepted = [&] { return server.get("/analyses/1")["accept"]; };
    CHECK(accepted() == json{"epd"});
    report(place.import(pgn, {"--analysis", "1", "--accept"}));
    CHECK(accepted() == json{"epd", "pgn %eval"});
    CHECK(server.interrupt() == 0);
}

TEST_CASE("program: import reads pipes and the standard input as it reads files") {
    const ImportPlace place;
    const auto plain = place.file("games.pgn", games);
    const auto packed = place.directory.path() / "games.pgn.zst";
    const auto shell = [&](const std::string& command) {
        return run_command({"bash", "-c", command});
    };
    const std::string import = program_path().string() + " import --json --data ";
    const auto into = [&](const std::string& name) {
        return (place.directory.path() / name).string();
    };
    const std::string file = " '" + plain.string() + "'";
    const auto check = [](const Finished& finished) {
        const json said = report(finished);
        CHECK(said["records"] == 2);
        CHECK(said["evaluations"]["added"] == 1);
    };
    const std::string pgn = " --format pgn ";
    check(shell("cat" + file + " | " + import + into("a") + pgn + "-"));
    check(shell(import + into("d") + pgn + "<(cat" + file + ")"));
    check(shell("mkfifo '" + into("games.fifo.pgn") + "'; cat" + file + " > '" +
                into("games.fifo.pgn") + "' & " + import + into("e") + " '" +
                into("games.fifo.pgn") + "'"));
    if (shell("zstd -q -o '" + packed.string() + "'" + file).code == 0) {
        check(shell("cat '" + packed.string() + "' | " + import + into("f") + pgn + "-"));
        check(shell(import + into("g") + pgn + "<(cat '" + packed.string() + "')"));
    }
    // Without a name's ending somebody must say what it is.
    const Finished unsaid = shell("cat" + file + " | " + import + into("h") + " -");
    CHECK(unsaid.code == 2);
    CHECK(unsaid.errors.find("the standard input? ") != std::string::npos);
}

TEST_CASE("program: import unpacks gzip, of any number of members, and tells what is cut off") {
    const ImportPlace place;
    std::string many;
    for (int i = 0; i < 2000; ++i) { // larger than any buffer
        many += "[Event \"" + std::to_string(i) + "\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";
    }
    const std::string plain = place.file("many.pgn", many).string();
    const std::string packed = plain + ".gz";
    const auto shell = [&](const std::string& command) {
        const Finished finished = run_command({"bash", "-c", command});
        INFO(finished.errors);
        REQUIRE(finished.code == 0);
    };
    shell("gzip -k '" + plain + "'");
    const auto records = [&](const std::string& file) {
        return report(place.import(file))["records"];
    };
    CHECK(records(packed) == 2000);
    const std::string twice = (place.directory.path() / "twice.pgn.gz").string();
    shell("cat '" + packed + "' '" + packed + "' > '" + twice + "'");
    CHECK(records(twice) == 4000);
    const std::string cut = (place.directory.path() / "cut.pgn.gz").string();
    shell("head -c 3000 '" + packed + "' > '" + cut + "'");
    const Finished refused = place.import(cut);
    CHECK(refused.code == 1);
    CHECK(refused.errors.find("cut off") != std::string::npos);
}

TEST_CASE("program: import refuses what it cannot use, with the reason") {
    const ImportPlace place;
    const auto refusal = [&](int code, const std::filesystem::path& file,
                             const std::vector<std::string>& more = {}) {
        const Finished finished = place.import(file, more);
        INFO(finished.errors);
        CHECK(finished.code == code);
        CHECK(finished.output.empty());
        return finished.errors;
    };
    using Catch::Contains;
    CHECK_THAT(refusal(2, "/no/such.pgn"), Contains("cannot read"));
    const auto empty = place.directory.path() / "empty";
    std::filesystem::create_directory(empty);
    CHECK_THAT(refusal(2, empty, {"--format", "pgn"}), Contains("is a directory"));
    CHECK_THAT(refusal(2, place.file("wide.pgn", std::string{"\xff\xfe[\0", 4})),
               Contains("UTF-16"));
    CHECK_THAT(refusal(2, place.file("games.pgn", "BZh9")), Contains("bzip2"));
    CHECK_THAT(refusal(2, place.file("a.txt", "1. e4 *")), Contains("--format"));
    CHECK_THAT(refusal(1, place.file("a.pgn", "1. e4 *"), {"--analysis", "7"}),
               Contains("analysis 7"));
    CHECK_THAT(refusal(2, place.file("x.db", "no database")), Contains("--format"));
    // Packed, and cut off in the middle.
    const std::string packed{"\x28\xb5\x2f\xfd\x04\x68\x10"};
    const Finished cut = place.import(place.file("c.jsonl.zst", packed)); // what came is told
    CHECK(cut.code == 1);
    CHECK_THAT(cut.errors, Contains("cut off"));
}
