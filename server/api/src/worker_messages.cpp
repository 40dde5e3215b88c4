#include "worker_messages.hpp"

#include "chess/notation.hpp"
#include "core/records/value_json.hpp"
#include "names.hpp"

#include <utility>

namespace adjourn::server {

json lease_json(const Granted& granted) {
    const engine_bridge::Job& job = granted.job;
    json moves = json::array();
    for (const chess::Move move : job.searchmoves) {
        moves.push_back(chess::to_uci(job.position, move));
    }
    return {{"lease", granted.lease},
            {"profile", granted.profile},
            {"question", granted.question},
            {"fen", job.position.engine_fen()},
            {"limit", limit_json(job.limit)},
            {"searchmoves", std::move(moves)},
            {"affinity", std::to_string(job.affinity)},
            {"game", std::to_string(job.game)},
            {"urgent", job.urgent}};
}

json welcome_json(const Welcome& welcome, std::chrono::milliseconds life) {
    json profiles = json::array();
    for (const Welcome::Part& part : welcome.parts) {
        profiles.push_back({{"name", part.profile},
                            {"accepted", part.refusal.empty()},
                            {"reason", part.refusal.empty() ? json(nullptr) : json(part.refusal)}});
    }
    const double seconds = std::chrono::duration<double>(life).count();
    return {{"id", welcome.id},
            {"version", engine_bridge::machine_version},
            {"profiles", std::move(profiles)},
            {"lease_seconds", seconds},
            {"beat_seconds", seconds / 4}};
}

} // namespace adjourn::server
