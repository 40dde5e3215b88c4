// FaultyDisk: stands between SQLite and the disk while it lives. Counts what changes files (writes,
// truncations, syncs, deletions), makes the n-th of them fail, and can forget what was never
// synced, as a power failure does.
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

class FaultyDisk {
public:
    // From now on every database opened in this process goes through it.
    FaultyDisk();
    FaultyDisk(const FaultyDisk&) = delete;
    FaultyDisk& operator=(const FaultyDisk&) = delete;
    ~FaultyDisk();

    // Counts from 1, anew. Any thread may be writing meanwhile.
    void fail_at(std::uint64_t operation, Fault fault);
    std::uint64_t operations() const; // since fail_at
    // Every file written through this disk becomes what its last sync left; empty if there was
    // none. Call it when the databases are closed.
    void lose_unsynced();

    struct State;

private:
    std::unique_ptr<State> state_;
};

} // namespace adjourn::storage::test
