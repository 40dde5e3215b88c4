// The directory of a site: whether it may be written to, and how it is written anew.
//
//     index.html            the page; it names the folder of its generation
//     adjourn-site.json     what is remembered from one writing to the next (SiteMemory)
//     gNNN/                 a generation: scripts with data, the page's own files, a PGN file
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::server {

// Text between tags or in an attribute of HTML. Other control characters are left out.
std::string markup_text(const std::string& text);

// What a site shows.
struct SiteSubject {
    std::int64_t analysis = 0;
    std::string fen; // of its root

    friend bool operator==(const SiteSubject&, const SiteSubject&) = default;
};

struct SiteMemory {
    SiteSubject subject;
    std::int64_t exported = 0; // Unix ms of the last writing that was finished; 0: none
    // Of its own folders the files, by their names: nothing else is ever removed.
    std::map<std::string, std::vector<std::string>> folders{};

    friend bool operator==(const SiteMemory&, const SiteMemory&) = default;
};

std::string site_memory_text(const SiteMemory& memory);
// Or what is wrong, as the rest of a sentence about the text.
std::expected<SiteMemory, std::string> read_site_memory(std::string_view text);

// For one thread, and one writer of a directory at a time. Errors are for people, and name the
// place.
class SiteDirectory {
public:
    // Looks, and changes nothing. Refuses what is no directory, one with other files and no site,
    // and the site of something else.
    static std::expected<SiteDirectory, std::string> open(const std::filesystem::path& path,
                                                          const SiteSubject& subject);

    const SiteMemory& before() const { return memory_; }

    // Begins a generation, named by the moment (Unix ms). Makes the directory where there is none.
    std::expected<void, std::string> begin(std::int64_t at);
    const std::string& generation() const { return generation_; }
    // A file of the generation.
    std::expected<void, std::string> write(const std::string& name, std::string_view text);
    // From here on this generation is what is shown; what is listed of others is removed.
    std::expected<void, std::string> publish(std::string_view index_html);
    // Takes the generation away again, if it was begun and not published.
    void give_up();

private:
    SiteDirectory(std::filesystem::path path, SiteMemory memory)
        : path_{std::move(path)}, memory_{std::move(memory)} {}
    std::expected<void, std::string> put(const std::string& name, std::string_view text);
    void remove(const std::string& folder, const std::vector<std::string>& files) const;

    std::filesystem::path path_;
    SiteMemory memory_;
    std::int64_t at_ = 0;
    std::string generation_;
};

// The positions of a site, in pieces that its page loads as somebody walks (decision 142).

// A position of a site. Positions are numbered from 0, the root of the analysis; each is there
// once, however many lines lead to it.
struct SitePosition {
    std::string node;                // JSON, as the API answers it by the line that led here first
    std::string verdict;             // JSON, the same; "" where there is none
    std::optional<std::size_t> from; // the position before on that line; nullopt: the root
    // Moves (UCI, as in `node`) to other positions of the site, with their numbers.
    std::vector<std::pair<std::string, std::size_t>> to{};
};

struct SiteChunks {
    // The number of each chunk's first position. The numbers are new ones, so that neighbours in
    // the tree are together: those of a chunk follow each other.
    std::vector<std::size_t> starts;
    // JSON of each: an array of {"from": number | null, "to": {uci: number}, "node", "verdict"?}.
    std::vector<std::string> texts;
};

inline constexpr std::size_t site_chunk_bytes = 128 * 1024;

// Chunks of about `bytes`, never more unless one position is larger. The first one has the root
// and what is nearest; each other one subtrees, nearest first. Positions whose `from` is not
// among them do not occur. Pure.
SiteChunks site_chunks(const std::vector<SitePosition>& positions,
                       std::size_t bytes = site_chunk_bytes);

// A script that hands a JSON value to the page: it works from a folder, where no page may fetch a
// file. `name` is a name of letters, digits and "-".
std::string site_script(const std::string& name, const std::string& json);

} // namespace adjourn::server
