#include "position_text.hpp"

#include "chess/notation.hpp"
#include "chess/pgn.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace adjourn::server {

namespace {

std::string ordinal_of(const chess::Position& start, std::size_t index) {
    const std::size_t ply = index + (start.turn() == chess::Color::black ? 1 : 0);
    const std::size_t number = static_cast<std::size_t>(start.fullmove_number()) + ply / 2;
    return std::to_string(number) + (ply % 2 == 0 ? "." : "...");
}

std::expected<RootText, std::string> with_moves(const chess::Position& start,
                                                const std::string& moves) {
    auto line = chess::parse_line(start, moves);
    if (!line) {
        return std::unexpected("position: move " + ordinal_of(start, line.error().index) + " " +
                               line.error().error.message);
    }
    return RootText{start, std::move(*line)};
}

std::expected<RootText, std::string> from_file(const std::string& name) {
    std::ifstream in{name, std::ios::binary};
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) {
        return std::unexpected("cannot read " + name);
    }
    auto game = chess::read_first_game(text.str());
    if (!game) {
        return std::unexpected(name + ": " + chess::to_text(game.error()));
    }
    return RootText{game->start, std::move(game->moves)};
}

} // namespace

std::expected<RootText, std::string> parse_position_text(const std::string& text) {
    std::error_code error;
    if (std::filesystem::is_regular_file(text, error)) {
        return from_file(text);
    }
    if (text.ends_with(".pgn")) {
        return std::unexpected("there is no file " + text);
    }
    const std::size_t at = text.find(" moves ");
    const std::string head = text.substr(0, at);
    const std::string moves = at == std::string::npos ? "" : text.substr(at + 7);
    if (head == "startpos" || head == "startpos moves") {
        return with_moves(chess::Position::initial(), moves);
    }
    if (head.find('/') != std::string::npos && head.find("1/2") == std::string::npos) {
        auto position = chess::Position::from_fen(head);
        if (!position) {
            return std::unexpected("position: " + position.error().field + ": " +
                                   position.error().message);
        }
        return with_moves(*position, moves);
    }
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        return std::unexpected("position: empty; give a FEN, startpos, moves or a PGN file");
    }
    return with_moves(chess::Position::initial(), text);
}

} // namespace adjourn::server
