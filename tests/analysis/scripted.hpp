// A tree that a scripted engine grows: what it says of some positions is written down, elsewhere it
// names a move and repeats what was said of the position before.
#pragma once

#include "world.hpp"

namespace adjourn::analysis::testing {

struct Scripted : World {
    struct Word {
        chess::Move move;
        chess::Score score; // mover's side
    };
    std::map<NodeId, std::vector<Word>> script; // best first
    std::map<NodeId, chess::Score> predicted;   // mover's side
    int behind = 300; // cp: moves that are not in the script, behind what was predicted

    explicit Scripted(const std::string& kind = "halving") {
        parameters = default_parameters(kind);
        parameters.move_distance = 20;
        limit = {Limit::Kind::depth, 10};
    }

    // What the engine thinks of the moves after a line, best first, by the side to move.
    void says(const char* after, std::vector<std::pair<const char*, chess::Score>> words) {
        chess::Position position = root;
        for (const chess::Move move : line(after)) {
            position.play(move);
        }
        auto& here = script[graph.intern(position)];
        here.clear();
        for (const auto& [san, score] : words) {
            here.push_back({facts::move(position, san), score});
        }
    }
    void says(const char* after, std::vector<std::pair<const char*, int>> words) {
        std::vector<std::pair<const char*, chess::Score>> scores;
        for (const auto& [san, cp] : words) {
            scores.emplace_back(san, chess::Score::cp(cp));
        }
        says(after, std::move(scores));
    }

    // Its word on a question; the root's is 0 if nothing was said.
    Word word(NodeId node, const std::vector<chess::Move>& excluded) {
        const auto open = [&](chess::Move move) {
            return std::find(excluded.begin(), excluded.end(), move) == excluded.end();
        };
        const auto found = script.find(node);
        if (found != script.end()) {
            for (const Word& said : found->second) {
                if (open(said.move)) {
                    return said;
                }
            }
        }
        const auto known = predicted.find(node);
        const int expected = known == predicted.end() ? 0 : known->second.rank();
        const bool first = found == script.end() && excluded.empty();
        const int cp = std::clamp(expected, -2'000, 2'000) - (first ? 0 : behind);
        for (const chess::Move move : graph.position(node).legal_moves()) {
            if (open(move)) {
                return {move, chess::Score::cp(cp)};
            }
        }
        FAIL("no move is left to ask for");
        return {chess::Move::from_raw(0), chess::Score::cp(0)};
    }

    void answer_all(const Plan& now) {
        for (const PlannedQuestion& question : now.questions) {
            const chess::Position position = graph.position(question.node);
            const Word said = word(question.node, question.excluded);
            auto fact = facts::fact(next_id++, position, said.move, said.score,
                                    question.limit.amount, question.excluded);
            predicted.insert_or_assign(graph.intern(position.after(said.move)), -said.score);
            answered.push_back(fact);
            graph.apply(fact);
            asked.push_back(question);
        }
    }

    // Until the level is settled; what was asked for it.
    std::size_t settle(int level) {
        const std::size_t before = asked.size();
        for (auto now = plan(level); !now.settled(); now = plan(level)) {
            answer_all(now);
            REQUIRE(asked.size() < before + 20'000);
        }
        return asked.size() - before;
    }

    bool was_asked(const char* after, const std::vector<const char*>& excluded) {
        const NodeId at = node(after);
        const auto moves = facts::moves(graph.position(at), excluded);
        return std::any_of(asked.begin(), asked.end(), [&](const PlannedQuestion& question) {
            return question.node == at && question.excluded == moves;
        });
    }

    int value_of(const char* after, const char* san) {
        const NodeId at = node(after);
        const chess::Move move = facts::move(graph.position(at), san);
        const auto moves = graph.moves(at);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (moves[i].move == move) {
                return graph.game_value_of(at, i).rank();
            }
        }
        FAIL(san << " has no score");
        return 0;
    }
};

} // namespace adjourn::analysis::testing
