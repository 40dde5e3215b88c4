// A stream that unpacks another one with a codec.
#pragma once

#include <ios>
#include <istream>
#include <memory>
#include <span>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

// A Codec has:
//   size_t unpack(span<const char>& in, span<char> out)   takes from the front of `in`, returns the
//                                                         bytes written; throws on damaged data
//   bool inside() const                                   more data must come for a whole file
//   static constexpr const char* cut_off                  says that it did not
template <class Codec>
class Unpacker final : public std::streambuf {
public:
    explicit Unpacker(std::unique_ptr<std::istream> packed)
        : packed_{std::move(packed)}, in_(std::size_t{1} << 16), out_(std::size_t{1} << 17) {}

protected:
    int_type underflow() override {
        std::size_t got = 0;
        while (got == 0) {
            if (input_.empty() && !refill() && !full_) {
                if (codec_.inside()) {
                    throw std::ios_base::failure{Codec::cut_off};
                }
                return traits_type::eof();
            }
            got = codec_.unpack(input_, out_);
            full_ = got == out_.size(); // more may wait inside
        }
        setg(out_.data(), out_.data(), out_.data() + got);
        return traits_type::to_int_type(*gptr());
    }

private:
    bool refill() {
        packed_->read(in_.data(), static_cast<std::streamsize>(in_.size()));
        input_ = {in_.data(), static_cast<std::size_t>(packed_->gcount())};
        return !input_.empty();
    }

    std::unique_ptr<std::istream> packed_;
    Codec codec_;
    std::vector<char> in_;
    std::vector<char> out_;
    std::span<const char> input_;
    bool full_ = false;
};

template <class Codec>
class UnpackingStream final : public std::istream {
public:
    explicit UnpackingStream(std::unique_ptr<std::istream> packed)
        : std::istream{nullptr}, unpacker_{std::move(packed)} {
        rdbuf(&unpacker_);
    }

private:
    Unpacker<Codec> unpacker_;
};

// A stream that unpacks gzip members from another.

// Throws std::ios_base::failure inside the stream on damaged or truncated members, which leaves it
// bad(). The packed stream is owned.
std::unique_ptr<std::istream> unpack_gzip(std::unique_ptr<std::istream> packed);

// A stream that unpacks Zstandard frames from another.

// Throws std::ios_base::failure inside the stream on damaged or truncated frames, which leaves it
// bad(). The packed stream is owned.
std::unique_ptr<std::istream> unpack_zstd(std::unique_ptr<std::istream> packed);

// A stream whose first characters can be looked at, whatever it reads from: pipes cannot go back.

struct PeekedStream {
    std::unique_ptr<std::istream> stream; // still has everything
    std::string_view start;               // valid until it is read from; short at the end
};

// Blocks for the first characters. The source is owned; where reading from it fails, the stream is
// bad().
PeekedStream peek_stream(std::unique_ptr<std::istream> source);

} // namespace adjourn::server
