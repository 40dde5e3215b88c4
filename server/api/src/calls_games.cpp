// Collections of games: which there are, what was played in a position, games added.
#include "call.hpp"
#include "core/records/value_json.hpp"
#include "files/collections/collect.hpp"
#include "files/collections/shelf.hpp"
#include "request_parts.hpp"

#include <sstream>

namespace adjourn::server {

namespace {

constexpr std::size_t longest_source = 1'000; // bytes, of the name of a file of games

Error no_collection(const std::string& name) {
    return {ErrorCode::not_found, "there is no collection '" + name + "'", "name"};
}

json known_or_null(int number) {
    return number == 0 ? json{} : json(number);
}

json played_json(const chess::Position& position, const collections::PlayedMove& played) {
    json out = move_json(position, played.move);
    out["games"] = played.games();
    out["white"] = played.white;
    out["draws"] = played.draws;
    out["black"] = played.black;
    out["last_year"] = known_or_null(played.last_year);
    out["elo"] = known_or_null(played.elo);
    out["best"] = {{"white", played.best.white},
                   {"black", played.best.black},
                   {"year", known_or_null(played.best.year)},
                   {"elo", known_or_null(played.best.elo)},
                   {"result", played.best.result}};
    return out;
}

Answer list_collections(Context& call) {
    return when_read(call, [shelf = collections::Shelf{call.core.collections()}] {
        json list = json::array();
        for (const auto& [name, info] : shelf.list()) {
            json sources = json::array();
            for (const collections::Source& source : info.sources) {
                sources.push_back({{"name", source.name}, {"games", source.games}});
            }
            list.push_back({{"name", name},
                            {"games", info.games},
                            {"moves", info.moves},
                            {"bytes", info.bytes},
                            {"sources", std::move(sources)}});
        }
        return json_response({{"collections", std::move(list)}});
    });
}

Answer get_played(Context& call) {
    QueryReader query{call.request};
    const auto fen = query.required_text("fen");
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    const auto position = chess::Position::from_fen(*fen);
    if (!position) {
        return std::unexpected(fen_error(position.error(), "query.fen"));
    }
    const std::string& name = call.path.text("name");
    if (!collections::is_name(name)) {
        return std::unexpected(no_collection(name));
    }
    return when_read(
        call, [shelf = collections::Shelf{call.core.collections()}, name, position = *position] {
            const auto collection = shelf.open(name);
            if (!collection) {
                return http::to_response(no_collection(name));
            }
            json moves = json::array();
            std::uint64_t games = 0;
            for (const collections::PlayedMove& played : collection->moves(position)) {
                moves.push_back(played_json(position, played));
                games += played.games();
            }
            return json_response({{"games", games}, {"moves", std::move(moves)}});
        });
}

json report_json(const collections::CollectReport& report) {
    json errors = json::array();
    for (const chess::PgnError& error : report.errors) {
        errors.push_back(
            {{"record", error.game}, {"line", error.line}, {"message", error.message}});
    }
    return {{"games", report.games},
            {"moves", report.moves},
            {"without_result", report.without_result},
            {"too_weak", report.too_weak},
            {"damaged", report.damaged},
            {"known", report.known},
            {"errors", std::move(errors)}};
}

Answer add_games(Context& call) {
    QueryReader query{call.request};
    const auto file = query.text("file", longest_source);
    const auto plies = query.integer("plies", 1, 1'000);
    const auto elo = query.integer("min_elo", 1, 4'000);
    const auto least = query.integer("min_games", 1, 1'000'000);
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    const std::string& name = call.path.text("name");
    if (!collections::is_name(name)) {
        return std::unexpected(
            Error{ErrorCode::bad_value,
                  "a collection's name has " + std::string{collections::name_rule}, "name"});
    }
    if (call.core.collections().empty()) {
        return std::unexpected(
            Error{ErrorCode::unavailable, "this server has no place for collections", ""});
    }
    collections::CollectOptions options;
    options.plies = static_cast<std::size_t>(plies.value_or(40));
    options.least_elo = static_cast<int>(elo.value_or(0));
    options.least_games = static_cast<std::size_t>(least.value_or(1));
    options.threads = 1; // engines need the others
    return [shelf = collections::Shelf{call.core.collections()}, name, options,
            source = file.value_or("upload"), pgn = std::move(call.request.body)]() -> Response {
        std::istringstream in{pgn};
        const auto report = collections::collect(in, source, collections::fingerprint_of_text(pgn),
                                                 shelf.file(name), options);
        return report ? json_response(report_json(*report))
                      : http::to_response({ErrorCode::unavailable, report.error(), ""});
    };
}

Answer remove_collection(Context& call) {
    return when_read(call, [shelf = collections::Shelf{call.core.collections()},
                            name = call.path.text("name")]() mutable {
        if (!collections::is_name(name) || !shelf.remove(name)) {
            return http::to_response(no_collection(name));
        }
        return no_content();
    });
}

constexpr std::array game_calls{
    Call{Method::get, "/api/v1/collections", list_collections},
    Call{Method::get, "/api/v1/collections/{name}/moves", get_played, true},
    Call{Method::post, "/api/v1/collections/{name}", add_games, true, file_body},
    Call{Method::del, "/api/v1/collections/{name}", remove_collection},
};

} // namespace

std::span<const Call> calls_of_games() {
    return game_calls;
}

} // namespace adjourn::server
