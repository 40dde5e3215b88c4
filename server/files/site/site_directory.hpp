// The directory of a site: whether it may be written to, and how it is written anew.
//
//     index.html            the page; it names the folder of its generation
//     adjourn-site.json     what is remembered from one writing to the next (SiteMemory)
//     gNNN/                 a generation: scripts with data, the page's own files, a PGN file
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
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

} // namespace adjourn::server
