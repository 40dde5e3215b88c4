#include "analysis/values/solve/solution.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace adjourn::analysis {

namespace {

class Solver {
public:
    Solver(const Network& network, const Plies& roots) : network_{network}, roots_{roots} {}

    Solution run() {
        const std::size_t records = network_.record_count();
        result_.ply.assign(records, Plies::unreachable);
        result_.idea.resize(records);
        result_.value.resize(records);
        result_.component.assign(records, unsolved);
        result_.support.resize(records);
        slot_.resize(records);
        measure_plies();
        solve_components();
        return std::move(result_);
    }

private:
    static constexpr std::uint32_t unsolved = std::numeric_limits<std::uint32_t>::max();

    std::int32_t& value(NodeId node) { return result_.value[network_.record_index(node)]; }
    std::uint32_t ply(NodeId node) const { return result_.ply[network_.record_index(node)]; }
    std::uint32_t component(NodeId node) const {
        return result_.component[network_.record_index(node)];
    }
    bool active(NodeId node) const { return network_.find_active(node) != nullptr; }

    void measure_plies() {
        std::vector<NodeId> queue;
        for (const auto& [root, count] : roots_.roots()) {
            if (active(root)) {
                result_.ply[network_.record_index(root)] = 0;
                queue.push_back(root);
            }
        }
        for (std::size_t next = 0; next < queue.size(); ++next) {
            for (const GraphMove& move : network_.moves(queue[next])) {
                const std::uint32_t below = ply(queue[next]) + 1;
                if (active(move.target) && below < ply(move.target)) {
                    result_.ply[network_.record_index(move.target)] = below;
                    queue.push_back(move.target);
                }
            }
        }
    }

    // Each as soon as it is found, after those that it leads to, while they are near in memory.
    void solve_components() {
        std::vector<Visit> visits(network_.record_count());
        const auto mark = [&](NodeId node) -> Visit& {
            return visits[network_.record_index(node)];
        };
        const auto inside = [&](NodeId node) { return active(node); };
        const auto emit = [&](std::span<const NodeId> nodes) {
            for (const NodeId node : nodes) {
                result_.component[network_.record_index(node)] =
                    static_cast<std::uint32_t>(result_.ends.size());
            }
            result_.nodes.insert(result_.nodes.end(), nodes.begin(), nodes.end());
            result_.ends.push_back(result_.nodes.size());
            solve_component(nodes);
        };
        for (std::uint32_t i = 0; i < network_.node_count(); ++i) {
            const NodeId node{i};
            if (active(node) && mark(node).index == 0) {
                strong_components(network_, std::span{&node, 1}, mark, inside, emit);
            }
        }
    }

    void solve_component(std::span<const NodeId> nodes) {
        if (nodes.size() == 1) {
            solve_alone(nodes[0]);
        } else {
            sweep(nodes, chess::Color::white);
            sweep(nodes, chess::Color::black);
            solve_ideas(nodes);
        }
    }

    // No cycle: both are the best move.
    void solve_alone(NodeId node) {
        int best = std::numeric_limits<int>::min();
        std::optional<chess::Score> best_idea;
        for (const GraphMove& move : network_.moves(node)) {
            const Record* target = network_.find(move.target);
            chess::Score idea = move.engine_score;
            int rank = idea.rank();
            if (!Network::keeps_engine_score(move, target)) {
                const std::uint32_t at = network_.record_index(move.target);
                idea = target->exact ? target->idea_score().backed_up()
                                     : chess::Score::decode(result_.idea[at])->backed_up();
                rank = target->exact ? idea.rank() : backed_up(result_.value[at]);
            }
            best = std::max(best, rank);
            best_idea = !best_idea || better(idea, *best_idea) ? idea : *best_idea;
        }
        const std::uint32_t index = network_.record_index(node);
        result_.value[index] = best;
        result_.idea[index] = best_idea->encode();
    }

    // A move's worth in the game, its target being solved or a leaf.
    int worth(const GraphMove& move) {
        const Record* target = network_.find(move.target);
        if (Network::keeps_engine_score(move, target)) {
            return move.engine_score.rank();
        }
        return target->exact ? target->idea_score().backed_up().rank()
                             : backed_up(value(move.target));
    }

    // Whether the move's worth depends on the component's own values.
    bool inside(const GraphMove& move, std::uint32_t own) const {
        return !move.trusted && active(move.target) && component(move.target) == own;
    }

    // Retrograde sweep: settles what is worth more than 0 for the side, best first; the value of
    // everything else is left to the other side's sweep, or 0.
    void sweep(std::span<const NodeId> nodes, chess::Color side) {
        const bool first = side == chess::Color::white;
        const std::uint32_t own = component(nodes[0]);
        struct Slot {
            std::size_t open; // moves of the other side that are not settled for us
            int worst;        // of those that are
            int settled;      // 0 = not yet
        };
        std::vector<Slot> slots(nodes.size());
        std::priority_queue<std::pair<int, std::size_t>> queue;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            slot_[network_.record_index(nodes[i])] = static_cast<std::uint32_t>(i);
            const bool mine = network_[nodes[i]].turn() == side;
            Slot& slot = slots[i];
            slot = {network_.moves(nodes[i]).size(), std::numeric_limits<int>::max(), 0};
            int best = 0;
            for (const GraphMove& move : network_.moves(nodes[i])) {
                if (inside(move, own)) {
                    continue;
                }
                const int rank = mine ? worth(move) : -worth(move);
                best = std::max(best, rank);
                if (rank > 0) {
                    --slot.open;
                    slot.worst = std::min(slot.worst, rank);
                }
            }
            if (mine && best > 0) {
                queue.emplace(best, i);
            } else if (!mine && slot.open == 0) {
                queue.emplace(slot.worst, i);
            }
        }
        std::uint32_t support = 0;
        while (!queue.empty()) {
            const auto [level, i] = queue.top();
            queue.pop();
            if (slots[i].settled != 0) {
                continue;
            }
            slots[i].settled = level;
            result_.support[network_.record_index(nodes[i])] = ++support;
            const int reached = -backed_up(level);
            network_.for_each_incoming(
                nodes[i], [&](NodeId parent, const Record& record, const GraphMove& move) {
                    if (move.trusted || component(parent) != own) {
                        return;
                    }
                    const std::size_t above = slot_[network_.record_index(parent)];
                    Slot& slot = slots[above];
                    if (record.turn() == side) {
                        queue.emplace(reached, above);
                        return;
                    }
                    slot.worst = std::min(slot.worst, reached);
                    if (--slot.open == 0) {
                        queue.emplace(slot.worst, above);
                    }
                });
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const bool mine = network_[nodes[i]].turn() == side;
            if (first) {
                value(nodes[i]) = 0;
            }
            if (slots[i].settled != 0) {
                value(nodes[i]) = mine ? slots[i].settled : -slots[i].settled;
            }
        }
    }

    void solve_ideas(std::span<const NodeId> nodes) {
        // Deepest first: the moves that close no cycle lead deeper.
        std::vector<NodeId> sorted{nodes.begin(), nodes.end()};
        std::sort(sorted.begin(), sorted.end(),
                  [&](NodeId a, NodeId b) { return ply(a) > ply(b); });
        for (const NodeId node : sorted) {
            const auto moves = network_.moves(node);
            chess::Score best = idea_of(node, moves[0]);
            for (const GraphMove& move : moves.subspan(1)) {
                const chess::Score score = idea_of(node, move);
                best = better(score, best) ? score : best;
            }
            result_.idea[network_.record_index(node)] = best.encode();
        }
    }

    chess::Score idea_of(NodeId node, const GraphMove& move) const {
        const Record* target = network_.find(move.target);
        if (target != nullptr && target->exact) {
            return target->idea_score().backed_up();
        }
        if (Network::keeps_engine_score(move, target) ||
            (component(move.target) == component(node) && ply(move.target) <= ply(node))) {
            return move.engine_score;
        }
        return chess::Score::decode(result_.idea[network_.record_index(move.target)])->backed_up();
    }

    const Network& network_;
    const Plies& roots_;
    Solution result_;
    std::vector<std::uint32_t> slot_; // of a node in the component that is being swept
};

} // namespace

Solution solve(const Network& network, const Plies& roots) {
    return Solver{network, roots}.run();
}

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
