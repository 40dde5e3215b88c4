// SqliteStore: the Store of one machine. Puts lock, writer and readers together.
#pragma once

#include "storage/open.hpp"
#include "storage/rows/group_writer.hpp"
#include "storage/rows/writes.hpp"
#include "storage/sqlite/database.hpp"
#include "storage/sqlite/directory_lock.hpp"
#include "storage/sqlite/reads.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace adjourn::storage {

// Acknowledged: how far a store has come, noted in a small file beside it. A store that has come
// less far has lost its log or a part of it, or an older file was put in its place: SQLite takes
// that for what was stored.

// Numbers that never become smaller: evaluations, and the last numbers given to analyses,
// directives, snapshots and versions of files, of which any may be deleted again.
struct Level {
    std::array<std::int64_t, 5> counts{};
    friend bool operator==(const Level&, const Level&) = default;
};
// As the connection sees it; nullopt if it cannot be read.
std::optional<Level> level_of(Database& database);

class Acknowledged {
public:
    // Reads DIR/acknowledged; one that is not whole counts as none.
    explicit Acknowledged(const std::filesystem::path& directory);
    ~Acknowledged();

    // Compares, before anything is written. `keep`: notes where the store is from now on, and what
    // is missing until accept(). Of the owner.
    void compare(const Level& level, bool keep);
    // What is missing, for people; "" if nothing is. Any thread.
    std::string missing() const;
    // Is missing no longer. Any thread; writes, and does not wait for the disk.
    void accept();
    // So far it has come, durably. Does not wait for the disk: after a crash of the machine the
    // file may tell less. Any thread.
    void note(const Level& level);

private:
    struct Mark {
        std::int64_t at = 0; // ms since 1970
        Level level;
        std::int64_t missing_at = 0; // when what is missing had been there; 0: nothing is
        Level missing;
    };
    void write(); // with the mutex

    const std::filesystem::path file_;
    int descriptor_ = -1; // while it is kept: the file that was opened, wherever it is moved
    mutable std::mutex mutex_;
    std::optional<Mark> mark_;
};

// FileWatch: whether the files that this process has open are still those of their names. Somebody
// may remove or replace them, or a mount may go; what is written then is gone with the process.

class FileWatch {
public:
    // Of those that exist now.
    explicit FileWatch(std::vector<std::filesystem::path> files);

    // Which of them is not at its place; "" if all are. Any thread.
    std::string trouble() const;

private:
    struct Watched {
        std::filesystem::path file;
        std::pair<std::uint64_t, std::uint64_t> identity; // device, inode
    };
    std::vector<Watched> watched_;
};

// SqliteWrites: Writes on the connection that writes the file.
class SqliteWrites final : public Writes {
public:
    explicit SqliteWrites(Database& database);

    std::vector<Outcome> append(std::span<const Answered* const> facts) override;
    void forget() override;

private:
    void run(const std::string& sql, Cells parameters, const TakeRow& take) override;
    std::int64_t next_id(const Table& table) override;
    Place position(const chess::PackedPosition& packed) override;
    void ask(AnalysisId analysis, std::int64_t evaluation) override;

    // A position whose number is known: neighbours in time are about the same few.
    struct Seen {
        chess::PackedPosition position;
        std::int64_t id = 0; // 0: none yet
    };

    Outcome append(const Answered& fact);

    Database& database_;
    Statement find_position_, find_key_, add_position_;
    Statement find_answers_, add_evaluation_, replace_evaluation_, add_asked_;
    std::unordered_map<std::string, Statement> prepared_; // by their text
    std::vector<Seen> seen_;                              // by hash
    std::unordered_map<const Table*, std::int64_t> last_ids_;
    Buffer excluded_, answer_; // reused
};

class SqliteTarget final : public GroupTarget {
public:
    // Length of the log from which on it is moved into the file, in pages of 4 KB: enough that a
    // page changed by many commits is moved once.
    static constexpr int default_checkpoint_pages = 4'096;

    // The database must outlive it, and is the writing thread's alone until then. `trouble` is
    // asked before each transaction: where it says something, nothing is written. `noted`, if any,
    // is told how far the store has come, once a second at most, and outlives it.
    explicit SqliteTarget(Database& database, int checkpoint_pages = default_checkpoint_pages,
                          std::function<std::string()> trouble = {}, Acknowledged* noted = nullptr);

    bool for_good(const std::exception& error) const override;
    void afterwards() override;

private:
    Writes& writes() override { return writes_; }
    void look() override;
    void transact(const std::function<void()>& work) override;
    void execute(const char* sql) override { database_.execute(sql); }
    bool refused(const StoreError& error) const override;
    void broke() override { writes_.forget(); }
    Outcome announce(const Announcement&) override { return Written{}; } // by a file

    Database& database_;
    const int checkpoint_pages_;
    SqliteWrites writes_;
    const std::function<std::string()> trouble_;
    Acknowledged* const noted_;
    std::chrono::steady_clock::time_point next_note_{};
};

class SqliteStore final : public Store {
public:
    SqliteStore(std::filesystem::path directory, OpenMode mode,
                int checkpoint_pages = SqliteTarget::default_checkpoint_pages,
                GroupWriter::Executor writing = {});
    ~SqliteStore() override;

    void write(Change change, Done done) override {
        writer_->submit(std::move(change), std::move(done));
    }
    void flush() override { writer_->flush(); }
    void announce(const std::string& url, const std::string& to_workers) override;
    StoreEnvironment environment() const override;
    Writing writing() const override { return writer_->writing(); }
    CommitTimes commit_times() const override { return writer_->commit_times(); }
    void recover() override { writer_->recover(); }
    void accept_missing() override { acknowledged_->accept(); }

    void read(const std::function<void(Reads&)>& work) const override;
    std::vector<std::string> check() const override;

private:
    void open_owner(int checkpoint_pages, GroupWriter::Executor writing);
    void open_read();
    // What is wrong with the files that are open; "" if nothing is. Of the writing thread.
    std::string trouble() const;
    std::filesystem::path file() const { return directory_ / "adjourn.db"; }

    // Destroyed from the end: the writer finishes while readers still work, and the writing
    // connection closes last, which empties the log.
    const std::filesystem::path directory_;
    DirectoryLock lock_;
    mutable DamageNote damage_;
    std::optional<Acknowledged> acknowledged_;
    std::unique_ptr<Database> database_; // the writer's; none when reading only
    std::unique_ptr<ReaderPool> readers_;
    std::optional<FileWatch> watch_; // what the owner has open
    std::unique_ptr<SqliteTarget> target_;
    std::unique_ptr<GroupWriter> writer_;
};

} // namespace adjourn::storage
