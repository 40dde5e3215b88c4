// Analyst: the deep analysis behind the seat: a service of its own, with one transient analysis at
// a time. Called on the seat's thread; what it tells comes from the core's thread, so that a busy
// core never delays an answer.
#pragma once

#include "server/service.hpp"
#include "server/uci/command.hpp"
#include "server/uci/report.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace adjourn::server::uci {

struct Assignment {
    Game game;
    analysis::Limit limit; // of each evaluation
    analysis::StrategyParameters strategy;
    std::vector<chess::Move> searchmoves; // empty = all
    std::size_t lines = 1;                // that get a PV
};

// What is known at some moment.
struct Finding {
    bool ready = false;            // the engine has told who it is
    int settled = 0;               // refined depth
    bool finished = false;         // nothing more to ask
    std::vector<RankedLine> lines; // root moves with a score, best alpha first
    std::uint64_t nodes = 0;       // of this assignment, running searches included
    double nodes_per_second = 0;   // of one worker; 0 = not known
    std::string problem;           // why there is no analysis; "" where there is
};

class Analyst {
public:
    // Opens the store and starts the engines of the config. `news` is called on another thread
    // when latest() may have changed; it must not block. Throws storage::StoreError, StoreInUse.
    Analyst(Config config, const std::filesystem::path& data, std::function<void()> news);
    ~Analyst(); // stops the engines; blocks until they are gone and everything is stored

    // Neither waits. A new assignment ends the one before.
    void begin(Assignment assignment);
    void end();
    // Of the present assignment. Never waits.
    Finding latest() const;

private:
    void forget();

    struct Shared;
    std::shared_ptr<Shared> shared_;
    std::uint64_t serial_ = 0; // of the present assignment
    std::unique_ptr<Service> service_;
};

} // namespace adjourn::server::uci
