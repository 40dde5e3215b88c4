// ReaderPool: read connections for any number of threads. Made as they are needed, kept for later.
#pragma once

#include "queries.hpp"

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
        Lease(ReaderPool& pool, std::unique_ptr<Queries> queries)
            : pool_{pool}, queries_{std::move(queries)} {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        ~Lease() { pool_.give_back(std::move(queries_)); }
        Queries* operator->() const { return queries_.get(); }

    private:
        ReaderPool& pool_;
        std::unique_ptr<Queries> queries_;
    };

    // `damage` as of Database.
    ReaderPool(std::filesystem::path file, Access access, DamageNote* damage);
    // Any thread. A read inside a read gets a connection of its own. Throws SqliteError.
    Lease lease();

private:
    void give_back(std::unique_ptr<Queries> queries);

    const std::filesystem::path file_;
    const Access access_;
    DamageNote* const damage_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Queries>> idle_;
};

} // namespace adjourn::storage
