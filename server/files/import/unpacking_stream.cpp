#include "files/import/unpacking_stream.hpp"

#include <zlib.h>
#include <zstd.h>

#include <ios>
#include <new>
#include <streambuf>
#include <vector>

namespace adjourn::server {

namespace {

class GzipCodec {
public:
    static constexpr const char* cut_off = "the last gzip member is cut off";

    GzipCodec() {
        constexpr int gzip_only = 16;
        if (::inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK) {
            throw std::bad_alloc{};
        }
    }
    ~GzipCodec() { ::inflateEnd(&stream_); }
    GzipCodec(const GzipCodec&) = delete;
    GzipCodec& operator=(const GzipCodec&) = delete;

    std::size_t unpack(std::span<const char>& in, std::span<char> out) {
        if (ended_ && !in.empty()) { // another member follows, as RFC 1952 allows
            ::inflateReset(&stream_);
            ended_ = false;
        }
        // zlib does not write to its input; its type says so only where ZLIB_CONST is defined.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
        stream_.avail_in = static_cast<uInt>(in.size());
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = static_cast<uInt>(out.size());
        const int said = ended_ ? Z_BUF_ERROR : ::inflate(&stream_, Z_NO_FLUSH);
        // Z_BUF_ERROR: nothing could be done without more input, which is no fault.
        if (said != Z_OK && said != Z_STREAM_END && said != Z_BUF_ERROR) {
            throw std::ios_base::failure{std::string{"damaged gzip data: "} +
                                         (stream_.msg != nullptr ? stream_.msg : "no reason told")};
        }
        ended_ = ended_ || said == Z_STREAM_END;
        in = in.last(stream_.avail_in);
        return out.size() - stream_.avail_out;
    }
    bool inside() const { return !ended_; }

private:
    z_stream stream_{};
    bool ended_ = false;
};

} // namespace

std::unique_ptr<std::istream> unpack_gzip(std::unique_ptr<std::istream> packed) {
    return std::make_unique<UnpackingStream<GzipCodec>>(std::move(packed));
}

namespace {

class ZstdCodec {
public:
    static constexpr const char* cut_off = "the last Zstandard frame is cut off";

    std::size_t unpack(std::span<const char>& in, std::span<char> out) {
        ZSTD_inBuffer input{in.data(), in.size(), 0};
        ZSTD_outBuffer output{out.data(), out.size(), 0};
        const std::size_t left = ZSTD_decompressStream(stream_.get(), &output, &input);
        if (ZSTD_isError(left) != 0) {
            throw std::ios_base::failure{std::string{"damaged Zstandard data: "} +
                                         ZSTD_getErrorName(left)};
        }
        inside_ = left != 0;
        in = in.subspan(input.pos);
        return output.pos;
    }
    bool inside() const { return inside_; }

private:
    std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_{ZSTD_createDStream(),
                                                                          ZSTD_freeDStream};
    bool inside_ = false;
};

} // namespace

std::unique_ptr<std::istream> unpack_zstd(std::unique_ptr<std::istream> packed) {
    return std::make_unique<UnpackingStream<ZstdCodec>>(std::move(packed));
}

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
