// ChunkedVector: a vector that grows without moving what it holds and without doubling: at 10
// million elements a reallocation would be a pause that one sees, and half of the memory may stand
// empty.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace adjourn::analysis {

// Only the first chunk starts small (and moves while it grows), so that small graphs are cheap.
template <class T>
class ChunkedVector {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    ChunkedVector() = default;
    ChunkedVector(const ChunkedVector& other) {
        resize_for_overwrite(other.size_);
        std::size_t begin = 0;
        other.for_each_chunk([&](std::span<const T> items) {
            std::ranges::copy(items, &(*this)[begin]);
            begin += items.size();
        });
    }
    ChunkedVector& operator=(ChunkedVector&&) noexcept = default;

    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return chunks_[i >> shift][i & mask]; }
    const T& operator[](std::size_t i) const { return chunks_[i >> shift][i & mask]; }

    void push_back(const T& value) {
        if (size_ == capacity_) {
            grow();
        }
        (*this)[size_++] = value;
    }

    // visit(span of items side by side), from the first to the last.
    template <class Visit>
    void for_each_chunk(Visit visit) {
        for_each_chunk(*this, [&](T* items, std::size_t count) { visit(std::span{items, count}); });
    }
    template <class Visit>
    void for_each_chunk(Visit visit) const {
        for_each_chunk(*this, [&](const T* items, std::size_t count) {
            visit(std::span{items, count});
        });
    }
    // Precondition: empty. What the items are is still to be written.
    void resize_for_overwrite(std::size_t size) {
        while (capacity_ < size) {
            grow();
        }
        size_ = size;
    }

    std::size_t memory() const {
        return capacity_ * sizeof(T) + chunks_.capacity() * sizeof(chunks_[0]);
    }

private:
    static constexpr std::size_t shift = 14;
    static constexpr std::size_t chunk = std::size_t{1} << shift;
    static constexpr std::size_t mask = chunk - 1;

    template <class Self, class Visit>
    static void for_each_chunk(Self& self, Visit visit) {
        for (std::size_t begin = 0; begin < self.size_; begin += chunk) {
            visit(&self[begin], std::min(chunk, self.size_ - begin));
        }
    }

    void grow() {
        if (capacity_ == 0 || capacity_ >= chunk) {
            const std::size_t size = capacity_ == 0 ? 16 : chunk;
            chunks_.push_back(std::make_unique_for_overwrite<T[]>(size));
            capacity_ += size;
            return;
        }
        auto larger = std::make_unique_for_overwrite<T[]>(2 * capacity_);
        std::copy_n(chunks_[0].get(), size_, larger.get());
        chunks_[0] = std::move(larger);
        capacity_ *= 2;
    }

    std::vector<std::unique_ptr<T[]>> chunks_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace adjourn::analysis
