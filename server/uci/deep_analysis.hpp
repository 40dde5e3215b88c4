// DeepAnalysis: the deep analysis behind the front end: a service of its own, with one transient
// analysis at a time. Called on the front end's thread; what it tells comes from the core's thread,
// so that a busy core never delays an answer.
#pragma once

#include "chess/uci/command.hpp"
#include "chess/uci/report.hpp"
#include "host/service.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server::uci {

using namespace chess::uci; // what GUIs say and are told

struct SearchRequest {
    Game game;
    analysis::Limit limit; // of each evaluation
    analysis::StrategyParameters strategy;
    std::vector<chess::Move> searchmoves; // empty = all
    std::size_t lines = 1;                // that get a PV
    // What all processes together may spend.
    std::optional<std::uint64_t> nodes;
    std::uint64_t game_number = 0; // counts the GUI's ucinewgame
};

// A line that one search told, without any tree: it may be the answer.
struct Candidate {
    RankedLine line;
    int depth = 0;      // plies
    bool final = false; // bound or not: the search ended with it
};

// What is known at some moment.
struct Finding {
    bool ready = false;            // the engine has told who it is
    int settled = 0;               // refined depth
    bool finished = false;         // nothing more to ask, or nothing left to spend
    bool looked = false;           // the core has seen to it: what the store has is here
    std::vector<RankedLine> lines; // root moves with a score: the answer, then best alpha first
    int evidence = 0;      // plies of the deepest search of the root that the lines stand on
    bool anchored = false; // the answer is a search's of the root, rather than the tree's
    // Of a search of the root and all its moves that runs, has ended, or was stopped by hurry().
    std::optional<Candidate> running;
    // Where there are no lines: the deepest that any engine has said of the root.
    std::optional<Candidate> stored;
    std::uint64_t nodes = 0;     // of this request, running searches included
    double nodes_per_second = 0; // of one worker; 0 = not known
    std::string problem;         // why there is no analysis; "" where there is
    bool starting = false;       // the problem is an engine that may still answer
};

class DeepAnalysis {
public:
    // Opens the store and starts the engines of the config. `news` is called on another thread
    // when latest() may have changed; it must not block. `before_request`, if any, is called on the
    // core's thread before each request. Throws storage::StoreError, StoreInUse.
    DeepAnalysis(Config config, const std::filesystem::path& data, std::function<void()> news,
                 std::function<void()> before_request = {});
    ~DeepAnalysis(); // stops the engines; blocks until they are gone and everything is stored

    // Neither waits. A new request ends the one before.
    void begin(SearchRequest request);
    void end();
    // Time is short and nothing is known: a search of the root that runs is stopped, for the sake
    // of what it has found. Without one that runs nothing happens. Does not wait.
    void hurry();
    // Of the present request. Never waits.
    Finding latest() const;

private:
    void forget();

    struct Shared;
    std::function<void()> before_request_;
    std::shared_ptr<Shared> shared_;
    std::uint64_t serial_ = 0; // of the present request
    chess::Position root_ = chess::Position::initial();
    std::vector<chess::Move> searchmoves_;
    const engine_bridge::Processes* processes_ = nullptr; // of the core
    std::unique_ptr<Service> service_;
};

} // namespace adjourn::server::uci
