#include "request_parts.hpp"

#include "chess/notation.hpp"
#include "openings/root_text.hpp"
#include "records/value_json.hpp"

namespace adjourn::server {

using http::Error;
using http::ErrorCode;
using http::ObjectReader;
using http::ValueReader;

namespace {

constexpr std::size_t longest_line = 2'000;

std::string at(const std::string& path, std::size_t index) {
    return path + "[" + std::to_string(index) + "]";
}

std::expected<chess::Move, chess::MoveError> parse_move(const chess::Position& position,
                                                        const std::string& text) {
    auto move = chess::parse_uci(position, text);
    return move ? move : chess::parse_san(position, text);
}

} // namespace

http::Response json_response(const nlohmann::json& body, int status) {
    http::Response response;
    response.status = status;
    response.body = body.dump();
    return response;
}

http::Response no_content() {
    http::Response response;
    response.status = 204;
    response.content_type.clear();
    return response;
}

Error fen_error(const chess::FenError& error, const std::string& where) {
    return {ErrorCode::illegal_position, error.field + ": " + error.message, where};
}

std::expected<std::vector<chess::Move>, Error>
parse_line_at(std::string_view text, const chess::Position& from, const std::string& where) {
    auto line = chess::parse_line(from, text);
    if (!line) {
        return std::unexpected(Error{ErrorCode::illegal_move, chess::to_text(from, line.error()),
                                     at(where, line.error().index)});
    }
    if (line->size() > longest_line) {
        return std::unexpected(
            Error{ErrorCode::bad_value, where + " has more than 2000 moves", where});
    }
    return std::move(*line);
}

std::expected<std::vector<chess::Move>, Error> read_line(const ValueReader& value,
                                                         const chess::Position& from) {
    if (value.is_text()) {
        return parse_line_at(*value.text(), from, value.path());
    }
    if (!value.is_array()) {
        return std::unexpected(
            value.error(ErrorCode::bad_value, value.path() + " must be a list of moves or a text"));
    }
    auto list = value.array(longest_line);
    if (!list) {
        return std::unexpected(list.error());
    }
    std::vector<chess::Move> line;
    chess::Position position = from;
    for (const ValueReader& item : *list) {
        auto text = item.text();
        if (!text) {
            return std::unexpected(text.error());
        }
        auto move = parse_move(position, *text);
        if (!move) {
            return std::unexpected(
                item.error(ErrorCode::illegal_move,
                           chess::to_text(from, {line.size(), std::move(move.error()), line})));
        }
        position.play(*move);
        line.push_back(*move);
    }
    return line;
}

std::expected<RootSpec, Error> read_root_text(const std::string& text, const std::string& where) {
    auto said = parse_root_text(text);
    if (!said) {
        return std::unexpected(Error{ErrorCode::bad_value, where + ": " + said.error(), where});
    }
    if (said->moves.size() > longest_line) {
        return std::unexpected(
            Error{ErrorCode::bad_value, where + " has more than 2000 moves", where});
    }
    return RootSpec{said->start, std::move(said->moves)};
}

std::expected<RootSpec, Error> read_root(ObjectReader reader) {
    RootSpec root;
    auto text = reader.optional_text("text");
    if (!text) {
        return std::unexpected(text.error());
    }
    if (*text) {
        if (reader.has("fen") || reader.has("moves")) {
            return std::unexpected(reader.error(
                ErrorCode::bad_value, reader.path() + " takes either text, or fen and moves"));
        }
        return read_root_text(**text, reader.path() + ".text");
    }
    auto fen = reader.optional_text("fen");
    if (!fen) {
        return std::unexpected(fen.error());
    }
    if (*fen) {
        auto position = chess::Position::from_fen(**fen);
        if (!position) {
            return std::unexpected(fen_error(position.error(), reader.path() + ".fen"));
        }
        root.start = *position;
    }
    if (auto moves = reader.optional_value("moves")) {
        auto line = read_line(*moves, root.start);
        if (!line) {
            return std::unexpected(line.error());
        }
        root.moves = std::move(*line);
    }
    return root;
}

std::optional<analysis::Limit> read_limit(const ObjectReader& object) {
    ObjectReader reader = object;
    const std::size_t before = reader.problems();
    std::optional<analysis::Limit> limit;
    for (const LimitField& field : limit_fields) {
        const auto amount = reader.optional_integer(field.name, 1, field.most);
        if (!amount || !*amount) {
            continue;
        }
        if (limit) {
            (void)reader.error(ErrorCode::bad_value,
                               reader.path() + " takes one of depth, nodes and movetime_ms");
        }
        limit = analysis::Limit{field.kind, static_cast<std::uint64_t>(**amount)};
    }
    if (!limit && reader.empty() && reader.problems() == before) { // others: unknown fields
        (void)reader.error(ErrorCode::bad_value,
                           reader.path() + " needs depth, nodes or movetime_ms");
    }
    return limit;
}

} // namespace adjourn::server
