#include "engine_bridge/remote/claim.hpp"

#include "chess/notation.hpp"
#include "engine_bridge/process/text.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace adjourn::engine_bridge {

using chess::Score;

std::expected<Answer, std::string> believed(const Claim& told, const Job& question) {
    const auto move = chess::parse_uci(question.position, told.move);
    if (!move) {
        return std::unexpected(move.error().message);
    }
    if (!question.searchmoves.empty() &&
        std::ranges::find(question.searchmoves, *move) == question.searchmoves.end()) {
        return std::unexpected(told.move + " was not among the moves to search");
    }
    if (told.cp.has_value() == told.mate.has_value() || told.mate == 0) {
        return std::unexpected("a score is either in centipawns or a mate");
    }
    const auto beyond = [](int number, int least, int most) {
        return number < least || number > most;
    };
    if ((told.cp && beyond(*told.cp, -ranges::most_cp, ranges::most_cp)) ||
        (told.mate && beyond(*told.mate, -ranges::most_mate, ranges::most_mate)) ||
        beyond(told.depth, 0, ranges::most_depth) || beyond(told.seldepth, 0, ranges::most_depth) ||
        told.nodes > ranges::most_nodes || told.pv.size() > claim_max_pv) {
        return std::unexpected("a number is out of range");
    }
    Answer answer{*move, {}, chess::Bound::exact, 0, 0, 0, 0, {}, 0, std::nullopt};
    const bool white = question.position.turn() == chess::Color::white;
    const int sign = white ? 1 : -1;
    if (told.cp) {
        answer.score = Score::cp(sign * *told.cp);
    } else {
        const int mate = sign * *told.mate;
        answer.score = mate > 0 ? Score::mate_in(2 * mate - 1) : Score::mated_in(-2 * mate);
    }
    answer.depth = told.depth;
    answer.seldepth = told.seldepth;
    answer.nodes = told.nodes;
    answer.time_ms = told.time_ms;
    answer.wdl = told.wdl && !white ? -*told.wdl : told.wdl;
    chess::Position at = question.position;
    for (const std::string& text : told.pv) {
        const auto next = chess::parse_uci(at, text);
        if (!next) {
            return std::unexpected("in the line: " + next.error().message);
        }
        answer.pv.push_back(*next);
        at.play(*next);
    }
    if (answer.pv.empty() || answer.pv.front() != answer.move) {
        return std::unexpected("the line does not begin with the move");
    }
    return answer;
}

Claim claim_of(const Answer& answer, const Job& question) {
    Claim told;
    told.move = chess::to_uci(question.position, answer.move);
    const bool white = question.position.turn() == chess::Color::white;
    const Score score = white ? *answer.score : -*answer.score;
    if (score.is_cp()) {
        told.cp = score.centipawns();
    } else {
        const int moves = (score.plies() + 1) / 2;
        told.mate = score.is_win() ? moves : -moves;
    }
    told.depth = answer.depth;
    told.seldepth = answer.seldepth;
    told.nodes = answer.nodes;
    told.time_ms = answer.time_ms;
    told.wdl = answer.wdl && !white ? -*answer.wdl : answer.wdl;
    chess::Position at = question.position;
    for (const chess::Move move : answer.pv) {
        if (told.pv.size() == claim_max_pv) {
            break;
        }
        told.pv.push_back(chess::to_uci(at, move));
        at.play(move);
    }
    return told;
}

std::string question_key(const std::string& profile, const Job& question) {
    std::string text = profile + "\n" + question.position.engine_fen() + "\n" +
                       std::to_string(static_cast<int>(question.limit.kind)) + " " +
                       std::to_string(question.limit.amount);
    for (const chess::Move move : question.searchmoves) {
        text += " " + chess::to_uci(question.position, move);
    }
    std::uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) {
        digits += "0123456789abcdef"[hash >> shift & 15];
    }
    return digits;
}

std::string difference(const Identity& here, const Identity& there) {
    const auto differ = [](const std::string& what, const std::string& ours,
                           const std::string& theirs) {
        return what + " is '" + ours + "' on the server and '" + theirs + "' on the machine";
    };
    if (here.name != there.name) {
        return differ("the engine's name", here.name, there.name);
    }
    if (here.network != there.network) {
        return differ("the network", here.network, there.network);
    }
    std::set<std::string> names;
    for (const auto* options : {&here.options, &there.options}) {
        for (const auto& [name, value] : *options) {
            names.insert(name);
        }
    }
    std::string all;
    for (const std::string& name : names) {
        const auto ours = here.options.find(name);
        const auto theirs = there.options.find(name);
        if (ours == here.options.end() || theirs == there.options.end()) {
            all += (all.empty() ? "" : "; ") + ("option " + name) + " is unknown to the engine " +
                   (ours == here.options.end() ? "of the server" : "of the machine");
        } else if (ours->second != theirs->second) {
            all +=
                (all.empty() ? "" : "; ") + differ("option " + name, ours->second, theirs->second);
        }
    }
    return all;
}

} // namespace adjourn::engine_bridge
