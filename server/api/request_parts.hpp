// The parts that request bodies share: positions and lines.
#pragma once

#include "api/names.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/schedule/core.hpp"
#include "http/requests/message.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

constexpr std::size_t longest_moves = 40'000;   // bytes, of a line as text
constexpr std::size_t longest_pasted = 100'000; // of a position as people paste it

struct RootSpec {
    chess::Position start = chess::Position::initial();
    std::vector<chess::Move> moves;
};

// {fen?, moves?} or {text}
std::expected<RootSpec, Error> read_root(const JsonObject& reader);
// Whatever openings/root_text.hpp reads.
std::expected<RootSpec, Error> read_root_text(const std::string& text, const std::string& where);
// A list of UCI or SAN moves, or a text of them. where = "PATH[index]".
std::expected<std::vector<chess::Move>, Error> read_line(const JsonValue& value,
                                                         const chess::Position& from);
std::expected<std::vector<chess::Move>, Error>
parse_line_at(std::string_view text, const chess::Position& from, const std::string& where);

// The moment of calls that tell what has changed; their only parameter.
std::expected<analysis::UnixMs, Error> read_since(QueryReader& query);
// The position of calls about one, wherever it stands; their only parameter.
std::expected<chess::Position, Error> read_fen(QueryReader& query);

// "" is null.
nlohmann::json text_or_no_text(const std::string& text);

Response json_response(const nlohmann::json& body, int status = 200);
Response pgn_response(std::string text);
Response no_content(); // 204

} // namespace adjourn::server
