// Which file of an analysis a call is about.
#pragma once

#include "files/kept/kept_file.hpp"
#include "place.hpp"

#include <limits>

namespace adjourn::server {

constexpr std::int64_t most_number = std::numeric_limits<std::int64_t>::max();

Error no_game(std::int64_t number, const char* where);

// For other threads, too.
struct FilePlace {
    const storage::Store& store;
    analysis::AnalysisId analysis;
    std::int64_t file;

    // As it is now; one that is deleted only where it is wanted. Blocks for the disk.
    std::expected<KeptFile, Error> read(bool deleted = false) const;
};
std::expected<FilePlace, Error> file_place(const Context& call);

} // namespace adjourn::server
