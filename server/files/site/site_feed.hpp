// What changed from one writing of a site to the next, as an Atom feed.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

struct FeedEntry {
    std::string id;      // urn:uuid:…
    std::int64_t at = 0; // Unix ms
    std::string title;
    std::string text; // lines

    friend bool operator==(const FeedEntry&, const FeedEntry&) = default;
};

struct Feed {
    std::string id;                 // urn:uuid:…
    std::vector<FeedEntry> entries; // the newest first, `most_feed_entries` at most

    friend bool operator==(const Feed&, const Feed&) = default;
};

inline constexpr std::size_t most_feed_entries = 50;

// The id of what `name` names: the same for the same name, and another one for each other.
std::string feed_id(std::string_view name);

// Of what the API's `changes` says; nullopt where it says that nothing has changed. It has no id.
std::optional<FeedEntry> changed_entry(const nlohmann::json& changes, std::int64_t at);

// `name` of the analysis. Characters that XML cannot hold are left out.
std::string atom_feed(const Feed& feed, const std::string& name);

// Text between tags or in an attribute, of XML and HTML.
std::string markup_text(const std::string& text);

} // namespace adjourn::server
