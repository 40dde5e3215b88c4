// What changed since a moment, by the graph in memory: which positions have newer facts, what their
// moves were, which values differ, and then the comparison.
#include "changes.hpp"
#include "then_and_now.hpp"

#include "analysis/records.hpp"
#include "base/free_memory.hpp"
#include "core/graphs/graph_slot.hpp"

#include <algorithm>
#include <limits>

namespace adjourn::server {

using analysis::NodeId;
using nlohmann::json;

namespace {

// What another thread reads of positions.
struct OlderFacts {
    std::vector<chess::PackedPosition> positions;
    std::vector<analysis::FactsThen> facts; // of each
    bool failed = false;

    void read(const storage::Store& store, const GraphKey& key, analysis::UnixMs since,
              analysis::UnixMs now) {
        try {
            for (const chess::PackedPosition& position : positions) {
                auto all = store.evaluations(position);
                std::erase_if(all, [&](const analysis::Evaluation& fact) {
                    return !key.holds(fact.question.engine);
                });
                facts.push_back(analysis::facts_then(key.basis, all, since, now));
            }
        } catch (const storage::StoreError&) {
            failed = true; // whoever reads all of the store will tell
        }
    }
};

class Walk : public ChangesWalk {
public:
    Walk(const AnalysisRun& run, const storage::Store& store, analysis::UnixMs since,
         analysis::UnixMs now, std::shared_ptr<const analysis::Tables> tables, std::size_t part)
        : store_{store}, record_{run.record}, root_{run.root}, since_{since}, now_{now},
          basis_{basis_of(run.record.limit, run.directives)}, tables_{std::move(tables)},
          part_{part}, slot_{run.slot}, root_node_{run.root_node} {
        record_.root_moves = run.moves_before();
        if (slot_ == nullptr || slot_->key().basis != basis_ || slot_->newest() > now_ ||
            since_ >= latest) {
            slot_ = nullptr;
            return;
        }
        graphs_ = std::make_shared<ThenAndNow>(slot_->graph());
        slot_->watch(graphs_);
    }

    bool go_on(const TimeUp& time_up) override {
        if (given_up()) {
            return true;
        }
        graphs_->take_back();
        while (stage_ != Stage::done) {
            if (stage_ >= Stage::looking_then && !settled(time_up)) {
                return given_up();
            }
            if (stage_ == Stage::reading && !read_) {
                return false;
            }
            step();
            if (given_up()) {
                return true;
            }
            if (stage_ != Stage::done && time_up()) {
                return false;
            }
        }
        graphs_->close();
        return true;
    }

    std::function<void()> elsewhere() override {
        if (given_up() || stage_ != Stage::reading || read_) {
            return nullptr;
        }
        read_ = true;
        return [older = older_, &store = store_, key = slot_->key(), since = since_, now = now_] {
            older->read(store, key, since, now);
        };
    }

    void give_up() override {
        slot_ = nullptr;
        if (graphs_ != nullptr) {
            graphs_->close();
        }
    }

    bool given_up() const override { return slot_ == nullptr; }

    Changes changes() override {
        if (!given_up()) {
            return std::move(told_);
        }
        Changes found = changes_of(store_, record_, root_, basis_, since_, now_, tables_);
        base::give_back_free_memory(); // a tree was there
        return found;
    }

    json result() override { return changes_told(changes(), root_); }

private:
    // Times beyond are alike to a graph.
    static constexpr analysis::UnixMs latest = 70'000'000'000'000;

    enum class Stage : std::uint8_t {
        counting, // what lies below the root
        searching,
        reading,
        setting,
        looking_then, // from here on all values are right
        looking_now,
        comparing,
        done
    };

    struct Touched {
        NodeId node;
        std::optional<std::size_t> older; // in older_
    };

    const analysis::Graph& graph() const { return slot_->graph(); }

    bool settled(const TimeUp& time_up) {
        const bool settled = graphs_->settle(time_up);
        if (graphs_->too_much()) {
            give_up();
            return false;
        }
        return settled;
    }

    void step() {
        constexpr std::size_t positions = 200;
        switch (stage_) {
        case Stage::counting:
            stage_ = slot_->count_on(root_node_, positions) ? Stage::searching : stage_;
            break;
        case Stage::searching: search(); break;
        case Stage::reading: stage_ = Stage::setting; break;
        case Stage::setting: set(positions / 4); break;
        case Stage::looking_then:
            told_.before = look_at(graphs_->then(), root_node_, root_, repeated());
            stage_ = Stage::looking_now;
            break;
        case Stage::looking_now:
            told_.after = look_at(graphs_->now(), root_node_, root_, repeated());
            comparison_.emplace(*graphs_, graphs_->now(), root_node_);
            stage_ = Stage::comparing;
            break;
        case Stage::comparing: compare(); break;
        case Stage::done: break;
        }
    }

    // Where newer facts are.
    void search() {
        constexpr std::uint32_t at_once = 10'000;
        const std::uint32_t end = std::min(graph().described_count(), searched_ + at_once);
        for (const auto& [node, several] : graph().newer_than(since_, searched_, end)) {
            const auto moves = graphs_->now().moves(node);
            const auto newer = static_cast<std::size_t>(std::ranges::count_if(
                moves, [&](const analysis::GraphMove& move) { return move.at > since_; }));
            newer_ += newer;
            if (several) {
                touched_.push_back({node, older_->positions.size()});
                older_->positions.push_back(graph().position(node).packed());
            } else if (newer > 0) {
                touched_.push_back({node, std::nullopt});
                told_.evaluations += in_tree(node) ? newer : 0;
            }
        }
        searched_ = end;
        if (newer_ > graph().move_count() / part_) {
            give_up(); // two trees of its own cost no more
        } else if (end == graph().described_count()) {
            stage_ = older_->positions.empty() ? Stage::setting : Stage::reading;
        }
    }

    bool in_tree(NodeId node) const {
        return slot_->below(root_node_, node) &&
               (node == root_node_ || graphs_->now().expanded(node));
    }

    // What the moves were.
    void set(std::size_t most) {
        if (older_->failed) {
            give_up();
            return;
        }
        for (; most > 0 && set_ < touched_.size(); --most) {
            const auto& [node, at] = touched_[set_++];
            static const analysis::FactsThen none;
            const analysis::FactsThen& older = at ? older_->facts[*at] : none;
            const auto moves = graphs_->now().moves(node);
            told_.evaluations += in_tree(node) ? older.newer : 0;
            if (!older.moves.empty()) {
                graphs_->set_known(node);
            }
            if (std::ranges::any_of(moves, [&](const auto& move) { return move.at > since_; })) {
                graphs_->set_then(node, analysis::moves_then(moves, older.moves, since_));
            }
        }
        stage_ = set_ == touched_.size() ? Stage::looking_then : stage_;
    }

    void compare() {
        if (!comparison_->step()) {
            told_.found = comparison_->result();
            told_.since = since_;
            told_.now = now_;
            told_.find_refutation(graph(), root_node_);
            stage_ = Stage::done;
        }
    }

    std::vector<chess::Position> repeated() const {
        const auto start = chess::Position::from_fen(record_.root_fen);
        return start ? analysis::repeated_before(*start, record_.root_moves)
                     : std::vector<chess::Position>{};
    }

    const storage::Store& store_;
    storage::AnalysisRecord record_;
    chess::Position root_;
    analysis::UnixMs since_;
    analysis::UnixMs now_;
    analysis::Basis basis_;
    std::shared_ptr<const analysis::Tables> tables_;
    std::size_t part_;
    GraphSlot* slot_; // null: given up
    NodeId root_node_;
    std::shared_ptr<ThenAndNow> graphs_;
    Stage stage_ = Stage::counting;
    std::uint32_t searched_ = 0;
    std::size_t newer_ = 0;
    std::vector<Touched> touched_;
    std::shared_ptr<OlderFacts> older_ = std::make_shared<OlderFacts>();
    bool read_ = false;
    std::size_t set_ = 0;
    std::optional<Comparison<ThenAndNow, analysis::PastGraph>> comparison_;
    Changes told_{};
};

} // namespace

std::unique_ptr<ChangesWalk> walk_changes(const AnalysisRun& run, const storage::Store& store,
                                          analysis::UnixMs since, analysis::UnixMs now,
                                          std::shared_ptr<const analysis::Tables> tables,
                                          std::size_t part) {
    return std::make_unique<Walk>(run, store, since, now, std::move(tables), part);
}

} // namespace adjourn::server
