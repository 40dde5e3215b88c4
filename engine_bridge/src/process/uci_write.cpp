#include "engine_bridge/process/uci.hpp"

#include <algorithm>

namespace adjourn::engine_bridge::uci {
namespace {

bool holds_control_character(std::string_view text) {
    return std::ranges::any_of(text, [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
    });
}

std::string_view word(chess::Limit::Kind kind) {
    switch (kind) {
    case chess::Limit::Kind::depth: return "depth";
    case chess::Limit::Kind::nodes: return "nodes";
    case chess::Limit::Kind::movetime: return "movetime";
    }
    return "depth";
}

} // namespace

std::string position_command(const chess::Position& position) {
    return "position fen " + position.engine_fen();
}

std::string go_command(const chess::Limit& limit, const chess::Position& position,
                       const std::vector<chess::Move>& searchmoves, chess::CastlingStyle castling) {
    std::string command = "go ";
    command += word(limit.kind);
    command += ' ' + std::to_string(std::max<std::uint64_t>(limit.amount, 1));
    if (!searchmoves.empty()) {
        command += " searchmoves";
        for (const chess::Move move : searchmoves) {
            command += ' ' + to_uci(position, move, castling);
        }
    }
    return command;
}

std::optional<std::string> setoption_command(const Option& option, std::string_view value) {
    if (holds_control_character(option.name) || holds_control_character(value)) {
        return std::nullopt;
    }
    std::string command = "setoption name " + option.name;
    if (option.type != Option::Type::button) {
        command += " value ";
        command += value.empty() ? std::string_view{"<empty>"} : value;
    }
    return command;
}

} // namespace adjourn::engine_bridge::uci
