// SimulatedStore: the store on SQLite whose writer works when the simulation says so, and a ledger
// of all that it has acknowledged, which outlives it.
#pragma once

#include "storage/sqlite/sqlite_store.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::simulation {

using analysis::UnixMs;

// "position limit excluded": equal for equal questions.
std::string text_of(const analysis::Question& question);

// What was acknowledged, in all lives of the server.
struct Ledger {
    struct Fact {
        std::string question;
        std::string answer;
        bool usable = false;
        UnixMs known_at = 0; // by the simulation's clock
        int life = 0;
    };
    std::map<std::int64_t, Fact> facts;          // by row
    std::map<std::string, std::int64_t> answers; // usable ones, by question and engine
    std::map<std::int64_t, std::string> directives, files;
    std::map<std::int64_t, storage::UsageRecord> usage; // the least that it may be, by analysis
    std::map<std::int64_t, std::int64_t> directive_of;  // to its analysis
    std::map<std::int64_t, bool> removed;               // analyses

    std::string wrong; // of what was written; "": nothing
    void forget(std::int64_t fact);
    // What of it the store does not have, or has otherwise; "" if nothing.
    std::string missing_in(const storage::Store& store) const;
};

// Of the answer of one evaluation in the closed store there, which is returned; 0: there is none.
std::int64_t flip_a_bit(const std::filesystem::path& directory, std::uint64_t chance);

class SimulatedStore final : public storage::Store {
public:
    // `writing` runs the writer's tasks. Throws storage::StoreError.
    SimulatedStore(const std::filesystem::path& directory, Ledger& ledger, int life,
                   std::function<UnixMs()> clock,
                   std::function<void(std::function<void()>)> writing)
        : ledger_{ledger}, life_{life}, clock_{std::move(clock)}, store_{directory,
                                                                         storage::OpenMode::owner,
                                                                         checkpoint_pages,
                                                                         std::move(writing)} {}

    // From now on the disk does not answer, until it does.
    void hang(bool on) { hangs_since_ = on ? std::optional{clock_()} : std::nullopt; }
    // Whoever writes may wait for it: it is written at once. Returns what was so before.
    bool on_a_thread_of_its_own(bool on) { return std::exchange(waited_for_, on); }
    // What others do while such a thread waits for the disk.
    std::function<void()> meanwhile;
    bool hangs() const { return hangs_since_.has_value(); }
    // Writes that failed since one was done.
    int failed() const { return failed_; }

    void write(storage::Change change, storage::Done done) override;
    void flush() override { store_.flush(); }
    void announce(const std::string& url, const std::string& to_workers) override {
        store_.announce(url, to_workers);
    }
    storage::StoreEnvironment environment() const override;
    storage::Writing writing() const override;
    storage::CommitTimes commit_times() const override { return store_.commit_times(); }
    void recover() override { store_.recover(); }
    void accept_missing() override { store_.accept_missing(); }
    void read(const std::function<void(storage::Reads&)>& work) const override {
        store_.read(work);
        if (waited_for_) {
            meanwhile();
        }
    }
    std::vector<std::string> check() const override { return store_.check(); }

private:
    static constexpr int checkpoint_pages = 60;

    void acknowledged(const storage::Change& change, const storage::Written& written);

    Ledger& ledger_;
    const int life_;
    std::function<UnixMs()> clock_;
    std::optional<UnixMs> hangs_since_;
    bool waited_for_ = false;
    int failed_ = 0;
    storage::SqliteStore store_;
};

} // namespace adjourn::simulation
