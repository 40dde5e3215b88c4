// Engines: the engine profiles of the configuration, at work.
#pragma once

#include "core/graphs/analysis_run.hpp"
#include "engine_bridge/dispatch/dispatcher.hpp"
#include "engine_bridge/process/job.hpp"
#include "engine_bridge/process/profile.hpp"
#include "storage/store.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::server {

class DeathLog {
public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr std::size_t most_lines = 10; // in a minute
    static constexpr std::chrono::minutes period{1};

    struct Line {
        bool written = false;
        std::size_t left_out = 0; // before this one, since the last line
    };
    // A process has died.
    Line died(Time now) {
        if (lines_ == 0 || now - began_ >= period) {
            began_ = now;
            lines_ = 0;
        }
        if (lines_ == most_lines) {
            ++left_out_;
            return {};
        }
        ++lines_;
        const Line line{true, left_out_};
        left_out_ = 0;
        return line;
    }

private:
    Time began_{};
    std::size_t lines_ = 0;
    std::size_t left_out_ = 0;
};

using engine_bridge::Dispatcher;

// One engine profile at work.
struct EngineSlot : std::enable_shared_from_this<EngineSlot> {
    engine_bridge::Profile profile;
    std::shared_ptr<Dispatcher> dispatcher;
    engine_bridge::ProfileId index = 0; // as the dispatcher has it
    std::unique_ptr<engine_bridge::Processes> processes;
    std::optional<engine_bridge::Identity> identity;
    analysis::EngineId id{};
    std::string problem; // why there is no identity, or what last went wrong
    DeathLog deaths;
    bool changed = true;
    std::map<int, double> rounds; // by priority: how far the turns are

    // Its processes here, and what machines elsewhere search; without those that somebody who
    // looks has reserved, unless they are wanted.
    std::vector<engine_bridge::ProcessStatus> status(bool reserved = false) const {
        std::vector<engine_bridge::ProcessStatus> all = processes->status();
        std::erase_if(all, [&](const auto& process) { return process.reserved && !reserved; });
        std::ranges::move(dispatcher->elsewhere(index), std::back_inserter(all));
        return all;
    }
    // What the process does that searches for the job, reserved or not; nullopt: none of this
    // machine does.
    std::optional<engine_bridge::ProcessStatus> process_of(engine_bridge::JobId job) const {
        std::vector<engine_bridge::ProcessStatus> all = processes->status();
        const auto found = std::ranges::find(all, job, &engine_bridge::ProcessStatus::job);
        return found == all.end() ? std::nullopt : std::optional{std::move(*found)};
    }
};

// Never empty once the core stands. The first one is the default.
class Engines {
public:
    explicit Engines(std::shared_ptr<Dispatcher> dispatcher) : dispatcher_{std::move(dispatcher)} {}

    std::shared_ptr<EngineSlot> add(const engine_bridge::Profile& profile) {
        all_.push_back(std::make_shared<EngineSlot>());
        all_.back()->profile = profile;
        all_.back()->dispatcher = dispatcher_;
        return all_.back();
    }
    void keep(std::shared_ptr<EngineSlot> engine) { all_.push_back(std::move(engine)); }
    // None is left.
    std::vector<std::shared_ptr<EngineSlot>> take_all() { return std::exchange(all_, {}); }
    const std::vector<std::shared_ptr<EngineSlot>>& all() const { return all_; }
    // Null if the config has none of this name.
    EngineSlot* named(std::string_view name) const {
        const auto found = std::ranges::find_if(
            all_, [&](const auto& engine) { return engine->profile.name == name; });
        return found == all_.end() ? nullptr : found->get();
    }
    EngineSlot* of(const AnalysisRun& run) const { return named(run.record.profile); }
    const std::shared_ptr<Dispatcher>& dispatcher() const { return dispatcher_; }

private:
    std::shared_ptr<Dispatcher> dispatcher_;
    std::vector<std::shared_ptr<EngineSlot>> all_;
};

// What engines say of themselves and of positions, as the records that the store keeps.

// Without id. The version is the last word of the name where that starts with a digit.
storage::EngineRecord engine_record(const engine_bridge::Identity& who);

// The fact in an answer to a question; without id.
analysis::Evaluation evaluation_of(const engine_bridge::Answer& answer, analysis::Question question,
                                   analysis::UnixMs at);

// Who engines say they are.

// Starts one process of each, all at a time, and ends them again. By the profile's name; the error
// says why there is no identity. Blocks: little longer than `patience`, whatever the engines do.
// REQUIRES: the names differ.
std::map<std::string, std::expected<engine_bridge::Identity, std::string>>
introductions(const std::vector<engine_bridge::Profile>& engines,
              std::chrono::milliseconds patience);

} // namespace adjourn::server
