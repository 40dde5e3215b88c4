#include "zstd_stream.hpp"

#include "unpacking_stream.hpp"

#include <zstd.h>

namespace adjourn::server {

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

} // namespace adjourn::server
