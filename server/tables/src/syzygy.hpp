// Syzygy: libfathom behind types of ours. libfathom keeps global state, so one at a time.
#pragma once

#include "analysis/tables.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace adjourn::tables {

class Syzygy {
public:
    // Opens these files and no others. REQUIRES: each has passed syzygy_head_problem(), no other
    // Syzygy lives in the process. Throws TablesError where no link to the files can be made.
    explicit Syzygy(const std::vector<std::filesystem::path>& files);
    ~Syzygy();
    Syzygy(const Syzygy&) = delete;
    Syzygy& operator=(const Syzygy&) = delete;

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

} // namespace adjourn::tables
