// Another engine in the place of an analysis's (decision 145): what its answers were then, and what
// has become of them. On the core's thread, or under the lock of the graph; the run has its graph.
#pragma once

#include "core/graphs/analysis_run.hpp"
#include "core/guards/reads.hpp"
#include "core/schedule/verifier.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace adjourn::server {

// Of the analysis as it is, before another engine takes over.
Renewal renewal_of(const RunView& run, analysis::UnixMs at);

// An answer of the main line as it was.
struct RenewedAnswer {
    enum class State : std::uint8_t {
        open,      // the new engine has searched neither it nor what is the answer now
        confirmed, // it is the answer still, and its value within confirmed_within()
        differs,   // the answer still, by another value
        fell,      // another move is the answer
    };
    chess::Position position; // where it is the answer
    chess::Move move;
    chess::Score before; // its alpha then; mover's side, as all of these
    chess::Score now;
    chess::Move best; // the answer now
    chess::Score best_now;
    State state{};
};
// From the root on, as far as the game went that way; empty where it went another one, and where
// no engine took over.
std::vector<RenewedAnswer> renewed_answers(const RunView& run);

// How far apart, in cp, two scores of one position may be by the noise of the engine alone: 2 σ.
double confirmed_within(const RunView& run);

// The moves of the main line as it was, from the root.
std::vector<chess::Move> renewed_line(const RunView& run);

// Whether the new engine's tree is not yet as deep as the one before.
bool is_renewing(const RunView& run);

// "4 of 9 answers confirmed, 1 fell; of 120 positions 32 searched again, 30 confirmed", or that
// nothing is searched yet.
std::string renewal_text(const RunView& run, const std::vector<RenewedAnswer>& answers);

// Renewer: asks the engine that has taken the place of another one (decision 145) first about what
// carries the answer, then about what carries the answers of the main line as it was: of these the
// evaluations that are the other one's still. Then the plan goes on, level by level. The same of a
// second engine (answer.hpp), when a level has settled: once, without waiting for answers.
// It keeps no state: after a restart it looks again, and what was answered is not asked twice. On
// the core's thread, in pieces.

class Renewer {
public:
    // All of them must outlive it.
    Renewer(const storage::Store& store, Background& beside, Queue& queue, const Engines& engines,
            const Verifier& verifier, Scheduler& scheduler, const Health& health)
        : store_{store}, beside_{beside}, queue_{queue}, engines_{engines}, verifier_{verifier},
          scheduler_{scheduler}, health_{health} {}

    // The analysis has another graph: sets AnalysisRun::confirming where its answers are to be
    // confirmed.
    void take_up(AnalysisRun& run);
    // Goes on with all of them, the latest renewal last, no longer than so. To be called a few
    // times a second.
    void look_after(std::chrono::milliseconds most);

private:
    struct Task {
        std::vector<std::vector<chess::Move>> lines = {}; // from the root to the answers
        std::size_t next = 0;
        std::unique_ptr<analysis::VerdictSearch> search = nullptr; // of `next`; null: not begun
        bool asked = false;                                        // in this round of the lines
        bool elsewhere = false; // somebody else has asked it in this round
        std::vector<engine_bridge::JobId> out = {};
        bool reading = false; // what the second engine has answered
    };
    bool waits(const AnalysisRun& run) const;
    // Whether there is more to do.
    bool go_on(AnalysisRun& run, Task& task, std::chrono::steady_clock::time_point until);
    void ask(AnalysisRun& run, Task& task, const analysis::Verdict& verdict);
    void ask_second(AnalysisRun& run, Task& task, const analysis::Verdict& verdict);

    const storage::Store& store_;
    Background& beside_;
    Queue& queue_;
    const Engines& engines_;
    const Verifier& verifier_; // knows what can be asked
    Scheduler& scheduler_;
    const Health& health_; // whose clock says how long it has worked
    std::map<analysis::AnalysisId, Task> tasks_;
};

} // namespace adjourn::server
