#include "cluster/facts.hpp"

#include "storage/open.hpp"

#include <algorithm>

namespace adjourn::bench {

using analysis::Evaluation;

namespace {

void add(std::string& to, std::int64_t number) {
    to += std::to_string(number) + ' ';
}

std::string question_text(const Evaluation& fact) {
    const auto& bytes = fact.question.position.bytes;
    std::string text{bytes.begin(), bytes.end()};
    add(text, static_cast<int>(fact.question.limit.kind));
    add(text, static_cast<std::int64_t>(fact.question.limit.amount));
    for (const chess::Move move : fact.question.excluded) {
        add(text, move.raw());
    }
    return text;
}

std::string answer_text(const Evaluation& fact) {
    std::string text;
    add(text, fact.move ? fact.move->raw() : -1);
    add(text, fact.score ? static_cast<int>(fact.score->kind()) : -1);
    add(text, fact.score ? fact.score->rank() : 0);
    add(text, static_cast<int>(fact.bound));
    add(text, fact.depth);
    add(text, fact.seldepth);
    add(text, static_cast<std::int64_t>(fact.nodes));
    for (const chess::Move move : fact.pv) {
        add(text, move.raw());
    }
    return text;
}

} // namespace

Facts read_facts(const std::filesystem::path& place) {
    const auto store = storage::open_store(place, storage::OpenMode::read);
    Facts facts;
    for (const storage::EngineRecord& engine : store->engines()) {
        store->for_each_evaluation(engine.id, [&](const Evaluation& fact) {
            facts.doubled +=
                facts.answers.emplace(question_text(fact), answer_text(fact)).second ? 0 : 1;
        });
    }
    return facts;
}

std::size_t answered_differently(const Facts& one, const Facts& other) {
    return static_cast<std::size_t>(std::ranges::count_if(one.answers, [&](const auto& entry) {
        const auto there = other.answers.find(entry.first);
        return there != other.answers.end() && there->second != entry.second;
    }));
}

} // namespace adjourn::bench
