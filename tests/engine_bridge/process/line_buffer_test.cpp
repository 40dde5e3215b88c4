#include "engine_bridge/process/text.hpp"
#include "test.hpp"

using adjourn::engine_bridge::LineBuffer;
using adjourn::engine_bridge::printable;
using adjourn::engine_bridge::TailBuffer;

namespace {

std::vector<std::string> lines_of(std::string_view bytes, std::size_t piece) {
    LineBuffer buffer;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < bytes.size(); i += piece) {
        for (const std::string_view line : buffer.feed(bytes.substr(i, piece)).lines) {
            lines.emplace_back(line);
        }
    }
    return lines;
}

} // namespace

TEST_CASE("pitfall 25: lines are the same however the bytes arrive") {
    const std::string bytes = "uciok\r\n\n  info depth 1\r\nbest\rmove\nlast without end";
    const std::vector<std::string> expected{"uciok", "", "  info depth 1", "best\rmove"};
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
        CHECK(lines_of(bytes, piece) == expected);
    }
}

TEST_CASE("the unfinished last line can be had") {
    LineBuffer buffer;
    buffer.feed("bestmove e2e4\nbestmo");
    CHECK(buffer.rest() == "bestmo");
    CHECK(buffer.feed("ve d2d4\n").lines.size() == 1);
    CHECK(buffer.rest().empty());
}

TEST_CASE("pitfall 24: a line of our input is capped at 64 KiB") {
    const std::string longest(LineBuffer::max_line, 'x');
    LineBuffer buffer;
    const auto whole = buffer.feed(longest + "\r\nnext\n");
    REQUIRE(whole.lines.size() == 2);
    CHECK(whole.lines[0] == longest);
    CHECK_FALSE(whole.overlong);

    LineBuffer endless;
    bool overlong = false;
    std::size_t fed = 0;
    while (!overlong && fed < 10 * LineBuffer::max_line) {
        overlong = endless.feed(std::string(1000, 'x')).overlong;
        fed += 1000;
    }
    CHECK(overlong);
    CHECK(fed <= LineBuffer::max_line + 2000);

    LineBuffer finished;
    const auto lines = finished.feed("first\n" + longest + "xx\nafter\n");
    CHECK(lines.overlong);
    REQUIRE(lines.lines.size() == 1);
    CHECK(lines.lines[0] == "first");
}

TEST_CASE("text from engines becomes valid UTF-8 on one line") {
    CHECK(printable("Jörg plain") == "Jörg plain");
    CHECK(printable("J\xF6rg") == "J\\xf6rg");
    CHECK(printable("a\nb\x1b[0m\x7f") == "a\\x0ab\\x1b[0m\\x7f");
    CHECK(printable("\xC0\x80") == "\\xc0\\x80");                   // overlong form
    CHECK(printable("\xED\xA0\x80") == "\\xed\\xa0\\x80");          // surrogate
    CHECK(printable("\xF4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80"); // beyond U+10FFFF
    CHECK(printable("\xE2\x82") == "\\xe2\\x82");                   // cut off
    CHECK(printable("€", 3) == "€");
    CHECK(printable("a€", 3) == "a…");
    CHECK(printable(std::string(500, 'x'), 10) == "xxxxxxxxxx…");
}

TEST_CASE("the tail of stderr is bounded and keeps the last lines") {
    TailBuffer tail{64};
    for (int i = 0; i < 1000; ++i) {
        tail.append("line " + std::to_string(i) + "\r\n");
    }
    CHECK(tail.last_lines() == "line 995 | line 996 | line 997 | line 998 | line 999");
    tail.append(std::string(1000, 'y'));
    CHECK(tail.last_lines() == std::string(64, 'y'));
    CHECK(TailBuffer{10}.last_lines().empty());
}
