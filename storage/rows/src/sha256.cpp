#include "storage_rows/sha256.hpp"

#include <openssl/evp.h>

#include <new>

namespace adjourn::storage {

std::array<std::uint8_t, 32> sha256(std::string_view message) {
    std::array<std::uint8_t, 32> digest;
    if (EVP_Digest(message.data(), message.size(), digest.data(), nullptr, EVP_sha256(), nullptr) !=
        1) {
        throw std::bad_alloc{}; // the only way it can fail
    }
    return digest;
}

} // namespace adjourn::storage
