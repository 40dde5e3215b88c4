// What machines say, what they are told, and what is shown of them.
#pragma once

#include "engine_bridge/dispatch/dispatcher.hpp"
#include "engine_bridge/remote/claim.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace adjourn::engine_bridge {

// Of what machines and servers say to each other. One apart they understand each other: the newer
// one leaves out what the older one does not know, and the server overlooks it in a greeting. 0: of
// before it was told.
inline constexpr int machine_version = 1;
// Why they do not work together, and what is to be updated, for people; "" if they do.
std::string difference(int here, int there);

// ---- what a machine says ----
struct Offer { // of one engine profile
    std::string profile;
    std::size_t processes = 1;
    Identity identity;
};
struct Hello {
    int version = 0; // machine_version, there
    std::string name;
    std::vector<Offer> offers;
};
struct Wish { // of a profile
    std::string profile;
    std::size_t most = 0; // questions, at once
};
struct Pulse { // of a profile; for people
    std::string profile;
    double busy = 0; // share of the time of its processes, since the last one
    std::uint64_t nps = 0;
};
struct Delivery {
    LeaseId lease = 0;
    std::string profile;
    std::string question; // question_key(), as it was told with the lease
    std::variant<Claim, Failure> found;
};

// ---- what it is told ----
struct Welcome {
    struct Part {
        std::string profile;
        std::string refusal; // why not, for people; "" = accepted
    };
    std::string id;
    std::vector<Part> parts;
};
struct Granted {
    LeaseId lease;
    std::string profile;
    std::string question;
    Job job;
};
struct Taken {
    std::vector<Granted> leases;
    Dispatcher::News news;
    bool drain = false;

    bool empty() const { return leases.empty() && news.empty(); }
};
enum class Verdict : std::uint8_t {
    taken,
    late,    // nobody waits for it any more
    refused, // it cannot be an answer to that question
};
struct Judged {
    LeaseId lease;
    Verdict verdict;
    std::string reason = {}; // if refused
};
struct FleetError {
    enum class Kind : std::uint8_t { unknown_machine, refused, other_version, not_ready };
    Kind kind;
    std::string message; // for people
};

// ---- what people are shown ----
struct MachineView {
    struct Part {
        std::string profile;
        std::size_t processes;
        std::size_t leases;
        double busy;
        std::uint64_t nps;
    };
    enum class State : std::uint8_t { working, idle, draining, drained, away };
    std::string id;
    std::string name;
    State state;
    std::vector<Part> parts;
    double seconds_silent;
    std::uint64_t answered, failed, late, refused;
    std::string last_refusal; // why an answer was not believed; "" if none was
    // Answers that were asked for again on this machine.
    std::uint64_t compared, different; // … beyond the engine's noise
    double mean_difference;            // cp, of all that were compared, signs left out
};
struct RefusedMachine {
    std::string name;
    std::string reason;
    std::int64_t at; // ms since 1970
};

} // namespace adjourn::engine_bridge
