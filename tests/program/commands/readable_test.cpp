// What others wrote reaches a terminal or a log only as text: nothing in it steers the terminal.
#include "../../storage/raw.hpp"
#include "settled_tree.hpp"

#include "base/text.hpp"

#include <cstdio>

namespace {

// ESC, BEL, '\r', DEL, C1 as UTF-8 and as a byte, a byte that is no UTF-8, marks of direction.
const std::string evil = "E\x1b[31m\x07\r\x7f\xc2\x9b\x9b\xff\xe2\x80\xae\xe2\x81\xa6vil";

std::string steering(const std::string& text) {
    std::string found;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = base::utf8_length(text, at);
        const unsigned code = length == 0 ? 0x1b : base::utf8_at(text, at).code;
        if ((code < 0x20 && code != '\n') || (code >= 0x7f && code < 0xa0) || code == 0x202e ||
            code == 0x2066) {
            found += std::to_string(at) + ": " + std::to_string(code) + " ";
        }
        at += std::max<std::size_t>(length, 1);
    }
    return found;
}

// Both streams hold nothing but text, and one of them what was written.
void check_readable(const Finished& finished, const std::string& told = "\\u001b[31m\\u0007") {
    INFO(finished.output << finished.errors);
    CHECK(steering(finished.output) == "");
    CHECK(steering(finished.errors) == "");
    CHECK((finished.output + finished.errors).find(told) != std::string::npos);
}

struct ReadablePlace : Place {
    std::filesystem::path file(const std::string& name, const std::string& text) const {
        directory.write(name, text);
        return directory.path() / name;
    }
};

} // namespace

TEST_CASE("program: what a store holds is printed as text") {
    const ReadablePlace place;
    const auto pgn = place.file("a.pgn", "1. e4 {[%eval 0.2]} *\n");
    REQUIRE(run_program({"import", pgn, "--data", place.data}).code == 0);
    storage::test::damage(place.data, "CREATE TABLE \"" + evil + "\" (a)");
    check_readable(run_program({"check", "--data", place.data}));
    check_readable(run_program({"doctor", "--data", place.data, "--config", place.config}),
                   "engine");
}

TEST_CASE("program: what a file, its name or an argument holds is printed as text") {
    const ReadablePlace place;
    const auto pgn = place.file("x" + evil + ".pgn", "[Event \"" + evil + "\"]\n[FEN \"" + evil +
                                                         "\"]\n\n1. " + evil + " {" + evil +
                                                         "} *\n\n1. e4 {[%eval " + evil + "]} *\n");
    const Finished imported = run_program({"import", pgn, "--data", place.data});
    check_readable(imported);
    const auto longest = place.file(std::string(240, 'x') + ".pgn", "1. e4 *\n");
    CHECK(run_program({"import", longest, "--data", place.data}).code == 0);
    check_readable(run_program({"import", evil}));
    check_readable(run_program({evil}));
    check_readable(run_program({"analyse", evil, "--data", place.data, "--config", place.config}),
                   "adjourn: ");
    check_readable(run_program({"import", pgn, "--config", place.file("a.toml", evil)}), "a.toml");
}

TEST_CASE("program: what an engine says is printed as text") {
    const ReadablePlace place;
    std::string name;
    for (const char c : evil) {
        char octal[8];
        std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned char>(c));
        name += octal;
    }
    const auto script = place.file(
        "engine.sh", "while read -r line; do case \"$line\" in\nuci) printf 'id name " + name +
                         "\\nuciok\\n';;\nisready) echo readyok;;\nquit) exit;;\ngo*) printf "
                         "'bestmove " +
                         name + "\\n'; printf '" + name + "\\n' >&2; exit 1;;\nesac; done\n");
    const auto config =
        place.file("evil.toml", "[[engine]]\nname = \"evil\"\ncommand = [\"sh\", \"" +
                                    script.string() + "\"]\n");
    check_readable(run_program({"doctor", "--data", place.data, "--config", config}),
                   "engine 'evil'");
    check_readable(run_program({"analyse", "startpos", "--data", place.data, "--config", config,
                                "--depth", "4", "--refine", "1"}),
                   "evil");
}
