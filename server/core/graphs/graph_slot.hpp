// GraphSlot: everything known under one engine fingerprint and those accepted beside it, on one
// basis: the graph, the questions that are out, and those that no engine had an answer to. Analyses
// of the same key share it. Lives on the core's thread, but may be made on any; what is said to be
// for readers may be called by other threads under its lock().
#pragma once

#include "analysis/estimate.hpp"
#include "analysis/graph.hpp"
#include "analysis/growth.hpp"
#include "core/graphs/graph_lock.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/records/directive.hpp"
#include "storage/store.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace adjourn::server {

// Reach: the positions that can be reached from a root, counted while the graph grows. What is
// reached once is reached for ever, so each move is looked at once.

class Reach {
public:
    explicit Reach(analysis::NodeId root) { reach(root); }

    // This position has got a move.
    void grown(analysis::NodeId node);
    // Looks at so many positions more; true if none is left, and the count exact.
    bool go_on(const analysis::Graph& graph, std::size_t most);
    // Expanded positions found so far, the root included.
    std::size_t expanded() const { return expanded_; }

private:
    static constexpr std::uint8_t reached = 1;
    static constexpr std::uint8_t counted = 2;

    void reach(analysis::NodeId node);

    std::vector<std::uint8_t> marks_; // by node
    std::vector<analysis::NodeId> open_;
    std::size_t expanded_ = 0;
};

// A question as the graph's owner knows it.
struct NodeQuestion {
    analysis::NodeId node{};
    analysis::Limit limit;
    std::vector<chess::Move> excluded; // sorted

    friend bool operator==(const NodeQuestion&, const NodeQuestion&) = default;
};

struct NodeQuestionHash {
    std::size_t operator()(const NodeQuestion& asked) const noexcept;
};

// Which facts a graph is made of. Graphs of equal keys are equal.
struct GraphKey {
    analysis::EngineId engine{};
    std::vector<analysis::EngineId> accepted = {}; // sorted
    analysis::Basis basis = {};
    // Sorted: those in whose place `engine` is now. Their facts are analysis::provisional().
    std::vector<analysis::EngineId> renewed = {};

    // Whether a fact of that engine belongs to the graph as soon as it is there.
    bool holds(analysis::EngineId other) const;
    bool renews(analysis::EngineId other) const;
    bool mixed() const { return !accepted.empty() || !renewed.empty(); } // not `engine` alone
    std::vector<analysis::EngineId> engines() const;

    friend auto operator<=>(const GraphKey&, const GraphKey&) = default;
};

// What an analysis of that limit rests on: evaluations of its limit or larger, without the moves
// that the directives (oldest first) exclude.
analysis::Basis basis_of(const analysis::Limit& limit, const std::vector<Directive>& directives);

// The engines of the store that are named beside `own`, as AnalysisSpec::accept does; ascending.
std::vector<analysis::EngineId> named_engines(const std::vector<storage::EngineRecord>& engines,
                                              const std::vector<std::string>& names,
                                              analysis::EngineId own);

class GraphSlot : public std::enable_shared_from_this<GraphSlot> {
public:
    // Reads all facts of the key's engines, of which `engine` is the record of its own; throws
    // storage::StoreError, also when `stop` becomes true before all are read. Questions are
    // `engine`'s alone. `roots` as by add_root(), which takes long in a large graph.
    GraphSlot(const storage::Store& store, storage::EngineRecord engine,
              std::shared_ptr<const analysis::Tables> tables, GraphKey key,
              const std::atomic<bool>* stop = nullptr, std::span<const chess::Position> roots = {});

    const storage::EngineRecord& engine() const { return engine_; }
    // Rows that could not be read and are not here: file, row and why; the first hundred.
    const std::vector<std::string>& damaged() const { return damaged_; }
    // A callback that collects them. Must not outlive the slot.
    storage::Damaged set_aside();
    const GraphKey& key() const { return key_; }
    const std::vector<analysis::EngineId>& accepted() const { return key_.accepted; }
    bool holds(analysis::EngineId engine) const { return key_.holds(engine); }
    const analysis::Graph& graph() const { return graph_; } // for readers, too
    // Who changes the graph takes the lock; all members here do by themselves.
    GraphLock& lock() const { return *lock_; }
    // As Graph::intern().
    analysis::NodeId intern(const chess::Position& position);
    // Roots of the analyses that share the graph. Removing the last root of a large graph takes
    // long, so the last one stays until another root is added.
    void add_root(analysis::NodeId root);
    void remove_root(analysis::NodeId root, bool last);

    // Grows with every change of the graph.
    std::uint64_t version() const { return version_; }
    // Expanded positions at and below a node, `most` at the largest. To count a large tree takes
    // milliseconds, so a count of 1,000 or more is kept until 1 % as many facts have come. For
    // readers, too.
    std::size_t positions_below(analysis::NodeId node, std::size_t most) const;
    // The same for a root, without limit: what count_on() has counted so far, exact once that has
    // returned true. Cheap: only positions that are new since the last call are counted.
    std::size_t positions_of_root(analysis::NodeId root) const;
    // Counts up to `most` positions more; true if none is left.
    bool count_on(analysis::NodeId root, std::size_t most) const;
    // Measured again whenever the graph has grown by a quarter; see measure_noise(). For readers,
    // too.
    std::optional<analysis::Noise> noise() const;

    // Of a graph in which `engine` has taken the place of others: positions of which these have
    // said something that counts, free to choose among all moves; of these those that `engine` has
    // searched; of these those whose scores are no more than `within` cp apart.
    struct Renewed {
        std::size_t known = 0;
        std::size_t searched = 0;
        std::size_t confirmed = 0;
    };
    Renewed renewed(double within) const;

    analysis::QuestionState state(const NodeQuestion& asked) const;
    void mark_pending(const NodeQuestion& asked);
    void unmark_pending(const NodeQuestion& asked);
    // No answer came, after so many attempts at `at`: not to be asked before a pause is over that
    // grows with all attempts so far.
    void mark_failed(const NodeQuestion& asked, std::string reason, int attempts,
                     analysis::UnixMs at);
    // Attempts so far; 0 if it never failed.
    int attempts(const NodeQuestion& asked) const;
    // All failed questions may be asked again at once.
    void retry_failed();
    // Failed questions whose pause is over may be asked again; true if there are any, or if one was
    // answered by somebody else, or retry_failed() called, since the last call. How much of a pause
    // is left is told from `now` by the wall clock once, when it is seen first; from then on
    // `steady` counts, a clock that nobody sets.
    bool retry_due(analysis::UnixMs now, analysis::UnixMs steady);
    bool anything_out() const { return !pending_.empty(); }
    // Whether there are pending questions about a node.
    bool waits_at(analysis::NodeId node) const { return pending_at_.contains(node); }
    // Whether a search of the node is pending that may choose among a few moves alone.
    bool court_is_out(analysis::NodeId node) const;
    // Why a question about this node has no usable answer; "" if none failed, or all were answered
    // since.
    std::string failure_at(analysis::NodeId node) const;
    std::string failure_of(const NodeQuestion& asked) const;

    // The largest `at` of its facts; 0 if there is none.
    analysis::UnixMs newest() const { return newest_; }
    // A stored fact comes in. Returns the nodes whose values changed. apply_all() of many.
    std::vector<analysis::NodeId> apply(const analysis::Evaluation& evaluation);
    std::vector<analysis::NodeId> apply_all(std::span<const analysis::Evaluation> facts);
    // The same, where nobody reads; else the fact waits, and nullopt is returned. Its question is
    // pending until take_waiting() has let it in.
    std::optional<std::vector<analysis::NodeId>> apply_soon(const analysis::Evaluation& evaluation);
    bool anything_waits() const { return !waiting_.empty(); }
    // The last moment, `now` at most, up to which all facts are in: those that wait are newer.
    analysis::UnixMs complete_until(analysis::UnixMs now) const;
    // What waits comes in, if nobody reads. nullopt: nothing did.
    std::optional<std::vector<analysis::NodeId>> take_waiting();

private:
    struct Failed {
        std::string reason;
        int attempts = 0;
        analysis::UnixMs at = 0;                       // of the last attempt
        std::optional<analysis::UnixMs> retry_at = {}; // by the steady clock, once it was seen
        bool due = false;                              // may be asked again
    };

    // What the facts are gathered in while they are read.
    struct Loading {
        analysis::GraphReader reader;
        // Positions with an evaluation that answers nothing; and the evaluations, in the order of
        // the facts, that mark questions as answered or failed once the graph is made.
        std::unordered_set<chess::PackedPosition, chess::PackedPositionHash> unanswered;
        std::vector<analysis::Evaluation> about_questions;
    };

    void read_all(const storage::Store& store,
                  const std::shared_ptr<const analysis::Tables>& tables,
                  const std::atomic<bool>* stop, std::span<const chess::Position> roots);
    bool waits(const NodeQuestion& asked) const;
    void load(const storage::Store& store, analysis::EngineId engine, const std::atomic<bool>* stop,
              Loading& loading);
    void note_fact(const analysis::Evaluation& evaluation);
    std::vector<analysis::NodeId> take_in(const analysis::Evaluation& evaluation);
    std::vector<analysis::NodeId> take_in_all(std::span<const analysis::Evaluation> facts);
    void note_unanswered(const analysis::Evaluation& evaluation);
    void note_answered(const analysis::Evaluation& evaluation);
    void keep_failed(const NodeQuestion& asked, Failed failed);
    void forget_failed(const NodeQuestion& asked);

    storage::EngineRecord engine_;
    std::vector<std::string> damaged_;
    GraphKey key_;
    analysis::Graph graph_;
    std::vector<analysis::NodeId> left_; // roots that no analysis has any more
    std::uint64_t version_ = 0;
    analysis::UnixMs newest_ = 0;
    std::unique_ptr<GraphLock> lock_ = std::make_unique<GraphLock>();
    std::vector<analysis::Evaluation> waiting_; // to come in when nobody reads
    std::unique_ptr<std::mutex> kept_ = std::make_unique<std::mutex>(); // of the next three
    mutable std::optional<analysis::Noise> noise_;
    mutable std::size_t noise_moves_ = 0; // of the graph when it was measured; 0: never
    struct Counted {
        std::size_t positions = 0;
        std::size_t most = 0;
        std::uint64_t version = 0;
    };
    mutable std::unordered_map<analysis::NodeId, Counted> counted_;
    mutable std::unordered_map<analysis::NodeId, Reach> reaches_; // of roots
    // What others said, and `engine` has not searched yet; and positions that it has searched, by
    // how many cp the two are apart, the last one: so many or more.
    std::unordered_map<chess::PackedPosition, chess::Score, chess::PackedPositionHash> said_before_;
    std::array<std::size_t, 512> apart_{};
    std::unordered_set<NodeQuestion, NodeQuestionHash> pending_;
    std::unordered_map<analysis::NodeId, std::size_t> pending_at_;
    std::unordered_set<NodeQuestion, NodeQuestionHash>
        answered_; // where an accepted fact may stand in its place
    std::unordered_map<NodeQuestion, Failed, NodeQuestionHash> failed_;
    std::unordered_map<analysis::NodeId, std::vector<NodeQuestion>>
        failed_at_;                       // in the order they came
    bool look_again_ = false;             // what retry_due() tells, if no pause is over
    analysis::UnixMs next_retry_ = never; // the earliest retry_at; 0: some were not seen yet
    static constexpr analysis::UnixMs never = std::numeric_limits<analysis::UnixMs>::max();
};

// Whether the evaluation has a move and an exact score; any other answers nothing.
bool usable(const analysis::Evaluation& evaluation);

} // namespace adjourn::server
