#include "core/graphs/graph_slot.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>

namespace adjourn::server {

using analysis::NodeId;
using analysis::UnixMs;

namespace {

std::string reason_of(const analysis::Evaluation& evaluation) {
    return evaluation.score ? "the search ended with a bound only, not with a score"
                            : "the engine gave a move without a score";
}

// A minute after the first round of tries, four times as long after each further three tries, six
// hours at most.
analysis::UnixMs pause_after(int attempts) {
    constexpr int attempts_a_round = 3;
    constexpr analysis::UnixMs minute = 60'000;
    constexpr analysis::UnixMs longest = 6 * 60 * minute;
    const int rounds = std::clamp((attempts - 1) / attempts_a_round, 0, 8);
    return std::min(longest, minute << (2 * rounds));
}

void throw_if_leaving(const std::atomic<bool>* stop) {
    if (stop != nullptr && *stop) {
        throw storage::StoreError{"the program ends before all evaluations are read"};
    }
}

} // namespace

std::size_t NodeQuestionHash::operator()(const NodeQuestion& asked) const noexcept {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL * (static_cast<std::uint64_t>(asked.node) + 1);
    const auto mix = [&hash](std::uint64_t value) {
        hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
        hash *= 0xbf58476d1ce4e5b9ULL;
    };
    mix(static_cast<std::uint64_t>(asked.limit.kind));
    mix(asked.limit.amount);
    for (const chess::Move move : asked.excluded) {
        mix(move.raw());
    }
    return hash ^ (hash >> 31);
}

bool usable(const analysis::Evaluation& evaluation) {
    return evaluation.move && evaluation.score && evaluation.bound == analysis::Bound::exact;
}

std::vector<analysis::EngineId> named_engines(const std::vector<storage::EngineRecord>& engines,
                                              const std::vector<std::string>& names,
                                              analysis::EngineId own) {
    std::vector<analysis::EngineId> named;
    if (names.empty()) {
        return named;
    }
    for (const storage::EngineRecord& engine : engines) {
        const bool wanted = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
            return name == "any" || name == engine.name || name == engine.fingerprint();
        });
        if (wanted && engine.id != own) {
            named.push_back(engine.id);
        }
    }
    std::sort(named.begin(), named.end());
    return named;
}

GraphSlot::GraphSlot(const storage::Store& store, storage::EngineRecord engine,
                     std::shared_ptr<const analysis::Tables> tables, GraphKey key,
                     const std::atomic<bool>* stop, std::span<const chess::Position> roots)
    : engine_{std::move(engine)}, key_{std::move(key)} {
    read_all(store, tables, stop, roots);
    for (const storage::FailureRecord& failure : store.failures(engine_.id, set_aside())) {
        if (auto position = chess::Position::unpack(failure.question.position)) {
            keep_failed(
                {graph_.intern(*position), failure.question.limit, failure.question.excluded},
                {failure.reason, failure.attempts, failure.at});
        }
    }
}

analysis::NodeId GraphSlot::intern(const chess::Position& position) {
    if (const auto known = graph_.find(position.packed())) {
        return *known;
    }
    const GraphWriting writing{*lock_};
    return graph_.intern(position);
}

void GraphSlot::add_root(analysis::NodeId root) {
    const GraphWriting writing{*lock_};
    if (const auto known = std::find(left_.begin(), left_.end(), root); known != left_.end()) {
        left_.erase(known);
    } else {
        graph_.add_root(root);
    }
    for (const analysis::NodeId other : std::exchange(left_, {})) {
        graph_.remove_root(other);
    }
}

void GraphSlot::remove_root(analysis::NodeId root, bool last) {
    if (last) {
        left_.push_back(root);
    } else {
        const GraphWriting writing{*lock_};
        graph_.remove_root(root);
    }
}

bool GraphKey::holds(analysis::EngineId other) const {
    return other == engine || renews(other) ||
           std::binary_search(accepted.begin(), accepted.end(), other);
}

bool GraphKey::renews(analysis::EngineId other) const {
    return std::binary_search(renewed.begin(), renewed.end(), other);
}

std::vector<analysis::EngineId> GraphKey::engines() const {
    std::vector<analysis::EngineId> all = renewed; // first: renewed() looks at what was there
    all.push_back(engine);
    all.insert(all.end(), accepted.begin(), accepted.end());
    return all;
}

analysis::Basis basis_of(const analysis::Limit& limit, const std::vector<Directive>& directives) {
    analysis::Basis basis{analysis::least_effort(limit), {}};
    for (const Directive* directive : in_force(directives)) {
        const auto about = move_of(directive->action);
        if (!about) {
            continue;
        }
        const analysis::ExcludedMove move{directive->position, *about};
        std::erase(basis.excluded, move); // a later word on a move replaces the earlier one
        if (std::holds_alternative<Exclude>(directive->action)) {
            basis.excluded.push_back(move);
        }
    }
    std::sort(basis.excluded.begin(), basis.excluded.end());
    return basis;
}

analysis::QuestionState GraphSlot::state(const NodeQuestion& asked) const {
    if (pending_.contains(asked) || waits(asked)) {
        return analysis::QuestionState::pending;
    }
    if (answered_.contains(asked)) {
        return analysis::QuestionState::dead;
    }
    const auto failed = failed_.find(asked);
    return failed != failed_.end() && !failed->second.due ? analysis::QuestionState::failed
                                                          : analysis::QuestionState::open;
}

bool GraphSlot::court_is_out(analysis::NodeId node) const {
    const chess::Position position = graph_.position(node);
    const std::size_t all = position.legal_moves().size();
    const auto is_court = [&](const std::vector<chess::Move>& excluded) {
        return !excluded.empty() && all >= excluded.size() + 2 &&
               all <= excluded.size() + analysis::JointSearch::most_moves;
    };
    return (waits_at(node) && std::ranges::any_of(pending_,
                                                  [&](const NodeQuestion& asked) {
                                                      return asked.node == node &&
                                                             is_court(asked.excluded);
                                                  })) ||
           std::ranges::any_of(waiting_, [&](const analysis::Evaluation& fact) {
               return fact.question.position == position.packed() &&
                      is_court(fact.question.excluded);
           });
}

void GraphSlot::mark_pending(const NodeQuestion& asked) {
    if (pending_.insert(asked).second) {
        ++pending_at_[asked.node];
    }
}

void GraphSlot::unmark_pending(const NodeQuestion& asked) {
    if (pending_.erase(asked) > 0 && --pending_at_[asked.node] == 0) {
        pending_at_.erase(asked.node);
    }
}

void GraphSlot::mark_failed(const NodeQuestion& asked, std::string reason, int attempts,
                            analysis::UnixMs at) {
    const int all = this->attempts(asked) + attempts;
    keep_failed(asked, {std::move(reason), all, at});
}

void GraphSlot::keep_failed(const NodeQuestion& asked, Failed failed) {
    next_retry_ = failed.due ? next_retry_ : 0;
    auto& here = failed_at_[asked.node];
    std::erase(here, asked);
    here.push_back(asked);
    failed_.insert_or_assign(asked, std::move(failed));
}

void GraphSlot::forget_failed(const NodeQuestion& asked) {
    if (failed_.erase(asked) == 0) {
        return;
    }
    look_again_ = true;
    auto& here = failed_at_[asked.node];
    std::erase(here, asked);
    if (here.empty()) {
        failed_at_.erase(asked.node);
    }
}

int GraphSlot::attempts(const NodeQuestion& asked) const {
    const auto found = failed_.find(asked);
    return found == failed_.end() ? 0 : found->second.attempts;
}

void GraphSlot::retry_failed() {
    for (auto& [asked, failed] : failed_) {
        failed.due = true;
    }
    next_retry_ = never;
    look_again_ = true; // also those that nobody has told to go on
}

bool GraphSlot::retry_due(analysis::UnixMs now, analysis::UnixMs steady) {
    bool any = std::exchange(look_again_, false);
    if (steady < next_retry_) {
        return any;
    }
    next_retry_ = never;
    for (auto& [asked, failed] : failed_) {
        if (failed.due) {
            continue;
        }
        if (!failed.retry_at) {
            const analysis::UnixMs pause = pause_after(failed.attempts);
            failed.retry_at =
                steady + std::clamp<analysis::UnixMs>(failed.at + pause - now, 0, pause);
        }
        failed.due = *failed.retry_at <= steady;
        any = any || failed.due;
        next_retry_ = failed.due ? next_retry_ : std::min(next_retry_, *failed.retry_at);
    }
    return any;
}

std::string GraphSlot::failure_at(analysis::NodeId node) const {
    const auto found = failed_at_.find(node);
    return found == failed_at_.end() ? "" : failure_of(found->second.back());
}

std::string GraphSlot::failure_of(const NodeQuestion& asked) const {
    const auto found = failed_.find(asked);
    return found == failed_.end() ? "" : found->second.reason;
}

std::size_t GraphSlot::positions_of_root(analysis::NodeId root) const {
    constexpr std::size_t at_once = 2'000;
    count_on(root, at_once);
    return reaches_.at(root).expanded();
}

bool GraphSlot::count_on(analysis::NodeId root, std::size_t most) const {
    return reaches_.try_emplace(root, root).first->second.go_on(graph_, most);
}

std::size_t GraphSlot::positions_below(analysis::NodeId node, std::size_t most) const {
    constexpr std::size_t worth_keeping = 1'000;
    constexpr std::size_t most_kept = 10'000;
    {
        const std::scoped_lock lock{*kept_};
        const auto found = counted_.find(node);
        if (found != counted_.end() && found->second.most == most) {
            const Counted& old = found->second;
            const std::uint64_t since = version_ - old.version;
            if (since == 0 || old.positions == most || // nothing is ever taken away
                since <= old.positions / 100) {
                return old.positions;
            }
        }
    }
    const std::size_t positions = graph_.count_below(node, most);
    if (positions >= worth_keeping) {
        const std::scoped_lock lock{*kept_};
        if (counted_.size() >= most_kept) {
            counted_.clear();
        }
        counted_[node] = {positions, most, version_};
    }
    return positions;
}

std::optional<analysis::Noise> GraphSlot::noise() const {
    const std::size_t moves = graph_.move_count();
    {
        const std::scoped_lock lock{*kept_};
        if (noise_moves_ != 0 && moves <= noise_moves_ + noise_moves_ / 4) {
            return noise_;
        }
    }
    const auto noise = analysis::measure_noise(graph_);
    const std::scoped_lock lock{*kept_};
    noise_ = noise;
    noise_moves_ = moves;
    return noise_;
}

std::vector<analysis::NodeId> GraphSlot::apply(const analysis::Evaluation& evaluation) {
    return apply_all(std::span{&evaluation, 1});
}

std::vector<analysis::NodeId> GraphSlot::apply_all(std::span<const analysis::Evaluation> facts) {
    const GraphWriting writing{*lock_};
    return take_in_all(facts);
}

std::optional<std::vector<analysis::NodeId>>
GraphSlot::apply_soon(const analysis::Evaluation& evaluation) {
    waiting_.push_back(evaluation);
    return take_waiting();
}

std::optional<std::vector<analysis::NodeId>> GraphSlot::take_waiting() {
    if (waiting_.empty() || !lock_->try_write()) {
        return std::nullopt;
    }
    const GraphWriting writing{*lock_, GraphWriting::begun};
    return take_in_all(std::exchange(waiting_, {}));
}

std::vector<analysis::NodeId> GraphSlot::take_in_all(std::span<const analysis::Evaluation> facts) {
    std::vector<analysis::NodeId> changed;
    for (const analysis::Evaluation& fact : facts) {
        const auto nodes = take_in(fact);
        changed.insert(changed.end(), nodes.begin(), nodes.end());
    }
    return changed;
}

analysis::UnixMs GraphSlot::complete_until(analysis::UnixMs now) const {
    for (const analysis::Evaluation& fact : waiting_) {
        now = std::min(now, fact.at - 1);
    }
    return now;
}

bool GraphSlot::waits(const NodeQuestion& asked) const {
    return !waiting_.empty() &&
           std::ranges::any_of(waiting_, [&](const analysis::Evaluation& fact) {
               return fact.question.engine == engine_.id && fact.question.limit == asked.limit &&
                      fact.question.excluded == asked.excluded &&
                      fact.question.position == graph_.position(asked.node).packed();
           });
}

std::vector<analysis::NodeId> GraphSlot::take_in(const analysis::Evaluation& evaluation) {
    if (!usable(evaluation)) {
        note_unanswered(evaluation);
        return {};
    }
    note_fact(evaluation);
    std::vector<analysis::NodeId> changed =
        key_.renews(evaluation.question.engine)
            ? graph_.apply(analysis::provisional(evaluation, key_.basis))
            : graph_.apply(evaluation);
    if (!reaches_.empty()) {
        if (const auto node = graph_.find(evaluation.question.position)) {
            for (auto& [root, reach] : reaches_) {
                reach.grown(*node);
            }
        }
    }
    note_answered(evaluation);
    return changed;
}

void GraphSlot::note_fact(const analysis::Evaluation& evaluation) {
    ++version_;
    newest_ = std::max(newest_, evaluation.at);
    if (key_.renewed.empty() || !evaluation.question.excluded.empty() ||
        !analysis::counts(key_.basis, evaluation)) {
        return;
    }
    const chess::PackedPosition& position = evaluation.question.position;
    if (key_.renews(evaluation.question.engine)) {
        said_before_.insert_or_assign(position, *evaluation.score);
    } else if (const auto before = said_before_.find(position);
               before != said_before_.end() && evaluation.question.engine == engine_.id) {
        const auto apart =
            static_cast<std::size_t>(std::abs(evaluation.score->rank() - before->second.rank()));
        ++apart_[std::min(apart, apart_.size() - 1)];
        said_before_.erase(before);
    }
}

GraphSlot::Renewed GraphSlot::renewed(double within) const {
    const auto all = std::accumulate(apart_.begin(), apart_.end(), std::size_t{0});
    const auto near = std::min(static_cast<std::size_t>(within) + 1, apart_.size() - 1);
    return {said_before_.size() + all, all,
            std::accumulate(apart_.begin(), apart_.begin() + static_cast<std::ptrdiff_t>(near),
                            std::size_t{0})};
}

void GraphSlot::note_unanswered(const analysis::Evaluation& evaluation) {
    if (evaluation.question.engine != engine_.id) {
        return; // nobody asks another engine again
    }
    if (auto position = chess::Position::unpack(evaluation.question.position)) {
        keep_failed(
            {graph_.intern(*position), evaluation.question.limit, evaluation.question.excluded},
            {reason_of(evaluation), 0, 0, {}, true}); // kept by an older version: no answer
    }
}

void GraphSlot::note_answered(const analysis::Evaluation& evaluation) {
    const bool own = evaluation.question.engine == engine_.id;
    if (own && (key_.mixed() || !failed_.empty())) {
        if (const auto node = graph_.find(evaluation.question.position)) {
            const NodeQuestion asked{*node, evaluation.question.limit,
                                     evaluation.question.excluded};
            forget_failed(asked);
            if (key_.mixed()) {
                answered_.insert(asked); // an accepted fact of larger effort may stand in its place
            }
        }
    }
}

// GraphSlot, how it is made from the facts of the store.

void GraphSlot::read_all(const storage::Store& store,
                         const std::shared_ptr<const analysis::Tables>& tables,
                         const std::atomic<bool>* stop, std::span<const chess::Position> roots) {
    Loading loading{analysis::GraphReader{tables, key_.basis}, {}, {}};
    for (const analysis::EngineId engine : key_.engines()) {
        load(store, engine, stop, loading);
    }
    graph_ = loading.reader.finish(roots);
    for (const analysis::Evaluation& fact : loading.about_questions) {
        usable(fact) ? note_answered(fact) : note_unanswered(fact);
    }
}

void GraphSlot::load(const storage::Store& store, analysis::EngineId engine,
                     const std::atomic<bool>* stop, Loading& loading) {
    const auto take = [&](const analysis::Evaluation& fact) {
        throw_if_leaving(stop);
        const bool own = engine == engine_.id;
        const bool renewed = key_.renews(engine);
        const chess::PackedPosition& position = fact.question.position;
        if (!usable(fact)) {
            if (own) {
                loading.unanswered.insert(position);
                loading.about_questions.push_back(fact);
            }
            return;
        }
        note_fact(fact);
        if (renewed) {
            loading.reader.take(analysis::provisional(fact, key_.basis));
        } else {
            loading.reader.take(fact);
        }
        if (own && (key_.mixed() || loading.unanswered.contains(position))) {
            loading.about_questions.push_back(fact);
        }
    };
    store.for_each_evaluation(engine, take, set_aside());
}

storage::Damaged GraphSlot::set_aside() {
    constexpr std::size_t most_told = 100;
    return [this](const std::string& row) {
        if (damaged_.size() < most_told) {
            damaged_.push_back(row);
        }
    };
}

void Reach::grown(analysis::NodeId node) {
    const auto at = static_cast<std::size_t>(node);
    if (at < marks_.size() && (marks_[at] & reached) != 0) {
        open_.push_back(node);
    }
}

bool Reach::go_on(const analysis::Graph& graph, std::size_t most) {
    for (; most > 0 && !open_.empty(); --most) {
        const analysis::NodeId node = open_.back();
        open_.pop_back();
        const auto moves = graph.moves(node);
        std::uint8_t& marks = marks_[static_cast<std::size_t>(node)];
        if (!moves.empty() && (marks & counted) == 0) {
            marks |= counted;
            ++expanded_;
        }
        for (const analysis::GraphMove& move : moves) {
            reach(move.target);
        }
    }
    return open_.empty();
}

void Reach::reach(analysis::NodeId node) {
    const auto at = static_cast<std::size_t>(node);
    if (at >= marks_.size()) {
        marks_.resize(std::max(at + 1, marks_.size() + marks_.size() / 2));
    }
    if ((marks_[at] & reached) == 0) {
        marks_[at] |= reached;
        open_.push_back(node);
    }
}

} // namespace adjourn::server
