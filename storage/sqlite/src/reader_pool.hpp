// ReaderPool: read connections for any number of threads. Made as they are needed, kept for later.
#pragma once

#include "reads.hpp"

#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace adjourn::storage {

class ReaderPool {
public:
    // One connection for the time of one read; goes back at the end.
    class Lease {
    public:
        Lease(ReaderPool& pool, std::unique_ptr<SqliteReads> reads)
            : pool_{pool}, reads_{std::move(reads)} {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        ~Lease() { pool_.give_back(std::move(reads_)); }
        SqliteReads* operator->() const { return reads_.get(); }
        SqliteReads& operator*() const { return *reads_; }

    private:
        ReaderPool& pool_;
        std::unique_ptr<SqliteReads> reads_;
    };

    // `damage`, `stop` as of Database.
    ReaderPool(std::filesystem::path file, Access access, DamageNote* damage,
               std::stop_token stop = {});
    // Any thread. A read inside a read gets a connection of its own. Throws SqliteError.
    Lease lease();

private:
    void give_back(std::unique_ptr<SqliteReads> reads);

    const std::filesystem::path file_;
    const Access access_;
    DamageNote* const damage_;
    const std::stop_token stop_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<SqliteReads>> idle_;
};

} // namespace adjourn::storage
