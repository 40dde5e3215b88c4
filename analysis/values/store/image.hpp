// ImageWriter, ImageReader: parts of a graph to bytes and back, as they lie in memory. A part names
// its members once, in a function for both:
//
//   template <class Self, class Image> static void pass(Self& self, Image& image);
//
// Bytes are checked for their number only: who keeps them must know that they are those which the
// same program wrote.
#pragma once

#include "analysis/graph.hpp"
#include "analysis/values/store/containers.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace adjourn::analysis {

class ImageWriter {
public:
    static constexpr bool writes = true;

    explicit ImageWriter(const PutBytes& put) : put_{put} {}

    template <class T>
    void value(const T& value) {
        items(std::span{&value, 1});
    }
    // As many as there are; how many is not noted.
    template <class T>
    void items(std::span<T> items) {
        static_assert(std::is_trivially_copyable_v<T>);
        put_(std::as_bytes(items));
    }
    template <class T>
    void list(const std::vector<T>& list) {
        value(std::uint64_t{list.size()});
        items(std::span{list});
    }
    template <class T>
    void list(const ChunkedVector<T>& list) {
        value(std::uint64_t{list.size()});
        list.for_each_chunk([this](std::span<const T> chunk) { items(chunk); });
    }

private:
    const PutBytes& put_;
};

// After the first thing that is wrong nothing more is read.
class ImageReader {
public:
    static constexpr bool writes = false;

    // `left`: how many bytes there are.
    ImageReader(const TakeBytes& take, std::uint64_t left) : take_{take}, left_{left} {}

    bool sound() const { return sound_; }
    // All has been read, and there is nothing behind it.
    bool complete() const { return sound_ && left_ == 0; }
    void refuse() { sound_ = false; }

    template <class T>
    void value(T& value) {
        items(std::span{&value, 1});
    }
    template <class T>
    void items(std::span<T> items) {
        static_assert(std::is_trivially_copyable_v<T>);
        sound_ = sound_ && items.size_bytes() <= left_ && take_(std::as_writable_bytes(items));
        left_ -= sound_ ? items.size_bytes() : 0;
    }
    // How many things of that many bytes follow; never more than there are bytes for.
    std::size_t count(std::size_t bytes) {
        std::uint64_t count = 0;
        value(count);
        sound_ = sound_ && count <= left_ / bytes;
        return sound_ ? static_cast<std::size_t>(count) : 0;
    }
    template <class T>
    void list(std::vector<T>& list) {
        constexpr auto blank = std::bit_cast<T>(std::array<std::byte, sizeof(T)>{}); // to write on
        list.assign(count(sizeof(T)), blank);
        items(std::span{list});
    }
    template <class T>
    void list(ChunkedVector<T>& list) {
        list.resize_for_overwrite(count(sizeof(T)));
        list.for_each_chunk([this](std::span<T> chunk) { items(chunk); });
    }

private:
    const TakeBytes& take_;
    std::uint64_t left_;
    bool sound_ = true;
};

} // namespace adjourn::analysis
