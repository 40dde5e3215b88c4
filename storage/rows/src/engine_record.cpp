#include "storage/store.hpp"
#include "storage_rows/sha256.hpp"

namespace adjourn::storage {

// Part of every evaluation's meaning: never to change (docs/internals/database-format.md).
std::string EngineRecord::fingerprint() const {
    std::string message = "adjourn engine 1\n";
    for (const std::string* field : {&name, &version, &options, &network}) {
        message += std::to_string(field->size()) + ":" + *field + ","; // no two records read alike
    }
    const auto digest = sha256(message);
    static constexpr char digits[] = "0123456789abcdef";
    std::string hex;
    for (std::size_t i = 0; i < 16; ++i) {
        hex += digits[digest[i] >> 4];
        hex += digits[digest[i] & 15];
    }
    return hex;
}

} // namespace adjourn::storage
