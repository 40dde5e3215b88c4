// MovePool: the moves of all nodes, those of one node side by side in a block.
#pragma once

#include "analysis/graph_move.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace adjourn::analysis {

class MovePool {
public:
    static constexpr std::size_t max_count = 4'096; // moves of one node

    // A block of `count` moves is named by the index of its first one; addresses hold until the
    // next append().
    GraphMove* at(std::uint32_t block) { return chunks_[block >> shift].get() + (block & mask); }
    const GraphMove* at(std::uint32_t block) const {
        return chunks_[block >> shift].get() + (block & mask);
    }

    // Adds a move behind the `count` moves of `block` and returns the block, which may be another
    // one than before. With count 0 `block` is not looked at.
    std::uint32_t append(std::uint32_t block, std::size_t count, const GraphMove& move);

    // Makes `moves` the block's, of which there are `count` or more.
    std::uint32_t put(std::uint32_t block, std::size_t count, std::span<const GraphMove> moves);

    std::size_t memory() const;

    template <class Self, class Image>
    static void pass(Self& self, Image& image) {
        std::uint64_t chunks = self.chunks_.size();
        if constexpr (Image::writes) {
            image.value(chunks);
        } else {
            chunks = image.count(sizeof(GraphMove));
        }
        image.value(self.used_);
        image.value(self.capacity_);
        image.value(self.free_);
        if constexpr (!Image::writes) {
            if (!image.sound() || self.capacity_ > chunk || self.used_ > self.capacity_) {
                image.refuse();
                return;
            }
        }
        for (std::size_t i = 0; i < chunks; ++i) {
            const bool last = i + 1 == chunks;
            if constexpr (!Image::writes) {
                if (!image.sound()) {
                    return;
                }
                self.add_chunk(last ? self.capacity_ : chunk);
            }
            image.items(std::span{self.chunks_[i].get(), last ? self.used_ : chunk});
        }
    }

private:
    static constexpr std::size_t shift = 12;
    static constexpr std::size_t chunk = std::size_t{1} << shift;
    static constexpr std::size_t mask = chunk - 1;

    // Blocks come in these sizes; a freed block waits in the list of its size for the next user.
    static constexpr std::array<std::uint16_t, 21> sizes = {
        1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048, 3072, 4096};
    static constexpr std::uint32_t none = 0xffff'ffff;

    struct Release {
        void operator()(GraphMove* moves) const;
    };

    static std::size_t size_class(std::size_t count);
    std::uint32_t allocate(std::size_t size_class);
    void release(std::uint32_t block, std::size_t size_class);
    void open_chunk();
    void add_chunk(std::size_t moves);

    std::vector<std::unique_ptr<GraphMove, Release>> chunks_;
    std::size_t used_ = 0;     // of the last chunk
    std::size_t capacity_ = 0; // of the last chunk
    std::array<std::uint32_t, sizes.size()> free_ = [] {
        std::array<std::uint32_t, sizes.size()> lists{};
        lists.fill(none);
        return lists;
    }();
};

} // namespace adjourn::analysis
