// Text that does not end: what no program should hold in memory is refused with its place, and what
// follows is read.
#include "program.hpp"
#include "temporary_directory.hpp"

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t endless = 32 * mebibyte; // of one line; in memory it would be seen
constexpr std::size_t most_growth = 16 * mebibyte;

struct Endless {
    std::string name; // with the format as its ending
    std::string head;
    std::string repeated;
    std::string tail;
    std::string told; // behind the file's name
    std::size_t records = 2;
    std::size_t broken = 1;
    std::size_t size = endless;
};

const std::string next_game = "\n\n[Event \"B\"]\n\n1. d4 {[%eval 0.2]} d5 *\n";
const std::string next_record = "\n4k3/8/8/8/8/8/4P3/4K3 w - - ce 31; acd 12; pv Kd2;\n";
const std::string next_object =
    "\n"
    R"({"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",)"
    R"("evals":[{"pvs":[{"cp":20,"line":"e2e4"}],"knodes":1,"depth":9}]})"
    "\n";

std::vector<Endless> endless_texts() {
    const std::string comment = "the comment is longer than 1 MiB";
    const std::string line = "line 1: column 1: the line is longer than 1 MiB";
    return {
        {"comment.pgn", "1. e4\n 1... e5 {", "a ", "} *" + next_game,
         "game 1, line 2: column 10: " + comment},
        {"comment_of_tags.pgn", "[Event \"A\"]\n{", "a", "}\n1. e4 *" + next_game,
         "game 1, line 2: column 1: " + comment},
        {"open_comment.pgn", "1. e4 {", "a\n", next_game, "game 1, line 1: column 7: " + comment},
        {"tag.pgn", "[Event \"A\"]\n[White \"", "a", "\"]\n\n1. e4 *" + next_game,
         "game 1, line 2: column 1: the tag is longer than 1 MiB"},
        {"tags.pgn", "[Event \"A\"]\n", "[A \"a\"]\n", "\n1. e4 *" + next_game,
         "game 1, line 1001: column 1: the game has more than 1000 tags"},
        {"word.pgn", "1. e4 ", "a", " *" + next_game,
         "game 1, line 1: column 7: the word is longer than 1 MiB"},
        {"moves.pgn", "", "Nf3 Nf6 Ng1 Ng8 ", " *" + next_game,
         "game 1, line 1: column 100001: a line of more than 25000 plies", 2, 1, 2 * mebibyte},
        {"nested.pgn", "1. e4 ", "(1. d4 ", next_game,
         "game 1, line 1: column 3507: variations nested more than 500 deep", 2, 1, 2 * mebibyte},
        {"operand.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"", "a", "\";" + next_record, line},
        {"moves.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - bm ", "a ", ";" + next_record, line},
        {"field.epd", "", "a", next_record, line},
        {"string.jsonl", "{\"fen\":\"", "a", "\"}" + next_object, line},
        {"nested.jsonl", "{\"fen\":", "[", "}" + next_object, line},
    };
}

std::filesystem::path written(const std::filesystem::path& directory, const Endless& text) {
    const auto file = directory / text.name;
    std::ofstream out{file, std::ios::binary};
    std::string block = text.repeated;
    while (!block.empty() && block.size() < mebibyte) {
        block += std::string{block};
    }
    out << text.head;
    for (std::size_t size = 0; size < text.size; size += block.size()) {
        out << block;
    }
    out << text.tail;
    REQUIRE(out.flush());
    return file;
}

// An import holds a game as a whole, and leaves out those that are longer than 8 MiB.
constexpr std::size_t longest_game = 8 * mebibyte;

std::string told_of(const Endless& text) {
    const auto line =
        1 + std::ranges::count(text.head.substr(0, text.head.find_first_not_of(" \n")), '\n');
    return text.name.ends_with(".pgn") && text.size > longest_game
               ? "game 1, line " + std::to_string(line) + ": the game is longer than 8 MiB"
               : text.told;
}

// A sanitizer keeps what was freed for a while: not here.
void hold_nothing_freed() {
    const char* const given = std::getenv("ASAN_OPTIONS");
    const std::string more = ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0";
    setenv("ASAN_OPTIONS", ((given == nullptr ? "" : given) + more).c_str(), 1);
}

} // namespace

TEST_CASE("program: nothing that does not end is held in memory, and what follows is imported",
          "[not valgrind]") {
    hold_nothing_freed();
    TemporaryDirectory directory;
    const auto import = [&](const std::filesystem::path& file) {
        return run_program({"import", file, "--json", "--data", directory.path() / "data"});
    };
    std::size_t usual = 0;
    for (const char* name : {"a.pgn", "a.epd", "a.jsonl"}) {
        const auto file = written(directory.path(), {name, "", "", "", "", 0, 0, 0});
        REQUIRE(import(file).code == 0);
        usual = std::max(usual, import(file).peak);
    }
    for (const Endless& text : endless_texts()) {
        const auto plain = written(directory.path(), text);
        // The same reader reads what is unpacked: one of each format is enough.
        std::vector<std::string> endings{""};
        if (text.name == "comment.pgn" || text.name == "operand.epd" ||
            text.name == "string.jsonl") {
            REQUIRE(run_command({"gzip", "-1", "-k", plain}).code == 0);
            REQUIRE(run_command({"zstd", "-q", "-k", plain}).code == 0);
            endings = {"", ".gz", ".zst"};
        }
        for (const std::string& ending : endings) {
            const std::string name = text.name + ending;
            const Finished finished = import(directory.path() / name);
            INFO(name << " " << finished.output << finished.errors);
            CHECK(finished.code == 0);
            CHECK(finished.errors.find(name + ": " + told_of(text)) != std::string::npos);
            const json said = json::parse(finished.output);
            CHECK(said["records"] == text.records);
            CHECK(said["broken"] == text.broken);
            CHECK(said["evaluations"]["added"].get<int>() +
                      said["evaluations"]["known"].get<int>() ==
                  1);
            CHECK(finished.peak < usual + 2 * most_growth); // a part of a game, on its way
            std::filesystem::remove(directory.path() / name);
        }
    }
}

TEST_CASE("program: collections, reviews and positions from files do not hold what does not end",
          "[not valgrind]") {
    hold_nothing_freed();
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1);
    const auto data = directory.path() / "data";
    const Endless comment = endless_texts().front();
    const auto file = written(directory.path(), comment);
    const auto has = [](const std::string& text, const std::string& part) {
        INFO(text);
        CHECK(text.find(part) != std::string::npos);
    };
    const Finished collected = run_program({"collection", "add", "c", file, "--data", data});
    has(collected.errors, "comment.pgn: game 1, line 1: the game is longer than 8 MiB");
    has(collected.output, "1 without a result; 1 damaged"); // the former is "B"
    const Finished reviewed = run_program({"review", file, "--data", data, "--config", config});
    CHECK(reviewed.code == 2);
    has(reviewed.errors, comment.told);
    const Finished analysed = run_program({"analyse", file, "--data", data, "--config", config});
    CHECK(analysed.code == 2);
    has(analysed.errors, comment.told);
    const auto epd = written(directory.path(), {"x.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"", "a",
                                                "", "", 0, 0, endless});
    const Finished record = run_program({"analyse", epd, "--data", data, "--config", config});
    CHECK(record.code == 2);
    has(record.errors, "x.epd: line 1: column 1: the line is longer than 1 MiB");
    const auto toml = written(directory.path(), {"x.toml", "#", "a", "", "", 0, 0, endless});
    const Finished configured = run_program({"import", epd, "--data", data, "--config", toml});
    CHECK(configured.code == 2);
    has(configured.errors, "x.toml is longer than 1 MiB");
    CHECK(configured.peak < run_program({"--version"}).peak + most_growth);
}
