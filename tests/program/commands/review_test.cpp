// `adjourn review` and `adjourn collection`, from the outside.
#include "program.hpp"
#include "settled_tree.hpp"
#include "temporary_directory.hpp"

TEST_CASE("program: a game of a file is reviewed, and again without a new search") {
    const Place place;
    const std::string games = place.directory.file("games.pgn");
    const std::string annotated = place.directory.file("annotated.pgn");
    std::ofstream{games} << "[White \"A\"]\n[Black \"B\"]\n\n1. d4 d5 *\n\n"
                            "[Event \"Club\"]\n[White \"Euwe\"]\n[Black \"Flohr \\\"x\\\"\"]\n\n"
                            "1. e4 {best} e5 (1... c5) 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2\n";
    const auto review = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"review", games, "--depth", "6"};
        words.insert(words.end(), more.begin(), more.end());
        return place.run(words);
    };
    const Finished first = review({"--game", "2", "--json", "-o", annotated});
    INFO(first.errors);
    REQUIRE(first.code == 0);
    const json seen = json::parse(first.output);
    CHECK(seen["positions"] == 7);
    CHECK(seen["searched"] == 7);
    CHECK(seen["moves"].size() == 6);
    std::ostringstream pgn;
    pgn << std::ifstream{annotated}.rdbuf();
    CHECK(pgn.str().find("[White \"Euwe\"]\n[Black \"Flohr \\\"x\\\"\"]\n[Annotator") !=
          std::string::npos);
    CHECK(pgn.str().find("[%eval ") != std::string::npos);
    if (const auto extract = pgn_extract()) {
        const Finished read = run_command({*extract, "-s", annotated});
        CHECK(read.errors.empty());
        CHECK(read.output.find("Bb5") != std::string::npos);
    }
    const Finished again = review({"--game", "2", "--json"});
    REQUIRE(again.code == 0);
    CHECK(json::parse(again.output) == seen);
    const Finished told = review({"--game", "2"});
    CHECK(told.output.find("White  accuracy") == 0);

    const Finished all = review({"--all", "-o", annotated});
    INFO(all.errors);
    REQUIRE(all.code == 0);
    CHECK(all.output.starts_with("game  White  Black"));
    CHECK(all.output.find("\n2     Euwe   Flohr") != std::string::npos);
    CHECK(all.output.find("\nEuwe ") != std::string::npos); // by player
    std::ostringstream both;
    both << std::ifstream{annotated}.rdbuf();
    CHECK(both.str().find("[White \"A\"]") < both.str().find("[White \"Euwe\"]"));
    CHECK(both.str().find("{best}") != std::string::npos);
    const json table = json::parse(review({"--all", "--json"}).output);
    CHECK(table["games"].size() == 2);
    CHECK(table["games"][1]["searched"] == 7);

    CHECK(review({"--game", "1", "--all"}).code == 2);
    CHECK(review({"--game", "3"}).code == 2);
    CHECK(review({"--game", "3"}).errors.find("has 2 games") != std::string::npos);
    CHECK(place.run({"review", games + "x"}).code == 2);
}

TEST_CASE("program: exports that begin with the game are read by pgn-extract without a word") {
    const Place place;
    const std::string file = place.directory.file("out.pgn");
    place.analyse("1. e4 c5");
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{}, {"--study"}, {"--side", "white", "--comments", "leaves"}}) {
        std::vector<std::string> words{"export", "1", "-o", file};
        words.insert(words.end(), more.begin(), more.end());
        REQUIRE(place.run(words).code == 0);
        std::ostringstream pgn;
        pgn << std::ifstream{file}.rdbuf();
        CHECK(pgn.str().find("[FEN ") == std::string::npos);
        CHECK(pgn.str().find("\n1. e4 c5") != std::string::npos);
        if (const auto extract = pgn_extract()) {
            CHECK(run_command({*extract, "-s", file}).errors.empty());
        }
    }
    CHECK(place.run({"export", "1", "--comments", "some"}).code == 2);
}

namespace {

bool says(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("program: a collection is made of files, each counted once, listed and removed") {
    const TemporaryDirectory directory;
    directory.write("a.pgn", "[Event \"1\"]\n\n1. e4 e5 1-0\n\n[Event \"2\"]\n\n1. Ke3 0-1\n");
    directory.write("b.pgn", "[Event \"3\"]\n\n1. d4 d5 1/2-1/2\n\n[Event \"4\"]\n\n1. e4 *\n");
    const std::string data = directory.file("data");
    const auto collection = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "collection");
        words.insert(words.end(), {"--data", data});
        return run_program(words);
    };
    const std::string a = directory.file("a.pgn");
    const std::string b = directory.file("b.pgn");

    const Finished added = collection({"add", "mine", a, b, a});
    CHECK(added.code == 0);
    CHECK(says(added.output, "a.pgn: 1 game, 2 moves in "));
    CHECK(says(added.output, "; 1 damaged"));
    CHECK(says(added.output, "; 1 without a result"));
    CHECK(says(added.output, "a.pgn: is in the collection already"));
    CHECK(says(added.output, "mine: 2 games, 4 moves of positions, "));
    CHECK(says(added.errors, "a.pgn: game 2, line 7, column 4: 'Ke3' is illegal"));

    const Finished list = collection({"list"});
    CHECK(says(list.output, "mine"));
    CHECK(says(list.output, "b.pgn"));
    CHECK(collection({"remove", "mine"}).code == 0);
    CHECK(collection({"remove", "mine"}).code == 1);
    CHECK(collection({"list"}).output.empty());
}

TEST_CASE("program: a collection is refused where the name or a file is wrong") {
    const TemporaryDirectory directory;
    directory.write("open.pgn", "[Event \"1\"]\n\n1. e4 *\n");
    const std::tuple<const char*, const char*, int, const char*> rows[] = {
        {"a b", "open.pgn", 2, "is no name of a collection"},
        {"a", "none.pgn", 1, "cannot read"},
        {"a", "open.pgn", 1, "no game with a result was found"}};
    for (const auto& [name, file, code, told] : rows) {
        const Finished refused = run_program(
            {"collection", "add", name, directory.file(file), "--data", directory.file("data")});
        CHECK(refused.code == code);
        CHECK(says(refused.errors, told));
    }
}
