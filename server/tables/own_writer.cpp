#include "tables/own_writer.hpp"

#include "base/files.hpp"
#include "tables/own_tables.hpp"

#include <cerrno>
#include <cstring>

namespace adjourn::tables {

std::expected<std::size_t, std::string> write_own_file(const chess::EndgameTable& table,
                                                       const std::filesystem::path& file) {
    const auto bytes = write_own(table);
    std::filesystem::path beside = file;
    beside += ".part";
    std::error_code error;
    {
        constexpr int for_all = 0666; // as the umask says
        const base::UniqueFd out = base::make_new_file(beside, for_all);
        if (!out.open() ||
            !base::write_whole(out.get(),
                               {reinterpret_cast<const char*>(bytes.data()), bytes.size()})) {
            const std::string reason = std::strerror(errno);
            std::filesystem::remove(beside, error);
            return std::unexpected(reason);
        }
    }
    std::filesystem::rename(beside, file, error);
    if (error) {
        return std::unexpected(error.message());
    }
    return bytes.size();
}

} // namespace adjourn::tables
