// FlatMap: a scratch hash map from 32-bit keys, open addressing, made for short lives. Results must
// not depend on the order of for_each.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace adjourn::analysis {

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

    template <class Self, class Image>
    static void pass(Self& self, Image& image) {
        if constexpr (Image::writes) {
            image.value(std::uint64_t{self.size_});
            self.for_each([&](std::uint32_t key, const T& value) {
                image.value(key);
                image.value(value);
            });
        } else {
            for (std::size_t left = image.count(sizeof(std::uint32_t) + sizeof(T)); left > 0;
                 --left) {
                std::uint32_t key = 0;
                T value{};
                image.value(key);
                image.value(value);
                if (key == empty) {
                    image.refuse();
                    return;
                }
                *self.insert(key, value).first = value;
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
