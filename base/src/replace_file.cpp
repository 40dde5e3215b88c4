#include "base/replace_file.hpp"

#include "base/unique_fd.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

namespace adjourn::base {

std::expected<void, std::string> replace_file(const std::filesystem::path& file,
                                              std::string_view text) {
    const std::filesystem::path draft = file.string() + ".new";
    const UniqueFd out{::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    bool well = out.open();
    while (well && !text.empty()) {
        const ::ssize_t written = ::write(out.get(), text.data(), text.size());
        well = written > 0 || (written < 0 && errno == EINTR);
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    if (!well || ::fsync(out.get()) != 0 || ::rename(draft.c_str(), file.c_str()) != 0) {
        return std::unexpected(file.string() + " cannot be written: " + std::strerror(errno));
    }
    return {};
}

} // namespace adjourn::base
