// QueryReader: strict reading of query parameters. Pure. The first problem is remembered, so a
// handler may read everything first and ask finish() once; each getter also returns it at once.
#pragma once

#include "requests/error.hpp"

#include <cstddef>
#include <expected>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::http {

class QueryReader {
public:
    // `request` must outlive the reader.
    explicit QueryReader(const Request& request) : request_(request) {}

    // Absent parameters are nullopt; a present but empty one is "".
    std::optional<std::string> text(std::string_view name);
    std::expected<std::string, Error> required_text(std::string_view name);
    std::expected<std::optional<std::int64_t>, Error>
    integer(std::string_view name, std::int64_t least, std::int64_t most);
    // "true" or "false".
    std::expected<std::optional<bool>, Error> boolean(std::string_view name);
    // Index of the word in `words`.
    std::expected<std::optional<std::size_t>, Error>
    choice(std::string_view name, const std::vector<std::string_view>& words);

    // A problem the handler found itself, with where = "query.NAME".
    Error error(ErrorCode code, std::string_view name, std::string message);

    // The first problem; else unknown_field or bad_request for a parameter that nobody read or that
    // came twice.
    std::expected<void, Error> finish() const;

private:
    std::unexpected<Error> bad_value(std::string_view name, std::string message);

    const Request& request_;
    std::set<std::string, std::less<>> read_;
    std::optional<Error> first_;
};

} // namespace adjourn::http
