#include "delivered_answers.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace adjourn::server {

DeliveredAnswers::DeliveredAnswers(std::function<void(storage::Done)> flush,
                                   std::function<void()> told)
    : flush_{std::move(flush)}, told_{std::move(told)} {}

void DeliveredAnswers::add(std::span<const std::int64_t> numbers) {
    all_.insert(numbers.begin(), numbers.end());
}

void DeliveredAnswers::store() {
    std::vector<std::int64_t> numbers;
    {
        const std::lock_guard lock{storing_->mutex};
        std::ranges::set_difference(all_, storing_->durable, std::back_inserter(numbers));
        if (storing_->under_way || numbers.empty()) {
            return;
        }
        storing_->under_way = true;
    }
    flush_([storing = storing_, told = told_, numbers = std::move(numbers)](
               const std::expected<storage::Written, std::string>& outcome) {
        {
            const std::lock_guard lock{storing->mutex};
            storing->under_way = false;
            if (outcome) {
                storing->durable.insert(numbers.begin(), numbers.end());
            }
        }
        if (outcome) {
            told();
        } else {
            spdlog::warn("answers of machines are not stored yet: {}", outcome.error());
        }
    });
}

std::vector<std::int64_t> DeliveredAnswers::durable() const {
    const std::lock_guard lock{storing_->mutex};
    return {storing_->durable.begin(), storing_->durable.end()};
}

std::vector<std::int64_t> DeliveredAnswers::all() const {
    return {all_.begin(), all_.end()};
}

void DeliveredAnswers::remove(std::span<const std::int64_t> numbers) {
    const std::lock_guard lock{storing_->mutex};
    for (const std::int64_t number : numbers) {
        all_.erase(number);
        storing_->durable.erase(number);
    }
}

} // namespace adjourn::server
