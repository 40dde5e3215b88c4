#include "engine_bridge/pool.hpp"

#include "pool_impl.hpp"

#include <boost/asio/post.hpp>

namespace adjourn::engine_bridge {

Pool::Pool(boost::asio::io_context& context, Profile profile, Timeouts timeouts,
           Callbacks callbacks)
    : impl_{std::make_shared<Impl>(context, std::move(profile), timeouts, std::move(callbacks))} {}

Pool::~Pool() {
    impl_->close();
}

void Pool::start() {
    boost::asio::post(impl_->strand, [impl = impl_] { impl->start(); });
}

void Pool::submit(Job job) {
    impl_->submit(std::move(job));
}

void Pool::cancel(JobId job) {
    boost::asio::post(impl_->strand, [impl = impl_, job] { impl->cancel(job); });
}

void Pool::hurry(JobId job) {
    boost::asio::post(impl_->strand, [impl = impl_, job] { impl->hurry(job); });
}

void Pool::stop(std::function<void()> stopped) {
    boost::asio::post(impl_->strand, [impl = impl_, stopped = std::move(stopped)]() mutable {
        impl->stop(std::move(stopped));
    });
}

std::vector<ProcessStatus> Pool::status() const {
    return impl_->status();
}

std::size_t Pool::room() const {
    return impl_->room();
}

} // namespace adjourn::engine_bridge
