// HttpWorkerLink: the calls of "Machines" (docs/api/reference.md).
#pragma once

#include "outgoing/http_link.hpp"
#include "worker/worker_link.hpp"

namespace adjourn::server {

class HttpWorkerLink final : public WorkerLink {
public:
    // `shown`: the server's address, for people.
    HttpWorkerLink(ServerUrl server, std::string shown, std::string token)
        : shown_{std::move(shown)}, link_{std::move(server), std::move(token)} {}

    Or<nlohmann::json> hello(const nlohmann::json& greeting) override;
    Or<nlohmann::json> take(const std::string& machine, const nlohmann::json& wishes,
                            const std::vector<std::uint64_t>& held) override;
    Or<nlohmann::json> answers(const std::string& machine, const nlohmann::json& answers,
                               std::chrono::milliseconds patience) override;
    Or<nlohmann::json> beat(const std::string& machine, const nlohmann::json& profiles,
                            const std::vector<std::uint64_t>& held) override;
    Or<void> goodbye(const std::string& machine, std::chrono::milliseconds patience) override;
    void close() override { link_.close(); }

private:
    using Reply = std::expected<HttpLink::Reply, HttpLink::Trouble>;
    LinkTrouble trouble_of(const Reply& reply) const;
    Or<nlohmann::json> checked(const Reply& reply) const;

    const std::string shown_;
    HttpLink link_;
};

} // namespace adjourn::server
