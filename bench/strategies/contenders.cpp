#include "contenders.hpp"

#include "program_contender.hpp"
#include "uci_engine.hpp"

#include <fstream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

constexpr int several_lines = 4; // PVs

} // namespace

std::vector<std::string> names_of(const StrategiesOptions& options) {
    std::vector<std::string> names;
    for (const Rival rival : options.rivals) {
        names.push_back(rival == Rival::one_search ? "one search"
                        : rival == Rival::several  ? "multipv"
                                                   : std::to_string(options.threads) + " threads");
    }
    for (const Variant& variant : options.strategies) {
        names.push_back(variant.name);
    }
    return names;
}

std::vector<Assessment> assessments_of(const StrategiesOptions& options,
                                       const chess::Position& root, Crew& crew) {
    const std::uint64_t total = options.nodes * options.budget;
    std::vector<Assessment> assessments;
    const auto add = [&](std::optional<Assessment> assessment) {
        if (!assessment) {
            throw std::runtime_error("no answer at " + root.fen());
        }
        assessments.push_back(std::move(*assessment));
    };
    for (const Rival rival : options.rivals) {
        const bool threads = rival == Rival::threads;
        add(assessment_of_search(root, total, rival == Rival::several ? several_lines : 1,
                                 threads ? crew.with_threads() : crew.member()));
    }
    for (const Variant& variant : options.strategies) {
        const std::uint64_t nodes = variant.nodes != 0 ? variant.nodes : options.nodes;
        if (variant.processes > 0) {
            add(assessment_of_program({engine_command(options.stockfish), options.hash,
                                       variant.processes, root, variant.parameters, nodes, total}));
            continue;
        }
        add(assessment_of_tree({root, variant.parameters, nodes, total}, crew.member()));
    }
    return assessments;
}

void record_trees(const std::filesystem::path& path, const std::vector<RecordedTree>& trees) {
    std::ofstream file{path};
    write_recorded_trees(trees, file);
    if (!file.flush()) {
        throw std::runtime_error(path.string() + ": cannot be written");
    }
}

} // namespace adjourn::bench
