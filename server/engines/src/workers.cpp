#include "engines/workers.hpp"

#include <boost/asio/post.hpp>

namespace adjourn::server {

namespace {

class ProcessWorkers final : public Workers {
public:
    ProcessWorkers(boost::asio::io_context& bridge, boost::asio::io_context& core,
                   engine_bridge::Profile profile, engine_bridge::Timeouts timeouts,
                   Callbacks callbacks)
        : core_{core}, callbacks_{std::make_shared<Callbacks>(std::move(callbacks))},
          pool_{bridge, std::move(profile), timeouts, forwarding()} {}

    void start() override { pool_.start(); }
    void submit(engine_bridge::Job job) override { pool_.submit(std::move(job)); }
    void cancel(engine_bridge::JobId job) override { pool_.cancel(job); }
    void hurry(engine_bridge::JobId job) override { pool_.hurry(job); }
    void stop(std::function<void()> stopped) override {
        pool_.stop(
            [&core = core_, stopped = std::move(stopped)] { boost::asio::post(core, stopped); });
    }
    std::vector<engine_bridge::ProcessStatus> status() const override { return pool_.status(); }
    std::size_t room() const override { return pool_.room(); }

private:
    // The pool's callbacks, carried to the core's thread; but for the answers.
    Callbacks forwarding() {
        Callbacks forward;
        forward.done = callbacks_->done;
        forward.changed = [&core = core_, to = callbacks_](std::size_t process) {
            boost::asio::post(core, [to, process] { to->changed(process); });
        };
        forward.identified = [&core = core_, to = callbacks_](
                                 std::expected<engine_bridge::Identity, std::string> identity) {
            boost::asio::post(core, [to, identity = std::move(identity)]() mutable {
                to->identified(std::move(identity));
            });
        };
        forward.died = [&core = core_, to = callbacks_](std::size_t process, std::string reason) {
            boost::asio::post(core, [to, process, reason = std::move(reason)]() mutable {
                to->died(process, std::move(reason));
            });
        };
        return forward;
    }

    boost::asio::io_context& core_;
    std::shared_ptr<Callbacks> callbacks_;
    engine_bridge::Pool pool_;
};

} // namespace

WorkersFactory process_workers(boost::asio::io_context& bridge, boost::asio::io_context& core,
                               engine_bridge::Timeouts timeouts) {
    return [&bridge, &core, timeouts](const engine_bridge::Profile& profile,
                                      Workers::Callbacks callbacks) -> std::unique_ptr<Workers> {
        return std::make_unique<ProcessWorkers>(bridge, core, profile, timeouts,
                                                std::move(callbacks));
    };
}

} // namespace adjourn::server
