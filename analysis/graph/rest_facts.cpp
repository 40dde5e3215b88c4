#include "analysis/graph/rest_facts.hpp"

#include "analysis/values/store/network.hpp"
#include "base/text.hpp"

#include <bit>
#include <cassert>

namespace adjourn::analysis {

namespace {

constexpr double twice = 0.99; // as a difference of efforts; limits are rounded

} // namespace

bool RestFact::covers(const RestFact& other) const {
    return effort >= other.effort && !better(score, other.score) &&
           std::includes(other.excluded.begin(), other.excluded.end(), excluded.begin(),
                         excluded.end());
}

std::optional<RestFact> RestFacts::held(std::span<const GraphMove> moves, std::size_t i) {
    const std::uint16_t note = moves[i].rest_note;
    if ((note & holds) == 0) {
        return std::nullopt;
    }
    RestFact fact{{}, moves[i].effort, moves[i].engine_score};
    for (std::size_t k = 0; k < named; ++k) {
        if ((note >> k & 1) != 0) {
            fact.excluded.push_back(moves[k].move);
        }
    }
    std::sort(fact.excluded.begin(), fact.excluded.end());
    return fact;
}

std::optional<std::uint16_t> RestFacts::note_of(std::span<const GraphMove> moves,
                                                const std::vector<chess::Move>& excluded) {
    std::uint16_t note = holds;
    std::size_t found = 0;
    for (std::size_t k = 0; found < excluded.size() && k < std::min(named, moves.size()); ++k) {
        if (std::binary_search(excluded.begin(), excluded.end(), moves[k].move)) {
            note = static_cast<std::uint16_t>(note | 1u << k);
            ++found;
        }
    }
    return found == excluded.size() ? std::optional{note} : std::nullopt;
}

// held(moves, i)->covers(fact), without making it.
bool RestFacts::held_covers(std::span<const GraphMove> moves, std::size_t i, const RestFact& fact) {
    const GraphMove& move = moves[i];
    if ((move.rest_note & holds) == 0 || move.effort < fact.effort ||
        better(move.engine_score, fact.score)) {
        return false;
    }
    for (unsigned names = move.rest_note & ~holds; names != 0; names &= names - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(names));
        if (!std::binary_search(fact.excluded.begin(), fact.excluded.end(), moves[k].move)) {
            return false;
        }
    }
    return true;
}

RestFacts::Added RestFacts::add(std::span<const GraphMove> moves, NodeId node, const RestFact& fact,
                                std::optional<std::size_t> holder) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (held_covers(moves, i, fact)) {
            return {};
        }
    }
    const auto aside = aside_.find(node);
    if (aside != aside_.end()) {
        auto& facts = aside->second;
        if (std::any_of(facts.begin(), facts.end(),
                        [&](const RestFact& other) { return other.covers(fact); })) {
            return {};
        }
        std::erase_if(facts, [&](const RestFact& other) { return fact.covers(other); });
        if (facts.empty()) {
            aside_.erase(aside);
        }
    }
    if (holder) {
        assert((moves[*holder].rest_note & holds) == 0);
        if (const auto note = note_of(moves, fact.excluded)) {
            return {true, note};
        }
    }
    aside_[node].push_back(fact);
    return {true, std::nullopt};
}

std::optional<chess::Score> RestFacts::bound(const ValueGraph& graph, NodeId node, double effort,
                                             std::span<const chess::Move> ignored) const {
    const auto moves = graph.moves(node);
    const auto covered = [&](chess::Move move) {
        return base::contains(ignored, move) ||
               std::any_of(moves.begin(), moves.end(), [&](const GraphMove& other) {
                   return other.move == move && other.effort >= effort;
               });
    };
    std::optional<chess::Score> lowest;
    const auto lower = [&](double of, chess::Score score) {
        return of >= effort && (!lowest || better(*lowest, score));
    };
    for (const GraphMove& move : moves) { // as of held(), without making it
        bool all = (move.rest_note & holds) != 0 && lower(move.effort, move.engine_score);
        for (unsigned names = move.rest_note & ~holds; all && names != 0; names &= names - 1) {
            const GraphMove& named = moves[static_cast<std::size_t>(std::countr_zero(names))];
            all = named.effort >= effort || base::contains(ignored, named.move);
        }
        if (all) {
            lowest = move.engine_score;
        }
    }
    if (const auto aside = aside_.find(node); aside != aside_.end()) {
        for (const RestFact& fact : aside->second) {
            if (lower(fact.effort, fact.score) && std::ranges::all_of(fact.excluded, covered)) {
                lowest = fact.score;
            }
        }
    }
    return lowest;
}

std::optional<chess::Score> RestFacts::ceiling(std::span<const GraphMove> moves, NodeId node,
                                               std::size_t i) const {
    std::optional<RestFact> largest;
    const auto consider = [&](const RestFact& fact) {
        const bool free = !std::ranges::binary_search(fact.excluded, moves[i].move);
        if (free && fact.effort >= moves[i].effort + twice &&
            (!largest || fact.effort > largest->effort ||
             (fact.effort == largest->effort && better(largest->score, fact.score)))) {
            largest = fact;
        }
    };
    for (std::size_t k = 0; k < moves.size(); ++k) {
        if (const auto fact = held(moves, k)) {
            consider(*fact);
        }
    }
    if (const auto aside = aside_.find(node); aside != aside_.end()) {
        std::for_each(aside->second.begin(), aside->second.end(), consider);
    }
    return largest ? std::optional{largest->score} : std::nullopt;
}

std::size_t RestFacts::memory() const {
    std::size_t result = aside_.bucket_count() * sizeof(void*);
    for (const auto& [node, facts] : aside_) {
        result += sizeof(std::pair<NodeId, std::vector<RestFact>>) + 2 * sizeof(void*) +
                  facts.capacity() * sizeof(RestFact);
        for (const RestFact& fact : facts) {
            result += fact.excluded.capacity() * sizeof(chess::Move);
        }
    }
    return result;
}

} // namespace adjourn::analysis
