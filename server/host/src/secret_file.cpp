#include "host/secret_file.hpp"

#include "base/line_reader.hpp"
#include "base/text.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace adjourn::server {

namespace {

constexpr const char* only_a_token = " must hold one line, the token";

} // namespace

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
    if (!in || in.peek() == std::ifstream::traits_type::eof()) {
        return in.eof() ? std::unexpected(file + only_a_token)
                        : std::unexpected("cannot read " + file);
    }
    base::LineReader lines{in};
    lines.next();
    const std::string secret{base::trimmed(lines.text())};
    const bool more = lines.too_long() || (lines.next() && !base::trimmed(lines.text()).empty());
    return secret.empty() || more
               ? std::expected<std::string, std::string>{std::unexpected(file + only_a_token)}
               : secret;
}

} // namespace adjourn::server
