// A tree whose facts are written down, for plans that were computed by hand.
#pragma once

#include "world.hpp"

#include "analysis/strategy.hpp"
#include "facts.hpp"

namespace adjourn::analysis::testing {

struct Written : World {
    explicit Written(const std::string& kind) {
        parameters = analysis::default_parameters(kind);
        parameters.move_distance = 5;
        limit = {analysis::Limit::Kind::depth, 10};
    }

    // The engine's answer after a line: its best move outside those it has named there.
    void says(const char* after, const char* san, int cp) {
        chess::Position position = root;
        for (const chess::Move move : line(after)) {
            position.play(move);
        }
        std::vector<chess::Move> named;
        for (const auto& move : graph.moves(graph.intern(position))) {
            named.push_back(move.move);
        }
        std::sort(named.begin(), named.end());
        graph.apply(facts::fact(next_id++, position, facts::move(position, san),
                                chess::Score::cp(cp), 10, named));
    }

    // "e4 e5: first", … in order of need.
    std::vector<std::string> asks(int level) {
        std::vector<std::string> result;
        for (const analysis::PlannedQuestion& question : plan(level).questions) {
            std::string text;
            chess::Position position = root;
            for (const chess::Move move : question.line) {
                text += chess::to_san(position, move) + " ";
                position.play(move);
            }
            result.push_back(text + (question.kind == QuestionKind::first         ? "first"
                                     : question.kind == QuestionKind::alternative ? "alternative"
                                                                                  : "redo"));
        }
        return result;
    }
};

using Lines = std::vector<std::string>; // what Written::asks() tells

} // namespace adjourn::analysis::testing
