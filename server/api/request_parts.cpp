#include "api/request_parts.hpp"

#include "chess/notation.hpp"
#include "files/openings/openings.hpp"

namespace adjourn::server {

namespace {

std::string at(const std::string& path, std::size_t index) {
    return path + "[" + std::to_string(index) + "]";
}

std::expected<chess::Move, chess::MoveError> parse_move(const chess::Position& position,
                                                        const std::string& text) {
    auto move = chess::parse_uci(position, text);
    return move ? move : chess::parse_san(position, text);
}

// The problem names the FEN's field and the place.
std::expected<chess::Position, Error> parse_fen_at(const std::string& fen,
                                                   const std::string& where) {
    const auto position = chess::Position::from_fen(fen);
    if (!position) {
        const chess::FenError& problem = position.error();
        return refuse(ErrorCode::illegal_position, problem.field + ": " + problem.message, where);
    }
    return *position;
}

Error no_file(const std::string& file) {
    return {ErrorCode::not_found, "the analysis has no file " + file, "file"};
}

} // namespace

std::expected<analysis::UnixMs, Error> read_since(QueryReader& query) {
    const auto since = query.integer("since", 0, 100'000'000'000'000);
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    if (!since) {
        return refuse(ErrorCode::bad_request, "since is missing: Unix milliseconds", "query.since");
    }
    return *since;
}

nlohmann::json text_or_no_text(const std::string& text) {
    return text.empty() ? nlohmann::json(nullptr) : nlohmann::json(text);
}

Response json_response(const json& body, int status) {
    Response response;
    response.status = status;
    response.body = body.dump();
    return response;
}

Response pgn_response(std::string text) {
    Response response;
    response.content_type = "application/x-chess-pgn; charset=utf-8";
    response.body = std::move(text);
    return response;
}

Response no_content() {
    Response response;
    response.status = 204;
    response.content_type.clear();
    return response;
}

std::expected<chess::Position, Error> read_fen(QueryReader& query) {
    const auto fen = query.required_text("fen");
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    return parse_fen_at(*fen, "query.fen");
}

std::expected<std::vector<chess::Move>, Error>
parse_line_at(std::string_view text, const chess::Position& from, const std::string& where) {
    auto line = chess::parse_line(from, text);
    if (!line) {
        return refuse(ErrorCode::illegal_move, chess::to_text(from, line.error()),
                      at(where, line.error().index));
    }
    return std::move(*line);
}

std::expected<std::vector<chess::Move>, Error> read_line(const JsonValue& value,
                                                         const chess::Position& from) {
    if (value.is_text()) {
        const auto text = value.text(longest_moves);
        if (!text) {
            return std::unexpected(http::to_error(value.problems().front()));
        }
        return parse_line_at(*text, from, value.path());
    }
    if (value.there() && !value.is_array()) {
        value.wrong(value.path() + " must be a list of moves or a text");
    }
    const auto list =
        value.is_array() ? value.items(chess::most_line_moves) : std::vector<JsonValue>{};
    std::vector<chess::Move> line;
    chess::Position position = from;
    for (const JsonValue& item : list) {
        const auto text = item.text();
        if (!text) {
            break;
        }
        auto move = parse_move(position, *text);
        if (!move) {
            return refuse(ErrorCode::illegal_move,
                          chess::to_text(from, {line.size(), std::move(move.error()), line}),
                          item.path());
        }
        position.play(*move);
        line.push_back(*move);
    }
    if (!value.problems().empty()) {
        return std::unexpected(http::to_error(value.problems().front()));
    }
    return line;
}

std::expected<RootSpec, Error> read_root_text(const std::string& text, const std::string& where) {
    auto said = parse_root_text(text);
    if (!said) {
        return refuse(ErrorCode::bad_value, where + ": " + said.error(), where);
    }
    return RootSpec{said->start, std::move(said->moves)};
}

std::expected<RootSpec, Error> read_root(const JsonObject& reader) {
    RootSpec root;
    auto text = reader.find("text").text(longest_pasted);
    if (text && (reader.has("fen") || reader.has("moves"))) {
        reader.wrong("", reader.path() + " takes either text, or fen and moves");
    }
    const auto fen = reader.find("fen").text();
    if (!reader.problems().empty()) {
        return std::unexpected(http::to_error(reader.problems().front()));
    }
    if (text) {
        return read_root_text(*text, reader.path() + ".text");
    }
    if (fen) {
        const auto position = parse_fen_at(*fen, reader.path() + ".fen");
        if (!position) {
            return std::unexpected(position.error());
        }
        root.start = *position;
    }
    if (const auto moves = reader.find("moves"); moves.there()) {
        auto line = read_line(moves, root.start);
        if (!line) {
            return std::unexpected(line.error());
        }
        root.moves = std::move(*line);
    }
    return root;
}

std::expected<const AnalysisRun*, Error> run_of(const Context& call) {
    const auto id = call.path.integer("id");
    const AnalysisRun* run = id ? call.core.queue().find(analysis::AnalysisId{*id}) : nullptr;
    if (run == nullptr || run->transient) {
        return refuse(ErrorCode::not_found, "there is no analysis " + call.path.text("id"), "id");
    }
    return run;
}

Error no_tree(const AnalysisRun& run) {
    if (run.awaited) {
        return {ErrorCode::unavailable, std::string{"the server is still "} + reading_evaluations,
                ""};
    }
    return {ErrorCode::unavailable, "the engine has not started yet, so there is no tree", ""};
}

std::expected<RunLine, Error> place_of(const Context& call, QueryReader& query) {
    auto run = run_of(call);
    if (!run) {
        return std::unexpected(run.error());
    }
    auto line =
        parse_line_at(query.text("moves", longest_moves).value_or(""), (*run)->root, "query.moves");
    if (!line) {
        return std::unexpected(line.error());
    }
    return RunLine{*run, std::move(*line)};
}

std::expected<RunLine, Error> finished(std::expected<RunLine, Error> place, QueryReader& query) {
    if (!place) {
        return place;
    }
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    return place;
}

std::expected<RunLine, Error> finished_in_tree(std::expected<RunLine, Error> place,
                                               QueryReader& query) {
    place = finished(std::move(place), query);
    if (place && place->run->shown() == nullptr) {
        return std::unexpected(no_tree(*place->run));
    }
    return place;
}

Error no_game(std::int64_t number, const char* where) {
    return {ErrorCode::not_found, "the file has no game " + std::to_string(number), where};
}

std::expected<KeptFile, Error> FilePlace::read(bool deleted) const {
    auto found = kept_file(store, analysis, file);
    if (!found || (found->deleted() && !deleted)) {
        return std::unexpected(no_file(std::to_string(file)));
    }
    return std::move(*found);
}

std::expected<FilePlace, Error> file_place(const Context& call) {
    const auto run = run_of(call);
    if (!run) {
        return std::unexpected(run.error());
    }
    const auto file = call.path.integer("file");
    if (!file || *file < 1) {
        return std::unexpected(no_file(call.path.text("file")));
    }
    return FilePlace{call.core.store(), (*run)->record.id, *file};
}

} // namespace adjourn::server
