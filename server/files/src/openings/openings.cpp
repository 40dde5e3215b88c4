#include "files/openings/openings.hpp"

#include "opening_book.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

using nlohmann::json;

json opening_json(const AnalysisRun& run, const std::vector<chess::Move>& line) {
    chess::Position position = run.start;
    const Opening* named = opening_book().at(position);
    const auto walk = [&](const std::vector<chess::Move>& moves) {
        for (const chess::Move move : moves) {
            position.play(move);
            if (const Opening* found = opening_book().at(position)) {
                named = found;
            }
        }
    };
    walk(run.moves_before());
    walk(line);
    if (named == nullptr) {
        return nullptr;
    }
    return {{"eco", named->eco}, {"name", named->name}};
}

std::size_t book_moves(const chess::Position& start, const std::vector<chess::Move>& line) {
    std::size_t known = 0;
    chess::Position position = start;
    for (std::size_t i = 0; i < line.size(); ++i) {
        position.play(line[i]);
        known = opening_book().at(position) != nullptr ? i + 1 : known;
    }
    return known;
}

} // namespace adjourn::server
