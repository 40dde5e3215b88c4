#include "bench/strategies/assessments.hpp"

#include "bench/strategies/course.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace adjourn::bench {

namespace {

constexpr std::uint64_t filter_nodes = 20'000; // of each of two searches
constexpr int decided_game = 1'000;            // cp
constexpr int most_ahead = 150;                // cp, of a contested root
constexpr int widest_gap = 30;                 // cp, to its second move

} // namespace

int bounded_value(chess::Score score) {
    return std::clamp(score.rank(), -decided_game, decided_game);
}

std::optional<Assessment> assessment_of_search(const chess::Position& root, std::uint64_t nodes,
                                               int lines, Conversation& engine) {
    engine.begin();
    const Found found = engine.ask({root, nodes, {}, lines});
    if (found.lines.empty()) {
        return std::nullopt;
    }
    Assessment assessment{found.lines.front().move, {}};
    assessment.score = found.lines.front().score;
    for (const Found::Line& line : found.lines) {
        assessment.values.emplace(line.move, bounded_value(line.score));
    }
    return assessment;
}

std::optional<Assessment> assessment_of_tree(const TreeRequest& request, Conversation& engine) {
    engine.begin();
    CourseRequest wanted{
        request.root, request.parameters, {analysis::Limit::Kind::nodes, request.nodes}};
    wanted.budget = static_cast<std::size_t>(request.total / request.nodes);
    wanted.margin = request.margin;
    Course course = follow_course(wanted, engine);
    if (!course.choice) {
        return std::nullopt;
    }
    Assessment assessment{*course.choice, {}, std::move(course.estimates), std::move(course.facts)};
    assessment.score = course.values.at(*course.choice);
    assessment.shown = course.proven || course.finished;
    for (const auto& [move, value] : course.values) {
        assessment.values.emplace(move, bounded_value(value));
    }
    return assessment;
}

namespace {

// Of the position after the move.
std::optional<double> value_below(const chess::Position& root, chess::Move move,
                                  std::uint64_t nodes, Conversation& engine) {
    const chess::Position after = root.after(move);
    if (const auto end = after.terminal(); end != chess::Terminal::no) {
        return end == chess::Terminal::checkmate ? decided_game : 0;
    }
    engine.begin();
    const Found found = engine.ask({after, nodes, {}, 1});
    return found.lines.empty()
               ? std::nullopt
               : std::optional<double>{bounded_value(found.lines.front().score.backed_up())};
}

} // namespace

std::optional<Judgement> judgement_of(const chess::Position& root, chess::Move move,
                                      std::uint64_t nodes, Conversation& engine) {
    const auto below = value_below(root, move, nodes, engine);
    engine.begin();
    const Found alone = engine.ask({root, nodes, {move}, 1});
    if (!below || alone.lines.empty()) {
        return std::nullopt;
    }
    return Judgement{static_cast<double>(bounded_value(alone.lines.front().score)), *below};
}

bool in_tune_set(const chess::Position& root) {
    std::uint64_t sum = 0xcbf29ce484222325ULL;
    for (const char c : root.engine_fen()) {
        sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return ((sum >> 32 ^ sum) & 1) == 0; // the low bits of the sum alone know the last letter best
}

bool is_contested(const chess::Position& root, Conversation& engine) {
    engine.begin();
    Query query{root, filter_nodes, {}, 1};
    const Found best = engine.ask(query);
    if (best.lines.empty() || std::abs(bounded_value(best.lines.front().score)) > most_ahead) {
        return false;
    }
    for (const chess::Move move : root.legal_moves()) {
        if (move != best.lines.front().move) {
            query.only.push_back(move);
        }
    }
    std::ranges::sort(query.only);
    if (query.only.empty()) {
        return false;
    }
    const Found second = engine.ask(query);
    return !second.lines.empty() &&
           bounded_value(best.lines.front().score) - bounded_value(second.lines.front().score) <=
               widest_gap;
}

} // namespace adjourn::bench
