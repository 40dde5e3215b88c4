#include "storage/sqlite/sqlite_store.hpp"

#include "base/line_reader.hpp"
#include "storage/rows/checksum.hpp"
#include "storage/sqlite/open.hpp"
#include "storage/sqlite/schema.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <limits>
#include <span>
#include <sstream>
#include <system_error>

namespace adjourn::storage {

namespace fs = std::filesystem;

namespace {

bool has_log(const fs::path& file) {
    std::error_code missing;
    const auto size = fs::file_size(file.string() + "-wal", missing);
    return !missing && size > 0;
}

// SQLite would begin a new database, and remove the log of the one that was there.
void require_store(const fs::path& file) {
    std::error_code error;
    const bool there = fs::exists(file, error);
    if (there ? fs::file_size(file, error) > 0 || error : !has_log(file)) {
        return;
    }
    throw StoreError{file.string() + (there ? " is empty" : " is missing, but not its log") +
                     ": a store was there; put the file back, or restore a backup and move " +
                     file.filename().string() +
                     "-wal away; to begin anew, remove both and the files 'lock' and "
                     "'acknowledged' beside them"};
}

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

std::optional<std::pair<std::uint64_t, std::uint64_t>>
identity_of(const std::filesystem::path& file) {
    struct stat found {};
    if (::stat(file.c_str(), &found) != 0) {
        return std::nullopt;
    }
    return std::pair{std::uint64_t{found.st_dev}, std::uint64_t{found.st_ino}};
}

// Beyond it no number of an evaluation can be made: only a damaged store has such positions.
constexpr std::int64_t most_positions =
    std::numeric_limits<std::int64_t>::max() / numbers_per_position - 1;

constexpr std::size_t most_seen = 4'096; // a power of 2

} // namespace

std::unique_ptr<Store> open_directory(const fs::path& directory, OpenMode mode) {
    return std::make_unique<SqliteStore>(directory, mode);
}

SqliteStore::SqliteStore(fs::path directory, OpenMode mode, int checkpoint_pages,
                         GroupWriter::Executor writing)
    : directory_{std::move(directory)} {
    mode == OpenMode::owner ? open_owner(checkpoint_pages, std::move(writing)) : open_read();
}

SqliteStore::~SqliteStore() {
    if (database_) {
        writer_.reset();
        if (const auto level = level_of(*database_)) {
            acknowledged_->note(*level);
        }
        database_->cut(); // then nothing of the log is copied over the file
        std::error_code missing;
        fs::remove(directory_ / "owner", missing);
    }
}

void SqliteStore::open_owner(int checkpoint_pages, GroupWriter::Executor writing) {
    lock_ = DirectoryLock::own(directory_);
    if (lock_.saw_store()) {
        require_store(file());
    }
    acknowledged_.emplace(directory_);
    database_ = std::make_unique<Database>(file(), Access::write, &damage_);
    schema_version(*database_, migrations()); // before anything of a stranger's file is changed
    database_->use_wal();
    migrate(*database_, migrations());
    if (!lock_.saw_store()) {
        database_->checkpoint(); // what begins here is in the file, whatever happens to the log
        lock_.note_store();
    }
    if (const auto level = level_of(*database_)) {
        acknowledged_->compare(*level, true);
    }
    readers_ = std::make_unique<ReaderPool>(file(), Access::read, &damage_);
    watch_.emplace(std::vector{file(), fs::path{file().string() + "-wal"}});
    target_ = std::make_unique<SqliteTarget>(
        *database_, checkpoint_pages, [this] { return trouble(); }, &*acknowledged_);
    writer_ = std::make_unique<GroupWriter>(*target_, std::move(writing));
}

std::string SqliteStore::trouble() const {
    if (std::string moved = watch_->trouble(); !moved.empty()) {
        return moved;
    }
    const std::string cut = database_->cut();
    return cut.empty()
               ? ""
               : cut + " was cut off while it was in use: what is written now would do more "
                       "damage; end this program, and see what 'adjourn check' finds, or "
                       "restore a backup";
}

void SqliteStore::open_read() {
    std::error_code error;
    if (!fs::exists(file(), error)) {
        throw_no_store(file(), error);
    }
    Access access = Access::read;
    acknowledged_.emplace(directory_); // before the store, which a server may write to
    const auto look_at = [this](Database& probe) {
        require_current(probe, migrations());
        if (const auto level = level_of(probe)) {
            acknowledged_->compare(*level, false);
        }
    };
    try {
        Database probe{file(), access, &damage_};
        look_at(probe);
    } catch (const SqliteError&) {
        // A directory on read-only media has no place for the files that readers share. Without a
        // log and with owners kept out, the file itself is all there is.
        lock_ = DirectoryLock::keep_owners_out(directory_);
        if (!lock_ || has_log(file())) {
            throw;
        }
        access = Access::read_frozen;
        Database probe{file(), access, &damage_};
        look_at(probe);
    }
    readers_ = std::make_unique<ReaderPool>(file(), access, &damage_);
    writer_ = std::make_unique<GroupWriter>("not stored: " + file().string() +
                                            " was opened for reading only");
}

void SqliteStore::announce(const std::string& url, const std::string&) {
    DirectoryLock::write_owner(directory_, url);
}

void SqliteStore::read(const std::function<void(Reads&)>& work) const {
    const auto lease = readers_->lease();
    work(*lease);
}

StoreEnvironment SqliteStore::environment() const {
    StoreEnvironment seen;
    std::error_code error;
    const fs::space_info space = fs::space(directory_, error);
    seen.problem = watch_ ? watch_->trouble() : "";
    if (error) {
        seen.problem =
            seen.problem.empty() ? directory_.string() + ": " + error.message() : seen.problem;
    } else {
        seen.free_bytes = space.available;
    }
    std::uint64_t bytes = 0;
    for (const std::string& name : {file().string(), file().string() + "-wal"}) {
        std::error_code missing;
        const auto size = fs::file_size(name, missing);
        bytes += missing ? 0 : size;
    }
    seen.bytes = bytes;
    try {
        seen.evaluations = evaluation_count();
    } catch (const StoreError&) {
        // Reads tell where they are needed; a damaged table need not stop what is written.
    }
    seen.damage = damage_.first();
    seen.missing = acknowledged_->missing();
    return seen;
}

std::vector<std::string> SqliteStore::check() const {
    std::vector<std::string> findings = check_database(readers_->lease()->database());
    if (std::string missing = acknowledged_->missing(); !missing.empty()) {
        findings.push_back(std::move(missing));
    }
    return findings;
}

SqliteTarget::SqliteTarget(Database& database, int checkpoint_pages,
                           std::function<std::string()> trouble, Acknowledged* noted)
    : database_{database}, checkpoint_pages_{checkpoint_pages}, writes_{database},
      trouble_{std::move(trouble)}, noted_{noted} {
    writes_.on_progress = [this] { answered(); };
    count();
}

void SqliteTarget::look() {
    if (const std::string trouble = trouble_ ? trouble_() : ""; !trouble.empty()) {
        throw StoreError{trouble};
    }
}

void SqliteTarget::transact(const std::function<void()>& work) {
    Transaction transaction{database_, Transaction::Kind::write};
    work();
    transaction.commit();
}

bool SqliteTarget::refused(const StoreError& error) const {
    const auto* of_sqlite = dynamic_cast<const SqliteError*>(&error);
    return of_sqlite != nullptr && of_sqlite->data_fault();
}

bool SqliteTarget::for_good(const std::exception& error) const {
    const auto* of_store = dynamic_cast<const StoreError*>(&error);
    return of_store != nullptr && of_store->damage();
}

// What was acknowledged is in the log and safe; where this throws, the disk takes no more.
void SqliteTarget::afterwards() {
    constexpr std::chrono::seconds between_notes{1};
    const auto now = std::chrono::steady_clock::now();
    if (noted_ != nullptr && now >= next_note_) {
        if (const auto level = level_of(database_)) {
            noted_->note(*level);
        }
        next_note_ = now + between_notes;
    }
    if (database_.wal_pages() >= checkpoint_pages_) {
        database_.checkpoint();
    }
}

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

Acknowledged::Acknowledged(const std::filesystem::path& directory)
    : file_{directory / "acknowledged"} {
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

Acknowledged::~Acknowledged() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

void Acknowledged::compare(const Level& level, bool keep) {
    const std::lock_guard lock{mutex_};
    Mark now = mark_.value_or(Mark{0, level, 0, {}});
    bool less = false;
    for (std::size_t i = 0; mark_ && i < level.counts.size(); ++i) {
        // A damaged store may say anything, also what is less than nothing.
        constexpr std::int64_t none = 0, most = std::numeric_limits<std::int64_t>::max();
        const std::int64_t had = std::max(mark_->level.counts[i], none);
        const std::int64_t gone = std::max(had - std::max(level.counts[i], none), none);
        std::int64_t& missing = now.missing.counts[i];
        missing = missing > most - gone ? most : missing + gone;
        less = less || gone > 0;
        now.level.counts[i] = had - gone; // what is more was perhaps never synced
    }
    if (less && now.missing_at == 0) {
        now.missing_at = now.at;
    }
    mark_ = now;
    if (keep) {
        descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        write();
    }
}

std::string Acknowledged::missing() const {
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

void Acknowledged::accept() {
    const std::lock_guard lock{mutex_};
    if (mark_ && mark_->missing_at != 0) {
        mark_->missing_at = 0;
        mark_->missing = {};
        write();
    }
}

void Acknowledged::note(const Level& level) {
    const std::lock_guard lock{mutex_};
    if (mark_ && mark_->level != level) {
        mark_->level = level;
        write();
    }
}

// In one write, of one length: whoever reads it sees the old or the new one. What cannot be written
// is not known later.
void Acknowledged::write() {
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

SqliteWrites::SqliteWrites(Database& database)
    : database_{database}, find_position_{database, "SELECT id FROM positions WHERE key = ?"},
      find_key_{database, "SELECT key FROM positions WHERE id = ?"},
      add_position_{database, "INSERT INTO positions (key) VALUES (?)"},
      find_answers_{database, "SELECT " + all_columns(tables::evaluations) +
                                  " FROM evaluations WHERE id BETWEEN ? AND ? ORDER BY id"},
      add_evaluation_{database, "INSERT INTO evaluations (" + all_columns(tables::evaluations) +
                                    ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
      replace_evaluation_{database, "UPDATE evaluations SET at = ?, answer = ?, checksum = ? "
                                    "WHERE id = ?"},
      add_asked_{database, "INSERT INTO asked (analysis, evaluation) VALUES (?, ?)"},
      seen_(most_seen) {}

void SqliteWrites::forget() {
    Writes::forget();
    seen_.assign(most_seen, {});
    last_ids_.clear();
}

void SqliteWrites::run(const std::string& sql, Cells parameters, const TakeRow& take) {
    auto known = prepared_.find(sql);
    if (known == prepared_.end()) {
        known = prepared_.try_emplace(sql, database_, sql).first;
    }
    Statement& statement = known->second;
    statement.bind_cells(parameters);
    const ResetAtEnd reset{statement};
    std::vector<Cell> cells;
    while (statement.step()) {
        if (take) {
            statement.read(cells);
            take(cells);
        }
    }
}

std::int64_t SqliteWrites::next_id(const Table& table) {
    std::int64_t& last = last_ids_[&table];
    if (last == 0) {
        const std::string name = table.name;
        run("SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = '" + name +
                "'), 0), coalesce((SELECT max(id) FROM " + name + "), 0))",
            {}, [&](Cells row) { last = integer(row[0]); });
    }
    return ++last;
}

Writes::Place SqliteWrites::position(const chess::PackedPosition& packed) {
    Seen& seen = seen_[chess::PackedPositionHash{}(packed) % most_seen];
    if (seen.id != 0 && seen.position == packed) {
        return {seen.id, false};
    }
    const Bytes key = position_key(packed);
    Place place;
    {
        find_position_.bind(key);
        const ResetAtEnd reset{find_position_};
        if (find_position_.step()) {
            place.id = find_position_.integer(0);
        } else {
            add_position_.run(key);
            place = {database_.last_insert_id(), true};
        }
    }
    if (!place.added) { // the index said so: is it right?
        find_key_.bind(place.id);
        const ResetAtEnd reset{find_key_};
        if (!find_key_.step() || !std::ranges::equal(find_key_.bytes(0), key)) {
            database_.refuse("position " + std::to_string(place.id) +
                             " is damaged (its key is another)");
        }
    }
    seen = {packed, place.id};
    return place;
}

void SqliteWrites::ask(AnalysisId analysis, std::int64_t evaluation) {
    add_asked_.run(row(analysis), evaluation);
}

std::vector<Outcome> SqliteWrites::append(std::span<const Answered* const> facts) {
    constexpr std::size_t between_signs = 256;
    std::vector<Outcome> outcomes;
    outcomes.reserve(facts.size());
    for (const Answered* fact : facts) {
        if (outcomes.size() % between_signs == 0 && on_progress) {
            on_progress();
        }
        outcomes.push_back(append(*fact));
    }
    return outcomes;
}

Outcome SqliteWrites::append(const Answered& fact) {
    const Evaluation& evaluation = fact.evaluation;
    const Question& question = evaluation.question;
    if (const std::string trouble = trouble_of(evaluation); !trouble.empty()) {
        return refuse("evaluation", trouble);
    }
    const auto [position_id, is_new] = position(question.position);
    if (position_id < 0 || position_id > most_positions) {
        return refuse("evaluation", "its position has the number " + std::to_string(position_id) +
                                        ", which is damage");
    }
    const Checksum begun = shared(question);
    FactRow made = row_of(evaluation, machine(evaluation.machine), excluded_, answer_);
    const std::int64_t first = position_id * numbers_per_position;
    const std::int64_t end = first + numbers_per_position;
    made.id = first; // the next free one
    std::optional<std::int64_t> known_id, damaged;
    std::shared_ptr<const Evaluation> stands;
    if (!is_new) {
        find_answers_.bind(first, end - 1);
        const ResetAtEnd reset{find_answers_};
        while (!known_id && find_answers_.step()) {
            made.id = find_answers_.integer(0) + 1;
            if (find_answers_.integer(1) != made.engine ||
                find_answers_.integer(2) != made.limit_kind ||
                find_answers_.integer(3) != made.limit_amount ||
                !std::ranges::equal(find_answers_.bytes(4), excluded_)) {
                continue;
            }
            const FactRow there = find_answers_.fact();
            auto found = std::make_shared<Evaluation>();
            found->question.position = question.position;
            std::int64_t by = 0;
            if (checksum(there, begun) != there.checksum || !read(there, *found, by).empty()) {
                damaged = there.id;
            } else if (has_exact_score(*found) || !has_exact_score(evaluation)) {
                known_id = there.id;
                found->machine = machine_name(by);
                stands = std::move(found);
            }
        }
    }
    const bool counted = is_counted(fact);
    if (known_id) {
        known(fact, counted);
        return Written{*known_id, false, std::move(stands)};
    }
    if (made.id == end && !damaged) {
        return refuse("evaluation", "the position has 65,536 of them");
    }
    made.id = damaged.value_or(made.id);
    made.checksum = checksum(made, begun);
    if (damaged) {
        const WithoutTriggers open{database_}; // they keep facts from being changed: this is none
        replace_evaluation_.run(made.at, made.answer, made.checksum, made.id);
    } else {
        add_evaluation_.run(made.id, made.engine, made.limit_kind, made.limit_amount, made.excluded,
                            made.at, made.answer, made.checksum);
    }
    stored(fact, counted, made, damaged.has_value());
    return Written{made.id, true};
}

} // namespace adjourn::storage
