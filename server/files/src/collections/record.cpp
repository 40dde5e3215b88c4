#include "record.hpp"

#include "base/files.hpp"
#include "base/text.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace adjourn::collections {

namespace {

constexpr std::size_t longest_player = 100; // bytes

template <class Number>
void put(std::string& text, Number number) {
    char bytes[sizeof(Number)];
    std::memcpy(bytes, &number, sizeof(Number));
    text.append(bytes, sizeof(Number));
}

void put_text(std::string& text, std::string_view part) {
    put(text, static_cast<std::uint8_t>(part.size()));
    text += part;
}

// Takes parts off the front; what is not there is 0 or empty.
class TextParts {
public:
    explicit TextParts(std::string_view text) : text_{text} {}

    template <class Number>
    Number number() {
        Number number{};
        if (text_.size() >= sizeof(Number)) {
            std::memcpy(&number, text_.data(), sizeof(Number));
        }
        text_.remove_prefix(std::min(text_.size(), sizeof(Number)));
        return number;
    }
    std::string text() {
        const std::size_t size = std::min<std::size_t>(number<std::uint8_t>(), text_.size());
        std::string part{text_.substr(0, size)};
        text_.remove_prefix(size);
        return base::is_utf8(part) ? part : std::string{};
    }
    bool empty() const { return text_.empty(); }

private:
    std::string_view text_;
};

} // namespace

std::string game_text(const KnownGame& game) {
    std::string text;
    put(text, static_cast<std::uint16_t>(game.year));
    put_text(text, game.result);
    put_text(text, base::shortened(game.white, longest_player));
    put_text(text, base::shortened(game.black, longest_player));
    return text;
}

KnownGame game_of(std::string_view text) {
    TextParts taker{text};
    KnownGame game;
    game.year = taker.number<std::uint16_t>();
    game.result = taker.text();
    game.white = taker.text();
    game.black = taker.text();
    return game;
}

std::string sources_text(const std::vector<Source>& sources) {
    std::string text;
    for (const Source& source : sources) {
        put(text, static_cast<std::uint8_t>(source.whole));
        put(text, source.fingerprint);
        put(text, source.games);
        put_text(text, base::shortened(source.name, 200));
    }
    return text;
}

std::vector<Source> sources_of(std::string_view text, bool say_whole) {
    std::vector<Source> sources;
    TextParts taker{text};
    while (!taker.empty()) {
        Source source;
        source.whole = say_whole && taker.number<std::uint8_t>() != 0;
        source.fingerprint = taker.number<std::uint64_t>();
        source.games = taker.number<std::uint64_t>();
        source.name = taker.text();
        sources.push_back(std::move(source));
    }
    return sources;
}

namespace {

[[noreturn]] void fail_with_errno(const std::string& what) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

} // namespace

std::size_t read_at(int file, std::uint64_t at, void* to, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
        const auto got = ::pread(file, static_cast<char*>(to) + done, size - done,
                                 static_cast<off_t>(at + done));
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            fail_with_errno("a collection cannot be read");
        }
        done += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    return done;
}

void write_all(int file, const void* from, std::size_t size) {
    if (!base::write_whole(file, {static_cast<const char*>(from), size})) {
        fail_with_errno("a collection cannot be written");
    }
}

base::UniqueFd create_file(const std::filesystem::path& file) {
    base::UniqueFd created = base::make_new_file(file);
    if (!created.open()) {
        fail_with_errno("cannot write " + file.string());
    }
    return created;
}

} // namespace adjourn::collections
