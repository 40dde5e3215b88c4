#include "zstd_stream.hpp"

#include <zstd.h>

#include <ios>
#include <streambuf>
#include <string>
#include <vector>

namespace adjourn::server {

namespace {

class Unpacker final : public std::streambuf {
public:
    explicit Unpacker(std::unique_ptr<std::istream> packed)
        : packed_{std::move(packed)}, stream_{ZSTD_createDStream(), ZSTD_freeDStream},
          in_(ZSTD_DStreamInSize()), out_(ZSTD_DStreamOutSize()) {}

protected:
    int_type underflow() override {
        std::size_t got = 0;
        while (got == 0) {
            if (input_.pos == input_.size && !refill() && !full_) {
                if (inside_frame_) {
                    throw std::ios_base::failure{"the last Zstandard frame is cut off"};
                }
                return traits_type::eof();
            }
            ZSTD_outBuffer output{out_.data(), out_.size(), 0};
            const std::size_t left = ZSTD_decompressStream(stream_.get(), &output, &input_);
            if (ZSTD_isError(left) != 0) {
                throw std::ios_base::failure{std::string{"damaged Zstandard data: "} +
                                             ZSTD_getErrorName(left)};
            }
            inside_frame_ = left != 0;
            got = output.pos;
            full_ = got == out_.size(); // more may wait inside
        }
        setg(out_.data(), out_.data(), out_.data() + got);
        return traits_type::to_int_type(*gptr());
    }

private:
    bool refill() {
        packed_->read(in_.data(), static_cast<std::streamsize>(in_.size()));
        input_ = {in_.data(), static_cast<std::size_t>(packed_->gcount()), 0};
        return input_.size > 0;
    }

    std::unique_ptr<std::istream> packed_;
    std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
    std::vector<char> in_;
    std::vector<char> out_;
    ZSTD_inBuffer input_{nullptr, 0, 0};
    bool inside_frame_ = false;
    bool full_ = false;
};

class UnpackedStream final : public std::istream {
public:
    explicit UnpackedStream(std::unique_ptr<std::istream> packed)
        : std::istream{nullptr}, unpacker_{std::move(packed)} {
        rdbuf(&unpacker_);
    }

private:
    Unpacker unpacker_;
};

} // namespace

std::unique_ptr<std::istream> unpack_zstd(std::unique_ptr<std::istream> packed) {
    return std::make_unique<UnpackedStream>(std::move(packed));
}

} // namespace adjourn::server
