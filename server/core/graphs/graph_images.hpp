// GraphImages: large graphs as files, so that a start need not make them from all their facts. A
// file is a cache. It is used only where its name has the same program, tables, engine and basis,
// every block has the right checksum, and the store has exactly the facts that it rests on; later
// facts are applied to it. Any other file is ignored, and replaced in time.
//
// Any thread; blocks for the disk. Damaged or missing files are no errors: without an image all
// facts are read.
#pragma once

#include "analysis/graph.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace adjourn::server {

struct GraphKey;

// Digest of a set of evaluations; their order does not matter.
class FactSum {
public:
    void add(const storage::EvaluationMark& mark);
    std::uint64_t count() const { return count_; }

    friend bool operator==(const FactSum&, const FactSum&) = default;

private:
    std::uint64_t count_ = 0;
    std::uint64_t sum_ = 0;
};

// What an image rests on: all evaluations of its engine up to a moment, and perhaps some later
// ones.
struct ImageBasis {
    analysis::UnixMs until = 0;
    FactSum facts;
    analysis::UnixMs newest = 0; // of all that are in it
};

class GraphImages {
public:
    struct Options {
        std::filesystem::path directory; // is made when it is needed
        std::string tables;              // which endgame tables the graphs know
        std::function<analysis::UnixMs()> clock;
        std::uint64_t least_facts = 1; // of fewer facts none is kept
        std::uint64_t stays_free = 0;  // bytes on the disk, a gigabyte at least
    };
    explicit GraphImages(Options options) : options_{std::move(options)} {}

    // Facts older than this are all in the store, if its machines' clocks are right to a minute.
    analysis::UnixMs settled_until() const { return options_.clock() - 60'000; }
    // `since`: facts that came after the image; `known`: those that it rests on. few(): they can be
    // applied to it. many(): a new image is worth its time.
    static bool few(std::uint64_t since, std::uint64_t known) { return since <= known / 16; }
    static bool many(std::uint64_t since, std::uint64_t known) { return since > known / 64; }

    struct Image {
        analysis::Graph graph;
        ImageBasis basis;
    };
    // REQUIRES: the key accepts no other engines. nullopt: no image that fits.
    std::optional<Image> read(const GraphKey& key, const storage::EngineRecord& engine,
                              std::shared_ptr<const analysis::Tables> tables) const;
    // False if it was not written: too few facts, or too little room on the disk.
    bool write(const GraphKey& key, const storage::EngineRecord& engine,
               const analysis::Graph& graph, const ImageBasis& basis) const;

private:
    std::string name_of(const GraphKey& key, const storage::EngineRecord& engine) const;
    std::filesystem::path path_of(const std::string& name) const;
    void remove_unused() const;

    Options options_;
};

} // namespace adjourn::server
