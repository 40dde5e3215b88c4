// What the store holds of an analysis, looked at before it is used: a store may come from anywhere.
#pragma once

#include "analysis/confidence.hpp"
#include "analysis/growth.hpp"
#include "analysis/records.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/records/directive.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

// What was told of an answer at the root between two levels. The later one is recorded with it.
struct ToldAnswer {
    std::string best; // the answer, UCI
    double nodes = 0; // Snapshot::nodes, then
    analysis::AnswerKind kind;
    double cost = 0;   // of the verdict, a million at most
    double chance = 0; // that it stands

    friend bool operator==(const ToldAnswer&, const ToldAnswer&) = default;
};

struct Snapshot {
    // Scores are from the side to move at the root.
    struct Move {
        chess::Move move;
        chess::Score alpha;
        chess::Score idea;
    };

    chess::Position root = chess::Position::initial();
    std::string moved_to; // the root's FEN, where it is not that which the analysis was made with
    std::size_t evaluations = 0; // that the tree rests on
    std::size_t positions = 0;   // expanded ones
    double nodes = 0;            // behind these evaluations, by their limits; whole
    std::uint64_t engine_ms = 0;
    std::string engine; // its name
    std::string best;   // the answer, UCI; "": none, or moves are left out
    std::optional<ToldAnswer> said;
    analysis::Limit limit;
    analysis::StrategyParameters strategy; // refine is not kept: the tree is the same
    std::vector<std::string> accept;
    analysis::UnixMs renewed = 0; // Renewal::at
    std::optional<chess::Score> alpha;
    std::optional<chess::Score> idea;
    std::vector<Move> moves; // at the root
    std::vector<chess::Move> pv;
};

// {"evaluations","positions","nodes","engine_seconds","engine","best","said"?,"limit","strategy",
// "accept"?,"fen"?,"renewed"?,"alpha","idea","moves":[…],"pv":[…]}; scores are White's.
std::string to_text(const Snapshot& snapshot);
// Its members limit, strategy, accept, fen and renewed.
std::string rules_text(const analysis::Limit& limit, const analysis::StrategyParameters& strategy,
                       const std::vector<std::string>& accept, const std::string& moved_to = "",
                       analysis::UnixMs renewed = 0);

// A stored snapshot, whose text may be anything, and what of it is compared again and again.
struct NotedSnapshot : storage::SnapshotRecord {
    explicit NotedSnapshot(storage::SnapshotRecord record);

    std::optional<TreeRules> rules; // none: it cannot be compared
    std::string values;             // moves and values; "": there are none
    std::uint64_t evaluations = 0;
    double nodes = 0; // this and the next as in Snapshot
    std::string engine, best;
    std::optional<ToldAnswer> said;

    // Of one root, and made under the same rules.
    bool same_rules(const std::optional<TreeRules>& other) const { return rules && rules == other; }
    // Costs may differ.
    bool same_values(const NotedSnapshot& other) const {
        return !values.empty() && values == other.values;
    }
};

struct StoredRoot {
    chess::Position start; // where the moves begin
    chess::Position root;  // where they end: what the analysis was made with
};
// Or why the record has none.
std::expected<StoredRoot, std::string> root_of(const storage::AnalysisRecord& record);

// The directive of an analysis that was made with this root; or why its text, line, position or
// move is wrong.
std::expected<Directive, std::string> sound_directive(storage::DirectiveRecord record,
                                                      const chess::Position& root);

// Why a snapshot cannot be shown; "" if it can.
std::string snapshot_trouble(const storage::SnapshotRecord& snapshot);

// What a server would make of an analysis that it reads: all of it is sound.
struct StoredAnalysis {
    storage::AnalysisRecord record;
    StoredRoot root;
    AnalysisSpec spec;
    std::vector<Directive> directives;
    std::vector<storage::SnapshotRecord> snapshots;
    storage::UsageRecord usage;
    // Why not all of its directives can be read; "" if all can. What the analysis would ask is not
    // known then.
    std::string lost;
};
// nullopt if it has no sound root. Damaged parts are left out or get defaults, with one line each
// in `findings`. Throws storage::StoreError if the store does not work.
std::optional<StoredAnalysis> read_analysis(const storage::Store& store,
                                            storage::AnalysisRecord record,
                                            std::vector<std::string>& findings);
// Its directives that are sound; the others are named in `findings`.
std::vector<Directive> read_directives(const storage::Store& store, analysis::AnalysisId analysis,
                                       const chess::Position& root,
                                       std::vector<std::string>& findings);

} // namespace adjourn::server
