#include "http/compression.hpp"

#include "base/text.hpp"

#include <array>
#include <limits>
#include <stdexcept>
#include <zlib.h>

namespace adjourn::http {

namespace {

// "gzip;q=0.5": anything but a plain zero lets it pass.
bool has_weight(std::string_view parameters) {
    bool weight = true;
    base::for_each_element(parameters, ';', [&](std::string_view parameter) {
        if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) {
            return;
        }
        weight = parameter.substr(2).find_first_not_of("0.") != std::string_view::npos;
    });
    return weight;
}

} // namespace

bool accepts_gzip(std::optional<std::string_view> accept_encoding) {
    std::optional<bool> named;
    std::optional<bool> any;
    base::for_each_element(accept_encoding.value_or(""), ',', [&](std::string_view coding) {
        const auto end = std::min(coding.find(';'), coding.size());
        const auto name = base::trimmed(coding.substr(0, end));
        if (base::equal_ignoring_case(name, "gzip") || base::equal_ignoring_case(name, "x-gzip")) {
            named = has_weight(coding.substr(end));
        } else if (name == "*") {
            any = has_weight(coding.substr(end));
        }
    });
    return named.value_or(any.value_or(false));
}

bool is_compressible(std::string_view content_type) {
    constexpr std::array<std::string_view, 6> others{
        "application/json",        "application/javascript",    "application/manifest+json",
        "application/x-chess-pgn", "application/vnd.chess-pgn", "image/svg+xml",
    };
    const auto type =
        base::lower_case(base::trimmed(content_type.substr(0, content_type.find(';'))));
    if (type.starts_with("text/")) {
        return true;
    }
    for (const auto other : others) {
        if (type == other) {
            return true;
        }
    }
    return false;
}

std::string gzip(std::string_view data) {
    if (data.size() > std::numeric_limits<uInt>::max() / 2) {
        throw std::length_error("too large for one call of deflate");
    }
    constexpr int gzip_window = 15 + 16; // zlib: + 16 writes a gzip wrapper
    z_stream stream{};
    if (deflateInit2(&stream, 1, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
    std::string result(deflateBound(&stream, static_cast<uLong>(data.size())), '\0');
    // zlib reads through a pointer to non-const, and does not write there.
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    const int ended = deflate(&stream, Z_FINISH);
    const auto written = stream.total_out;
    deflateEnd(&stream);
    if (ended != Z_STREAM_END) {
        throw std::logic_error("deflate did not end within its own bound");
    }
    result.resize(written);
    return result;
}

} // namespace adjourn::http
