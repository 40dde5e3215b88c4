// AskGames: every position of some games that no review has a score of is searched, by "now". In
// slices, so that nobody waits for a file of many games. On the core's thread.
#pragma once

#include "core/schedule/core.hpp"
#include "http/requests/message.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

namespace adjourn::server {

class AskGames : public std::enable_shared_from_this<AskGames> {
public:
    static constexpr std::size_t most_asked = 2'000; // of one call

    // Each of `lines` leads on from `root`, where the analysis stands. The core must outlive it.
    AskGames(Core& core, analysis::AnalysisId id, const chess::Position& root,
             std::vector<std::vector<chess::Move>> lines)
        : core_{core}, id_{id}, root_{root}, lines_{std::move(lines)}, position_{root} {}

    // Once. {asked, waiting, left}, when all that is asked is stored. `alone`: as Context::alone.
    Pending<http::Response> answer(bool alone);

private:
    using Lines = std::vector<std::vector<chess::Move>>;

    Lines next();
    void look(const AnalysisRun& run, Lines& wanted);
    Pending<Core::AllGiven> ask();
    void take(const Pending<Core::AllGiven>::Result& results);
    void go_on();
    bool over() const { return refused_ || at_ == lines_.size(); }
    http::Response response() const;

    Core& core_;
    const analysis::AnalysisId id_;
    const chess::Position root_;
    const Lines lines_;
    std::size_t at_ = 0; // the line that is looked at, and where
    std::size_t ply_ = 0;
    chess::Position position_;
    std::unordered_set<chess::PackedPosition, chess::PackedPositionHash> seen_;
    std::size_t wanted_ = 0;
    std::size_t asked_ = 0;   // of these, what is stored
    std::size_t waiting_ = 0; // was asked for before
    std::size_t left_ = 0;    // beyond most_asked
    std::optional<http::Error> refused_;
    const Pending<http::Response> pending_;
};

} // namespace adjourn::server
