// FleetWorkers: a profile's processes here, and those on other machines, as one.
#pragma once

#include "fleet/fleet.hpp"

#include <atomic>
#include <mutex>

namespace adjourn::server {

class FleetWorkers final : public Workers {
public:
    FleetWorkers(Fleet& fleet, const WorkersFactory& local, const engine_bridge::Profile& profile,
                 Callbacks callbacks);
    ~FleetWorkers() override;

    void start() override { local_->start(); }
    void submit(engine_bridge::Job job) override;
    void cancel(engine_bridge::JobId job) override;
    void hurry(engine_bridge::JobId job) override;
    void stop(std::function<void()> stopped) override;
    std::vector<engine_bridge::ProcessStatus> status() const override;
    std::size_t room() const override;

    // ---- for the fleet ----
    const engine_bridge::Profile& profile() const { return profile_; }
    const std::optional<engine_bridge::Identity>& identity() const { return identity_; }
    bool leaving() const { return leaving_; } // it gets nothing more
    void ended(LeaseBook::Ended ended);
    void submit_here(engine_bridge::Job job);
    void room_changed() const;
    // Asks again here what a machine has answered.
    void check(engine_bridge::Job job, const std::string& machine, chess::Score score);
    void shows(const LeaseBook::Lease& lease, PlaceId place, const std::string& machine,
               std::size_t processes);
    void hides(engine_bridge::JobId job);
    void hides_ended(const LeaseBook& book);

private:
    struct Shared { // with the callbacks of the local ones, which outlive this
        Callbacks up;
        std::atomic<std::size_t> out = 0; // asked for here, without checks
    };
    struct Shown {
        PlaceId place;
        std::size_t processes;
        engine_bridge::ProcessStatus status;
    };
    struct Check {
        std::string machine;
        chess::Score score;
    };

    Callbacks forwarding();
    void checked(engine_bridge::JobId job, const engine_bridge::Result& result);
    bool goes_out(const engine_bridge::Job& job) const;

    Fleet& fleet_;
    const engine_bridge::Profile profile_;
    std::shared_ptr<Shared> shared_;
    TaskScope::Poster poster_;
    std::optional<engine_bridge::Identity> identity_;
    std::map<engine_bridge::JobId, Check> checks_;
    mutable std::mutex shown_mutex_; // status() may come from any thread
    std::map<LeaseId, Shown> shown_;
    std::shared_ptr<FleetWorkers*> self_; // null inside when this is gone; the core's thread
    ProfileIndex index_ = 0;
    bool leaving_ = false;
    std::unique_ptr<Workers> local_; // last: its callbacks use the rest
};

} // namespace adjourn::server
