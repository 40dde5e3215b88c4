#include "files/site/site_directory.hpp"

#include "base/files.hpp"
#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <deque>
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

// The positions of each chunk, in order.
std::vector<std::vector<std::size_t>> packed_chunks(const std::vector<SitePosition>& positions,
                                                    std::size_t bytes) {
    std::vector<std::vector<std::size_t>> below(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (positions[i].from) {
            below[*positions[i].from].push_back(i);
        }
    }
    std::vector<std::vector<std::size_t>> chunks;
    std::deque<std::size_t> roots; // of subtrees that are in no chunk yet
    if (!positions.empty()) {
        roots.push_back(0);
    }
    std::size_t taken = bytes; // in the last chunk
    while (!roots.empty()) {
        std::deque<std::size_t> open{roots.front()};
        roots.pop_front();
        while (!open.empty()) {
            const SitePosition& next = positions[open.front()];
            const std::size_t size = next.node.size() + next.verdict.size() + 24 * next.to.size();
            const bool begins = open.size() == 1 && taken >= bytes;
            if (begins) {
                chunks.emplace_back();
                taken = 0;
            } else if (taken + size > bytes && !chunks.back().empty()) {
                break;
            }
            chunks.back().push_back(open.front());
            taken += size;
            open.insert(open.end(), below[open.front()].begin(), below[open.front()].end());
            open.pop_front();
        }
        if (!open.empty()) { // full: the rest of this subtree comes next
            taken = bytes;
            roots.insert(roots.begin(), open.begin(), open.end());
        }
    }
    return chunks;
}

} // namespace

std::string site_memory_text(const SiteMemory& memory) {
    json folders = json::array();
    for (const auto& [name, files] : memory.folders) {
        folders.push_back({{"name", name}, {"files", files}});
    }
    const json all{{"adjourn_site", 1},
                   {"folders", std::move(folders)},
                   {"analysis", memory.subject.analysis},
                   {"fen", memory.subject.fen},
                   {"exported", memory.exported}};
    return all.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::expected<SiteMemory, std::string> read_site_memory(std::string_view text) {
    auto parsed = base::parse_json(text);
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    if (parsed->is_object()) {
        parsed->erase("feed"); // older programs wrote one
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

std::expected<void, std::string> SiteDirectory::publish(std::string_view index_html) {
    SiteMemory now = memory_;
    now.exported = at_;
    for (const auto& [file, text] :
         {std::pair<std::string, std::string>{"index.html", std::string{index_html}},
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

std::string markup_text(const std::string& text) {
    std::string out;
    for (const char c : text) {
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

SiteChunks site_chunks(const std::vector<SitePosition>& positions, std::size_t bytes) {
    const auto chunks = packed_chunks(positions, bytes);
    std::vector<std::optional<std::size_t>> numbers(positions.size());
    std::size_t number = 0;
    for (const auto& chunk : chunks) {
        for (const std::size_t i : chunk) {
            numbers[i] = number++;
        }
    }
    SiteChunks out;
    for (const auto& chunk : chunks) {
        out.starts.push_back(*numbers[chunk.front()]);
        std::string text = "[";
        for (const std::size_t i : chunk) {
            const SitePosition& position = positions[i];
            text += text.size() == 1 ? "{\"from\":" : ",\n{\"from\":";
            text += position.from ? std::to_string(*numbers[*position.from]) : "null";
            text += ",\"to\":{";
            for (const auto& [uci, target] : position.to) {
                if (numbers[target]) {
                    text += (text.ends_with('{') ? "\"" : ",\"") + uci +
                            "\":" + std::to_string(*numbers[target]);
                }
            }
            text += "},\"node\":" + position.node;
            if (!position.verdict.empty()) {
                text += ",\"verdict\":" + position.verdict;
            }
            text += "}";
        }
        out.texts.push_back(text + "]");
    }
    return out;
}

std::string site_script(const std::string& name, const std::string& json) {
    return "(self.adjournSite = self.adjournSite || []).push([\"" + name + "\"," + json + "]);\n";
}

} // namespace adjourn::server
