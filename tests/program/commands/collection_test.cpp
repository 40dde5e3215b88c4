// `adjourn collection` from the outside.
#include "program.hpp"
#include "temporary_directory.hpp"

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
