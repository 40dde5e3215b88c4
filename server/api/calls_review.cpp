// Games as an analysis sees them: the one along a line, those of a file.
#include "api/ask_games.hpp"
#include "api/call.hpp"
#include "api/place.hpp"
#include "api/request_parts.hpp"
#include "api/views/file_review.hpp"
#include "chess/pgn_writer.hpp"
#include "files/review/review.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <utility>

namespace adjourn::server {

namespace {

Answer get_review(Context& call) {
    QueryReader query{call.request};
    auto place = place_of(call, query);
    const auto format = query.choice("format", {"json", "pgn"});
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    const auto made =
        std::make_shared<Review>(review(*place->run, GraphReading{nullptr}, place->line));
    const bool as_pgn = format.value_or(0) == 1;
    const auto write = [made, as_pgn, engine = place->run->slot->engine().name] {
        return as_pgn ? pgn_response(chess::to_pgn(annotated(*made, reviewed_game(*made), engine)))
                      : json_response(review_json(*made));
    };
    return when_read(
        call,
        [made, write, &store = call.core.store()] {
            lengthen(*made, store);
            return write();
        },
        write);
}

Answer search_game(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        auto line = read_line(reader.at("moves"), run.root);
        if (!line) {
            return std::unexpected(line.error());
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        if (run.slot == nullptr) {
            return std::unexpected(no_tree(run));
        }
        const auto asking =
            std::make_shared<AskGames>(call.core, run.record.id, run.root,
                                       std::vector<std::vector<chess::Move>>{std::move(*line)});
        return when_durable(call, asking->answer(call.alone));
    });
}

// ---- games of a file: read on another thread, then looked at on the core's ----

struct ReadGame {
    ReadFile file;
    chess::AnnotatedGame game;
    std::size_t place = 0; // in file.games
};

std::expected<ReadGame, Error> read_reviewed(const FilePlace& place, std::int64_t number,
                                             const chess::Position& root) {
    const auto kept = place.read();
    if (!kept) {
        return std::unexpected(kept.error());
    }
    const KeptFile::Version* version = kept->game(number);
    auto game = version == nullptr ? std::nullopt : game_of(version->text);
    if (!game) {
        return std::unexpected(no_game(number, "game"));
    }
    ReadGame read{read_for_review(*kept, root), std::move(*game), 0};
    while (read.file.games[read.place].first != number) {
        ++read.place;
    }
    const std::string& reason = read.file.games[read.place].second.reason;
    return reason.empty() ? std::expected<ReadGame, Error>{std::move(read)}
                          : std::unexpected(Error{ErrorCode::conflict, reason, "game"});
}

Response game_review(const RunReader& reader, const FilePlace& place, std::int64_t number,
                     bool as_pgn) {
    auto read = read_reviewed(place, number, reader.run().root);
    if (!read) {
        return http::to_response(read.error());
    }
    const auto& games = read->file.games;
    const GameLine& line = games[read->place].second;
    Review made = review(reader.run(), reader.read(), line.moves);
    lengthen(made, place.store);
    if (as_pgn) {
        return pgn_response(chess::to_pgn(
            annotated(made, std::move(read->game), reader.run().slot->engine().name)));
    }
    const auto number_at = [&](std::size_t at) {
        return at < games.size() ? json(games[at].first) : json{};
    };
    json out = review_json(made);
    out.update({{"file", head_json(read->file)},
                {"game", number},
                {"previous", number_at(read->place - 1)},
                {"next", number_at(read->place + 1)},
                {"tags", json::array()},
                {"result", line.result},
                {"clocks", json::array()}});
    for (const chess::PgnTag& tag : line.tags) {
        out["tags"].push_back({{"name", tag.name}, {"value", tag.value}});
    }
    for (const std::string& clock : line.clocks) {
        out["clocks"].push_back(clock.empty() ? json{} : json(clock));
    }
    return json_response(out);
}

// Place and analysis of a call about a file whose games need a tree.
std::expected<std::pair<FilePlace, const AnalysisRun*>, Error> file_in_tree(const Context& call,
                                                                            QueryReader& query) {
    const auto place = file_place(call);
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    if (!place) {
        return std::unexpected(place.error());
    }
    const AnalysisRun* run = *run_of(call);
    if (run->shown() == nullptr) {
        return std::unexpected(no_tree(*run));
    }
    return std::pair{*place, run};
}

Answer get_game_review(Context& call) {
    QueryReader query{call.request};
    const bool as_pgn = query.choice("format", {"json", "pgn"}).value_or(0) == 1;
    const auto in_tree = file_in_tree(call, query);
    if (!in_tree) {
        return std::unexpected(in_tree.error());
    }
    const auto& [place, run] = *in_tree;
    const auto number = call.path.integer("game");
    if (!number || *number < 1) {
        return std::unexpected(
            Error{ErrorCode::not_found, "the file has no game " + call.path.text("game"), "game"});
    }
    return Api::Later{[reader = reader_of(call, *run), place = place, number = *number, as_pgn] {
        return game_review(*reader, place, number, as_pgn);
    }};
}

Answer get_file_review(Context& call) {
    QueryReader query{call.request};
    const auto in_tree = file_in_tree(call, query);
    if (!in_tree) {
        return std::unexpected(in_tree.error());
    }
    return Api::Later{[reader = reader_of(call, *in_tree->second), place = in_tree->first] {
        const auto file = place.read();
        return file ? json_response(
                          file_review_json(*reader, read_for_review(*file, reader->run().root)))
                    : http::to_response(file.error());
    }};
}

Answer search_file(Context& call) {
    QueryReader query{call.request};
    const auto number = query.integer("game", 1, most_number);
    const auto in_tree = file_in_tree(call, query);
    if (!in_tree) {
        return std::unexpected(in_tree.error());
    }
    return when_changed(
        call,
        [&core = call.core, alone = call.alone, place = in_tree->first, number,
         root = in_tree->second->root]() -> std::expected<Change, Response> {
            const auto kept = place.read();
            if (!kept) {
                return std::unexpected(http::to_response(kept.error()));
            }
            if (number && kept->game(*number) == nullptr) {
                return std::unexpected(http::to_response(no_game(*number, "query.game")));
            }
            std::vector<std::vector<chess::Move>> lines;
            ReadFile read = read_for_review(*kept, root);
            for (auto& [of, line] : read.games) {
                if (line.reason.empty() && (!number || of == *number)) {
                    lines.push_back(std::move(line.moves));
                }
            }
            return [&core, alone, id = place.analysis, root, lines = std::move(lines)] {
                return std::make_shared<AskGames>(core, id, root, lines)->answer(alone);
            };
        });
}

constexpr std::array review_calls{
    Call{Method::get, "/api/v1/analyses/{id}/review", get_review, true, by_link()},
    Call{Method::post, "/api/v1/analyses/{id}/review", of_run<search_game>, false, json_body},
    Call{Method::get, "/api/v1/analyses/{id}/files/{file}/review", get_file_review, true,
         by_link(slow_call)},
    Call{Method::post, "/api/v1/analyses/{id}/files/{file}/review", search_file, true},
    Call{Method::get, "/api/v1/analyses/{id}/files/{file}/games/{game}/review", get_game_review,
         true, by_link(slow_call)},
};

} // namespace

std::span<const Call> calls_of_review() {
    return review_calls;
}

} // namespace adjourn::server
