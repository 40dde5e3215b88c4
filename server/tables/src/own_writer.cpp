#include "tables/own_writer.hpp"

#include "own_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace adjourn::tables {

std::expected<std::size_t, std::string> write_own_file(const chess::EndgameTable& table,
                                                       const std::filesystem::path& file) {
    const auto bytes = write_own(table);
    std::filesystem::path beside = file;
    beside += ".part";
    std::error_code error;
    {
        std::ofstream out{beside, std::ios::binary};
        out.write(reinterpret_cast<const char*>(bytes.data()),
                  static_cast<std::streamsize>(bytes.size()));
        out.close();
        if (!out) {
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
