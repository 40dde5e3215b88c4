// What two moments of a tree differ in.
#pragma once

#include "analysis/radar.hpp"
#include "api/views/view.hpp"
#include "core/graphs/analysis_run.hpp"
#include "files/kept/kept_file.hpp"

#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

// What the root was worth at some moment.
struct RootThen {
    std::optional<chess::Score> alpha;                       // mover's side, as the others
    nlohmann::json pv = nlohmann::json::array();             // in SAN
    std::vector<std::pair<chess::Move, chess::Score>> moves; // best first
};

struct Swing {
    std::vector<chess::Move> line;
    chess::Score before; // White's side
    chess::Score after;
    int size() const { return std::abs(after.rank() - before.rank()); }
};

struct NewLine {
    std::vector<chess::Move> line;
    chess::Score alpha; // White's side
};

struct NewBest {
    std::vector<chess::Move> line; // to the position
    chess::Move before;
    chess::Move after;
};

struct Differences {
    std::vector<Swing> swings;
    std::vector<NewBest> best;
    std::vector<NewLine> lines;
};

// What is told of two moments.
struct Changes {
    analysis::UnixMs since;
    analysis::UnixMs now;
    std::size_t evaluations = 0; // newer, that the tree rests on
    RootThen before;
    RootThen after;
    Differences found;
    std::optional<analysis::Refutation> refuted; // the new best move at the root, if it is one
    // Of the root; null: it has no other one.
    const NewBest* new_best() const {
        return found.best.empty() || !found.best.front().line.empty() ? nullptr
                                                                      : &found.best.front();
    }
};
// One analysis as it is asked about.
struct ChangesAsked {
    chess::Position root;
    std::vector<chess::Position> repeated; // before the root
    bool court = false;                    // its strategy has one, which decides at the root
};
// What changed between two moments in analyses of one graph, in their order; as changes_json().
// Empty where `stop` was asked for.
std::vector<Changes> changes_of(const storage::Store& store, const GraphKey& key,
                                const analysis::Graph& graph, const GraphReading& reading,
                                std::span<const ChangesAsked> asked, analysis::UnixMs since,
                                analysis::UnixMs now, const std::stop_token& stop);
nlohmann::json changes_told(const Changes& changes, const chess::Position& root);

// Radar: what changed since a moment where a person would want to look, in all analyses.

class Radar {
public:
    // The core's thread. `core` must outlive it; `here`: as RunReader.
    Radar(const Core& core, analysis::UnixMs since, bool here);

    // Once; any thread. Reads the store and the graphs; ends soon where `stop` is asked for. Shape:
    // docs/api/reference.md, GET radar.
    nlohmann::json look(const std::stop_token& stop);

private:
    struct Seen {
        analysis::AnalysisId id;
        std::string name;
        chess::Position root;
        std::string state;
        std::string ended;       // in words; "": it has not
        analysis::UnixMs newest; // evaluation of its graph
        Labels labels;
        std::unique_ptr<RunReader> changed; // null: its graph has not
    };
    struct Event;

    void look_at_changes(const std::stop_token& stop);
    void tell_changes(const Seen& seen, const Changes& changes);
    void tell_rejoins(const Seen& seen);
    void tell_files(const Seen& seen);
    void tell(const Seen& seen, const Event& event);

    const storage::Store& store_;
    analysis::UnixMs since_;
    analysis::UnixMs now_;
    std::size_t changed_ = 0; // analyses
    std::vector<Seen> seen_;
    std::vector<nlohmann::json> entries_;
};

} // namespace adjourn::server
