#include "engine_bridge/dispatch/pool.hpp"

#include "engine_bridge/dispatch/pool_impl.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace adjourn::engine_bridge {

Pool::Pool(boost::asio::io_context& context, std::shared_ptr<Dispatcher> dispatcher, ProfileId id,
           Profile profile, Timeouts timeouts, Callbacks callbacks)
    : impl_{std::make_shared<Impl>(context, std::move(dispatcher), id, std::move(profile), timeouts,
                                   std::move(callbacks))} {
    impl_->enter();
}

Pool::~Pool() {
    impl_->close();
}

void Pool::start() {
    boost::asio::post(impl_->strand, [impl = impl_] { impl->start(); });
}

void Pool::stop(std::function<void()> stopped) {
    impl_->close_profile();
    boost::asio::post(impl_->strand, [impl = impl_, stopped = std::move(stopped)]() mutable {
        impl->stop(std::move(stopped));
    });
}

std::vector<ProcessStatus> Pool::status() const {
    return impl_->status();
}

ProcessesFactory pools(boost::asio::io_context& context, Timeouts timeouts) {
    return [&context, timeouts](std::shared_ptr<Dispatcher> dispatcher, ProfileId id,
                                const Profile& profile, Processes::Callbacks callbacks) {
        return std::make_unique<Pool>(context, std::move(dispatcher), id, profile, timeouts,
                                      std::move(callbacks));
    };
}

// Pool::Impl, how processes end.

void Pool::Impl::close() {
    {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        for (const std::shared_ptr<Child>& child : children_) {
            if (child) {
                child->kill();
            }
        }
    }
    boost::asio::post(strand, [self = shared_from_this()] { self->clear(); });
}

void Pool::Impl::clear() {
    stopping_ = true;
    board_->close();
    for (const auto& slot : slots_) {
        slot->backoff.cancel();
        if (slot->worker) {
            slot->worker->detach();
            slot->worker.reset();
        }
    }
    guard_.reset();
}

void Pool::Impl::stop(std::function<void()> stopped) {
    when_stopped_.push_back(std::move(stopped));
    if (!std::exchange(stopping_, true)) {
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            quit(i);
        }
    }
    finish_stop_if_done();
}

// What it searches nobody waits for any more.
void Pool::Impl::quit(std::size_t index) {
    Slot& slot = *slots_[index];
    slot.backoff.cancel();
    slot.ready = false;
    if (std::exchange(slot.lease, std::nullopt)) {
        board_->search_over(index, false);
    }
    if (slot.worker) {
        slot.worker->quit();
    } else {
        board_->update(index, [](ProcessStatus& status) { status.state = State::stopped; });
        board_->tell(index);
    }
}

void Pool::Impl::finish_stop_if_done() {
    const bool done = std::ranges::all_of(slots_, [](const auto& slot) { return !slot->worker; });
    if (!done) {
        return;
    }
    guard_.reset();
    for (const std::function<void()>& stopped : std::exchange(when_stopped_, {})) {
        if (stopped) {
            stopped();
        }
    }
}

} // namespace adjourn::engine_bridge
