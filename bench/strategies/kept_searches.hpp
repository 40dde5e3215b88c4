// KeptSearches: answers in a file, a line each, added as they come: a measurement can be stopped at
// any time, and goes on where it was. A last line that is cut off is as if it were not there.
#pragma once

#include "bench/strategies/uci_engine.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <unordered_map>

namespace adjourn::bench {

// What an engine was asked since new_game(), in order, as one number.
struct SearchKey {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    // The key of an engine that was asked nothing.
    static SearchKey of(const std::string& identity);
    SearchKey then(const Query& query) const;
    friend bool operator==(const SearchKey&, const SearchKey&) = default;
};

class KeptSearches {
public:
    // Makes the file and its directory where they are not there. Throws std::runtime_error if it
    // cannot be read or written, or is not such a file.
    explicit KeptSearches(const std::filesystem::path& file);

    // Finds what another such file holds, too, and writes nothing there. Throws std::runtime_error
    // if it cannot be read or is not such a file.
    void know(const std::filesystem::path& file);

    std::optional<Found> find(const SearchKey& key) const;
    // In the file when the call returns. Throws std::runtime_error if it cannot be written.
    void keep(const SearchKey& key, const Found& found);

private:
    struct Hash {
        std::size_t operator()(const SearchKey& key) const { return key.low; }
    };
    enum class End : std::uint8_t { empty, whole, cut }; // of what was read: its last line
    End read(std::istream& in, const std::string& name);

    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::unordered_map<SearchKey, Found, Hash> known_;
    std::string name_;
    std::unique_ptr<std::FILE, Close> file_;
};

} // namespace adjourn::bench
