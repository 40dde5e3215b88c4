// StaticFiles: the built page, read from a directory when it is made and kept in memory.
// Thread-safe.
#pragma once

#include "http/requests/message.hpp"

#include <filesystem>
#include <string>
#include <unordered_map>

namespace adjourn::http {

class StaticFiles {
public:
    // Throws std::filesystem::filesystem_error if `root` is no directory or has more than 64 MiB.
    explicit StaticFiles(const std::filesystem::path& root);

    // Answers GET and HEAD with 200 (the body also for HEAD: the caller leaves it out), 304 or 404.
    // "/" is index.html. Symbolic links and names that start with a dot are not read. A neighbour
    // with ".gz" is served instead where the client accepts it.
    Response serve(const Request& request) const;

private:
    std::unordered_map<std::string, Response> files_; // by path: "/assets/board.css"
};

// "index-B3XK9AQ7.js", as the page's build writes it: the name changes with the content, so that it
// may be kept for ever.
bool is_hashed_name(const std::string& name);

} // namespace adjourn::http
