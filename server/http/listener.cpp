#include "http/listener.hpp"

#include "http/session.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <map>
#include <tuple>

namespace adjourn::http {

namespace net = boost::asio;
using boost::system::error_code;
using net::ip::tcp;

namespace {

// Connections over the limit that are being told so; beyond these they are just closed.
constexpr std::size_t max_turned_away = 64;

// Connections that were told to give way and are not gone yet: moments, but for a request that came
// at that very time.
constexpr std::size_t max_giving_way = 64;

// After a failed accept, which is mostly a want of file descriptors.
constexpr std::chrono::milliseconds accept_pause{50};

bool is_loopback(const net::ip::address& address) {
    if (address.is_v6() && address.to_v6().is_v4_mapped()) {
        return net::ip::make_address_v4(net::ip::v4_mapped, address.to_v6()).is_loopback();
    }
    return address.is_loopback();
}

std::string to_text(const tcp::endpoint& endpoint) {
    const auto address = endpoint.address().to_string();
    return (endpoint.address().is_v6() ? "[" + address + "]" : address) + ":" +
           std::to_string(endpoint.port());
}

tcp::endpoint endpoint_of(const ListenerOptions& options) {
    error_code error;
    const auto address = net::ip::make_address(options.address, error);
    if (error) {
        throw ListenError("cannot listen on \"" + options.address +
                          "\": not a numeric IPv4 or IPv6 address");
    }
    if (!is_loopback(address) && options.secrets.full.empty()) {
        throw ListenError(
            "will not listen on " + options.address +
            " without a token: other machines could use the server; set "
            "token = \"...\" or token_file in the config file, or listen on 127.0.0.1");
    }
    return {address, options.port};
}

[[noreturn]] void refuse(const tcp::endpoint& endpoint, error_code error) {
    std::string message = "cannot listen on " + to_text(endpoint) + ": ";
    if (error == net::error::address_in_use) {
        message +=
            "the port is in use, perhaps by another Adjourn; stop that one, or choose another "
            "port with --listen";
    } else if (error == net::error::access_denied) {
        message += "ports below 1024 need privileges; choose another with --listen";
    } else if (error == boost::system::errc::address_not_available) {
        message += "this machine has no such address";
    } else {
        message += error.message();
    }
    throw ListenError(message);
}

tcp::acceptor bound(const net::any_io_executor& executor, const tcp::endpoint& endpoint) {
    tcp::acceptor acceptor(executor);
    error_code error;
    acceptor.open(endpoint.protocol(), error);
    if (!error && endpoint.address().is_v6() && endpoint.address().is_unspecified()) {
        acceptor.set_option(net::ip::v6_only(false), error);
    }
    // Lets a restarted server bind while old connections linger; on Linux it takes no port from
    // others.
    if (!error) {
        acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    }
    if (!error) {
        acceptor.bind(endpoint, error);
    }
    if (!error) {
        acceptor.listen(net::socket_base::max_listen_connections, error);
    }
    if (error) {
        refuse(endpoint, error);
    }
    return acceptor;
}

std::shared_ptr<const AccessPolicy> policy_of(const std::vector<std::string>& hosts,
                                              const tcp::endpoint& endpoint) {
    try {
        return std::make_shared<const AccessPolicy>(endpoint.address().to_string(), endpoint.port(),
                                                    hosts);
    } catch (const std::invalid_argument& error) {
        throw ListenError(std::string("cannot use the setting for hosts: ") + error.what());
    }
}

std::unique_ptr<const StaticFiles> files_in(const std::string& directory) {
    if (directory.empty()) {
        return nullptr;
    }
    try {
        return std::make_unique<const StaticFiles>(directory);
    } catch (const std::filesystem::filesystem_error& error) {
        throw ListenError("cannot serve the page from " + directory + ": " +
                          error.code().message());
    }
}

} // namespace

// Everything but the constructor runs on strand_. The group of coroutines is sessions_ and the
// accept loop: stop() ends each, and finish_if_empty() is the join.
struct Listener::Impl : std::enable_shared_from_this<Impl> {
    Impl(net::io_context& context, ListenerOptions options, EventHub& events, Handler handler)
        : context_(context), strand_(net::make_strand(context)), grace_(strand_),
          acceptor_(bound(strand_, endpoint_of(options))), endpoint_(acceptor_.local_endpoint()) {
        auto access = policy_of(options.hosts, endpoint_);
        auto files = files_in(options.static_directory);
        services_ = std::make_shared<const Services>(std::move(options), std::move(access),
                                                     std::move(files), events, std::move(handler));
    }

    void start() {
        net::post(strand_, [self = shared_from_this()] {
            if (self->stopping_) {
                return;
            }
            self->accepting_ = true;
            net::co_spawn(self->strand_, accept(self),
                          net::bind_executor(self->strand_, [self](const std::exception_ptr&) {
                              self->accepting_ = false;
                              self->finish_if_empty();
                          }));
        });
    }

    static net::awaitable<void> accept(std::shared_ptr<Impl> self) {
        net::steady_timer pause(self->strand_);
        while (!self->stopping_) {
            const net::any_io_executor strand = net::make_strand(self->context_);
            auto [error, socket] = co_await self->acceptor_.async_accept(strand, as_result);
            if (self->stopping_) {
                break;
            }
            if (!error) {
                self->take_in(std::move(socket));
                continue;
            }
            if (error == net::error::connection_aborted) {
                continue; // the client gave up while it waited
            }
            pause.expires_after(accept_pause);
            const auto [ignored] = co_await pause.async_wait(as_result);
            static_cast<void>(ignored);
        }
    }

    void take_in(tcp::socket socket) {
        const bool full =
            sessions_.size() - turned_away_ - giving_way_ >= services_->options.max_connections &&
            !free_a_place();
        if (full && turned_away_ >= max_turned_away) {
            return; // closes it
        }
        turned_away_ += full ? 1 : 0;
        if (full) {
            services_->tally.turned_away();
        }
        const auto session = std::make_shared<Session>(std::move(socket), services_);
        sessions_.emplace(session, full ? Slot::turned_away : Slot::taken);
        const auto task = full ? Session::Task::turn_away : Session::Task::serve;
        auto ended = [self = shared_from_this(), session](const std::exception_ptr&) {
            const auto place = self->sessions_.find(session);
            self->turned_away_ -= place->second == Slot::turned_away ? 1 : 0;
            self->giving_way_ -= place->second == Slot::giving_way ? 1 : 0;
            self->sessions_.erase(place);
            self->finish_if_empty();
        };
        net::co_spawn(session->executor(), Session::run(session, task),
                      net::bind_executor(strand_, std::move(ended)));
    }

    // Of those that only wait for their client: one that is leaving, that has said nothing so far,
    // or that has not shown the token goes first; among equals the one whose client has been silent
    // the longest. False if all are busy.
    bool free_a_place() {
        if (giving_way_ >= max_giving_way) {
            return false;
        }
        const auto order = [](const SessionState& state) {
            const bool stranger = !state.trusted && state.stage > Stage::silent;
            return std::tuple{stranger ? Stage::silent : state.stage, state.since};
        };
        auto chosen = sessions_.end();
        SessionState of_chosen;
        for (auto each = sessions_.begin(); each != sessions_.end(); ++each) {
            const SessionState state = each->first->state();
            if (each->second != Slot::taken || state.stage == Stage::busy) {
                continue;
            }
            if (chosen == sessions_.end() || order(state) < order(of_chosen)) {
                chosen = each;
                of_chosen = state;
            }
        }
        if (chosen == sessions_.end()) {
            return false;
        }
        chosen->second = Slot::giving_way;
        ++giving_way_;
        chosen->first->give_way();
        return true;
    }

    void set_secrets(Secrets secrets) {
        services_->tokens.set(std::move(secrets));
        net::post(strand_, [self = shared_from_this()] {
            for (const auto& [session, place] : self->sessions_) {
                session->end_stream();
            }
        });
    }

    void set_links(Links links) {
        services_->tokens.set_links(std::move(links));
        net::post(strand_, [self = shared_from_this()] {
            for (const auto& [session, place] : self->sessions_) {
                session->end_revoked_stream();
            }
        });
    }

    void set_hosts(const std::vector<std::string>& hosts) {
        services_->set_access(policy_of(hosts, endpoint_));
    }

    void stop(std::chrono::milliseconds grace, std::function<void()> stopped) {
        net::post(strand_, [self = shared_from_this(), grace, stopped = std::move(stopped)] {
            if (stopped) {
                self->stopped_.push_back(stopped);
            }
            self->stopping_ = true;
            error_code ignored; // a listening socket has nothing to lose
            self->acceptor_.close(ignored);
            for (const auto& [session, place] : self->sessions_) {
                session->end_soon();
            }
            self->grace_.expires_after(grace);
            self->grace_.async_wait([self](error_code cancelled) {
                if (cancelled) {
                    return;
                }
                for (const auto& [session, place] : self->sessions_) {
                    session->end_now();
                }
            });
            self->finish_if_empty();
        });
    }

    void finish_if_empty() {
        if (!stopping_ || accepting_ || !sessions_.empty()) {
            return;
        }
        grace_.cancel();
        for (auto& stopped : std::exchange(stopped_, {})) {
            net::post(context_, std::move(stopped));
        }
    }

    net::io_context& context_;
    const net::strand<net::io_context::executor_type> strand_;
    net::steady_timer grace_;
    tcp::acceptor acceptor_;
    const tcp::endpoint endpoint_;
    std::shared_ptr<const Services> services_;
    enum class Slot : std::uint8_t { taken, turned_away, giving_way };
    std::map<std::shared_ptr<Session>, Slot> sessions_;
    std::size_t turned_away_ = 0; // of sessions_, those over the limit
    std::size_t giving_way_ = 0;  // of sessions_, those that are being closed for others
    bool accepting_ = false;
    bool stopping_ = false;
    std::vector<std::function<void()>> stopped_;
};

Listener::Listener(net::io_context& context, ListenerOptions options, EventHub& events,
                   Handler handler)
    : impl_(std::make_shared<Impl>(context, std::move(options), events, std::move(handler))) {}

Listener::~Listener() {
    impl_->stop(std::chrono::milliseconds(0), {});
}

void Listener::start() {
    impl_->start();
}

std::uint16_t Listener::port() const {
    return impl_->endpoint_.port();
}

void Listener::set_secrets(Secrets secrets) {
    impl_->set_secrets(std::move(secrets));
}

void Listener::set_links(Links links) {
    impl_->set_links(std::move(links));
}

void Listener::set_hosts(const std::vector<std::string>& hosts) {
    impl_->set_hosts(hosts);
}

void Listener::stop(std::chrono::milliseconds grace, std::function<void()> stopped) {
    impl_->stop(grace, std::move(stopped));
}

} // namespace adjourn::http
