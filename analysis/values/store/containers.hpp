// Containers made for graphs of millions of nodes.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace adjourn::analysis {

// ChunkedVector: a vector that grows without moving what it holds and without doubling: at 10
// million elements a reallocation would be a pause that one sees, and half of the memory may stand
// empty.
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

// FlatMap: a scratch hash map from 32-bit keys, open addressing, made for short lives. Results must
// not depend on the order of for_each.
template <class T>
class FlatMap {
public:
    // The key 0xffffffff is not allowed.
    T* find(std::uint32_t key) {
        return const_cast<T*>(static_cast<const FlatMap*>(this)->find(key));
    }
    const T* find(std::uint32_t key) const {
        if (slots_.empty()) {
            return nullptr;
        }
        for (std::size_t at = home(key);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at].first == key) {
                return &slots_[at].second;
            }
            if (slots_[at].first == empty) {
                return nullptr;
            }
        }
    }
    bool contains(std::uint32_t key) const { return find(key) != nullptr; }

    // The value is `fallback` if the key is new. Second: whether it is.
    std::pair<T*, bool> insert(std::uint32_t key, const T& fallback) {
        assert(key != empty);
        if (size_ * 4 >= slots_.size() * 3) {
            grow();
        }
        std::size_t at = home(key);
        while (slots_[at].first != empty && slots_[at].first != key) {
            at = (at + 1) & (slots_.size() - 1);
        }
        if (slots_[at].first == key) {
            return {&slots_[at].second, false};
        }
        slots_[at] = {key, fallback};
        ++size_;
        return {&slots_[at].second, true};
    }

    std::size_t size() const { return size_; }
    std::size_t memory() const { return slots_.capacity() * sizeof(slots_[0]); }

    template <class Visit>
    void for_each(Visit visit) const {
        for (const auto& [key, value] : slots_) {
            if (key != empty) {
                visit(key, value);
            }
        }
    }

private:
    static constexpr std::uint32_t empty = 0xffff'ffff;

    std::size_t home(std::uint32_t key) const {
        return ((key * std::uint64_t{0x9e37'79b9'7f4a'7c15}) >> 32) & (slots_.size() - 1);
    }

    void grow() {
        std::vector<std::pair<std::uint32_t, T>> old(slots_.empty() ? 16 : 2 * slots_.size(),
                                                     {empty, T{}});
        old.swap(slots_);
        size_ = 0;
        for (const auto& [key, value] : old) {
            if (key != empty) {
                insert(key, value);
            }
        }
    }

    std::vector<std::pair<std::uint32_t, T>> slots_;
    std::size_t size_ = 0;
};

struct Nothing {};
using FlatSet = FlatMap<Nothing>;

} // namespace adjourn::analysis
