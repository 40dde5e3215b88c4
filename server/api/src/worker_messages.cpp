#include "api/worker_messages.hpp"

#include "worker_reading.hpp"

#include "chess/notation.hpp"
#include "records/value_json.hpp"

#include <utility>

namespace adjourn::server {

using nlohmann::json;

namespace {

template <class Read>
auto read_text(const std::string& text, Read read)
    -> std::expected<typename decltype(read(std::declval<const json&>()))::value_type,
                     std::string> {
    const auto body = http::parse_json(text);
    if (!body) {
        return std::unexpected(body.error().message);
    }
    auto result = read(*body);
    if (!result) {
        return std::unexpected(result.error().message);
    }
    return std::move(*result);
}

} // namespace

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
            {"profiles", std::move(profiles)},
            {"lease_seconds", seconds},
            {"beat_seconds", seconds / 4}};
}

std::expected<Hello, std::string> hello_in(const std::string& text) {
    return read_text(text, [](const json& body) {
        http::ObjectReader reader{body};
        return read_hello(reader);
    });
}

std::expected<Delivery, std::string> delivery_in(const std::string& text) {
    const auto all = read_text(text, [](const json& body) {
        const json list{{"answers", json::array({body})}};
        http::ObjectReader reader{list};
        return read_deliveries(reader);
    });
    if (!all) {
        return std::unexpected(all.error());
    }
    return all->front();
}

std::expected<Presence, std::string> presence_in(const std::string& text) {
    return read_text(text, [](const json& body) {
        http::ObjectReader reader{body};
        return read_presence(reader);
    });
}

} // namespace adjourn::server
