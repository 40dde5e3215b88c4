// WorkerLink: the way from this machine to the server that asks it, over HTTP or by tables of the
// server's store. Messages are JSON as docs/api/reference.md has it ("Machines").
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace adjourn::server {

struct LinkTrouble {
    enum class Kind : std::uint8_t {
        away,            // it may work the next time
        unknown_machine, // say hello again
        refused,         // it makes no sense to try again unless something is changed
        useless,         // this message will never be taken
    };
    Kind kind;
    std::string message; // for people
};

// For one thread, but for close(). Everything blocks until the other side has answered.
class WorkerLink {
public:
    template <class T>
    using Or = std::expected<T, LinkTrouble>;

    WorkerLink() = default;
    WorkerLink(const WorkerLink&) = delete;
    WorkerLink& operator=(const WorkerLink&) = delete;
    virtual ~WorkerLink() = default;

    // {"name", "profiles"} → {"id", "profiles", "beat_seconds"}
    virtual Or<nlohmann::json> hello(const nlohmann::json& greeting) = 0;
    // Questions: {"leases", "withdrawn", "hurried", "drain"}. `held`: the leases that are here.
    // Where there is nothing, this call or the next one waits some seconds for it.
    virtual Or<nlohmann::json> take(const std::string& machine, const nlohmann::json& wishes,
                                    const std::vector<std::uint64_t>& held) = 0;
    // Returns the verdicts that are known at once: {"results"}.
    virtual Or<nlohmann::json> answers(const std::string& machine, const nlohmann::json& answers,
                                       std::chrono::milliseconds patience) = 0;
    // `profiles`: {"name", "busy", "nps", "ahead"}, the last one how many questions it wants at a
    // time. → {"withdrawn", "hurried", "drain"}
    virtual Or<nlohmann::json> beat(const std::string& machine, const nlohmann::json& profiles,
                                    const std::vector<std::uint64_t>& held) = 0;
    virtual Or<void> goodbye(const std::string& machine, std::chrono::milliseconds patience) = 0;
    // What is under way fails, and whatever comes. Any thread.
    virtual void close() = 0;
};

} // namespace adjourn::server
