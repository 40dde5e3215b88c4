// Graphs: which graphs there are, how they are read from the store, and how facts get into them.
// Analyses of one key share a graph; one that nobody needs is kept for a while. Lives on the core's
// thread. It knows analyses only as members of a graph, and tells a listener what has changed.
#pragma once

#include "core/graphs/analysis_run.hpp"
#include "core/guards/reads.hpp"
#include "storage/store.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

// Moves that people and games brought in.
using SeedMoves = std::vector<std::pair<chess::Position, chess::Move>>;

class Graphs {
public:
    struct Options {
        std::shared_ptr<const analysis::Tables> tables; // may be null
        std::size_t facts_at_once = 20'000;             // read at a time after an import
    };
    // Called on the core's thread. Nothing but the last may be empty.
    struct Listener {
        std::function<void(AnalysisRun&)> ready; // has its graph, or its seeds: plan anew
        std::function<void(AnalysisRun&, const std::string&)> unreadable;
        // A graph has new facts; the nodes whose values changed, in any order, perhaps none.
        std::function<void(GraphSlot&, const std::vector<analysis::NodeId>&)> changed;
        // A graph was read; null if it could not be, and why.
        std::function<void(const GraphKey&, const GraphSlot*, const std::string& problem)> read;
        std::function<void(const GraphSlot&)> gone;
        std::function<void(const std::vector<std::string>&)> damaged; // rows of seeds
    };

    // The store and `background` must outlive it. Reading does not begin before begin().
    Graphs(const storage::Store& store, Background& background, Options options, Listener listener);
    Graphs(const Graphs&) = delete;
    Graphs& operator=(const Graphs&) = delete;

    // Starts to read the graphs of the analyses that have joined so far.
    void begin();
    // The engines of the store (their records never change): whose evaluations an analysis accepts
    // depends on them.
    void know(std::vector<storage::EngineRecord> engines) { engines_ = std::move(engines); }
    void know(const storage::EngineRecord& engine); // one more

    // ---- members ----
    // The analysis gets the graph of its key, now or when that is read. It has none before.
    // Precondition: its engine is known. It must leave() before it ends.
    void join(AnalysisRun& run);
    void leave(AnalysisRun& run);
    // Moves the analysis to the graph of its present key. Its old graph is shown until the new one
    // is read.
    void change(AnalysisRun& run);
    // Whether the graph that the analysis has, or waits for, is not that of its present key.
    bool rests_elsewhere(const AnalysisRun& run) const;
    // Seeds of the analysis have changed in the store.
    void reread_seeds(AnalysisRun& run);
    // Lets go of graphs that nobody needs; the last one is kept for whoever comes back.
    void let_go();
    // Begins to read this graph, also if no analysis needs it.
    void want(const GraphKey& key);

    // ---- facts ----
    // A fact that has just become durable, in all graphs that hold it: at once, or when nobody
    // reads them any more.
    void apply(const analysis::Evaluation& fact);
    // Facts of this engine were added to the store (by an import): reads them into all graphs.
    void reread(analysis::EngineId engine);

    // ---- looking; questions count for an engine, whichever of its graphs they were asked for ----
    bool holds(const GraphKey& key) const { return held_.contains(key); }
    analysis::QuestionState state(const GraphSlot& slot, const NodeQuestion& asked) const;
    std::string failure_of(const GraphSlot& slot, const NodeQuestion& asked) const;
    // Questions whose pause is over may be asked again: in which graphs there are some.
    std::vector<GraphSlot*> retry_due(analysis::UnixMs now, analysis::UnixMs steady);
    // By the graph of the engine alone that has the most pairs: analyses of different limits have
    // graphs of their own.
    std::optional<analysis::Noise> noise_of(analysis::EngineId engine) const;
    // Calls back once no graph is being read, at once if none is.
    void when_read(std::function<void()> call);

private:
    struct Held { // whoever reads, or does something in slices, holds on to its graph
        std::shared_ptr<GraphSlot> slot;
        std::vector<AnalysisRun*> members;
    };
    struct Loading {                               // a graph that is being read
        bool begun = false;                        // or is wanted
        std::vector<AnalysisRun*> waiting;         // for it
        std::vector<analysis::Evaluation> arrived; // facts that came meanwhile
        std::set<analysis::EngineId> imported;     // got facts meanwhile
        std::set<analysis::AnalysisId> seeded;     // got seeds meanwhile
    };
    struct Read;

    void hold(const GraphKey& key, std::shared_ptr<GraphSlot> slot);
    void let_in(const GraphKey& key);
    GraphKey key_of(const AnalysisRun& run) const;
    void wait_no_more(AnalysisRun& run);
    void leave_slot(AnalysisRun& run);
    void read_wanted();
    void read_graph(const GraphKey& key);
    void graph_read(const GraphKey& key, Read& read);
    void graph_not_read(const GraphKey& key, const std::string& problem);
    void tell_waiting();
    void enter(AnalysisRun& run, Held& held, std::optional<analysis::NodeId> root);
    void seeds_not_read(analysis::AnalysisId id, const std::shared_ptr<GraphSlot>& slot,
                        const std::string& problem);
    void take_seeds(analysis::AnalysisId id, const std::shared_ptr<GraphSlot>& slot,
                    std::shared_ptr<const SeedMoves> moves);
    void read_again(std::shared_ptr<GraphSlot> slot, analysis::EngineId engine,
                    analysis::EvaluationId after);
    void take_facts(const std::shared_ptr<GraphSlot>& slot, analysis::EngineId engine,
                    std::shared_ptr<const std::vector<analysis::Evaluation>> facts);

    const storage::Store& store_;
    Background& background_;
    Options options_;
    Listener listener_;
    std::map<GraphKey, Held> held_;
    std::map<GraphKey, Loading> loading_;
    std::vector<GraphKey> idle_;   // of held_, those that no analysis needs, latest last
    std::vector<GraphKey> wanted_; // of loading_, those whose reading has not begun
    std::vector<storage::EngineRecord> engines_; // of the store
    bool begun_ = false;
    std::vector<std::function<void()>> when_read_;
};

} // namespace adjourn::server
