#include "http/static_files.hpp"

#include "base/text.hpp"
#include "http/compression.hpp"
#include "http/request_head.hpp"
#include "http/requests/message.hpp"

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

Response moved_to(std::string address) {
    Response response;
    response.status = 302;
    response.content_type.clear();
    response.headers["Cache-Control"] = "no-cache";
    response.headers["Location"] = std::move(address);
    return response;
}

Response not_found() {
    return to_response({ErrorCode::not_found, "there is nothing at this address", "path"});
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
            std::string content = content_of(file);
            std::string etag = etag_of(content);
            files_.emplace("/" + file.lexically_relative(root).generic_string(),
                           File{std::move(content), std::move(etag)});
        }
    }
}

const StaticFiles::File* StaticFiles::find(const std::string& path) const {
    const auto found = files_.find(path);
    return found == files_.end() ? nullptr : &found->second;
}

Response StaticFiles::serve(const Request& request) const {
    const bool asset = request.path.starts_with("/assets/");
    auto path = request.path;
    auto name = path.substr(path.rfind('/') + 1);
    if (path == "/") {
        name = "index.html";
        path = "/" + name;
    }
    const File* file = find(path);
    if (!file) {
        // The page keeps its places behind the "#". Any other address without a file is an error: a
        // script that mistypes one must not be told 200.
        auto address = page_address(request);
        return address ? moved_to(std::move(*address)) : not_found();
    }

    Response response;
    response.content_type = content_type_of(name);
    response.headers["Cache-Control"] =
        asset && is_hashed_name(name) ? "public, max-age=31536000, immutable" : "no-cache";
    if (is_compressible(response.content_type)) {
        response.headers["Vary"] = "Accept-Encoding";
        if (const File* const packed =
                accepts_gzip(request.header("accept-encoding")) ? find(path + ".gz") : nullptr) {
            file = packed;
            response.headers["Content-Encoding"] = "gzip";
        }
    }
    response.headers["ETag"] = file->etag;
    if (const auto known = request.header("if-none-match"); known && matches(*known, file->etag)) {
        response.status = 304;
        response.content_type.clear();
        response.headers.erase("Content-Encoding");
        return response;
    }
    response.body = file->content;
    return response;
}

std::string content_type_of(const std::filesystem::path& file) {
    struct Type {
        std::string_view extension;
        std::string_view name;
    };
    constexpr std::array types{
        Type{".html", "text/html; charset=utf-8"},
        Type{".js", "text/javascript; charset=utf-8"},
        Type{".mjs", "text/javascript; charset=utf-8"},
        Type{".css", "text/css; charset=utf-8"},
        Type{".svg", "image/svg+xml"},
        Type{".png", "image/png"},
        Type{".jpg", "image/jpeg"},
        Type{".webp", "image/webp"},
        Type{".ico", "image/x-icon"},
        Type{".json", "application/json"},
        Type{".map", "application/json"},
        Type{".webmanifest", "application/manifest+json"},
        Type{".txt", "text/plain; charset=utf-8"},
        Type{".woff2", "font/woff2"},
        Type{".woff", "font/woff"},
        Type{".wasm", "application/wasm"},
        Type{".mp3", "audio/mpeg"},
        Type{".ogg", "audio/ogg"},
        Type{".gz", "application/gzip"},
    };
    const auto extension = base::lower_case(file.extension().string());
    for (const auto& type : types) {
        if (type.extension == extension) {
            return std::string(type.name);
        }
    }
    return "application/octet-stream";
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
