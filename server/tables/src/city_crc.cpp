#include "city_crc.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <vector>

namespace adjourn::tables {

namespace {

using Bytes = std::span<const std::uint8_t>;
using std::rotr;

static_assert(std::endian::native == std::endian::little, "the hash reads words as they stand");

constexpr std::uint64_t k0 = 0xc3a5c85c97cb3127;
constexpr std::uint64_t k1 = 0xb492b66fbe98f273;
constexpr std::uint64_t k2 = 0x9ae16a3b2f90404f;
constexpr std::uint64_t k3 = 0xc949d7c7509e6557;
constexpr std::uint64_t fold = 0x9ddfea08eb382d69;

struct Pair {
    std::uint64_t first;
    std::uint64_t second;
};

std::uint64_t word(Bytes bytes, std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.subspan(at, sizeof value).data(), sizeof value);
    return value;
}

std::uint64_t half(Bytes bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.subspan(at, sizeof value).data(), sizeof value);
    return value;
}

std::uint64_t shift_mix(std::uint64_t value) {
    return value ^ value >> 47;
}

// 128 bits to 64.
std::uint64_t mix(std::uint64_t u, std::uint64_t v) {
    const std::uint64_t a = shift_mix((u ^ v) * fold);
    return shift_mix((v ^ a) * fold) * fold;
}

std::uint64_t hash_up_to_16(Bytes s) {
    const std::size_t length = s.size();
    if (length > 8) {
        const std::uint64_t b = word(s, length - 8);
        return mix(word(s, 0), rotr(b + length, static_cast<int>(length))) ^ b;
    }
    if (length >= 4) {
        return mix(length + (half(s, 0) << 3), half(s, length - 4));
    }
    if (length == 0) {
        return k2;
    }
    const std::uint32_t y = s[0] + (std::uint32_t{s[length / 2]} << 8);
    const std::uint32_t z =
        static_cast<std::uint32_t>(length) + (std::uint32_t{s[length - 1]} << 2);
    return shift_mix(y * k2 ^ z * k3) * k2;
}

Pair weak_hash_32(Bytes s, std::size_t at, std::uint64_t a, std::uint64_t b) {
    const std::uint64_t z = word(s, at + 24);
    a += word(s, at);
    b = rotr(b + a + z, 21);
    const std::uint64_t c = a;
    a += word(s, at + 8);
    a += word(s, at + 16);
    b += rotr(a, 44);
    return {a + z, b + c};
}

Pair city_murmur(Bytes s, Pair seed) {
    const std::size_t length = s.size();
    auto [a, b] = seed;
    std::uint64_t c = 0;
    std::uint64_t d = 0;
    if (length <= 16) {
        a = shift_mix(a * k1) * k1;
        c = b * k1 + hash_up_to_16(s);
        d = shift_mix(a + (length >= 8 ? word(s, 0) : c));
    } else {
        c = mix(word(s, length - 8) + k1, a);
        d = mix(b + length, c + word(s, length - 16));
        a += d;
        for (std::size_t at = 0; at + 16 < length; at += 16) {
            a = (a ^ shift_mix(word(s, at) * k1) * k1) * k1;
            b ^= a;
            c = (c ^ shift_mix(word(s, at + 8) * k1) * k1) * k1;
            d ^= c;
        }
    }
    a = mix(a, c);
    b = mix(d, b);
    return {a ^ b, mix(b, a)};
}

Pair city_128_seeded(Bytes s, Pair seed) {
    if (s.size() < 128) {
        return city_murmur(s, seed);
    }
    std::uint64_t x = seed.first;
    std::uint64_t y = seed.second;
    std::uint64_t z = s.size() * k1;
    Pair v{};
    Pair w{};
    v.first = rotr(y ^ k1, 49) * k1 + word(s, 0);
    v.second = rotr(v.first, 42) * k1 + word(s, 8);
    w.first = rotr(y + z, 35) * k1 + x;
    w.second = rotr(x + word(s, 88), 53) * k1;
    std::size_t at = 0;
    const auto take_64 = [&] {
        x = rotr(x + y + v.first + word(s, at + 8), 37) * k1;
        y = rotr(y + v.second + word(s, at + 48), 42) * k1;
        x ^= w.second;
        y += v.first + word(s, at + 40);
        z = rotr(z + w.first, 33) * k1;
        v = weak_hash_32(s, at, v.second * k1, x + w.first);
        w = weak_hash_32(s, at + 32, z + w.second, y + word(s, at + 16));
        std::swap(z, x);
        at += 64;
    };
    while (s.size() - at >= 128) {
        take_64();
        take_64();
    }
    x += rotr(v.first + z, 49) * k0;
    z += rotr(w.first, 37) * k0;
    // The rest from the end, 32 bytes at a time; the last of them may reach back into what is done.
    const std::size_t rest = s.size() - at;
    for (std::size_t done = 32; done < rest + 32; done += 32) {
        const std::size_t from = s.size() - done;
        y = rotr(x + y, 42) * k0 + v.second;
        w.first += word(s, from + 16);
        x = x * k0 + w.first;
        z += w.second + word(s, from);
        w.second += v.first;
        v = weak_hash_32(s, from, v.first + z, v.second);
    }
    x = mix(x, v.first);
    y = mix(y + z, w.first);
    return {mix(x + v.second, w.second) + y, mix(x + w.second, y + v.second)};
}

Pair city_128(Bytes s) {
    if (s.size() >= 16) {
        return city_128_seeded(s.subspan(16), {word(s, 0) ^ k3, word(s, 8)});
    }
    if (s.size() >= 8) {
        return city_128_seeded({}, {word(s, 0) ^ s.size() * k0, word(s, s.size() - 8) ^ k1});
    }
    return city_128_seeded(s, {k0, k1});
}

// CRC-32C (Castagnoli, reflected) of eight bytes, no inversions: what SSE 4.2's crc32 does.
constexpr std::array<std::array<std::uint32_t, 256>, 8> crc_tables() {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
        }
        tables[0][i] = crc;
    }
    for (std::size_t k = 1; k < 8; ++k) {
        for (std::size_t i = 0; i < 256; ++i) {
            const std::uint32_t before = tables[k - 1][i];
            tables[k][i] = before >> 8 ^ tables[0][before & 255];
        }
    }
    return tables;
}

constexpr auto crc_table = crc_tables();

std::uint64_t crc(std::uint64_t state, std::uint64_t value) {
    value ^= state & 0xffffffff;
    std::uint32_t result = 0;
    for (std::size_t k = 0; k < 8; ++k) {
        result ^= crc_table[7 - k][value >> 8 * k & 255];
    }
    return result;
}

// Precondition: at least 240 bytes.
std::array<std::uint64_t, 4> crc256_long(Bytes s, std::uint32_t seed) {
    const std::size_t length = s.size();
    std::uint64_t a = word(s, 56) + k0;
    std::uint64_t b = word(s, 96) + k0;
    std::array<std::uint64_t, 4> result{};
    result[0] = mix(b, length);
    result[1] = word(s, 120) * k0 + length;
    std::uint64_t c = result[0];
    std::uint64_t d = result[1];
    std::uint64_t e = word(s, 184) + seed;
    std::uint64_t f = seed;
    std::uint64_t g = 0;
    std::uint64_t h = 0;
    std::uint64_t i = 0;
    std::uint64_t j = 0;
    std::uint64_t t = c + d;
    const auto take_40 = [&](std::size_t at, std::uint64_t multiplier, int z) {
        const std::uint64_t old_a = a;
        a = rotr(b, 41 ^ z) * multiplier + word(s, at);
        b = rotr(c, 27 ^ z) * multiplier + word(s, at + 8);
        c = rotr(d, 41 ^ z) * multiplier + word(s, at + 16);
        d = rotr(e, 33 ^ z) * multiplier + word(s, at + 24);
        e = rotr(t, 25 ^ z) * multiplier + word(s, at + 32);
        t = old_a;
        f = crc(f, a);
        g = crc(g, b);
        h = crc(h, c);
        i = crc(i, d);
        j = crc(j, e);
    };
    std::size_t at = 0;
    for (; length - at >= 240;) {
        for (int k = 0; k < 3; ++k) {
            take_40(at, 1, 1);
            take_40(at + 40, k0, 0);
            at += 80;
        }
    }
    for (; length - at >= 40; at += 40) {
        take_40(at, k0, 0);
    }
    if (at < length) {
        take_40(length - 40, k0, 0);
    }
    j += i << 32;
    a = mix(a, j);
    h += g << 32;
    b += h;
    c = mix(c, f) + i;
    d = mix(d, e + result[0]);
    j += e;
    i += mix(h, t);
    e = mix(a, d) + j;
    f = mix(b, c) + a;
    g = mix(j, i) + c;
    result[0] = e + f + g + h;
    a = shift_mix((a + g) * k0) * k0 + b;
    result[1] += a + result[0];
    a = shift_mix(a * k0) * k0 + c;
    result[2] = a + result[1];
    a = shift_mix((a + e) * k0) * k0;
    result[3] = a + result[2];
    return result;
}

constexpr std::size_t chunk = std::size_t{1} << 24;

} // namespace

std::array<std::uint64_t, 4> city_crc256(Bytes bytes) {
    if (bytes.size() >= 240) {
        return crc256_long(bytes, 0);
    }
    std::array<std::uint8_t, 240> padded{};
    std::copy(bytes.begin(), bytes.end(), padded.begin());
    return crc256_long(padded, ~static_cast<std::uint32_t>(bytes.size()));
}

std::array<std::uint64_t, 2> city_crc128(Bytes bytes) {
    if (bytes.size() <= 900) {
        const auto [first, second] = city_128(bytes);
        return {first, second};
    }
    const auto result = city_crc256(bytes);
    return {result[2], result[3]};
}

std::array<std::uint64_t, 2> syzygy_checksum(Bytes file) {
    assert(file.size() >= syzygy_checksum_bytes);
    file = file.first(file.size() - syzygy_checksum_bytes);
    std::vector<std::uint64_t> parts;
    for (std::size_t at = 0; at < file.size(); at += chunk) {
        const auto part = city_crc256(file.subspan(at, std::min(chunk, file.size() - at)));
        parts.insert(parts.end(), part.begin(), part.end());
    }
    return city_crc128({reinterpret_cast<const std::uint8_t*>(parts.data()),
                        parts.size() * sizeof(std::uint64_t)});
}

} // namespace adjourn::tables
