#include "page.hpp"

#include "base/files.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>

namespace adjourn::server {

std::string find_page(const std::string& given) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!given.empty()) {
        return given;
    }
    if (const char* set = std::getenv("ADJOURN_WEB"); set != nullptr && *set != '\0') {
        return set;
    }
    const fs::path program = base::program_file();
    for (const fs::path& candidate :
         {program.parent_path() / "web", program.parent_path() / "../share/adjourn/web",
          program.parent_path() / "../../web/dist"}) {
        if (fs::exists(candidate / "index.html", error)) {
            return fs::weakly_canonical(candidate, error).string();
        }
    }
    return "";
}

} // namespace adjourn::server
