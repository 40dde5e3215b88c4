// Syzygy: libfathom behind types of ours. libfathom keeps global state, so one at a time.
#pragma once

#include "analysis/tables.hpp"
#include "chess/material.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::tables {

class Syzygy {
public:
    // Opens these files and no others. REQUIRES: each has passed syzygy_head_problem(), no other
    // Syzygy lives in the process. Throws TablesError where no link to the files can be made.
    explicit Syzygy(const std::vector<std::filesystem::path>& files);
    ~Syzygy();

    // As analysis::Tables::value(), with DTZ; where there is no DTZ table, wins and losses have the
    // longest distance that is one (100).
    std::optional<chess::Score> value(const chess::Position& position) const;
    // As analysis::Tables::moves(), by one probe; empty where a DTZ table is missing.
    std::vector<analysis::TableMove> moves(const chess::Position& position) const;
    // The result alone; also for mate and stalemate.
    std::optional<chess::Wdl> wdl(const chess::Position& position) const;

private:
    class Links;
    std::unique_ptr<Links> links_;
    mutable std::mutex mutex_; // DTZ probes of libfathom are not for several threads
};

// What can be said of a Syzygy file without probing it. libfathom believes whatever it maps: a
// damaged file gives wrong answers or a crash. So nothing reaches it whose head has not passed
// here. What follows the head is not looked at: who copies tables compares their md5 sums.

enum class SyzygyKind : std::uint8_t { wdl, dtz };

// Whether the start and the size of the file are those of a table for this material. What is wrong,
// or nullopt. Any bytes may be given.
std::optional<std::string> syzygy_problem(std::span<const std::uint8_t> file, SyzygyKind kind,
                                          const chess::Material& material);

} // namespace adjourn::tables
