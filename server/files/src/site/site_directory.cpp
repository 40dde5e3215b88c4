#include "files/site/site_directory.hpp"

#include "base/json_reader.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

namespace adjourn::server {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* memory_name = "adjourn-site.json";
constexpr std::size_t most_memory_bytes = 1U << 20;

// "g1790000000000", and nothing else: whatever has another name is not ours to remove.
bool names_generation(const std::string& name) {
    return name.size() > 1 && name.size() < 20 && name.front() == 'g' &&
           std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::expected<void, std::string> write_site_file(const fs::path& file, std::string_view text) {
    std::ofstream out{file, std::ios::binary};
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
        return std::unexpected("cannot write " + file.string());
    }
    return {};
}

std::expected<std::string, std::string> read_site_file(const fs::path& file) {
    std::ifstream in{file, std::ios::binary};
    std::string text(most_memory_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad() || text.size() > most_memory_bytes) {
        return std::unexpected("cannot be read");
    }
    return text;
}

} // namespace

std::string site_memory_text(const SiteMemory& memory) {
    json entries = json::array();
    for (const FeedEntry& entry : memory.feed.entries) {
        entries.push_back(
            {{"id", entry.id}, {"at", entry.at}, {"title", entry.title}, {"text", entry.text}});
    }
    const json all{{"adjourn_site", 1},
                   {"analysis", memory.subject.analysis},
                   {"fen", memory.subject.fen},
                   {"exported", memory.exported},
                   {"feed", {{"id", memory.feed.id}, {"entries", std::move(entries)}}}};
    return all.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::expected<SiteMemory, std::string> read_site_memory(std::string_view text) {
    const auto parsed = base::parse_json(text);
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;
    constexpr std::int64_t last_moment = 253'402'300'799'999; // of the year 9999
    const base::JsonObject reader{*parsed, base::JsonPolicy::strict};
    SiteMemory memory;
    reader.at("adjourn_site").integer(1, 1);
    memory.subject.analysis = reader.at("analysis").integer(0, most).value_or(0);
    memory.subject.fen = reader.at("fen").text().value_or("");
    memory.exported = reader.at("exported").integer(0, last_moment).value_or(0);
    const base::JsonObject feed = reader.at("feed").object();
    memory.feed.id = feed.at("id").text().value_or("");
    for (const base::JsonValue& value : feed.at("entries").items(most_feed_entries)) {
        const base::JsonObject entry = value.object();
        memory.feed.entries.push_back(
            {entry.at("id").text().value_or(""), entry.at("at").integer(0, last_moment).value_or(0),
             entry.at("title").text().value_or(""), entry.at("text").text().value_or("")});
    }
    if (const auto problems = reader.finish(); !problems.empty()) {
        return std::unexpected(problems.front().message);
    }
    return memory;
}

std::expected<SiteDirectory, std::string> SiteDirectory::open(const fs::path& path,
                                                              const SiteSubject& subject) {
    const std::string shown = path.string();
    SiteMemory fresh{subject, 0, {}};
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
        return SiteDirectory{path, std::move(fresh)};
    }
    if (status.type() != fs::file_type::directory) {
        return std::unexpected(shown + " is no directory");
    }
    const bool empty = fs::is_empty(path, error);
    if (error) {
        return std::unexpected("cannot read " + shown + ": " + error.message());
    }
    if (empty) {
        return SiteDirectory{path, std::move(fresh)};
    }
    const fs::path file = path / memory_name;
    if (!fs::exists(file, error)) {
        return std::unexpected(shown + " is not empty, and holds no site that was exported "
                                       "before: name another directory");
    }
    const auto text = read_site_file(file);
    auto memory = text ? read_site_memory(*text) : std::unexpected(text.error());
    if (!memory) {
        return std::unexpected(file.string() + ": " + memory.error() +
                               "; name another directory, or remove this one");
    }
    if (memory->subject != subject) {
        return std::unexpected(
            shown + " shows another analysis (" + std::to_string(memory->subject.analysis) + ", " +
            memory->subject.fen + "): name another directory, or remove this one");
    }
    return SiteDirectory{path, std::move(*memory)};
}

std::expected<void, std::string> SiteDirectory::begin(std::int64_t at) {
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) {
        return std::unexpected("cannot make " + path_.string() + ": " + error.message());
    }
    if (memory_.feed.id.empty()) {
        memory_.feed.id =
            feed_id(memory_.subject.fen + "\n" + std::to_string(memory_.subject.analysis) + "\n" +
                    std::to_string(at));
    }
    if (memory_.exported == 0) { // whatever comes between, the directory is known as ours
        if (auto kept = put(memory_name, site_memory_text(memory_)); !kept) {
            return kept;
        }
    }
    at_ = at;
    generation_ = "g" + std::to_string(at);
    while (fs::exists(path_ / generation_, error)) { // one of the same millisecond
        generation_ = "g" + std::to_string(++at);
    }
    if (!fs::create_directory(path_ / generation_, error)) {
        return std::unexpected("cannot make " + (path_ / generation_).string() + ": " +
                               error.message());
    }
    return {};
}

std::expected<void, std::string> SiteDirectory::write(const std::string& name,
                                                      std::string_view text) {
    return write_site_file(path_ / generation_ / name, text);
}

// A reader sees the old file or the new one.
std::expected<void, std::string> SiteDirectory::put(const std::string& name,
                                                    std::string_view text) {
    const fs::path file = path_ / name;
    const fs::path next = path_ / (name + ".new");
    if (auto written = write_site_file(next, text); !written) {
        return written;
    }
    std::error_code error;
    fs::rename(next, file, error);
    if (error) {
        return std::unexpected("cannot write " + file.string() + ": " + error.message());
    }
    return {};
}

std::expected<void, std::string> SiteDirectory::publish(std::string_view index_html,
                                                        const Feed& feed, const std::string& name) {
    SiteMemory now = memory_;
    now.exported = at_;
    now.feed = feed;
    for (const auto& [file, text] :
         {std::pair<std::string, std::string>{"index.html", std::string{index_html}},
          {"changes.xml", atom_feed(feed, name)},
          {memory_name, site_memory_text(now)}}) {
        if (auto written = put(file, text); !written) {
            return written;
        }
    }
    memory_ = std::move(now);
    return remove_others();
}

std::expected<void, std::string> SiteDirectory::remove_others() {
    std::error_code error;
    std::vector<fs::path> others;
    for (const fs::directory_entry& entry : fs::directory_iterator{path_, error}) {
        const std::string name = entry.path().filename().string();
        if (names_generation(name) && name != generation_ && !entry.is_symlink(error)) {
            others.push_back(entry.path());
        }
    }
    for (const fs::path& other : others) {
        fs::remove_all(other, error);
        if (error) {
            return std::unexpected("cannot remove " + other.string() + ": " + error.message());
        }
    }
    generation_.clear();
    return {};
}

void SiteDirectory::give_up() {
    if (!generation_.empty()) {
        std::error_code ignored; // the next writing removes what is left
        fs::remove_all(path_ / generation_, ignored);
        generation_.clear();
    }
}

} // namespace adjourn::server
