#include "host/secret_file.hpp"

#include "base/text.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace adjourn::server {

std::expected<std::string, std::string> read_secret(const std::string& file) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) {
        return std::unexpected("cannot read " + file + ": " +
                               std::generic_category().message(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return std::unexpected(file + " is not a file");
    }
    if ((status.st_mode & 077) != 0) {
        return std::unexpected("others may read or write " + file + ": chmod 600 " + file);
    }
    std::ifstream in{file, std::ios::binary};
    std::string line;
    std::string more;
    if (!std::getline(in, line) && !in.eof()) {
        return std::unexpected("cannot read " + file);
    }
    const std::string secret{base::trimmed(line)};
    if (secret.empty() || (std::getline(in, more) && !base::trimmed(more).empty())) {
        return std::unexpected(file + " must hold one line, the token");
    }
    return secret;
}

} // namespace adjourn::server
