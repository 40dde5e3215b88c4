// PostOffice: carries between the tables of a store, where machines take questions and leave
// answers (storage/post.hpp), and the fleet. It has a thread; the store is asked there and nowhere
// else, the fleet on the core's thread.
#pragma once

#include "delivered_answers.hpp"
#include "fleet/fleet_post.hpp"
#include "storage/post.hpp"

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace adjourn::server {

class PostOffice {
public:
    // All of them outlive it, and the core's context runs until stop() has returned.
    PostOffice(std::unique_ptr<storage::ServerPost> post, storage::Store& store, Fleet& fleet,
               boost::asio::io_context& core);
    ~PostOffice();

    void start();
    // Waits until the thread is gone; what stands in the tables stays for the next server.
    void stop();
    // On the core's thread, after stop(), before the fleet goes.
    void leave_fleet() { fleet_post_.reset(); }

private:
    void run();
    // Returns how long nothing needs to be done unless somebody wakes it.
    std::chrono::milliseconds carry();
    FleetPost::Seen see(const storage::ServerPost::Sight& sight);
    storage::ServerPost::Orders orders_of(const FleetPost::Orders& orders) const;
    FleetPost::Orders ask_fleet(const FleetPost::Seen& seen);
    void clear_up(); // at the end
    void on_core(const std::function<void()>& task);

    const std::shared_ptr<storage::ServerPost> post_;
    storage::Store& store_;
    Fleet& fleet_;
    boost::asio::io_context& core_;
    std::unique_ptr<FleetPost> fleet_post_;
    std::vector<FleetPost::Number> known_;
    DeliveredAnswers delivered_;
    std::atomic<bool> stopping_ = false;
    std::mutex mutex_;
    std::condition_variable stop_;
    std::thread thread_;
};

} // namespace adjourn::server
