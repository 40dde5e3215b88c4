#include "files/check/store_check.hpp"

#include "analysis/graph.hpp"
#include "core/graphs/graph_slot.hpp"
#include "core/records/stored_analysis.hpp"

#include <map>

namespace adjourn::server {

namespace {

// What only the server understands; rows and moves are the store's own check's.
void check_texts(const storage::Store& store, std::vector<std::string>& findings) {
    for (const storage::AnalysisRecord& record : store.analyses()) {
        const std::string name =
            "analysis " + std::to_string(static_cast<std::int64_t>(record.id)) + ": ";
        std::vector<std::string> parameters;
        parse_spec(record.parameters, &parameters);
        for (const std::string& finding : parameters) {
            findings.push_back(name + "parameters: " + finding);
        }
        if (std::abs(record.priority) > most_priority) {
            findings.push_back(name + "its priority is none from -100 to 100");
        }
        for (const storage::DirectiveRecord& said : store.directives(record.id)) {
            if (const auto sound = directive_of(said); !sound) {
                findings.push_back("directive " + std::to_string(said.id) + ": " + sound.error());
            }
        }
        for (const storage::SnapshotRecord& snapshot : store.snapshots(record.id)) {
            if (const std::string trouble = snapshot_trouble(snapshot); !trouble.empty()) {
                findings.push_back("snapshot " + std::to_string(snapshot.id) + ": " + trouble);
            }
        }
    }
}

void check_graph(const storage::Store& store, const storage::EngineRecord& engine,
                 const std::vector<chess::Position>& roots, analysis::Graph graph,
                 CheckedValues& checked) {
    try {
        store.for_each_evaluation(engine.id, [&](const analysis::Evaluation& fact) {
            if (usable(fact)) {
                graph.apply(fact); // one by one, as the server did; verify() solves afresh
            }
        });
    } catch (const storage::StoreError& error) {
        checked.findings.push_back("values under " + engine.name +
                                   " were not recomputed: " + error.what());
        return;
    }
    for (const chess::Position& root : roots) {
        graph.add_root(graph.intern(root));
    }
    checked.moves += graph.move_count();
    for (const analysis::NodeId node : graph.verify()) {
        checked.findings.push_back("values of " + graph.position(node).fen() + " under " +
                                   engine.name + " differ from their recomputation");
    }
}

} // namespace

std::vector<std::string> check_facts(const storage::Store& store) {
    std::vector<std::string> findings = store.check();
    try {
        check_texts(store, findings);
    } catch (const storage::StoreError& error) {
        findings.push_back(std::string{"reading ended early: "} + error.what());
    }
    return findings;
}

CheckedValues check_values(const storage::Store& store,
                           const std::shared_ptr<const analysis::Tables>& tables) {
    CheckedValues checked;
    const std::vector<storage::AnalysisRecord> analyses = store.analyses();
    for (const storage::EngineRecord& engine : store.engines()) {
        // As many graphs as its analyses rest on; one of all that it said if there are none.
        std::map<analysis::Basis, std::vector<chess::Position>> roots;
        for (const storage::AnalysisRecord& record : analyses) {
            if (const auto root = root_of(record); record.engine == engine.id && root) {
                std::vector<std::string> told_by_texts; // what is not sound
                const auto said = read_directives(store, record.id, root->root, told_by_texts);
                chess::Position now = root->root;
                for (const chess::Move move : played_in(said)) {
                    now.play(move);
                }
                roots[basis_of(record.limit, said)].push_back(now);
            }
        }
        if (roots.empty()) {
            roots[{}] = {};
        }
        for (const auto& [basis, of_basis] : roots) {
            check_graph(store, engine, of_basis, analysis::Graph{tables, basis}, checked);
        }
    }
    return checked;
}

} // namespace adjourn::server
