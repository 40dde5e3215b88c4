// StaticFiles: the built page from a directory. Reads files when they are first asked for or have
// changed on disk, and keeps them in memory: call it where a short read from a local disk may
// block. Thread-safe.
#pragma once

#include "http/requests/message.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace adjourn::http {

class StaticFiles {
public:
    // Throws std::filesystem::filesystem_error if `root` is no directory.
    explicit StaticFiles(const std::filesystem::path& root);
    ~StaticFiles();

    // Answers GET and HEAD with 200 (the body also for HEAD: the caller leaves it out), 302, 304 or
    // 404. "/" is index.html; an address that names a place of the page without its "#"
    // ("/analyses/1") is sent on to that place. Nothing outside of root is served, also not through
    // symbolic links, nor names that start with a dot. A neighbour with ".gz" is served instead
    // where the client accepts it.
    Response serve(const Request& request) const;

private:
    struct File;
    class Cache;
    std::shared_ptr<const File> find(const std::string& path) const;
    std::optional<std::filesystem::path> inside_root(const std::string& path) const;

    std::filesystem::path root_;
    std::unique_ptr<Cache> cache_;
};

// By extension; "application/octet-stream" for what is not known.
std::string content_type_of(const std::filesystem::path& file);

// "index-B3xK9_aQ.js": the name changes with the content, so that it may be kept for ever.
bool is_hashed_name(const std::string& name);

} // namespace adjourn::http
