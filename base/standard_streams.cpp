#include "base/standard_streams.hpp"

#include "base/text.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <mutex>
#include <streambuf>
#include <string>

namespace adjourn::base {

namespace {

// Bytes at the end of the text that may begin a character whose rest is still to come: 0 to 3.
std::size_t begun_character(std::string_view text) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if (byte >= 0xc0) {
            const std::size_t whole = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
            return whole > back ? back : 0;
        }
        if (byte < 0x80) {
            return 0;
        }
    }
    return 0;
}

} // namespace

class ReadableStreams::Filter final : public std::streambuf {
public:
    explicit Filter(std::ostream& stream) : stream_{stream}, to_{stream.rdbuf(this)} {}
    ~Filter() override {
        end_text();
        to_->pubsync();
        stream_.rdbuf(to_);
    }

    bool pass(std::string_view data) {
        const std::scoped_lock lock{mutex_};
        return put(data) && to_->pubsync() == 0;
    }

protected:
    std::streamsize xsputn(const char* from, std::streamsize size) override {
        const std::scoped_lock lock{mutex_};
        begun_.append(from, static_cast<std::size_t>(size));
        const std::size_t kept = begun_character(begun_);
        const bool done = put(readable(std::string_view{begun_}.substr(0, begun_.size() - kept)));
        begun_.erase(0, begun_.size() - kept);
        return done ? size : 0;
    }
    int_type overflow(int_type c) override {
        const char one = traits_type::to_char_type(c);
        return traits_type::eq_int_type(c, traits_type::eof()) || xsputn(&one, 1) == 1
                   ? traits_type::not_eof(c)
                   : traits_type::eof();
    }
    int sync() override {
        const std::scoped_lock lock{mutex_};
        return to_->pubsync();
    }

private:
    bool put(std::string_view text) {
        const auto size = static_cast<std::streamsize>(text.size());
        return to_->sputn(text.data(), size) == size;
    }
    void end_text() {
        const std::scoped_lock lock{mutex_};
        put(readable(begun_));
        begun_.clear();
    }

    std::mutex mutex_;
    std::ostream& stream_;
    std::streambuf* to_;
    std::string begun_; // the first bytes of a character
};

ReadableStreams::ReadableStreams()
    : out_{std::make_unique<Filter>(std::cout)}, err_{std::make_unique<Filter>(std::cerr)} {}
ReadableStreams::~ReadableStreams() = default;

void write_data(std::string_view data) {
    auto* const filter = dynamic_cast<ReadableStreams::Filter*>(std::cout.rdbuf());
    if (filter == nullptr || isatty(STDOUT_FILENO) != 0) {
        std::cout << data << std::flush;
    } else if (!filter->pass(data)) {
        std::cout.setstate(std::ios::badbit);
    }
}

void rewrite_line(std::string_view text) {
    const std::string line = '\r' + readable_line(text);
    std::string_view rest = line;
    while (!rest.empty()) {
        const auto put = ::write(STDERR_FILENO, rest.data(), rest.size());
        if (put <= 0) {
            return;
        }
        rest.remove_prefix(static_cast<std::size_t>(put));
    }
}

} // namespace adjourn::base
