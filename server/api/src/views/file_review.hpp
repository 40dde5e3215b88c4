// FileReview: what an analysis says of all games of a file: a row for each game, and one for each
// player.
#pragma once

#include "api/views/view_walks.hpp"
#include "files/kept/kept_file.hpp"
#include "files/review/review.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

// The file and its games, read on any thread.
struct ReadFile {
    std::int64_t id = 0;
    std::string name;
    analysis::UnixMs at = 0;
    std::vector<std::pair<std::int64_t, GameLine>> games; // by number
};
ReadFile read_for_review(const KeptFile& file, const chess::Position& root);

class FileReview : public JsonWalk {
public:
    // `run` must outlive go_on() and keep its graph and root.
    FileReview(const AnalysisRun& run, ReadFile file) : run_{run}, file_{std::move(file)} {}

    bool go_on(const TimeUp& time_up) override;
    // Shape: docs/api/reference.md, Review.
    nlohmann::json result() override;

private:
    const AnalysisRun& run_;
    ReadFile file_;
    std::vector<Review> seen_;         // of the first games; of one that cannot be reviewed empty
    std::unique_ptr<ReviewWalk> walk_; // of the next one
};

// {id, name, at, games}
nlohmann::json head_json(const ReadFile& file);

} // namespace adjourn::server
