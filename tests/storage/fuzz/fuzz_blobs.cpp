// Any bytes as a key, as moves and as an answer: refused, or the one encoding of what they decode
// to. A position whose key decodes is unpacked too, as `adjourn check` does.
#include "storage/rows/records.hpp"

#include <cstdint>
#include <cstdlib>
#include <vector>

using namespace adjourn::storage;

namespace {

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void same(Bytes bytes, const Buffer& encoded) {
    require(Buffer(bytes.begin(), bytes.end()) == encoded);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes{data, size};

    std::vector<adjourn::chess::Move> moves;
    if (decode_moves(bytes, moves)) {
        Buffer encoded;
        encode_moves(moves, encoded);
        same(bytes, encoded);
    }

    Evaluation evaluation;
    if (const auto machine = decode_answer(bytes, evaluation)) {
        require(answer_trouble(evaluation).empty());
        Buffer encoded;
        encode_answer(evaluation, *machine, encoded);
        same(bytes, encoded);
    }

    if (const auto packed = decode_key(bytes)) {
        const Bytes key = position_key(*packed);
        same(bytes, Buffer(key.begin(), key.end()));
        if (const auto position = adjourn::chess::Position::unpack(*packed)) {
            require(position->packed() == *packed);
        }
    }
    return 0;
}
