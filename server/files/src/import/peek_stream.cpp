#include "peek_stream.hpp"

#include <ios>
#include <streambuf>
#include <vector>

namespace adjourn::server {

namespace {

constexpr std::size_t chunk = 65'536;

class Peeker final : public std::streambuf {
public:
    explicit Peeker(std::unique_ptr<std::istream> source)
        : source_{std::move(source)}, buffer_(chunk) {
        fill();
    }

    std::string_view start() const { return {gptr(), egptr()}; }

protected:
    int_type underflow() override {
        if (gptr() == egptr()) {
            fill();
            if (source_->bad()) {
                throw std::ios_base::failure{"reading failed"};
            }
        }
        return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
    }

private:
    void fill() {
        source_->read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        setg(buffer_.data(), buffer_.data(), buffer_.data() + source_->gcount());
    }

    std::unique_ptr<std::istream> source_;
    std::vector<char> buffer_;
};

class PeekingStream final : public std::istream {
public:
    explicit PeekingStream(std::unique_ptr<std::istream> source)
        : std::istream{nullptr}, peeker_{std::move(source)} {
        rdbuf(&peeker_);
    }
    std::string_view start() const { return peeker_.start(); }

private:
    Peeker peeker_;
};

} // namespace

PeekedStream peek_stream(std::unique_ptr<std::istream> source) {
    auto stream = std::make_unique<PeekingStream>(std::move(source));
    const std::string_view start = stream->start();
    return {std::move(stream), start};
}

} // namespace adjourn::server
