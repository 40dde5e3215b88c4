#include "files/collections/collection.hpp"

#include "merge.hpp"
#include "record.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace adjourn::collections {

struct Collection::Found {
    Record record;
    PlayedMove move;
};

std::expected<Collection, std::string> Collection::open(const std::filesystem::path& file) {
    Collection collection;
    collection.file_ = base::UniqueFd{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!collection.file_.open()) {
        return std::unexpected(file.string() + ": " + std::strerror(errno));
    }
    const int fd = collection.file_.get();
    Header header;
    struct stat status {};
    const bool whole = read_at(fd, 0, &header, sizeof(header)) == sizeof(header) &&
                       header.known() && ::fstat(fd, &status) == 0 &&
                       header.records < (std::uint64_t{1} << 48) &&
                       header.bytes() == static_cast<std::uint64_t>(status.st_size);
    if (!whole) {
        return std::unexpected(file.string() +
                               " is no collection of games, or damaged: make it again");
    }
    std::string sources(header.sources_bytes, '\0');
    read_at(fd, header.sources_at(), sources.data(), sources.size());
    collection.record_bytes_ = header.record_bytes();
    collection.games_at_ = header.games_at();
    collection.games_end_ = header.sources_at();
    collection.info_ = {header.games, header.records, header.bytes(),
                        sources_of(sources, header.sources_say_whole())};
    return collection;
}

namespace {

// Where the first record of this position or a later one is. Hashes are evenly spread, so that the
// place can be estimated: a few reads, whatever the size.
std::uint64_t first_of(int file, std::uint64_t count, std::size_t record_bytes,
                       std::uint64_t position) {
    std::uint64_t low = 0; // all before are smaller
    std::uint64_t high = count;
    std::uint64_t low_key = 0;
    std::uint64_t high_key = ~std::uint64_t{0};
    const auto key_at = [&](std::uint64_t at) {
        std::uint64_t key = 0;
        read_at(file, sizeof(Header) + at * record_bytes, &key, sizeof(key));
        return key;
    };
    for (int step = 0; low < high; ++step) {
        std::uint64_t middle = low + (high - low) / 2;
        if (step < 16 && high - low > 16 && position >= low_key && position < high_key) {
            const double share =
                static_cast<double>(position - low_key) / static_cast<double>(high_key - low_key);
            const auto offset = static_cast<std::uint64_t>(share * static_cast<double>(high - low));
            middle = low + std::min(offset, high - low - 1);
        }
        const std::uint64_t key = key_at(middle);
        if (key < position) {
            low = middle + 1;
            low_key = key;
        } else {
            high = middle;
            high_key = key;
        }
    }
    return low;
}

} // namespace

std::vector<Collection::Found> Collection::find(const chess::Position& position) const {
    std::vector<Found> found;
    constexpr std::size_t at_a_time = 32;
    std::array<Record, at_a_time> records;
    std::uint64_t at = first_of(file_.get(), info_.moves, record_bytes_, position.hash());
    while (true) {
        const std::size_t count = read_records(
            file_.get(), sizeof(Header) + at * record_bytes_, record_bytes_,
            std::span{records}.first(std::min<std::uint64_t>(at_a_time, info_.moves - at)));
        for (std::size_t i = 0; i < count; ++i) {
            const Record& record = records[i];
            if (record.position != position.hash()) {
                return found;
            }
            const chess::Move move = chess::Move::from_raw(record.move);
            if (position.is_legal(move)) {
                const int elo = record.rated > 0 ? static_cast<int>(record.elos / record.rated) : 0;
                found.push_back(
                    {record, {move, record.white, record.draws, record.black, record.year, elo}});
            }
        }
        at += count;
        if (count < at_a_time) {
            return found;
        }
    }
}

namespace {

void most_played_first(std::vector<PlayedMove>& moves) {
    std::ranges::stable_sort(moves, [](const PlayedMove& a, const PlayedMove& b) {
        return a.games() != b.games() ? a.games() > b.games() : a.move.raw() < b.move.raw();
    });
}

} // namespace

std::vector<PlayedMove> Collection::counts(const chess::Position& position) const {
    std::vector<PlayedMove> moves;
    for (Found& found : find(position)) {
        moves.push_back(std::move(found.move));
    }
    most_played_first(moves);
    return moves;
}

std::vector<PlayedMove> Collection::moves(const chess::Position& position) const {
    std::vector<PlayedMove> moves;
    for (Found& found : find(position)) {
        const std::uint64_t at = games_at_ + found.record.game;
        if (at < games_end_) {
            std::string text(std::min<std::uint64_t>(longest_game_text, games_end_ - at), '\0');
            text.resize(read_at(file_.get(), at, text.data(), text.size()));
            found.move.best = game_of(text);
            found.move.best.elo = found.record.elo;
        }
        moves.push_back(std::move(found.move));
    }
    most_played_first(moves);
    return moves;
}

namespace {

constexpr const char* ending = ".games";

} // namespace

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= longest_collection_name &&
           std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
           });
}

std::filesystem::path Shelf::file(std::string_view name) const {
    return directory_ / (std::string{name} + ending);
}

std::expected<Collection, std::string> Shelf::open(std::string_view name) const {
    return Collection::open(file(name));
}

std::vector<std::pair<std::string, CollectionInfo>> Shelf::list() const {
    std::vector<std::pair<std::string, CollectionInfo>> all;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator{directory_, none}) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ending && is_name(name)) {
            if (const auto collection = open(name)) {
                all.emplace_back(name, collection->info());
            }
        }
    }
    std::ranges::sort(all, {}, [](const auto& each) { return each.first; });
    return all;
}

bool Shelf::remove(std::string_view name) const {
    std::error_code none;
    return std::filesystem::remove(file(name), none);
}

} // namespace adjourn::collections
