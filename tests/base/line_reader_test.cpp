#include "base/line_reader.hpp"
#include "base/text.hpp"
#include "test.hpp"

using namespace adjourn::base;

namespace {

std::vector<std::string> lines_of(std::istream& in) {
    std::vector<std::string> lines;
    LineReader reader{in};
    while (reader.next()) {
        CHECK(reader.number() == lines.size() + 1);
        lines.emplace_back(reader.text());
    }
    return lines;
}

// 'a' for ever, in pieces, until `size` have been read; then `tail`.
class Repeating final : public std::streambuf {
public:
    Repeating(std::size_t size, std::string tail) : left_{size}, tail_{std::move(tail)} {}

protected:
    int_type underflow() override {
        if (left_ == 0 && tail_.empty()) {
            return traits_type::eof();
        }
        buffer_ = left_ > 0 ? std::string(std::min<std::size_t>(left_, 1'000), 'a')
                            : std::exchange(tail_, "");
        left_ -= std::min<std::size_t>(left_, 1'000);
        setg(buffer_.data(), buffer_.data(), buffer_.data() + buffer_.size());
        return traits_type::to_int_type(*gptr());
    }

private:
    std::size_t left_;
    std::string tail_;
    std::string buffer_;
};

// Fails behind its text, as damaged data do.
class Failing final : public std::stringbuf {
public:
    using std::stringbuf::stringbuf;

protected:
    int_type underflow() override {
        const int_type next = std::stringbuf::underflow();
        if (next == traits_type::eof()) {
            throw std::ios_base::failure{"damaged"};
        }
        return next;
    }
};

} // namespace

TEST_CASE("line reader: lines as they stand, the last one with an end or without") {
    const auto lines = [](const std::string& text) {
        std::istringstream in{text};
        return lines_of(in);
    };
    CHECK(lines("").empty());
    CHECK(lines("\n") == std::vector<std::string>{""});
    CHECK(lines("a\n\nb\r\nc\rd\r\r\ne\n\rf\r") ==
          std::vector<std::string>{"a", "", "b", "c", "d", "", "e", "", "f"});
    CHECK(lines("a\n") == std::vector<std::string>{"a"});
    // Where a piece of 64 KiB ends between the two bytes of one end.
    CHECK(lines(std::string((64 << 10) - 1, 'a') + "\r\nb").size() == 2);
}

TEST_CASE("line reader: of a line that is too long no more is kept than shows that it is") {
    for (const std::size_t size : {longest_text, longest_text + 1, 20 * longest_text}) {
        Repeating text{size, "\nb\n"};
        std::istream in{&text};
        LineReader reader{in};
        REQUIRE(reader.next());
        CHECK(reader.too_long() == (size > longest_text));
        CHECK(reader.text().size() == std::min(size, longest_text + 1));
        REQUIRE(reader.next());
        CHECK(reader.text() == "b");
        CHECK(reader.number() == 2);
        CHECK_FALSE(reader.too_long());
        CHECK_FALSE(reader.next());
    }
}

TEST_CASE(
    "line reader: what stands before damaged data is read, the line with the damage is none") {
    Failing text{"a\nb\nc", std::ios::in};
    std::istream in{&text};
    CHECK(lines_of(in) == std::vector<std::string>{"a", "b"});
    CHECK(in.bad());
}

TEST_CASE("read_all: no more than is allowed") {
    std::istringstream in{"12345"};
    CHECK(read_all(in, 5) == "12345");
    Repeating text{100 * longest_text, ""};
    std::istream endless{&text};
    CHECK_FALSE(read_all(endless));
}

TEST_CASE("replaced: every occurrence, in linear time") {
    CHECK(replaced("", "a", "b").empty());
    CHECK(replaced("aXbXX", "X", "yy") == "ayybyyyy");
    CHECK(replaced("abab", "ab", "a") == "aa");
    std::string many;
    for (int i = 0; i < 500'000; ++i) {
        many += "\xc2\xa0";
    }
    CHECK(replaced(many, "\xc2\xa0", " ") == std::string(500'000, ' '));
}
