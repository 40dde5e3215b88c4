// Radar: what changed since a moment where a person would want to look, in all analyses, one after
// the other.
#pragma once

#include "analysis/radar.hpp"
#include "api/views/view_walks.hpp"
#include "files/kept/kept_file.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace adjourn::server {

class Radar {
public:
    // `core` must outlive go_on(), and its store what elsewhere() returns, and result().
    Radar(const Core& core, analysis::UnixMs since);

    // The core's thread; true when all were seen.
    bool go_on(const TimeUp& time_up);
    // As ChangesWalk::elsewhere().
    std::function<void()> elsewhere();
    // Once, then; any thread. Shape: docs/api/reference.md, GET radar.
    nlohmann::json result();

private:
    enum class Stage : std::uint8_t { next, changes, rejoins, files };
    struct Files {
        std::vector<LeavingGame> games;
        bool read = false;
    };
    struct Seen {
        analysis::AnalysisId id;
        std::string name;
        chess::Position root;
        std::string state;
        std::string ended;                 // in words; "": it has not
        analysis::UnixMs newest;           // evaluation of its graph
        std::unique_ptr<ChangesWalk> walk; // null: its graph has not changed
        std::vector<analysis::Rejoin> rejoins;
        std::shared_ptr<Files> files;
    };
    struct Event;

    void begin(const AnalysisRun& run);
    bool step(bool gone, const TimeUp& time_up);
    void tell_changes(Seen& seen);
    void tell_rejoins(const Seen& seen);
    void tell_files(const Seen& seen);
    void tell(const Seen& seen, const Event& event);

    const Core& core_;
    analysis::UnixMs since_;
    analysis::UnixMs now_;
    std::deque<analysis::AnalysisId> left_; // the first one is looked at
    std::size_t changed_ = 0;               // analyses
    // ---- of the first one, which is the last one seen ----
    Stage stage_ = Stage::next;
    const GraphSlot* slot_ = nullptr;
    std::unique_ptr<analysis::RejoinSearch> rejoin_;

    std::vector<Seen> seen_;
    std::vector<nlohmann::json> entries_;
};

} // namespace adjourn::server
