#include "storage/sqlite/high_water.hpp"

#include "base/line_reader.hpp"
#include "storage/rows/checksum.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <limits>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>

namespace adjourn::storage {

namespace {

constexpr const char* first_word = "adjourn-acknowledged-2";
// Of stores before schema 5, which had no files.
constexpr const char* former_word = "adjourn-acknowledged-1";
constexpr std::size_t former_counts = 4;
constexpr std::size_t longest_line = 4'096; // more than all numbers at their longest
constexpr const char* queries[] = {"SELECT value FROM totals WHERE name = 'evaluations'",
                                   "SELECT seq FROM sqlite_sequence WHERE name = 'analyses'",
                                   "SELECT seq FROM sqlite_sequence WHERE name = 'directives'",
                                   "SELECT seq FROM sqlite_sequence WHERE name = 'snapshots'",
                                   "SELECT seq FROM sqlite_sequence WHERE name = 'files'"};
constexpr const char* names[][2] = {{"evaluation", "evaluations"},
                                    {"analysis", "analyses"},
                                    {"order or note", "orders and notes"},
                                    {"settled level", "settled levels"},
                                    {"version of a game", "versions of games"}};

std::int64_t sum_of(const std::string& text) {
    return Checksum{}.add(text).value();
}

std::string moment(std::int64_t at) {
    const auto seconds = static_cast<std::time_t>(at / 1'000);
    std::tm utc{};
    std::ostringstream text;
    text << std::put_time(::gmtime_r(&seconds, &utc), "%Y-%m-%d %H:%M:%S UTC");
    return text.str();
}

} // namespace

std::optional<Level> level_of(Database& database) {
    Level level;
    try {
        for (std::size_t i = 0; i < level.counts.size(); ++i) {
            level.counts[i] = database.integer(queries[i]); // 0 where none was given
        }
    } catch (const StoreError&) {
        return std::nullopt; // whoever reads the table tells of it
    }
    return level;
}

HighWater::HighWater(const std::filesystem::path& directory) : file_{directory / "acknowledged"} {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file_, error)) {
        return;
    }
    std::ifstream in{file_};
    std::string text = base::read_all(in, longest_line).value_or("");
    text.resize(std::min(text.find('\n'), text.size()));
    const std::size_t end = text.rfind(' ');
    std::istringstream words{text};
    std::string first;
    Mark mark;
    words >> first >> mark.at;
    const bool former = first == former_word;
    const auto read = [&](Level& level) {
        for (std::int64_t& count :
             std::span{level.counts}.first(former ? former_counts : level.counts.size())) {
            words >> count;
        }
    };
    read(mark.level);
    words >> mark.missing_at;
    read(mark.missing);
    std::int64_t sum = 0;
    if (words >> sum && (former || first == first_word) && sum == sum_of(text.substr(0, end))) {
        mark_ = mark;
    }
}

HighWater::~HighWater() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

void HighWater::compare(const Level& level, bool keep) {
    const std::lock_guard lock{mutex_};
    Mark now = mark_.value_or(Mark{});
    bool less = false;
    for (std::size_t i = 0; mark_ && i < level.counts.size(); ++i) {
        // A damaged store may say anything, also what is less than nothing.
        constexpr std::int64_t none = 0, most = std::numeric_limits<std::int64_t>::max();
        const std::int64_t had = std::max(mark_->level.counts[i], none);
        const std::int64_t gone = std::max(had - std::max(level.counts[i], none), none);
        std::int64_t& missing = now.missing.counts[i];
        missing = missing > most - gone ? most : missing + gone;
        less = less || gone > 0;
    }
    if (less && now.missing_at == 0) {
        now.missing_at = now.at;
    }
    now.level = level;
    mark_ = now;
    if (keep) {
        descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        write();
    }
}

std::string HighWater::missing() const {
    const std::lock_guard lock{mutex_};
    if (!mark_ || mark_->missing_at == 0) {
        return "";
    }
    std::string what;
    for (std::size_t i = 0; i < mark_->missing.counts.size(); ++i) {
        if (const std::int64_t count = mark_->missing.counts[i]; count > 0) {
            what += (what.empty() ? "" : ", ") + std::to_string(count) + ' ' +
                    names[i][count == 1 ? 0 : 1];
        }
    }
    return file_.parent_path().string() + ": the store is older than what was acknowledged at " +
           moment(mark_->missing_at) + ": missing are " + what +
           ". A log was lost or cut, or an older file is in its place";
}

void HighWater::accept() {
    const std::lock_guard lock{mutex_};
    if (mark_ && mark_->missing_at != 0) {
        mark_->missing_at = 0;
        mark_->missing = {};
        write();
    }
}

void HighWater::note(const Level& level) {
    const std::lock_guard lock{mutex_};
    if (mark_ && mark_->level != level) {
        mark_->level = level;
        write();
    }
}

// In one write, of one length: whoever reads it sees the old or the new one. What cannot be written
// is not known later.
void HighWater::write() {
    mark_->at = std::chrono::duration_cast<std::chrono::milliseconds>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count();
    std::ostringstream text;
    text << first_word << ' ' << mark_->at;
    for (const std::int64_t count : mark_->level.counts) {
        text << ' ' << count;
    }
    text << ' ' << mark_->missing_at;
    for (const std::int64_t count : mark_->missing.counts) {
        text << ' ' << count;
    }
    std::string line = text.str();
    line += ' ' + std::to_string(sum_of(line)) + '\n';
    constexpr std::size_t length = 320; // more than all numbers at their longest
    line.resize(std::max(length, line.size()), '\n');
    if (descriptor_ >= 0) {
        [[maybe_unused]] const ssize_t written = ::pwrite(descriptor_, line.data(), line.size(), 0);
    }
}

namespace {

std::optional<std::pair<std::uint64_t, std::uint64_t>>
identity_of(const std::filesystem::path& file) {
    struct stat found {};
    if (::stat(file.c_str(), &found) != 0) {
        return std::nullopt;
    }
    return std::pair{std::uint64_t{found.st_dev}, std::uint64_t{found.st_ino}};
}

} // namespace

FileWatch::FileWatch(std::vector<std::filesystem::path> files) {
    for (std::filesystem::path& file : files) {
        if (const auto identity = identity_of(file)) {
            watched_.push_back({std::move(file), *identity});
        }
    }
}

std::string FileWatch::trouble() const {
    for (const Watched& watched : watched_) {
        const auto now = identity_of(watched.file);
        if (now != watched.identity) {
            return watched.file.string() + " was " + (now ? "replaced" : "removed") +
                   " while it was in use: what is written now would be lost; put it back where it "
                   "was, or end this program and restore a backup";
        }
    }
    return "";
}

} // namespace adjourn::storage
