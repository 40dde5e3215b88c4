#include "summary.hpp"

#include "analysis/move_order.hpp"
#include "changes.hpp"
#include "core/graphs/graph_slot.hpp"
#include "core/records/labels.hpp"
#include "core/records/snapshot.hpp"

#include <algorithm>

namespace adjourn::server {

using nlohmann::json;

namespace {

// The moves of the game that were played since then: whether the tree had each before it was
// played, and which move it holds for the best there now.
json played_since(const AnalysisRun& run, analysis::UnixMs since) {
    json out = json::array();
    const std::vector<analysis::UnixMs> at = played_at(run.directives);
    chess::Position position = run.made_at;
    for (std::size_t i = 0; i < run.played.size(); ++i) {
        const chess::Move move = run.played[i];
        if (at[i] > since) {
            json entry = move_json(position, move);
            entry["at"] = at[i];
            entry["in_tree"] = false;
            entry["best"] = nullptr;
            const auto* slot = run.shown();
            const auto node =
                slot == nullptr ? std::nullopt : slot->graph().find(position.packed());
            if (node && slot->graph().expanded(*node)) {
                const auto moves = slot->graph().moves(*node);
                const auto known = std::ranges::find(moves, move, &analysis::GraphMove::move);
                entry["in_tree"] = known != moves.end() && known->at <= at[i];
                entry["best"] =
                    move_json(position, moves[ordered(slot->graph(), *node).front()].move);
            }
            out.push_back(std::move(entry));
        }
        position.play(move);
    }
    return out;
}

// The deepest level of the present root that had settled by then, of the tree that the analysis has
// now: it was counted from 1 again where that is another one.
int settled_then(const AnalysisRun& run, analysis::UnixMs since) {
    int level = 0;
    for (const storage::SnapshotRecord& snapshot : run.snapshots) {
        if (snapshot.at <= since && same_rules(snapshot.data, run.snapshots.back().data)) {
            level = std::max(level, snapshot.refine);
        }
    }
    return std::min(level, settled_level(run));
}

} // namespace

Summary::Summary(const Core& core, analysis::UnixMs since)
    : core_{core}, since_{since}, now_{core.now()} {
    for (const auto& run : core.queue().runs()) {
        left_.push_back(run->record.id);
    }
}

void Summary::begin(const AnalysisRun& run) {
    const GraphSlot* slot = run.shown();
    json played = played_since(run, since_);
    if (played.empty() && slot != nullptr && slot->newest() <= since_) {
        ++unchanged_;
        return;
    }
    Entry entry;
    entry.head = {
        {"id", static_cast<std::int64_t>(run.record.id)},
        {"name", run.record.name},
        {"game", game_json(run.spec.labels.game)},
        {"fen", run.root.fen()},
        {"state", word(run.record.state)},
        {"reason", run.record.state_reason.empty() ? json() : json(run.record.state_reason)},
        {"settled", {{"before", settled_then(run, since_)}, {"after", settled_level(run)}}},
        {"played", std::move(played)},
        {"changes", nullptr}};
    if (slot != nullptr) {
        entry.walk = walk_changes(run, core_.store(), since_, core_.now(), core_.tables());
        entry.slot = run.slot;
        looking_ = true;
    }
    entries_.push_back(std::move(entry));
}

bool Summary::go_on(const TimeUp& time_up) {
    while (!left_.empty()) {
        const AnalysisRun* run = core_.queue().find(left_.front());
        if (!looking_ && run != nullptr) {
            begin(*run);
        }
        if (looking_) {
            Entry& entry = entries_.back();
            if (run == nullptr || run->slot != entry.slot) {
                entry.walk->give_up(); // it goes on by the store alone
            }
            if (!entry.walk->given_up() && !entry.walk->go_on(time_up)) {
                return false;
            }
            looking_ = false;
        }
        left_.pop_front();
        if (!left_.empty() && time_up()) {
            return false;
        }
    }
    return true;
}

std::function<void()> Summary::elsewhere() {
    return looking_ ? entries_.back().walk->elsewhere() : nullptr;
}

json Summary::result() {
    json analyses = json::array();
    for (Entry& entry : entries_) {
        if (entry.walk != nullptr) {
            entry.head["changes"] = entry.walk->result();
            entry.walk.reset();
        }
        const json& changes = entry.head["changes"];
        if (changes.is_object() && changes["evaluations"] == 0 && entry.head["played"].empty()) {
            ++unchanged_; // others of its engine were asked
        } else {
            analyses.push_back(std::move(entry.head));
        }
    }
    return {{"since", since_},
            {"now", now_},
            {"analyses", std::move(analyses)},
            {"unchanged", unchanged_}};
}

} // namespace adjourn::server
