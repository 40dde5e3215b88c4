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

} // namespace adjourn::server
