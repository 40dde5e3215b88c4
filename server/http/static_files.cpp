#include "http/static_files.hpp"

#include "base/text.hpp"
#include "http/wire.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <sstream>
#include <utility>

namespace adjourn::http {

namespace {

constexpr std::uintmax_t max_page = 64u << 20; // bytes in all

std::string content_of(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    std::ostringstream content;
    content << in.rdbuf();
    if (!in) {
        throw std::filesystem::filesystem_error("cannot be read", file,
                                                std::make_error_code(std::errc::io_error));
    }
    return std::move(content).str();
}

std::string etag_of(std::string_view content) {
    return '"' + std::to_string(std::hash<std::string_view>{}(content)) + '-' +
           std::to_string(content.size()) + '"';
}

bool matches(const std::string& if_none_match, std::string_view etag) {
    bool found = false;
    base::for_each_element(if_none_match, ',', [&](std::string_view candidate) {
        if (candidate.starts_with("W/")) {
            candidate.remove_prefix(2);
        }
        found = found || candidate == "*" || candidate == etag;
    });
    return found;
}

// By extension.
std::string_view content_type_of(const std::filesystem::path& file) {
    using Type = std::pair<std::string_view, std::string_view>;
    constexpr std::array<Type, 19> types{{{".html", "text/html; charset=utf-8"},
                                          {".js", "text/javascript; charset=utf-8"},
                                          {".mjs", "text/javascript; charset=utf-8"},
                                          {".css", "text/css; charset=utf-8"},
                                          {".svg", "image/svg+xml"},
                                          {".png", "image/png"},
                                          {".jpg", "image/jpeg"},
                                          {".webp", "image/webp"},
                                          {".ico", "image/x-icon"},
                                          {".json", "application/json"},
                                          {".map", "application/json"},
                                          {".webmanifest", "application/manifest+json"},
                                          {".txt", "text/plain; charset=utf-8"},
                                          {".woff2", "font/woff2"},
                                          {".woff", "font/woff"},
                                          {".wasm", "application/wasm"},
                                          {".mp3", "audio/mpeg"},
                                          {".ogg", "audio/ogg"},
                                          {".gz", "application/gzip"}}};
    const auto found =
        std::ranges::find(types, base::lower_case(file.extension().string()), &Type::first);
    return found == types.end() ? "application/octet-stream" : found->second;
}

Response response_of(const std::filesystem::path& file, const std::string& path) {
    Response response;
    response.body = content_of(file);
    response.content_type = content_type_of(file);
    response.headers["ETag"] = etag_of(response.body);
    response.headers["Cache-Control"] =
        path.starts_with("/assets/") && is_hashed_name(file.filename().string())
            ? "public, max-age=31536000, immutable"
            : "no-cache";
    if (is_compressible(response.content_type)) {
        response.headers["Vary"] = "Accept-Encoding";
    }
    return response;
}

} // namespace

StaticFiles::StaticFiles(const std::filesystem::path& root) {
    namespace fs = std::filesystem;
    std::uintmax_t bytes = 0;
    for (fs::recursive_directory_iterator at{root}, end; at != end; ++at) {
        const fs::path& file = at->path();
        if (file.filename().string().starts_with('.')) {
            at.disable_recursion_pending();
        } else if (at->symlink_status().type() == fs::file_type::regular) {
            bytes += at->file_size();
            if (bytes > max_page) {
                throw fs::filesystem_error("no page", root,
                                           std::make_error_code(std::errc::file_too_large));
            }
            const std::string path = "/" + file.lexically_relative(root).generic_string();
            files_.emplace(path, response_of(file, path));
        }
    }
}

Response StaticFiles::serve(const Request& request) const {
    const auto found = files_.find(request.path == "/" ? "/index.html" : request.path);
    if (found == files_.end()) {
        // Not the page: a script that mistypes an address must not be told 200.
        return to_response({ErrorCode::not_found, "there is nothing at this address", "path"});
    }
    Response response = found->second;
    const auto packed = files_.find(found->first + ".gz");
    if (packed != files_.end() && response.headers.contains("Vary") &&
        accepts_gzip(request.header("accept-encoding"))) {
        response.body = packed->second.body;
        response.headers["ETag"] = packed->second.headers.at("ETag");
        response.headers["Content-Encoding"] = "gzip";
    }
    if (const auto known = request.header("if-none-match");
        known && matches(*known, response.headers["ETag"])) {
        response.status = 304;
        response.content_type.clear();
        response.body.clear();
        response.headers.erase("Content-Encoding");
    }
    return response;
}

bool is_hashed_name(const std::string& name) {
    constexpr std::size_t length = 8;
    const auto stem = name.substr(0, name.rfind('.'));
    return stem.size() > length + 1 && stem[stem.size() - length - 1] == '-' &&
           std::ranges::all_of(stem.substr(stem.size() - length), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
           });
}

} // namespace adjourn::http
