// DeliveredAnswers: answers that the fleet has taken from the tables, until their rows are gone. A
// row may go when its answer is durable in the store: until then another server would find it
// there. Nobody waits for that: what is asked next does not depend on it.
#pragma once

#include "storage/store.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <vector>

namespace adjourn::server {

// One thread at a time.
class DeliveredAnswers {
public:
    // `flush` as Store::flush(Done). `told`: some have become durable; it runs on the thread on
    // which the store tells, also when this has gone.
    DeliveredAnswers(std::function<void(storage::Done)> flush, std::function<void()> told);

    void add(std::span<const std::int64_t> numbers);
    // Has those that are not durable yet stored, unless that is under way. Does not wait.
    void store();
    std::vector<std::int64_t> durable() const; // their rows may go
    std::vector<std::int64_t> all() const;
    void remove(std::span<const std::int64_t> numbers); // their rows are gone

private:
    // Shared with the store's thread, which may tell after this has gone.
    struct Storing {
        std::mutex mutex;
        bool under_way = false;
        std::set<std::int64_t> durable; // of all
    };

    const std::function<void(storage::Done)> flush_;
    const std::function<void()> told_;
    std::set<std::int64_t> all_;
    const std::shared_ptr<Storing> storing_ = std::make_shared<Storing>();
};

} // namespace adjourn::server
