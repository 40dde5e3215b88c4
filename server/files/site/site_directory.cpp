#include "files/site/site_directory.hpp"

#include "base/files.hpp"
#include "base/json_reader.hpp"
#include "base/text.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <limits>
#include <tuple>
#include <utility>

namespace adjourn::server {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* memory_name = "adjourn-site.json";
constexpr std::size_t most_memory_bytes = 1U << 20;
constexpr std::size_t most_folders = 1'000;
constexpr std::size_t most_files = 100'000;

// "g1790000000000", and nothing else, whatever the list says.
bool names_generation(const std::string& name) {
    return name.size() > 1 && name.size() < 20 && name.front() == 'g' &&
           std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string folder_of(std::int64_t at) {
    return "g" + std::to_string(at);
}

std::expected<void, std::string> write_site_file(const fs::path& file, std::string_view text) {
    constexpr int for_all = 0666; // as the umask says: a web server reads it
    const base::UniqueFd out = base::make_new_file(file, for_all);
    if (!out.open() || !base::write_whole(out.get(), text)) {
        return std::unexpected("cannot write " + file.string());
    }
    return {};
}

std::expected<std::string, std::string> read_site_file(const fs::path& file) {
    std::error_code error;
    if (fs::symlink_status(file, error).type() != fs::file_type::regular) {
        return std::unexpected("is no file");
    }
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
    json folders = json::array();
    for (const auto& [name, files] : memory.folders) {
        folders.push_back({{"name", name}, {"files", files}});
    }
    const json all{{"adjourn_site", 1},
                   {"folders", std::move(folders)},
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
    if (const auto folders = reader.find("folders"); folders.there()) {
        for (const base::JsonValue& value : folders.items(most_folders)) {
            const base::JsonObject folder = value.object();
            memory.folders.emplace(
                folder.at("name").text().value_or(""),
                folder.at("files").texts(most_files).value_or(std::vector<std::string>{}));
        }
    } // else as an older program wrote it, which keeps no list
    const base::JsonObject feed = reader.at("feed").object();
    memory.feed.id = feed.at("id").text().value_or("");
    for (const base::JsonValue& value : feed.at("entries").items(most_feed_entries)) {
        const base::JsonObject entry = value.object();
        memory.feed.entries.push_back({entry.at("id").text().value_or(""),
                                       entry.at("at").integer(0, last_moment).value_or(0),
                                       entry.at("title").text().value_or(""),
                                       entry.at("text").text(most_memory_bytes).value_or("")});
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
    generation_ = folder_of(at);
    while (fs::exists(fs::symlink_status(path_ / generation_, error))) { // somebody's, or ours
        generation_ = folder_of(++at);
    }
    if (!fs::create_directory(path_ / generation_, error)) {
        return std::unexpected("cannot make " + (path_ / generation_).string() + ": " +
                               error.message());
    }
    memory_.folders[generation_];
    return {};
}

std::expected<void, std::string> SiteDirectory::write(const std::string& name,
                                                      std::string_view text) {
    memory_.folders[generation_].push_back(name);
    if (auto listed = put(memory_name, site_memory_text(memory_)); !listed) {
        return listed;
    }
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
    for (const auto& [folder, files] : std::exchange(memory_.folders, {})) {
        if (folder == generation_) {
            memory_.folders.emplace(folder, files);
        } else {
            remove(folder, files);
        }
    }
    generation_.clear();
    return put(memory_name, site_memory_text(memory_));
}

// What is in the list, and the folder, if nothing else is in it: that is somebody's.
void SiteDirectory::remove(const std::string& folder, const std::vector<std::string>& files) const {
    const fs::path path = path_ / folder;
    std::error_code error;
    if (!names_generation(folder) ||
        fs::symlink_status(path, error).type() != fs::file_type::directory) {
        return;
    }
    for (const std::string& file : files) {
        if (file.find('/') == std::string::npos && file != "." && file != "..") {
            ::unlink((path / file).c_str());
        }
    }
    ::rmdir(path.c_str());
}

void SiteDirectory::give_up() {
    if (const auto given_up = memory_.folders.extract(generation_)) {
        remove(generation_, given_up.mapped());
        std::ignore = put(memory_name, site_memory_text(memory_)); // else the next one removes it
    }
    generation_.clear();
}

namespace {

constexpr std::size_t most_of_a_kind = 10;

std::string score_word(const json& score) {
    if (!score.is_object()) {
        return "–";
    }
    if (score.contains("cp")) {
        const int cp = score["cp"];
        std::array<char, 24> text{};
        std::snprintf(text.data(), text.size(), "%+.2f", cp / 100.0);
        return cp == 0 ? "0.00" : text.data();
    }
    if (score.contains("mate")) {
        return "#" + score["mate"].dump();
    }
    return score.value("tb", "");
}

std::string sans_of(const json& line) {
    std::string out;
    for (const json& step : line) {
        out += (out.empty() ? "" : " ") +
               (step.is_string() ? step.get<std::string>() : step.value("san", ""));
    }
    return out;
}

std::string from_to(const json& before, const json& after) {
    return before.is_null() ? score_word(after) + " (new)"
                            : score_word(before) + " → " + score_word(after);
}

void add_line(std::string& text, const std::string& line) {
    text += line + "\n";
}

// Rows of a kind whose value has changed: at most so many, and how many more.
template <class Line>
void add_rows(std::string& text, const char* title, const json& rows, Line line) {
    std::string lines;
    std::size_t told = 0;
    std::size_t more = 0;
    for (const json& row : rows) {
        const std::string said = line(row);
        if (said.empty()) {
            continue;
        }
        if (told == most_of_a_kind) {
            ++more;
            continue;
        }
        ++told;
        add_line(lines, "  " + said);
    }
    if (told > 0) {
        add_line(text, title);
        text += lines;
    }
    if (more > 0) {
        add_line(text, "  and " + std::to_string(more) + " more");
    }
}

std::string atom_time(std::int64_t ms) {
    const std::chrono::sys_time<std::chrono::milliseconds> at{std::chrono::milliseconds{ms}};
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(at)};
    const std::chrono::hh_mm_ss time{std::chrono::floor<std::chrono::seconds>(at) -
                                     std::chrono::floor<std::chrono::days>(at)};
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                  static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                  static_cast<unsigned>(day.day()), static_cast<int>(time.hours().count()),
                  static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()));
    return text.data();
}

} // namespace

// A UUID of version 8 (RFC 9562): its bits are two hashes of the name, FNV-1a by Fowler, Noll and
// Vo.
std::string feed_id(std::string_view name) {
    const auto hash = [&](std::uint64_t start) {
        for (const char c : name) {
            start = (start ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        }
        return start;
    };
    const std::uint64_t high = (hash(0xcbf29ce484222325U) & ~0xf000U) | 0x8000U;
    const std::uint64_t low = (hash(0x84222325cbf29ce4U) >> 2U) | (1ULL << 63U);
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "urn:uuid:%08x-%04x-%04x-%04x-%012llx",
                  static_cast<unsigned>(high >> 32U), static_cast<unsigned>(high >> 16U & 0xffffU),
                  static_cast<unsigned>(high & 0xffffU), static_cast<unsigned>(low >> 48U),
                  static_cast<unsigned long long>(low & 0xffffffffffffU));
    return text.data();
}

std::optional<FeedEntry> changed_entry(const json& changes, std::int64_t at) {
    const json& best = changes.at("best");
    const json& alpha = changes.at("alpha");
    const bool quiet = changes.at("evaluations") == 0 && best.at("before") == best.at("after") &&
                       alpha.at("before") == alpha.at("after");
    if (quiet) {
        return std::nullopt;
    }
    FeedEntry entry;
    entry.at = at;
    const std::string now =
        best.at("after").is_string() ? best.at("after").get<std::string>() : "no move yet";
    const bool turned = best.at("before").is_string() && best.at("before") != best.at("after");
    entry.title = turned ? best.at("before").get<std::string>() + " → " + now : now;
    entry.title += " " + (alpha.at("before") == alpha.at("after") || alpha.at("before").is_null()
                              ? score_word(alpha.at("after"))
                              : from_to(alpha.at("before"), alpha.at("after")));
    const std::int64_t evaluations = changes.at("evaluations");
    add_line(entry.text, std::to_string(evaluations) +
                             (evaluations == 1 ? " new evaluation" : " new evaluations"));
    if (!best.at("before").is_null()) {
        add_line(entry.text, "Best line: " + sans_of(changes.at("pv").at("after")));
        add_rows(entry.text, "Root moves:", changes.at("moves"), [](const json& row) {
            return row.at("before") == row.at("after")
                       ? std::string{}
                       : row.at("san").get<std::string>() + " " +
                             from_to(row.at("before"), row.at("after"));
        });
        add_rows(entry.text, "New best moves:", changes.at("new_best"), [](const json& row) {
            return row.at("line").empty()
                       ? std::string{}
                       : sans_of(row.at("line")) + ": " + row.at("after").value("san", "") +
                             " instead of " + row.at("before").value("san", "");
        });
        add_rows(entry.text, "Biggest swings:", changes.at("swings"), [](const json& row) {
            return sans_of(row.at("line")) + " " + from_to(row.at("before"), row.at("after"));
        });
        add_rows(entry.text, "New lines:", changes.at("new_lines"), [](const json& row) {
            return sans_of(row.at("line")) + " " + score_word(row.at("alpha"));
        });
    }
    return entry;
}

std::string markup_text(const std::string& text) {
    std::string out;
    // U+FFFE and U+FFFF are no characters of XML.
    for (const char c :
         base::replaced(base::replaced(text, "\xef\xbf\xbe", ""), "\xef\xbf\xbf", "")) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default:
            if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') {
                out += c;
            }
        }
    }
    return out;
}

std::string atom_feed(const Feed& feed, const std::string& name) {
    std::string out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                      "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n";
    const std::int64_t updated = feed.entries.empty() ? 0 : feed.entries.front().at;
    out += "<id>" + markup_text(feed.id) + "</id>\n<title>" + markup_text(name) +
           "</title>\n<updated>" + atom_time(updated) +
           "</updated>\n<author><name>Adjourn</name></author>\n<link href=\"index.html\"/>\n"
           "<link rel=\"self\" href=\"changes.xml\"/>\n";
    for (const FeedEntry& entry : feed.entries) {
        out += "<entry>\n<id>" + markup_text(entry.id) + "</id>\n<title>" +
               markup_text(entry.title) + "</title>\n<updated>" + atom_time(entry.at) +
               "</updated>\n<link href=\"index.html\"/>\n<content type=\"text\">" +
               markup_text(entry.text) + "</content>\n</entry>\n";
    }
    return out + "</feed>\n";
}

} // namespace adjourn::server
