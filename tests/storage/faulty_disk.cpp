#include "faulty_disk.hpp"

#include "raw.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <random>
#include <vector>

namespace adjourn::storage::test {

struct FaultyDisk::State {
    sqlite3_vfs* real = nullptr;
    sqlite3_vfs shim{};
    mutable std::mutex mutex;
    std::uint64_t count = 0, fail_at = 0;
    Fault fault = Fault::none;
    On on = On::changes;
    struct Write {
        std::string file;
        sqlite3_int64 at;
        std::string data;
    };
    std::map<std::string, std::string> synced; // file → content after its last sync
    std::vector<Write> unsynced;

    // What becomes of the next operation: SQLITE_OK, or the error that it reports.
    int next(On kind, int error, bool* torn = nullptr) {
        const std::lock_guard lock{mutex};
        const bool change = kind != On::opens && kind != On::locks;
        if (on == On::changes ? !change : on != kind) {
            return SQLITE_OK;
        }
        ++count;
        const bool now = count == fail_at;
        if (fault == Fault::none || count < fail_at || (fault == Fault::error_once && !now)) {
            return SQLITE_OK;
        }
        if (fault == Fault::kill) {
            ::kill(::getpid(), SIGKILL);
        }
        if (torn) {
            *torn = now && fault == Fault::torn_onward;
        }
        return fault == Fault::full_onward && error == SQLITE_IOERR_WRITE ? SQLITE_FULL : error;
    }
};

namespace {

FaultyDisk::State* current = nullptr;

// SQLite allocates this much for each file; the real file's own part follows it.
struct File {
    sqlite3_file base;
    std::string* name;
    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

File* of(sqlite3_file* file) {
    return reinterpret_cast<File*>(file);
}
sqlite3_file* real(sqlite3_file* file) {
    return of(file)->real();
}

int x_close(sqlite3_file* file) {
    delete of(file)->name;
    return real(file)->pMethods->xClose(real(file));
}

int x_write(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
    bool torn = false;
    const int error = current->next(On::writes, SQLITE_IOERR_WRITE, &torn);
    if (torn) {
        real(file)->pMethods->xWrite(real(file), data, size / 2, at);
    }
    if (error == SQLITE_OK) {
        const std::lock_guard lock{current->mutex};
        current->unsynced.push_back(
            {*of(file)->name,
             at,
             {static_cast<const char*>(data), static_cast<std::size_t>(size)}});
    }
    return error == SQLITE_OK ? real(file)->pMethods->xWrite(real(file), data, size, at) : error;
}

int x_lock(sqlite3_file* file, int level) {
    const int error = current->next(On::locks, SQLITE_IOERR_LOCK);
    return error == SQLITE_OK ? real(file)->pMethods->xLock(real(file), level) : error;
}

int x_shm_lock(sqlite3_file* file, int offset, int n, int flags) {
    const bool takes = (flags & SQLITE_SHM_LOCK) != 0; // to let go always works
    const int error = takes ? current->next(On::locks, SQLITE_IOERR_SHMLOCK) : SQLITE_OK;
    return error == SQLITE_OK ? real(file)->pMethods->xShmLock(real(file), offset, n, flags)
                              : error;
}

int x_truncate(sqlite3_file* file, sqlite3_int64 size) {
    const int error = current->next(On::truncates, SQLITE_IOERR_TRUNCATE);
    return error == SQLITE_OK ? real(file)->pMethods->xTruncate(real(file), size) : error;
}

int x_sync(sqlite3_file* file, int) {
    // Not passed on: what has to survive here is the end of a process, or lose_unsynced().
    const int error = current->next(On::syncs, SQLITE_IOERR_FSYNC);
    if (error == SQLITE_OK) {
        sqlite3_int64 size = 0;
        real(file)->pMethods->xFileSize(real(file), &size);
        const std::lock_guard lock{current->mutex};
        std::string& content = current->synced[*of(file)->name];
        content.resize(static_cast<std::size_t>(size));
        std::erase_if(current->unsynced, [&](const auto& write) {
            if (write.file != *of(file)->name) {
                return false;
            }
            const auto at = std::min(static_cast<std::size_t>(write.at), content.size());
            content.replace(at, std::min(write.data.size(), content.size() - at), write.data, 0,
                            content.size() - at);
            return true;
        });
    }
    return error;
}

const sqlite3_io_methods methods = {
    3,
    x_close,
    [](sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
        return real(f)->pMethods->xRead(real(f), to, size, at);
    },
    x_write,
    x_truncate,
    x_sync,
    [](sqlite3_file* f, sqlite3_int64* size) {
        return real(f)->pMethods->xFileSize(real(f), size);
    },
    x_lock,
    [](sqlite3_file* f, int level) { return real(f)->pMethods->xUnlock(real(f), level); },
    [](sqlite3_file* f, int* out) { return real(f)->pMethods->xCheckReservedLock(real(f), out); },
    [](sqlite3_file* f, int op, void* arg) {
        return real(f)->pMethods->xFileControl(real(f), op, arg);
    },
    [](sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); },
    [](sqlite3_file* f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); },
    [](sqlite3_file* f, int page, int size, int extend, void volatile** out) {
        return real(f)->pMethods->xShmMap(real(f), page, size, extend, out);
    },
    x_shm_lock,
    [](sqlite3_file* f) { real(f)->pMethods->xShmBarrier(real(f)); },
    [](sqlite3_file* f, int remove) { return real(f)->pMethods->xShmUnmap(real(f), remove); },
    [](sqlite3_file* f, sqlite3_int64 at, int n, void** out) {
        return real(f)->pMethods->xFetch(real(f), at, n, out);
    },
    [](sqlite3_file* f, sqlite3_int64 at, void* page) {
        return real(f)->pMethods->xUnfetch(real(f), at, page);
    },
};

int x_open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    std::memset(file, 0, sizeof(File));
    if (const int error = current->next(On::opens, SQLITE_CANTOPEN); error != SQLITE_OK) {
        return error;
    }
    const int code = current->real->xOpen(current->real, name, real(file), flags, out_flags);
    if (real(file)->pMethods != nullptr) { // else there is nothing to close
        file->pMethods = &methods;
        of(file)->name = new std::string{name ? name : ""};
        if (name && code == SQLITE_OK && (flags & SQLITE_OPEN_CREATE) != 0) {
            sqlite3_int64 size = 0;
            real(file)->pMethods->xFileSize(real(file), &size);
            const std::lock_guard lock{current->mutex};
            if (size == 0) {
                current->synced.insert_or_assign(name, "");
            } else if (!current->synced.contains(name)) {
                current->synced[name] =
                    read_file(name); // there before us, so long since on the disk
            }
        }
    }
    return code;
}

int x_delete(sqlite3_vfs*, const char* name, int) {
    const int error = current->next(On::changes, SQLITE_IOERR_DELETE);
    if (error != SQLITE_OK) {
        return error;
    }
    {
        const std::lock_guard lock{current->mutex};
        current->synced.erase(name);
    }
    return current->real->xDelete(current->real, name, 0); // nor is this synced, see x_sync
}

} // namespace

FaultyDisk::FaultyDisk() : state_{std::make_unique<State>()} {
    state_->real = sqlite3_vfs_find(nullptr);
    state_->shim = *state_->real; // the real one's functions, with the real one's data
    state_->shim.zName = "faulty";
    state_->shim.szOsFile = static_cast<int>(sizeof(File)) + state_->real->szOsFile;
    state_->shim.xOpen = x_open;
    state_->shim.xDelete = x_delete;
    current = state_.get();
    sqlite3_vfs_register(&state_->shim, 1);
}

FaultyDisk::~FaultyDisk() {
    sqlite3_vfs_unregister(&state_->shim);
    sqlite3_vfs_register(state_->real, 1);
    current = nullptr;
}

void FaultyDisk::fail_at(std::uint64_t operation, Fault fault, On on) {
    const std::lock_guard lock{state_->mutex};
    state_->count = 0;
    state_->fail_at = operation;
    state_->fault = fault;
    state_->on = on;
}

std::uint64_t FaultyDisk::operations() const {
    const std::lock_guard lock{state_->mutex};
    return state_->count;
}

void FaultyDisk::lose_unsynced(std::uint64_t seed) {
    std::mt19937_64 random{seed};
    for (auto& [file, content] : state_->synced) {
        for (const State::Write& write : state_->unsynced) {
            constexpr std::size_t sector = 512; // what a disk writes whole
            if (seed == 0 || write.file != file || random() % 3 == 0) {
                continue;
            }
            const std::size_t sectors = write.data.size() / sector + 1;
            const std::string part = write.data.substr(
                0, random() % 3 == 0 ? random() % sectors * sector : write.data.size());
            const auto at = static_cast<std::size_t>(write.at);
            content.resize(std::max(content.size(), at + part.size()));
            content.replace(at, part.size(), part);
        }
        write_file(file, content);
    }
    state_->synced.clear();
    state_->unsynced.clear();
}

} // namespace adjourn::storage::test
