// FaultyDisk: stands between SQLite and the disk while it lives. Counts what changes files (writes,
// truncations, syncs, deletions) or opens and locks them, makes the n-th of them fail, and can
// forget what was never synced, as a power failure does.
#pragma once

#include <cstdint>
#include <memory>

namespace adjourn::storage::test {

enum class Fault : std::uint8_t {
    none,
    error_once,   // that operation reports an I/O error
    error_onward, // that one and all after it
    full_onward,  // no space left, from that one on
    torn_onward,  // a write stops in the middle; all after it fail
    kill,         // the process is gone at that moment (SIGKILL)
};

// Which operations count.
enum class On : std::uint8_t { changes, writes, syncs, truncates, opens, locks };

class FaultyDisk {
public:
    // From now on every database opened in this process goes through it.
    FaultyDisk();
    FaultyDisk(const FaultyDisk&) = delete;
    FaultyDisk& operator=(const FaultyDisk&) = delete;
    ~FaultyDisk();

    // Counts from 1, anew. Any thread may be writing meanwhile.
    void fail_at(std::uint64_t operation, Fault fault, On on = On::changes);
    std::uint64_t operations() const; // since fail_at
    // Power fails: every file written through this disk becomes what its last sync left; empty if
    // there was none. With a seed, some of the writes since then are there, each whole, cut short
    // or not at all, whatever their order was. Call it when the databases are closed.
    void lose_unsynced(std::uint64_t seed = 0);

    struct State;

private:
    std::unique_ptr<State> state_;
};

} // namespace adjourn::storage::test
