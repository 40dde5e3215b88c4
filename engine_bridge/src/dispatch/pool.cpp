#include "engine_bridge/dispatch/pool.hpp"

#include "pool_impl.hpp"

#include <boost/asio/post.hpp>

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

} // namespace adjourn::engine_bridge
