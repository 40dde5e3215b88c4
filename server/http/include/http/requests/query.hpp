// QueryReader: strict reading of query parameters. Pure. What is absent or wrong is nothing to a
// getter; the first problem is remembered, and finish() has it.
#pragma once

#include "base/json_reader.hpp"
#include "http/requests/error.hpp"

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

    // A present but empty one is "". `most`: bytes.
    std::optional<std::string> text(std::string_view name, std::size_t most = base::usual_text);
    std::optional<std::string> required_text(std::string_view name);
    // What is looked for: a text of few words. Numbers are not counted.
    std::optional<std::string> search(std::string_view name);
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t least,
                                        std::int64_t most);
    // "true" or "false".
    std::optional<bool> boolean(std::string_view name);
    // Index of the word in `words`.
    std::optional<std::size_t> choice(std::string_view name,
                                      const std::vector<std::string_view>& words);

    // The first problem; else unknown_field or bad_request for a parameter that nobody read or that
    // came twice.
    std::expected<void, Error> finish() const;

private:
    void wrong(ErrorCode code, std::string_view name, const std::string& message);

    const Request& request_;
    std::set<std::string, std::less<>> read_;
    std::optional<Error> first_;
};

} // namespace adjourn::http
