#include "host/service.hpp"

#include "addresses.hpp"
#include "service_parts.hpp"

#include "core/guards/guard.hpp"
#include "restart.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>

#include <future>

namespace adjourn::server {

Service::Service(Config config, ServiceOptions options)
    : impl_{std::make_unique<Impl>(std::move(config), std::move(options))} {}

Service::~Service() {
    stop();
}

void Service::start() {
    with_core([this](Core& core) {
        if (impl_->listener) {
            core.on_links = [this](const Core::Links& links) { impl_->follow_links(links); };
            impl_->follow_links(core.links());
        }
        core.start();
        if (impl_->radar) {
            impl_->radar->set(impl_->config.webhooks);
            impl_->radar->start();
        }
    });
    if (impl_->listener) {
        impl_->listener->start();
        impl_->store->announce(url(), to_text(impl_->worker_address(url(), port())));
    }
}

std::string Service::stop() {
    const auto trouble = guarded("stopping", [this] { impl_->stop(); });
    return trouble ? trouble->what : "";
}

std::expected<std::vector<std::string>, std::string> Service::reload(const Config& config) {
    Config& used = impl_->config;
    if (impl_->listener) {
        if (config.token.empty() && !used.token.empty() && !on_loopback(used)) {
            return std::unexpected("without a token it cannot go on listening on " +
                                   used.listen_address);
        }
        if (config.hosts != used.hosts) {
            try {
                impl_->listener->set_hosts(hosts_of(config));
            } catch (const http::ListenError& error) {
                return std::unexpected(error.what());
            }
        }
        if (config.token != used.token || config.read_token != used.read_token ||
            config.worker_token != used.worker_token) {
            impl_->listener->set_secrets(impl_->secrets(config));
        }
    }
    const auto before = impl_->installed->profiles();
    impl_->installed->set_configured(config.engines);
    if (const auto engines = impl_->installed->profiles(); engines != before) {
        with_core([&](Core& core) { core.set_engines(engines); });
    }
    if (impl_->webhooks && config.webhooks != used.webhooks) {
        impl_->webhooks->set(config.webhooks);
        with_core([&](Core&) { impl_->radar->set(config.webhooks); });
    }
    used.engines = config.engines;
    used.webhooks = config.webhooks;
    used.hosts = config.hosts;
    used.token = config.token;
    used.read_token = config.read_token;
    used.worker_token = config.worker_token;
    return waiting_for_restart(used, config);
}

std::uint16_t Service::port() const {
    return impl_->listener ? impl_->listener->port() : 0;
}

std::string Service::url() const {
    const std::string& address = impl_->config.listen_address;
    const bool v6 = address.find(':') != std::string::npos;
    return with_port(!on_all_addresses() ? address : v6 ? "::1" : "127.0.0.1", port());
}

bool Service::on_all_addresses() const {
    return on_all(impl_->config);
}

bool Service::is_replaced() const {
    return impl_->store->taken();
}

http::Response Service::answer(http::Request request) {
    std::promise<void> read;
    with_core([&read](Core& core) { core.when_read([&read] { read.set_value(); }); });
    read.get_future().wait();
    return boost::asio::co_spawn(impl_->http_loop.context(),
                                 impl_->calls->answer(std::move(request)), boost::asio::use_future)
        .get();
}

void Service::with_core(const std::function<void(Core&)>& work) {
    impl_->on_core(work);
}

void Service::post(std::function<void(Core&)> work) {
    boost::asio::post(impl_->core_loop.context(), [impl = impl_.get(), work = std::move(work)] {
        if (impl->core) {
            impl->core->attempt("a task of the core", [&] { work(*impl->core); });
        }
    });
}

} // namespace adjourn::server
