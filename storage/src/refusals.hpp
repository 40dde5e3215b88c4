// Why a write is refused, in the words of all tables.
#pragma once

#include "database.hpp"

#include <expected>
#include <string>

namespace adjourn::storage {

inline std::unexpected<std::string> refuse(const std::string& what, const std::string& why) {
    return std::unexpected(what + " refused: " + why);
}

template <class Id>
std::string no_such(const char* what, Id id) {
    return std::string{"there is no "} + what + " " + std::to_string(row(id));
}

} // namespace adjourn::storage
