#include "reader_pool.hpp"

namespace adjourn::storage {

namespace {
constexpr std::size_t most_idle = 8; // each may cache 16 MB
} // namespace

ReaderPool::ReaderPool(std::filesystem::path file, Access access, DamageNote* damage,
                       std::stop_token stop)
    : file_{std::move(file)}, access_{access}, damage_{damage}, stop_{std::move(stop)} {
    idle_.reserve(most_idle);
    lease(); // one connection at least: what is wrong with the file shows at once
}

ReaderPool::Lease ReaderPool::lease() {
    {
        const std::lock_guard lock{mutex_};
        if (!idle_.empty()) {
            auto reads = std::move(idle_.back());
            idle_.pop_back();
            return {*this, std::move(reads)};
        }
    }
    return {*this, std::make_unique<SqliteReads>(file_, access_, damage_, stop_)};
}

void ReaderPool::give_back(std::unique_ptr<SqliteReads> reads) {
    const std::lock_guard lock{mutex_};
    if (idle_.size() < most_idle) {
        idle_.push_back(std::move(reads));
    }
}

} // namespace adjourn::storage
