#include "gzip_stream.hpp"

#include "unpacking_stream.hpp"

#include <zlib.h>

#include <new>

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

} // namespace adjourn::server
