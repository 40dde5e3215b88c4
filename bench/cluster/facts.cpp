#include "cluster/facts.hpp"

#include "storage/open.hpp"
#include "storage_rows/sha256.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::bench {

using analysis::Evaluation;
using nlohmann::json;

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

std::string root_text(const storage::Store& store, const storage::AnalysisRecord& analysis) {
    const auto snapshots = store.snapshots(analysis.id);
    if (snapshots.empty()) {
        return "none";
    }
    const json all = json::parse(snapshots.back().data);
    json said{{"level", snapshots.back().refine}};
    for (const char* key : {"alpha", "idea", "moves", "pv"}) {
        said[key] = all.at(key);
    }
    return said.dump();
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
    std::map<std::int64_t, std::string> roots; // in the order in which they were made
    for (const storage::AnalysisRecord& analysis : store->analyses()) {
        roots[static_cast<std::int64_t>(analysis.id)] = root_text(*store, analysis);
    }
    for (auto& [id, text] : roots) {
        facts.roots.push_back(std::move(text));
    }
    return facts;
}

std::string Facts::digest() const {
    std::string all;
    for (const auto& [question, answer] : answers) {
        all += question + ": " + answer + '\n';
    }
    for (const std::string& root : roots) {
        all += root + '\n';
    }
    std::string text;
    for (const std::uint8_t byte : storage::sha256(all)) {
        constexpr std::string_view digits = "0123456789abcdef";
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

Difference difference(const Facts& wanted, const Facts& found) {
    Difference difference;
    for (const auto& [question, answer] : wanted.answers) {
        const auto there = found.answers.find(question);
        difference.missing += there == found.answers.end() ? 1 : 0;
        difference.other += there != found.answers.end() && there->second != answer ? 1 : 0;
    }
    difference.more = found.answers.size() + difference.missing - wanted.answers.size();
    difference.roots = wanted.roots != found.roots;
    return difference;
}

} // namespace adjourn::bench
