// Small pure text helpers. Letters are those of ASCII, as in HTTP and UCI.
#pragma once

#include "base/utf8.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace adjourn::base {

std::string lower_case(std::string_view text);
bool equal_ignoring_case(std::string_view left, std::string_view right);
std::string_view trimmed(std::string_view text); // spaces and tabs at both ends

bool has_control_characters(std::string_view text); // below 0x20, and 0x7f

// At most `most` bytes, cut between code points, with "…" where something was cut.
std::string shortened(std::string_view text, std::size_t most);

// Every `from`, which is not empty, as `to`; linear in the length.
std::string replaced(std::string_view text, std::string_view from, std::string_view to);

// Calls `use` with each trimmed, non-empty element of an HTTP list ("a, b;q=0, c").
void for_each_element(std::string_view list, char separator,
                      const std::function<void(std::string_view)>& use);

} // namespace adjourn::base
