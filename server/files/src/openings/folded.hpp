// Text as it is compared where spelling must not matter.
#pragma once

#include <string>
#include <string_view>

namespace adjourn::server {

// Letters and digits in lower case, without marks; ß as ss, æ as a. Apostrophes and combining marks
// are left out, all else, also what is no UTF-8, is ' '.
std::string folded(std::string_view text);

} // namespace adjourn::server
