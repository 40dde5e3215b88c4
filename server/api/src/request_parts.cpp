#include "request_parts.hpp"

#include "chess/notation.hpp"
#include "records/value_json.hpp"
#include "views/root_text.hpp"

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
                           chess::to_text(from, {line.size(), std::move(move.error())})));
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

std::expected<analysis::Limit, Error> read_limit(ObjectReader reader) {
    std::optional<analysis::Limit> limit;
    for (const LimitField& field : limit_fields) {
        auto amount = reader.optional_integer(field.name, 1, field.most);
        if (!amount) {
            return std::unexpected(amount.error());
        }
        if (!*amount) {
            continue;
        }
        if (limit) {
            return std::unexpected(
                reader.error(ErrorCode::bad_value,
                             reader.path() + " takes one of depth, nodes and movetime_ms"));
        }
        limit = analysis::Limit{field.kind, static_cast<std::uint64_t>(**amount)};
    }
    if (!limit) {
        return std::unexpected(reader.error(ErrorCode::bad_value,
                                            reader.path() + " needs depth, nodes or movetime_ms"));
    }
    return *limit;
}

std::expected<Budget, Error> read_budget(ObjectReader reader) {
    Budget budget;
    auto positions = reader.optional_integer("positions", 1, spec_range::most_positions);
    auto nodes = reader.optional_integer("nodes", 1, spec_range::most_nodes);
    auto seconds = reader.optional_number("engine_seconds", spec_range::least_seconds,
                                          spec_range::most_seconds);
    auto until = reader.optional_integer("until", 1, spec_range::last_moment);
    if (!positions) {
        return std::unexpected(positions.error());
    }
    if (!nodes) {
        return std::unexpected(nodes.error());
    }
    if (!seconds) {
        return std::unexpected(seconds.error());
    }
    if (!until) {
        return std::unexpected(until.error());
    }
    if (*positions) {
        budget.positions = static_cast<std::uint64_t>(**positions);
    }
    if (*nodes) {
        budget.nodes = static_cast<std::uint64_t>(**nodes);
    }
    budget.engine_seconds = *seconds;
    budget.until = *until;
    return budget;
}

std::expected<analysis::StopRules, Error> read_stop(ObjectReader reader, analysis::StopRules base) {
    auto proven = reader.optional_boolean("proven");
    auto lead = reader.optional_number("lead", 0, spec_range::most_lead);
    auto levels = reader.optional_integer("levels", 1, spec_range::most_levels);
    if (!proven) {
        return std::unexpected(proven.error());
    }
    if (!lead) {
        return std::unexpected(lead.error());
    }
    if (!levels) {
        return std::unexpected(levels.error());
    }
    base.proven = proven->value_or(base.proven);
    base.lead = lead->value_or(base.lead);
    base.levels = static_cast<int>(levels->value_or(base.levels));
    return base;
}

std::expected<TimeWindow, Error> read_window(const ValueReader& value) {
    auto text = value.text();
    if (!text) {
        return std::unexpected(text.error());
    }
    const auto window = TimeWindow::parse(*text);
    if (!window) {
        return std::unexpected(
            value.error(ErrorCode::bad_value, value.path() + " must look like \"22:00-07:00\""));
    }
    return *window;
}

} // namespace adjourn::server
