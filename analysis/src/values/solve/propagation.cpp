#include "propagation.hpp"

#include "game_update.hpp"
#include "ideas.hpp"

#include <algorithm>
#include <limits>

namespace adjourn::analysis {

void Propagation::push(NodeId node, const Record& record, int before, int now, bool value,
                       bool idea) {
    notes_.push({record.phi, order_.order(record), ComponentOrder::of(node, record), node, before,
                 now, value, idea, false});
}

void Propagation::note_value(NodeId node, int before, int now) {
    const Record* record = network_.find_active(node);
    if (record != nullptr && before != now) {
        push(node, *record, before, now, true, false);
    }
}

void Propagation::note_idea(NodeId node) {
    if (const Record* record = network_.find_active(node)) {
        push(node, *record, 0, 0, false, true);
    }
}

void Propagation::note_joined(NodeId node) {
    const Record* record = network_.find_active(node);
    if (record != nullptr && record->value != 0) {
        notes_.push({record->phi, order_.order(*record), ComponentOrder::of(node, *record), node, 0,
                     0, true, false, true});
    }
}

void Propagation::note_new(NodeId node) {
    Record& record = network_[node];
    record.value = 0;
    new_ = node;
    has_new_ = true;
    push(node, record, 0, 0, true, true);
}

std::vector<NodeId> Propagation::run() {
    std::vector<Note> same;
    while (!notes_.empty()) {
        same.clear();
        const Component component = notes_.top().component;
        bool value = false;
        bool idea = false;
        while (!notes_.empty() && notes_.top().component == component) {
            same.push_back(notes_.top());
            value = value || same.back().value;
            idea = idea || same.back().idea;
            notes_.pop();
        }
        if (ComponentOrder::is_group(component)) {
            if (value) {
                solve_group_values(component, same);
            }
            if (idea) {
                solve_group_ideas(component, same);
            }
        } else {
            solve_alone(same.front().node, value, idea);
        }
    }
    std::sort(changed_.begin(), changed_.end());
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    return std::move(changed_);
}

// No cycle: the best move.
void Propagation::solve_alone(NodeId node, bool value, bool idea) {
    Record& record = network_[node];
    const int value_before = record.value;
    const std::uint32_t idea_before = record.idea;
    if (value) {
        int best = std::numeric_limits<int>::min();
        for (const GraphMove& move : network_.moves(node)) {
            best = std::max(best, network_.game_rank(move));
        }
        record.value = best;
    }
    if (idea) {
        record.idea = best_idea(network_, node, record).encode();
    }
    tell_parents(node, value_before, record.value != value_before, record.idea != idea_before);
}

void Propagation::resettle(GameUpdate& side, const Region& region,
                           const std::vector<Note>& notes) const {
    for (const Note& note : notes) {
        if (has_new_ && note.node == new_) {
            side.look_at(new_);
            network_.for_each_incoming(
                new_, [&](NodeId parent, const Record& record, const GraphMove& move) {
                    if (!move.trusted && region.contains(parent, &record)) {
                        side.note(parent, move.engine_score.rank(), 0);
                    }
                });
        } else if (note.joined) {
            side.unsettle(note.node);
        } else if (note.value) {
            side.note(note.node, note.before, note.now);
        }
    }
    side.run();
}

void Propagation::solve_group_values(Component component, const std::vector<Note>& notes) {
    const Record& any = network_[notes.front().node];
    const Region region{network_, order_, any.phi, component, std::nullopt, nullptr};
    GameUpdate white{region, chess::Color::white};
    GameUpdate black{region, chess::Color::black};
    resettle(white, region, notes);
    resettle(black, region, notes);
    // A position is better than 0 for one side at most, so the gains add up to the value.
    FlatMap<int> values;
    const auto collect = [&](NodeId node, const GameUpdate::Standing&) {
        const int value = white.gain(node) - black.gain(node);
        values.insert(index_of(node), network_[node].black ? -value : value);
    };
    white.for_each_touched(collect);
    black.for_each_touched(collect);
    std::vector<std::pair<NodeId, int>> before; // what changed, with the old value
    values.for_each([&](std::uint32_t index, int value) {
        Record& record = network_[NodeId{index}];
        if (record.value != value) {
            before.emplace_back(NodeId{index}, int{record.value});
            record.value = value;
        }
    });
    for (const GameUpdate* side : {&white, &black}) {
        side->for_each_touched([&](NodeId node, const GameUpdate::Standing& standing) {
            if (standing.gain > 0) {
                network_.set_support(node, standing.support);
            }
        });
    }
    bool new_told = !has_new_;
    for (const auto& [node, value] : before) {
        new_told = new_told || node == new_;
        tell_parents(node, value, true, false);
    }
    const bool holds_new =
        has_new_ && std::any_of(notes.begin(), notes.end(),
                                [&](const Note& note) { return note.node == new_; });
    if (holds_new && !new_told) {
        tell_parents(new_, 0, false, false);
    }
}

void Propagation::solve_group_ideas(Component component, const std::vector<Note>& notes) {
    // Moves that close no cycle lead one ply deeper, so deepest first is children first.
    struct Entry {
        std::uint32_t ply;
        NodeId node;

        bool operator<(const Entry& other) const {
            return ply != other.ply ? ply < other.ply : node < other.node;
        }
        bool operator==(const Entry&) const = default;
    };
    std::priority_queue<Entry> queue;
    for (const Note& note : notes) {
        if (note.idea) {
            queue.push({network_[note.node].ply, note.node});
        }
    }
    while (!queue.empty()) {
        const Entry entry = queue.top();
        while (!queue.empty() && queue.top() == entry) {
            queue.pop();
        }
        Record& record = network_[entry.node];
        const std::uint32_t idea = best_idea(network_, entry.node, record).encode();
        if (idea == record.idea && !(has_new_ && entry.node == new_)) {
            continue;
        }
        record.idea = idea;
        network_.for_each_parent(entry.node, [&](NodeId parent) {
            const Record& above = network_[parent];
            if (above.active() && ComponentOrder::of(parent, above) == component &&
                above.ply < record.ply) {
                queue.push({above.ply, parent});
            }
        });
        tell_parents(entry.node, record.value, false, true);
    }
}

// Notes for the parents outside the node's own component.
void Propagation::tell_parents(NodeId node, int value_before, bool value_changed,
                               bool idea_changed) {
    const bool is_new = has_new_ && node == new_;
    if (!value_changed && !idea_changed && !is_new) {
        return;
    }
    changed_.push_back(node);
    const Record& record = network_[node];
    const int now = backed_up(record.value);
    network_.for_each_incoming(
        node, [&](NodeId parent, const Record& above, const GraphMove& move) {
            if (move.trusted || ComponentOrder::together(above, record)) {
                return;
            }
            const int before = is_new ? move.engine_score.rank() : backed_up(value_before);
            const bool value = (value_changed || is_new) && before != now;
            if (value || idea_changed || is_new) {
                push(parent, above, before, now, value, idea_changed || is_new);
            }
        });
}

} // namespace adjourn::analysis
