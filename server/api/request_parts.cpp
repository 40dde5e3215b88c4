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

} // namespace adjourn::server
