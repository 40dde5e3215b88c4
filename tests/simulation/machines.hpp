// Machines: computers that offer their engines, one call after the other. They lose answers, tell
// them twice or late, say what cannot be, go away and come back.
#pragma once

#include "world.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::simulation {

class Machines {
public:
    // `faulty`: they do what machines should not.
    Machines(World& world, std::size_t count, bool faulty);

    // One of them does something.
    void act(std::size_t who);
    std::size_t count() const { return machines_.size(); }
    // Some tell what they have; others vanish, or know nothing of it any more. All leases end.
    void finish();

private:
    struct Machine {
        std::string name;
        std::string id; // "": the server does not know it
        std::vector<nlohmann::json> leases;
        std::vector<nlohmann::json> told; // that it may tell again
        analysis::UnixMs silent_until = 0;
        int life = 0; // of the server that gave the id
    };

    std::optional<nlohmann::json> ask(Machine& machine, const std::string& target,
                                      const nlohmann::json& body);
    nlohmann::json answer(const nlohmann::json& lease) const;
    void hello(Machine& machine);
    void take(Machine& machine);
    // What became of it; "" where nobody says.
    std::string tell(Machine& machine, nlohmann::json answer, bool lie);
    std::optional<engine_bridge::Job> open_job(const nlohmann::json& lease) const;
    bool is_open(const nlohmann::json& answer) const;
    void beat(Machine& machine);
    void look_at_leases();

    World& world_;
    const bool faulty_;
    std::vector<Machine> machines_;
    std::map<engine_bridge::LeaseId, engine_bridge::JobId> jobs_; // what leases were given for
};

} // namespace adjourn::simulation
