// Where the built page is.
#pragma once

#include <string>

namespace adjourn::server {

// `given` if it is not "", else $ADJOURN_WEB, else beside the program or in the source tree that it
// was built in; "" if there is none.
std::string find_page(const std::string& given);

} // namespace adjourn::server
