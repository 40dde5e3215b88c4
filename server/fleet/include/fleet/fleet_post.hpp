// FleetPost: machines that meet the fleet in tables of a store, where they take questions from rows
// and leave answers in rows. It compares what stands there with what the fleet knows, and says what
// is to stand there. What is not in the tables is nobody's: a question that was lost on the way is
// offered again. On the core's thread, all of it; knows no store.
#pragma once

#include "fleet/fleet.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace adjourn::server {

class FleetPost {
public:
    using Number = std::int64_t; // of a machine, as the tables count them

    // All that stands in the tables at one moment.
    struct Seen {
        struct Machine {
            Number number;
            // Unless it is known(); the error says why it cannot be understood.
            std::optional<std::expected<Hello, std::string>> hello;
            std::vector<Pulse> pulses;
            std::map<std::string, std::size_t> ahead; // questions it wants at a time, by profile
            std::int64_t beats = 0;
            bool gone = false; // it said goodbye
        };
        struct Row { // a question that was offered
            LeaseId lease;
            std::optional<Number> machine; // that has it
        };
        struct Answer {
            std::int64_t number;
            Number machine;
            Delivery delivery;
        };
        std::vector<Machine> machines;
        std::vector<Row> rows;
        std::vector<Answer> answers; // oldest first
    };
    // What is to be changed there.
    struct Orders {
        struct Offer {
            Granted granted;
            std::optional<Number> prefers; // the machine whose hash is warm
            std::optional<Number> avoids;  // the one that had no answer to it
        };
        struct Welcomed {
            Number number;
            std::expected<Welcome, std::string> welcome; // or why the machine is refused
        };
        std::vector<Offer> offers;
        std::vector<LeaseId> removed;
        std::vector<LeaseId> hurried;
        std::vector<Welcomed> welcomed;
        std::map<Number, bool> drained;
        std::set<Number> forgotten;
        std::set<Number> woken;
        std::vector<std::int64_t> read; // answers that the fleet has
        bool waited_for = false;        // somebody will be welcome as soon as engines have started
    };

    // `changed` is called when an exchange would bring something. The fleet outlives this.
    FleetPost(Fleet& fleet, std::function<void()> changed);
    ~FleetPost();
    FleetPost(const FleetPost&) = delete;
    FleetPost& operator=(const FleetPost&) = delete;

    Orders exchange(const Seen& seen);
    std::vector<Number> known() const;
    // The tables cannot be reached: nobody is silent by his own fault.
    void excuse();

    // ---- for the fleet ----
    void changed() const { changed_(); }
    // What is offered and not taken does not expire.
    void keep_offered();

private:
    struct Member {
        std::string id; // in the fleet; "" if it was refused
        std::int64_t beats = -1;
        std::map<std::string, std::size_t> ahead;
        bool heard = false; // it has said what it wants
        bool drain = false;
    };

    void meet(const Seen::Machine& machine, Orders& orders);
    void hear(const Seen::Machine& machine);
    void see_taken(const Seen& seen);
    void take_over(LeaseId lease, Number number);
    void read_answers(const Seen& seen, Orders& orders);
    // Whether it is in the tables and will be met later.
    bool is_to_come(Number number) const { return to_come_.contains(number); }
    void find_lost(const Seen& seen);
    void forget_gone(const Seen& seen, Orders& orders);
    void offer(Orders& orders);
    void remove_ended(const Seen& seen, Orders& orders) const;
    void tell_members(Orders& orders);
    void call_for_open(const Seen& seen, Orders& orders);
    Fleet::Machine* machine_of(Number number) const;
    std::optional<Number> number_at(std::optional<PlaceId> place) const;

    Fleet& fleet_;
    const std::function<void()> changed_;
    const PlaceId place_; // of what is offered and nobody has
    std::map<Number, Member> members_;
    std::set<Number> to_come_;                  // since the last exchange
    std::map<LeaseId, Fleet::Time> open_since_; // offers that nobody has taken; or since the call
};

} // namespace adjourn::server
