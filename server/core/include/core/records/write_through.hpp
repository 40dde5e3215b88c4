// One write, waited for: for the rare calls by people whose answer must follow the commit.
#pragma once

#include "storage/store.hpp"

#include <expected>
#include <future>
#include <memory>
#include <string>

namespace adjourn::server {

// `queue` gets the callback to hand to the store. Blocks for the disk; never call it on the writer
// thread.
template <class Queue>
std::expected<storage::Written, std::string> write_through(Queue queue) {
    auto promise = std::make_shared<std::promise<std::expected<storage::Written, std::string>>>();
    auto future = promise->get_future();
    queue([promise](const std::expected<storage::Written, std::string>& written) {
        promise->set_value(written);
    });
    return future.get();
}

} // namespace adjourn::server
