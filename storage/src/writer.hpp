// Writer: the one thread that writes. Takes everything that is queued, runs it in one transaction,
// commits, then calls every `done`.
//
//   submit ──▶ queue ──▶ [ BEGIN · job · job · job · COMMIT ] ──▶ done · done · done ──▶ checkpoint
//
// A job whose data the database refuses fails alone; the others of its group are committed. A
// broken environment (disk full, I/O error, a `done` that throws …) fails the group and everything
// after it, until recover() has found that it works again.
#pragma once

#include "tables.hpp"

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace adjourn::storage {

class Writer {
public:
    // May run twice (the first time rolled back), so it must not use up what it holds.
    using Work = std::function<Outcome(Tables&)>;

    // Length of the log from which on it is moved into the file, in pages of 4 KB: enough that a
    // page changed by many commits is moved once.
    static constexpr int default_checkpoint_pages = 4'096;

    // The database must outlive it, and is this thread's alone until then. `trouble` is asked
    // before each transaction: where it says something, nothing is written.
    explicit Writer(Database& database, int checkpoint_pages = default_checkpoint_pages,
                    std::function<std::string()> trouble = {});
    // One that fails everything with this text.
    explicit Writer(std::string broken);
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    // Waits until everything queued is done.
    ~Writer();

    // Any thread; does not block for the disk. `done` may be empty.
    void submit(Work work, Done done);
    // As submit, but waits. Not from the writer's own thread. Throws StoreError if it failed.
    Written await(Work work);
    // Waits until everything queued before is durable. Throws StoreError if the environment is
    // broken, or if since the last flush a job without `done` was refused.
    void flush();
    // Waits. If the environment broke, tries whether it works again: throws StoreError if not.
    void recover();

private:
    struct Job {
        Work work; // empty: a flush
        Done done;
        bool tries = false; // of recover()
    };
    enum class Mode : std::uint8_t {
        fast,    // one refused statement spoils the group
        careful, // every job has its savepoint
    };

    void loop();
    void process(std::span<const Job> group);
    // nullopt: rolled back, to be run again with care. Throws SqliteError: rolled back, broken.
    std::optional<std::vector<Outcome>> attempt(std::span<const Job> group, Mode mode);
    Outcome run_alone(const Job& job);
    void deliver(std::span<const Job> group, const std::vector<Outcome>& outcomes);
    void tell(const Job& job, const Outcome& outcome);
    void checkpoint();
    void look_around();
    void break_down(const std::exception& error);

    // ---- the writer thread's own ----
    Database* database_ = nullptr;
    int checkpoint_pages_ = default_checkpoint_pages;
    std::unique_ptr<Tables> tables_;
    std::function<std::string()> trouble_;
    std::string broken_;         // "": not
    bool for_good_ = false;      // broken, whatever the environment does
    std::string silent_refusal_; // the first one that nobody was told of

    // ---- shared, under the mutex ----
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<Job> queue_;
    bool closing_ = false;

    std::thread thread_; // last: starts when the rest stands
};

} // namespace adjourn::storage
