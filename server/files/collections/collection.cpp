#include "files/collections/collection.hpp"

#include "files/collections/database.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

namespace adjourn::collections {

namespace {

// Of a position, the most played first; without the best games.
constexpr const char* counts_sql =
    "SELECT move, white, draws, black, last_year, ifnull(elos / rated, 0) FROM moves"
    " WHERE position = ? ORDER BY white + draws + black DESC, move";
constexpr const char* moves_sql =
    "SELECT move, white, draws, black, last_year, ifnull(elos / rated, 0),"
    " best_elo, white_player, black_player, year, result"
    " FROM moves LEFT JOIN games ON games.id = moves.best"
    " WHERE position = ? ORDER BY white + draws + black DESC, move";

std::vector<PlayedMove> read_moves(Statement& query, const chess::Position& position, bool best) {
    std::vector<PlayedMove> moves;
    query.bind(position.hash());
    while (query.step()) {
        const auto move = chess::Move::from_raw(static_cast<std::uint16_t>(query.integer(0)));
        if (!position.is_legal(move)) {
            continue;
        }
        const auto count = [&](int column) {
            return static_cast<std::uint64_t>(query.integer(column));
        };
        const auto number = [&](int column) { return static_cast<int>(query.integer(column)); };
        PlayedMove& played = moves.emplace_back(
            PlayedMove{move, count(1), count(2), count(3), number(4), number(5)});
        if (best) {
            played.best = {query.text(7), query.text(8), number(9), number(6), query.text(10)};
        }
    }
    return moves;
}

constexpr const char* ending = ".games";

} // namespace

struct Collection::Tables {
    explicit Tables(std::unique_ptr<Database> opened) : database{std::move(opened)} {}

    std::unique_ptr<Database> database;
    Statement counts{*database, counts_sql};
    Statement moves{*database, moves_sql};
};

Collection::Collection(Collection&&) noexcept = default;
Collection& Collection::operator=(Collection&&) noexcept = default;
Collection::~Collection() = default;

std::expected<Collection, std::string> Collection::open(const std::filesystem::path& file) {
    const std::string name = "collection '" + file.stem().string() + "'";
    Collection collection;
    CollectionInfo& info = collection.info_;
    std::error_code missing;
    info.bytes = std::filesystem::file_size(file, missing);
    if (missing) {
        return std::unexpected("there is no " + name);
    }
    try {
        auto database = std::make_unique<Database>(file, SQLITE_OPEN_READONLY);
        if (integer(*database, "PRAGMA user_version") != format) {
            throw std::runtime_error("another version has made it, or it is no collection");
        }
        const auto bytes =
            integer(*database, "PRAGMA page_count") * integer(*database, "PRAGMA page_size");
        const auto moves = integer(*database, "SELECT moves FROM complete");
        if (static_cast<std::uint64_t>(bytes) != info.bytes || moves < 0) {
            throw std::runtime_error("it is not whole");
        }
        info.moves = static_cast<std::uint64_t>(moves);
        Statement sources{*database, "SELECT name, fingerprint, games FROM sources ORDER BY rowid"};
        while (sources.step()) {
            info.sources.push_back({sources.text(0), static_cast<std::uint64_t>(sources.integer(1)),
                                    static_cast<std::uint64_t>(sources.integer(2))});
            info.games += info.sources.back().games;
        }
        collection.tables_ = std::make_unique<Tables>(std::move(database));
        return collection;
    } catch (const std::exception& broken) {
        return std::unexpected(name + " cannot be read: " + broken.what() +
                               "; remove it, and collect its files again");
    }
}

std::vector<PlayedMove> Collection::counts(const chess::Position& position) const {
    return read_moves(tables_->counts, position, false);
}

std::vector<PlayedMove> Collection::moves(const chess::Position& position) const {
    return read_moves(tables_->moves, position, true);
}

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= longest_collection_name &&
           std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
           });
}

std::filesystem::path CollectionDirectory::file(std::string_view name) const {
    return directory_ / (std::string{name} + ending);
}

std::expected<Collection, std::string> CollectionDirectory::open(std::string_view name) const {
    return Collection::open(file(name));
}

std::vector<std::string> CollectionDirectory::names() const {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator{directory_, none}) {
        std::string name = entry.path().stem().string();
        if (entry.path().extension() == ending && is_name(name)) {
            names.push_back(std::move(name));
        }
    }
    std::ranges::sort(names);
    return names;
}

bool CollectionDirectory::remove(std::string_view name) const {
    std::error_code none;
    return std::filesystem::remove(file(name), none);
}

} // namespace adjourn::collections
