#include "post_office.hpp"

#include "api/worker_messages.hpp"

#include <boost/asio/post.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <future>
#include <utility>

namespace adjourn::server {

using nlohmann::json;
using storage::ServerPost;
using namespace std::chrono_literals;

namespace {

// Answers of a round. What comes of the first ones is offered while the next are worked in: else
// engines are idle while the server is busy, and the other way round.
constexpr std::size_t portion = 16;
constexpr std::chrono::seconds unasked{5};           // it looks, though nobody has called
constexpr std::chrono::seconds at_once{0};           // there may be more answers
constexpr std::chrono::seconds while_expected{1};    // somebody waits for the engines to start
constexpr std::chrono::milliseconds while_open{250}; // questions; who takes one says nothing
constexpr std::chrono::seconds while_away{1};        // the database

} // namespace

PostOffice::PostOffice(std::unique_ptr<ServerPost> post, storage::Store& store, Fleet& fleet,
                       boost::asio::io_context& core)
    : post_{std::move(post)}, store_{store}, fleet_{fleet}, core_{core},
      fleet_post_{std::make_unique<FleetPost>(fleet, [this] { post_->wake(); })},
      delivered_{[this](storage::Done done) { store_.flush(std::move(done)); },
                 [post = post_] { post->wake(); }} {}

PostOffice::~PostOffice() {
    stop();
}

void PostOffice::start() {
    thread_ = std::thread{[this] { run(); }};
}

void PostOffice::stop() {
    {
        const std::lock_guard lock{mutex_};
        stopping_ = true;
    }
    stop_.notify_all();
    post_->wake();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void PostOffice::on_core(const std::function<void()>& task) {
    std::promise<void> done;
    boost::asio::post(core_, [&] {
        try {
            task();
            done.set_value();
        } catch (...) {
            done.set_exception(std::current_exception());
        }
    });
    done.get_future().get();
}

void PostOffice::run() {
    std::string told;
    while (!stopping_) {
        try {
            const auto pause = carry();
            if (!std::exchange(told, "").empty()) {
                spdlog::info("machines are reached by the database again");
            }
            if (!stopping_) {
                post_->wait(pause);
            }
        } catch (const std::exception& error) { // the database, or a task of the core
            if (std::exchange(told, error.what()) != error.what()) {
                spdlog::warn("machines are not reached by the database: {}; it is tried again",
                             error.what());
            }
            try {
                on_core([this] { fleet_post_->excuse(); });
            } catch (const std::exception& other) {
                spdlog::error("machines are not excused: {}", other.what());
            }
            std::unique_lock lock{mutex_};
            stop_.wait_for(lock, while_away, [this] { return stopping_.load(); });
        }
    }
    clear_up();
}

std::chrono::milliseconds PostOffice::carry() {
    const std::vector<FleetPost::Number> before = known_;
    const ServerPost::Sight sight = post_->look(before, delivered_.all(), portion);
    const FleetPost::Orders told = ask_fleet(see(sight));
    delivered_.add(told.read);
    delivered_.store();
    ServerPost::Orders orders = orders_of(told);
    orders.read = delivered_.durable();
    if (!orders.empty()) {
        post_->apply(orders);
        delivered_.remove(orders.read);
    }
    const bool open = !orders.offer.empty() ||
                      std::ranges::any_of(sight.rows, [](const auto& row) { return !row.machine; });
    const bool more = sight.answers.size() == portion || known_ != before; // theirs, perhaps
    return more ? at_once : told.waited_for ? while_expected : open ? while_open : unasked;
}

// What is durable by now leaves no rows to the next server.
void PostOffice::clear_up() {
    ServerPost::Orders orders;
    orders.read = delivered_.all();
    if (orders.read.empty()) {
        return;
    }
    try {
        store_.flush();
        post_->apply(orders);
    } catch (const storage::StoreError& error) {
        spdlog::warn("answers of machines are read again by the next server: {}", error.what());
    }
}

FleetPost::Orders PostOffice::ask_fleet(const FleetPost::Seen& seen) {
    FleetPost::Orders orders;
    on_core([&] {
        orders = fleet_post_->exchange(seen);
        known_ = fleet_post_->known();
    });
    return orders;
}

// Whatever cannot be understood was written by somebody else than `adjourn worker`.
FleetPost::Seen PostOffice::see(const ServerPost::Sight& sight) {
    FleetPost::Seen seen;
    for (const ServerPost::Machine& machine : sight.machines) {
        auto presence = machine.pulse.empty() ? Presence{} : presence_in(machine.pulse);
        seen.machines.push_back(
            {machine.machine, std::nullopt,
             presence ? std::move(presence->pulses) : std::vector<Pulse>{},
             presence ? std::move(presence->ahead) : std::map<std::string, std::size_t>{},
             machine.beats, machine.gone});
        if (machine.hello) {
            seen.machines.back().hello = hello_in(*machine.hello);
        }
    }
    for (const ServerPost::Row& row : sight.rows) {
        seen.rows.push_back({static_cast<LeaseId>(row.lease), row.machine});
    }
    for (const ServerPost::Answer& answer : sight.answers) {
        auto delivery = delivery_in(answer.text);
        if (!delivery || delivery->lease != static_cast<LeaseId>(answer.lease)) {
            spdlog::warn("an answer of machine {} is not understood: {}", answer.machine,
                         delivery ? "its lease is another one" : delivery.error());
            delivered_.add(std::array{answer.number});
            continue;
        }
        seen.answers.push_back({answer.number, answer.machine, std::move(*delivery)});
    }
    return seen;
}

ServerPost::Orders PostOffice::orders_of(const FleetPost::Orders& orders) const {
    ServerPost::Orders made;
    for (const FleetPost::Orders::Offer& offer : orders.offers) {
        const Granted& granted = offer.granted;
        made.offer.push_back({static_cast<storage::PostLease>(granted.lease), granted.profile,
                              granted.job.urgent, offer.prefers, offer.avoids,
                              lease_json(granted).dump()});
    }
    made.remove.assign(orders.removed.begin(), orders.removed.end());
    made.hurry.assign(orders.hurried.begin(), orders.hurried.end());
    for (const FleetPost::Orders::Welcomed& welcomed : orders.welcomed) {
        const json text = welcomed.welcome ? welcome_json(*welcomed.welcome, fleet_.life())
                                           : json{{"refused", welcomed.welcome.error()}};
        made.welcome.push_back({welcomed.number, text.dump()});
    }
    for (const auto& [machine, on] : orders.drained) {
        made.drain.push_back({machine, on});
    }
    made.forget.assign(orders.forgotten.begin(), orders.forgotten.end());
    made.wake.assign(orders.woken.begin(), orders.woken.end());
    return made;
}

} // namespace adjourn::server
