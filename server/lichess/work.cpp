#include "lichess/work.hpp"

#include "base/json_reader.hpp"

#include <algorithm>
#include <limits>

namespace adjourn::server::lichess {

namespace {

constexpr std::size_t most_values = 10'000; // in the whole text
constexpr std::size_t most_moves = 2'000;
constexpr std::size_t longest_word = 256; // bytes of an id, a session, a FEN
constexpr std::size_t longest_move = 5;   // "e7e8q"
constexpr std::int64_t most_lines = 218;  // no position has more moves

// It becomes a part of a command, which ends with the line.
bool is_printable(const std::string& text, std::size_t longest) {
    return text.size() <= longest &&
           std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

std::string position_command(const std::string& fen, const std::vector<std::string>& moves) {
    std::string command = "position fen " + fen;
    if (!moves.empty()) {
        command += " moves";
    }
    for (const std::string& move : moves) {
        command += ' ' + move;
    }
    return command;
}

} // namespace

bool is_id(const std::string& text) {
    return !text.empty() && text.size() <= longest_word && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
    });
}

std::expected<Work, std::string> read_work(std::string_view body) {
    const auto whole = base::parse_json(body, most_values);
    if (!whole) {
        return std::unexpected("it " + whole.error());
    }
    const base::JsonObject reader{*whole, base::JsonPolicy::strict};
    const auto asked = reader.at("work").object();
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    Work work;
    work.id = reader.at("id").text().value_or("");
    work.session = asked.at("sessionId").text().value_or("");
    work.threads = asked.at("threads").integer(1, most).value_or(1);
    work.lines = static_cast<int>(
        std::max<std::int64_t>(1, asked.at("multiPv").integer(0, most_lines).value_or(1)));
    const std::string variant = asked.at("variant").text().value_or("chess");
    const std::string fen = asked.at("initialFen").text().value_or("");
    const auto moves = asked.at("moves").texts(most_moves).value_or(std::vector<std::string>{});
    if (const auto movetime = asked.find("movetime").integer(1, most)) {
        work.movetime = std::chrono::milliseconds{*movetime};
    } else if (const auto depth = asked.find("depth").integer(1, most)) {
        work.depth = depth;
    } else if (const auto nodes =
                   asked.find("nodes").integer(1, std::numeric_limits<std::int64_t>::max())) {
        work.nodes = nodes;
    } else if (!asked.find("infinite").boolean().value_or(false)) {
        asked.wrong("movetime", "there is neither movetime nor depth nor nodes");
    }
    if (!reader.problems().empty()) {
        return std::unexpected(reader.problems().front().message);
    }
    if (!is_id(work.id)) {
        return std::unexpected("the id is none");
    }
    if (variant != "chess") {
        return std::unexpected("the variant is not chess");
    }
    const auto is_move = [](const std::string& move) {
        return !move.contains(' ') && is_printable(move, longest_move);
    };
    if (!is_printable(fen, longest_word) || !std::ranges::all_of(moves, is_move)) {
        return std::unexpected("position or moves are none");
    }
    work.position = position_command(fen, moves);
    const chess::uci::Command command = chess::uci::parse(work.position);
    work.game = std::get<chess::uci::Game>(command);
    if (!work.game.problem.empty()) {
        return std::unexpected(work.game.problem);
    }
    return work;
}

} // namespace adjourn::server::lichess
