// Radar: what changed since a moment where a person would want to look, in all analyses.
#pragma once

#include "analysis/radar.hpp"
#include "api/views/changes.hpp"
#include "core/graphs/analysis_run.hpp"
#include "files/kept/kept_file.hpp"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace adjourn::server {

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
