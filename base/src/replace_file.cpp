#include "base/replace_file.hpp"

#include "base/new_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace adjourn::base {

std::expected<void, std::string> replace_file(const std::filesystem::path& file,
                                              std::string_view text) {
    const std::filesystem::path draft = file.string() + ".new";
    const UniqueFd out = make_new_file(draft);
    if (!out.open() || !write_whole(out.get(), text) || ::fsync(out.get()) != 0 ||
        ::rename(draft.c_str(), file.c_str()) != 0) {
        return std::unexpected(file.string() + " cannot be written: " + std::strerror(errno));
    }
    return {};
}

} // namespace adjourn::base
