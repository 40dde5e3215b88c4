// GraphSlot, how it is made from the store: from all facts, or from an image and those that came
// since.
#include "core/graphs/graph_slot.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace adjourn::server {

using analysis::NodeId;
using analysis::UnixMs;

namespace {

void throw_if_leaving(const std::atomic<bool>* stop) {
    if (stop != nullptr && *stop) {
        throw storage::StoreError{"the program ends before all evaluations are read"};
    }
}

} // namespace

void GraphSlot::read_all(const storage::Store& store,
                         const std::shared_ptr<const analysis::Tables>& tables,
                         const std::atomic<bool>* stop, std::span<const chess::Position> roots,
                         const GraphImages* images) {
    Loading loading{analysis::GraphReader{tables, key_.basis}, {}, {}};
    ImageBasis rests{images == nullptr ? 0 : images->settled_until(), {}, 0};
    storage::Wanted all;
    if (images != nullptr) {
        all = [&](const storage::EvaluationMark& mark) {
            if (mark.at <= rests.until) {
                rests.facts.add(mark);
            }
            return true;
        };
    }
    load(store, engine_.id, stop, all, loading);
    for (const analysis::EngineId other : key_.accepted) {
        load(store, other, stop, {}, loading);
    }
    graph_ = loading.reader.finish(roots);
    // What an image does not say: questions without an answer, and rows that could not be read.
    if (images != nullptr && loading.about_questions.empty() && damaged_.empty()) {
        rests.newest = newest_;
        images->write(key_, engine_, graph_, rests);
    }
    for (const analysis::Evaluation& fact : loading.about_questions) {
        usable(fact) ? note_answered(fact) : note_unanswered(fact);
    }
}

// Those that the image has are mostly the same.
void GraphSlot::set_roots(std::span<const chess::Position> roots) {
    std::vector<NodeId> wanted;
    for (const chess::Position& root : roots) {
        wanted.push_back(graph_.intern(root));
    }
    std::ranges::sort(wanted);
    const std::vector<NodeId> there = graph_.roots();
    std::vector<NodeId> missing, left;
    std::ranges::set_difference(wanted, there, std::back_inserter(missing));
    std::ranges::set_difference(there, wanted, std::back_inserter(left));
    std::ranges::for_each(missing, [&](NodeId root) { graph_.add_root(root); });
    std::ranges::for_each(left, [&](NodeId root) { graph_.remove_root(root); });
}

bool GraphSlot::read_image(const storage::Store& store,
                           const std::shared_ptr<const analysis::Tables>& tables,
                           const std::atomic<bool>* stop, std::span<const chess::Position> roots,
                           const GraphImages& images) {
    auto image = images.read(key_, engine_, tables);
    if (!image) {
        return false;
    }
    graph_ = std::move(image->graph);
    newest_ = image->basis.newest;
    version_ = image->basis.facts.count();
    const UnixMs until = image->basis.until;
    ImageBasis rests{images.settled_until(), {}, 0};
    FactSum known;
    std::uint64_t since = 0;
    bool answered = true;
    const auto later = [&](const storage::EvaluationMark& mark) {
        throw_if_leaving(stop);
        if (mark.at <= rests.until) {
            rests.facts.add(mark);
        }
        if (mark.at <= until) {
            known.add(mark);
        }
        return mark.at > until;
    };
    const auto take = [&](const analysis::Evaluation& fact) {
        answered = answered && usable(fact);
        if (GraphImages::few(++since, image->basis.facts.count())) {
            apply(fact);
        }
    };
    store.for_each_evaluation(engine_.id, take, set_aside(), later);
    if (known != image->basis.facts || !GraphImages::few(since, known.count())) {
        *this = GraphSlot{std::move(engine_), std::move(key_)};
        return false;
    }
    set_roots(roots);
    from_image_ = true;
    if (GraphImages::many(since, known.count()) && answered && damaged_.empty()) {
        rests.newest = newest_;
        images.write(key_, engine_, graph_, rests);
    }
    return true;
}

void GraphSlot::load(const storage::Store& store, analysis::EngineId engine,
                     const std::atomic<bool>* stop, const storage::Wanted& wanted,
                     Loading& loading) {
    const auto take = [&](const analysis::Evaluation& fact) {
        throw_if_leaving(stop);
        const bool own = engine == engine_.id;
        const chess::PackedPosition& position = fact.question.position;
        if (!usable(fact)) {
            if (own) {
                loading.unanswered.insert(position);
                loading.about_questions.push_back(fact);
            }
            return;
        }
        note_fact(fact);
        loading.reader.take(fact);
        if (own && (!key_.accepted.empty() || loading.unanswered.contains(position))) {
            loading.about_questions.push_back(fact);
        }
    };
    store.for_each_evaluation(engine, take, set_aside(), wanted);
}

storage::Damaged GraphSlot::set_aside() {
    constexpr std::size_t most_told = 100;
    return [this](const std::string& row) {
        if (damaged_.size() < most_told) {
            damaged_.push_back(row);
        }
    };
}

} // namespace adjourn::server
