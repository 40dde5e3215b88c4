#include "http/static_files.hpp"

#include "base/text.hpp"
#include "base/unique_fd.hpp"
#include "http/compression.hpp"
#include "http/requests/error.hpp"
#include "page_address.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace adjourn::http {

namespace {

constexpr std::size_t max_file = 64u << 20;
constexpr std::size_t max_cached = 64u << 20; // bytes in all

// What tells that a file has changed.
struct Stamp {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;

    friend bool operator==(const Stamp&, const Stamp&) = default;
};

std::optional<Stamp> stamp_of(const struct stat& status) {
    if (!S_ISREG(status.st_mode) || static_cast<std::size_t>(status.st_size) > max_file) {
        return std::nullopt;
    }
    return Stamp{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                 status.st_mtim.tv_nsec};
}

std::optional<std::string> read_all(int fd, std::size_t size) {
    std::string content(size, '\0');
    std::size_t done = 0;
    while (done < size) {
        const auto got = ::read(fd, content.data() + done, size - done);
        if (got <= 0) {
            return std::nullopt;
        }
        done += static_cast<std::size_t>(got);
    }
    return content;
}

// Strong: a 128-bit FNV-1a of the content, and its size.
std::string etag_of(std::string_view content) {
    using Wide = unsigned __int128;
    constexpr Wide prime = (Wide{1} << 88) + 0x13b;
    Wide hash = (Wide{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
    for (const char c : content) {
        hash = (hash ^ static_cast<unsigned char>(c)) * prime;
    }
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "\"%016llx%016llx-%zx\"",
                  static_cast<unsigned long long>(hash >> 64),
                  static_cast<unsigned long long>(hash), content.size());
    return text.data();
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

struct StaticFiles::File {
    Stamp stamp;
    std::string content;
    std::string etag;
};

class StaticFiles::Cache {
public:
    std::shared_ptr<const File> find(const std::string& path, const Stamp& stamp) {
        const std::lock_guard lock(mutex_);
        const auto found = files_.find(path);
        if (found == files_.end()) {
            return nullptr;
        }
        if (found->second->stamp == stamp) {
            return found->second;
        }
        bytes_ -= found->second->content.size();
        files_.erase(found);
        return nullptr;
    }

    void keep(const std::string& path, std::shared_ptr<const File> file) {
        const std::lock_guard lock(mutex_);
        if (files_.contains(path)) {
            return;
        }
        if (bytes_ + file->content.size() > max_cached) {
            files_.clear();
            bytes_ = 0;
        }
        bytes_ += file->content.size();
        files_.emplace(path, std::move(file));
    }

private:
    std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<const File>> files_;
    std::size_t bytes_ = 0;
};

StaticFiles::StaticFiles(const std::filesystem::path& root)
    : root_(std::filesystem::canonical(root)), cache_(std::make_unique<Cache>()) {
    if (!std::filesystem::is_directory(root_)) {
        throw std::filesystem::filesystem_error("not a directory", root,
                                                std::make_error_code(std::errc::not_a_directory));
    }
}

StaticFiles::~StaticFiles() = default;

std::optional<std::filesystem::path> StaticFiles::inside_root(const std::string& path) const {
    if (!path.starts_with('/') || path.find('\0') != std::string::npos ||
        path.find("/.") != std::string::npos || path.find("//") != std::string::npos) {
        return std::nullopt;
    }
    std::error_code error;
    const auto file = std::filesystem::canonical(root_ / path.substr(1), error);
    if (error) {
        return std::nullopt;
    }
    const auto [rest, unused] = std::ranges::mismatch(root_, file);
    return rest == root_.end() ? std::optional(file) : std::nullopt;
}

std::shared_ptr<const StaticFiles::File> StaticFiles::find(const std::string& path) const {
    const auto name = inside_root(path);
    if (!name) {
        return nullptr;
    }
    struct stat status {};
    if (::stat(name->c_str(), &status) != 0 || !stamp_of(status)) {
        return nullptr;
    }
    if (auto cached = cache_->find(name->string(), *stamp_of(status))) {
        return cached;
    }

    const base::UniqueFd descriptor(::open(name->c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (descriptor.get() < 0 || ::fstat(descriptor.get(), &status) != 0) {
        return nullptr;
    }
    const auto stamp = stamp_of(status);
    if (!stamp) {
        return nullptr;
    }
    auto content = read_all(descriptor.get(), static_cast<std::size_t>(stamp->size));
    if (!content) {
        return nullptr;
    }
    auto etag = etag_of(*content);
    auto file = std::make_shared<const File>(File{*stamp, std::move(*content), std::move(etag)});
    cache_->keep(name->string(), file);
    return file;
}

Response StaticFiles::serve(const Request& request) const {
    const bool asset = request.path.starts_with("/assets/");
    auto path = request.path;
    auto name = path.substr(path.rfind('/') + 1);
    if (path == "/") {
        name = "index.html";
        path = "/" + name;
    }
    auto file = find(path);
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
        if (const auto compressed =
                accepts_gzip(request.header("accept-encoding")) ? find(path + ".gz") : nullptr) {
            file = compressed;
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
    // Bundlers write STEM-HASH.ext with eight characters of base64url, base32 or hex. A digit or
    // two capitals tell a hash from a word; a hash that has neither is merely asked for again each
    // time.
    constexpr std::size_t length = 8;
    const auto stem = name.substr(0, name.rfind('.'));
    if (stem.size() < length + 2) {
        return false;
    }
    const char separator = stem[stem.size() - length - 1];
    if (separator != '-' && separator != '.') {
        return false;
    }
    const auto hash = std::string_view(stem).substr(stem.size() - length);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    const bool clean = std::ranges::all_of(hash, [&](char c) {
        return is_digit(c) || is_capital(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
    });
    return clean &&
           (std::ranges::any_of(hash, is_digit) || std::ranges::count_if(hash, is_capital) > 1);
}

} // namespace adjourn::http
