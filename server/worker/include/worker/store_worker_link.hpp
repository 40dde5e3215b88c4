// StoreWorkerLink: a server's questions by the tables of its store (storage/post.hpp). What stands
// there as this machine's and is not here was taken by a call whose answer was lost; what is here
// and does not stand there is withdrawn.
#pragma once

#include "storage/post.hpp"
#include "worker/worker_link.hpp"

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>

namespace adjourn::server {

class StoreWorkerLink final : public WorkerLink {
public:
    explicit StoreWorkerLink(const std::filesystem::path& store);

    Or<nlohmann::json> hello(const nlohmann::json& greeting) override;
    Or<nlohmann::json> take(const std::string& machine, const nlohmann::json& wishes,
                            const std::vector<std::uint64_t>& held) override;
    Or<nlohmann::json> answers(const std::string& machine, const nlohmann::json& answers,
                               std::chrono::milliseconds patience) override;
    Or<nlohmann::json> beat(const std::string& machine, const nlohmann::json& profiles,
                            const std::vector<std::uint64_t>& held) override;
    Or<void> goodbye(const std::string& machine, std::chrono::milliseconds patience) override;
    void close() override;

private:
    Or<nlohmann::json> news_of(const storage::WorkerPost::State& state,
                               const std::vector<std::uint64_t>& held);
    nlohmann::json nothing_new() const;
    Or<nlohmann::json> guarded(const std::function<Or<nlohmann::json>()>& ask) const;

    const std::string shown_;
    const std::unique_ptr<storage::WorkerPost> post_;
    storage::PostMachine entered_ = 0;     // and not welcomed; 0: none
    std::map<std::uint64_t, bool> urgent_; // of what is here, as was told
    bool drain_ = false;
    bool dry_ = false; // there were less questions than were wished the last time
    std::atomic<bool> closed_ = false;
};

} // namespace adjourn::server
