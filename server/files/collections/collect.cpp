#include "files/collections/collect.hpp"

#include "base/files.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "chess/pgn.hpp"
#include "files/collections/collection.hpp"
#include "files/collections/database.hpp"

#include <openssl/evp.h>

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <compare>
#include <cstring>
#include <deque>
#include <fstream>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>

namespace adjourn::collections {

namespace {

// TakenGames: what a part of a PGN text adds to a collection.

struct TakenMove {
    std::int64_t position = 0; // the bits of chess::Position::hash()
    std::uint16_t move = 0;    // chess::Move::raw()
    std::uint32_t game = 0;    // its place in `games`

    friend auto operator<=>(const TakenMove&, const TakenMove&) = default;
};

struct TakenGames {
    std::vector<KnownGame> games;
    std::vector<TakenMove> moves; // each move of a position once a game
    CollectReport report;         // lines and games of errors are the part's
    std::uint64_t read = 0;       // games in all
    std::uint64_t lines = 0;
};

constexpr int most_elo = 9'999;

int number_in(std::string_view text, int most) {
    const int number = base::parse_number<int>(text).value_or(0);
    return number > 0 && number <= most ? number : 0;
}

class GameTaker final : public chess::PgnVisitor {
public:
    GameTaker(const CollectOptions& options, TakenGames& taken)
        : options_{options}, taken_{taken} {}

    void begin_game() override {
        ++taken_.read;
        game_ = {};
        white_elo_ = black_elo_ = 0;
        moves_.clear();
        plies_ = 0;
        depth_ = 0;
        cut_ = weak_ = damaged_ = false;
    }

    void tag(std::string_view name, std::string_view value) override {
        if (name == "White") {
            game_.white = value;
        } else if (name == "Black") {
            game_.black = value;
        } else if (name == "Result") {
            game_.result = value;
        } else if (name == "WhiteElo") {
            white_elo_ = number_in(value, most_elo);
        } else if (name == "BlackElo") {
            black_elo_ = number_in(value, most_elo);
        } else if (name == "Date" || (name == "UTCDate" && game_.year == 0)) {
            game_.year = number_in(value.substr(0, 4), 9'999);
        }
    }

    bool begin_moves(const chess::Position&) override {
        weak_ = std::min(white_elo_, black_elo_) < options_.least_elo;
        white_counts_ = counts(game_.white);
        black_counts_ = counts(game_.black);
        return !weak_ && (white_counts_ || black_counts_);
    }

    void move(const chess::Position& before, chess::Move move) override {
        if (depth_ > 0 || cut_) {
            return;
        }
        ++plies_;
        if (before.turn() == chess::Color::white ? white_counts_ : black_counts_) {
            moves_.push_back({static_cast<std::int64_t>(before.hash()), move.raw(),
                              static_cast<std::uint32_t>(taken_.games.size())});
        }
    }
    // What follows is no game.
    void null_move(const chess::Position&) override { cut_ = cut_ || depth_ == 0; }
    bool had_enough() const override { return depth_ > 0 || cut_ || plies_ >= options_.plies; }
    void begin_variation() override { ++depth_; }
    void end_variation() override { --depth_; }

    void error(const chess::PgnError& error) override {
        if (depth_ > 0) {
            return;
        }
        damaged_ = true;
        if (taken_.report.errors.size() < most_told) {
            taken_.report.errors.push_back(error);
        }
    }

    void end_game(std::string_view result) override {
        if (!result.empty()) {
            game_.result = result;
        }
        CollectReport& report = taken_.report;
        if (damaged_) {
            ++report.damaged;
        } else if (weak_) {
            ++report.too_weak;
        } else if ((white_counts_ || black_counts_) && (plies_ > 0 || !game_.result.empty())) {
            add();
        }
    }

private:
    bool counts(const std::string& player) const {
        return options_.player.empty() || base::is_one_of_names(player, options_.player);
    }

    void add() {
        CollectReport& report = taken_.report;
        if (game_.result != "1-0" && game_.result != "0-1" && game_.result != "1/2-1/2") {
            ++report.without_result;
            return;
        }
        game_.elo = white_elo_ > 0 && black_elo_ > 0 ? (white_elo_ + black_elo_) / 2 : 0;
        taken_.games.push_back(game_);
        // A game counts once where it comes to a position again and plays the same move.
        std::ranges::sort(moves_);
        moves_.erase(std::unique(moves_.begin(), moves_.end()), moves_.end());
        taken_.moves.insert(taken_.moves.end(), moves_.begin(), moves_.end());
        ++report.games;
        report.moves += moves_.size();
    }

    const CollectOptions& options_;
    TakenGames& taken_;
    KnownGame game_;
    int white_elo_ = 0;
    int black_elo_ = 0;
    std::vector<TakenMove> moves_;
    std::size_t plies_ = 0;
    int depth_ = 0;
    bool white_counts_ = true; // his moves
    bool black_counts_ = true;
    bool cut_ = false;
    bool weak_ = false;
    bool damaged_ = false;
};

// Pure: any thread.
TakenGames take_games(const chess::PgnParts::Part& part, const CollectOptions& options) {
    TakenGames taken;
    taken.lines = part.lines;
    if (part.left_out) {
        taken.read = taken.report.damaged = 1;
        taken.report.errors.push_back(
            {1, *part.left_out - part.lines_before, chess::PgnParts::trouble});
        return taken;
    }
    chess::PgnReader reader{std::string_view{part.text}};
    GameTaker taker{options, taken};
    while (reader.read_game(taker)) {
    }
    return taken;
}

namespace fs = std::filesystem;

constexpr std::size_t longest_player = 100; // bytes
constexpr std::size_t longest_source = 200;

// The beginning of SHA-256.
class FingerprintMaker {
public:
    FingerprintMaker() : digest_{EVP_MD_CTX_new(), EVP_MD_CTX_free} {
        EVP_DigestInit_ex(digest_.get(), EVP_sha256(), nullptr);
    }
    void add(std::string_view bytes) {
        EVP_DigestUpdate(digest_.get(), bytes.data(), bytes.size());
    }
    std::uint64_t finish() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
        if (EVP_DigestFinal_ex(digest_.get(), sum.data(), nullptr) != 1) {
            throw std::bad_alloc{}; // the only way it can fail
        }
        std::uint64_t made = 0;
        std::memcpy(&made, sum.data(), sizeof made);
        return std::max<std::uint64_t>(made, 1);
    }

private:
    std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> digest_;
};

// The file that another one works with has a lock beside it.
base::UniqueFd locked(const fs::path& file) {
    const fs::path lock = file.string() + ".lock";
    base::UniqueFd held{
        ::open(lock.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600)};
    if (!held.open()) {
        throw std::runtime_error("cannot write " + lock.string() + ": " + std::strerror(errno));
    }
    if (::flock(held.get(), LOCK_EX | LOCK_NB) != 0) {
        throw std::runtime_error(file.stem().string() + " is being added to just now");
    }
    return held;
}

// Results are counted for each move of a position. `best` is the game whose mean Elo is highest,
// `elos` the sum of the means of `rated` games. `complete` has its row when all is written.
constexpr const char* schema =
    "CREATE TABLE sources(name TEXT, fingerprint INTEGER, games INTEGER);"
    "CREATE TABLE complete(moves INTEGER);"
    "CREATE TABLE games(id INTEGER PRIMARY KEY, white_player TEXT, black_player TEXT,"
    " year INTEGER, result TEXT);"
    "CREATE TABLE moves(position INTEGER, move INTEGER, white INTEGER, draws INTEGER,"
    " black INTEGER, last_year INTEGER, rated INTEGER, elos INTEGER, best_elo INTEGER,"
    " best INTEGER, PRIMARY KEY(position, move)) WITHOUT ROWID;"
    "PRAGMA user_version = 4";
static_assert(format == 4);

constexpr const char* add_game_sql = "INSERT INTO games VALUES(?, ?, ?, ?, ?)";
constexpr const char* add_move_sql =
    "INSERT INTO moves VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
    " white = white + excluded.white, draws = draws + excluded.draws,"
    " black = black + excluded.black, last_year = max(last_year, excluded.last_year),"
    " rated = rated + excluded.rated, elos = elos + excluded.elos,"
    " best = iif(excluded.best_elo > best_elo, excluded.best, best),"
    " best_elo = max(best_elo, excluded.best_elo)";
constexpr const char* forget_rare_sql =
    "DELETE FROM moves WHERE position IN"
    " (SELECT position FROM moves GROUP BY position HAVING sum(white + draws + black) < ?)";

// A copy of the collection, or an empty file, until it has the collection's name.
class Draft {
public:
    explicit Draft(const fs::path& file) : path{file.string() + ".new"} {
        if (!base::make_new_file(path).open()) {
            throw std::runtime_error("cannot write " + path.string() + ": " + std::strerror(errno));
        }
        if (fs::exists(file)) {
            fs::copy_file(file, path, fs::copy_options::overwrite_existing);
        }
    }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft() {
        std::error_code none;
        fs::remove(path, none);
    }

    const fs::path path;
};

class Collecting {
public:
    Collecting(const fs::path& file, const CollectOptions& options)
        : file_{file}, options_{options} {}

    // What the parts hold, in their order.
    CollectReport read(std::istream& pgn) {
        chess::PgnParts parts{pgn, options_.part};
        const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
        const std::size_t most = options_.threads > 0 ? options_.threads : cores;
        std::deque<std::future<TakenGames>> reading;
        bool more = true;
        while (more || !reading.empty()) {
            while (more && reading.size() <= most) {
                auto part = parts.next();
                more = part.has_value();
                if (part) {
                    bytes_ += part->text.size();
                    reading.push_back(
                        std::async(std::launch::async, [this, games = std::move(*part)] {
                            return take_games(games, options_);
                        }));
                }
            }
            if (!reading.empty()) {
                TakenGames taken = reading.front().get();
                reading.pop_front();
                add(std::move(taken));
            }
        }
        if (pgn.bad()) {
            throw std::runtime_error("it cannot be read to its end: damaged or cut off");
        }
        return std::move(report_);
    }

    // The new file in place of the old one.
    void finish(const Source& source) {
        add_up();
        const std::string name = base::shortened(source.name, longest_source);
        Statement{database_, "INSERT INTO sources VALUES(?, ?, ?)"}.run(name, source.fingerprint,
                                                                        source.games);
        if (options_.least_games > 1) {
            Statement{database_, forget_rare_sql}.run(options_.least_games);
        }
        database_.execute("INSERT INTO complete SELECT count(*) FROM moves; COMMIT");
        if (options_.least_games > 1) {
            database_.execute("VACUUM");
        }
        fs::rename(draft_.path, file_);
    }

private:
    // What counts of a game that is held.
    struct HeldGame {
        std::size_t result; // 0: White won, 1: a draw, 2: Black won
        int year;
        int elo;
    };

    Database opened() const {
        Database database{draft_.path, SQLITE_OPEN_READWRITE};
        database.execute("PRAGMA journal_mode = OFF; PRAGMA cache_size = -65536;"
                         "PRAGMA page_size = 16384; BEGIN");
        if (integer(database, "PRAGMA user_version") == 0) {
            database.execute(schema);
        }
        database.execute("DELETE FROM complete");
        return database;
    }

    void add(TakenGames taken) {
        for (chess::PgnError& error : taken.report.errors) {
            error.game += games_read_;
            error.line += lines_read_;
            if (report_.errors.size() < most_told) {
                report_.errors.push_back(std::move(error));
            }
        }
        games_read_ += taken.read;
        lines_read_ += taken.lines;
        report_.games += taken.report.games;
        report_.moves += taken.report.moves;
        report_.without_result += taken.report.without_result;
        report_.too_weak += taken.report.too_weak;
        report_.damaged += taken.report.damaged;
        const auto held = static_cast<std::uint32_t>(games_.size());
        for (const KnownGame& game : taken.games) {
            const std::string white = base::shortened(game.white, longest_player);
            const std::string black = base::shortened(game.black, longest_player);
            add_game_.run(first_game_ + static_cast<std::int64_t>(games_.size()), white, black,
                          game.year, game.result);
            const std::size_t result = game.result == "1-0" ? 0 : game.result == "0-1" ? 2 : 1;
            games_.push_back({result, game.year, game.elo});
        }
        for (TakenMove& move : taken.moves) {
            move.game += held;
        }
        moves_.insert(moves_.end(), taken.moves.begin(), taken.moves.end());
        if (moves_.size() > options_.in_memory) {
            add_up();
        }
        if (options_.progress && !options_.progress(games_read_, bytes_)) {
            throw std::runtime_error("it was ended; nothing of it was taken");
        }
    }

    // Puts what is held into the file, in the order of its keys.
    void add_up() {
        std::ranges::sort(moves_); // of equally strong games the first one is the best
        for (auto move = moves_.begin(); move != moves_.end();) {
            const TakenMove& first = *move;
            std::array<std::uint64_t, 3> results{};
            int last_year = 0, best_elo = -1;
            std::int64_t rated = 0, elos = 0, best = 0;
            for (; move != moves_.end() && move->position == first.position &&
                   move->move == first.move;
                 ++move) {
                const HeldGame& game = games_[move->game];
                ++results[game.result];
                last_year = std::max(last_year, game.year);
                rated += game.elo > 0 ? 1 : 0;
                elos += game.elo;
                if (game.elo > best_elo) {
                    best_elo = game.elo;
                    best = first_game_ + move->game;
                }
            }
            add_move_.run(first.position, first.move, results[0], results[1], results[2], last_year,
                          rated, elos, best_elo, best);
        }
        first_game_ += static_cast<std::int64_t>(games_.size());
        games_.clear();
        moves_.clear();
    }

    const fs::path file_;
    const CollectOptions& options_;
    Draft draft_{file_};
    Database database_{opened()};
    Statement add_game_{database_, add_game_sql};
    Statement add_move_{database_, add_move_sql};
    std::int64_t first_game_ = integer(database_, "SELECT ifnull(max(id), 0) + 1 FROM games");
    std::vector<HeldGame> games_; // from first_game_ on
    std::vector<TakenMove> moves_;
    CollectReport report_;
    std::uint64_t games_read_ = 0;
    std::uint64_t lines_read_ = 0;
    std::uint64_t bytes_ = 0;
};

} // namespace

std::uint64_t fingerprint_of_file(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) {
        return 0;
    }
    FingerprintMaker made;
    std::ifstream in{file, std::ios::binary};
    std::string part(1u << 20, '\0');
    while (in.read(part.data(), static_cast<std::streamsize>(part.size())) || in.gcount() > 0) {
        made.add({part.data(), static_cast<std::size_t>(in.gcount())});
    }
    return made.finish();
}

std::uint64_t fingerprint_of_text(std::string_view text) {
    FingerprintMaker made;
    made.add(text);
    return made.finish();
}

std::expected<CollectReport, std::string> collect(std::istream& pgn, const std::string& name,
                                                  std::uint64_t fingerprint, const fs::path& file,
                                                  const CollectOptions& options) {
    try {
        const fs::path directory = fs::absolute(file).parent_path();
        if (fs::create_directories(directory)) {
            fs::permissions(directory, fs::perms::owner_all);
        }
        const base::UniqueFd lock = locked(file);
        if (!options.player.empty() && fingerprint != 0) { // another player's moves are others
            fingerprint ^= fingerprint_of_text(options.player);
        }
        if (fs::exists(file)) {
            const auto old = Collection::open(file);
            if (!old) {
                return std::unexpected(old.error());
            }
            if (fingerprint != 0 &&
                std::ranges::count(old->info().sources, fingerprint, &Source::fingerprint) > 0) {
                CollectReport report;
                report.known = true;
                return report;
            }
        }
        Collecting collecting{file, options};
        CollectReport report = collecting.read(pgn);
        if (report.games > 0) {
            collecting.finish({name, fingerprint, report.games});
        }
        return report;
    } catch (const std::exception& broken) {
        return std::unexpected(broken.what());
    }
}

} // namespace adjourn::collections
