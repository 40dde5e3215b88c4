// EPD's operations about best play, as values.
#include "chess/epd.hpp"

#include "base/number.hpp"
#include "chess/notation.hpp"
#include "move_text.hpp"
#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace adjourn::chess {

using namespace detail;

namespace {

constexpr int mate_now = 32'767;
constexpr int least_mate = 30'000;

// Full moves of the side to move; negative: it is mated.
std::optional<Score> mate(std::string_view text) {
    const auto moves = base::parse_number_after_plus<int>(text);
    return moves ? told_mate(*moves) : std::nullopt;
}

std::string refusal(const EpdOperation& operation, const std::string& what) {
    return operation.opcode + ": " + what;
}

template <class Number>
std::expected<std::optional<Number>, std::string> number_of(const EpdRecord& record,
                                                            std::string_view opcode) {
    const EpdOperation* operation = record.find(opcode);
    if (operation == nullptr || operation->operands.empty()) {
        return std::nullopt;
    }
    const auto value = operation->operands.size() == 1
                           ? base::parse_number_after_plus<Number>(operation->operands.front())
                           : std::nullopt;
    if (!value) {
        return std::unexpected(refusal(*operation, "one number is wanted"));
    }
    return value;
}

// Words that stand among moves and are none: numbers, glyphs, checks apart from their move.
std::string_view move_word(std::string_view word) {
    word = without_move_number(word);
    word = word.substr(0, word.find_last_not_of("!?,") + 1);
    return glyph(word) ? std::string_view{} : word;
}

// With promotions written apart ("f8 = Q", "f8 =Q", "f8= Q") made whole.
std::vector<std::string> joined(const std::vector<std::string>& operands) {
    std::vector<std::string> words;
    for (const std::string& operand : operands) {
        const bool piece = !operand.empty() && std::string_view{"QRBN"}.contains(operand[0]) &&
                           operand.find_first_of("12345678") == std::string::npos;
        const bool belongs =
            !words.empty() && (operand == "=" || (operand.size() > 1 && operand[0] == '=') ||
                               (piece && words.back().ends_with('=')));
        if (belongs) {
            words.back() += operand;
        } else {
            words.push_back(operand);
        }
    }
    return words;
}

// A line as people write it: "1.e4 e5 $1 2.Nf3,Nc6 *".
struct MoveReader {
    Position position;
    bool played;
    std::vector<Move> moves{};

    // Nothing if the word is taken.
    std::optional<std::string> take(std::string_view operand, bool mend = true) {
        const std::string_view word = move_word(operand);
        const bool nag = word.starts_with('$') && is_number(word.substr(1));
        if (word.empty() || word.starts_with('#') || nag || (!moves.empty() && result_of(word))) {
            return std::nullopt; // a mate distance is no move
        }
        const auto move = parse_move(position, word);
        if (!move) {
            const std::vector<std::string> words = mended(word);
            if (!mend || move.error().kind != MoveErrorKind::syntax || words.size() < 2) {
                return move.error().message;
            }
            for (const std::string& part : words) {
                if (auto error = take(part, false)) {
                    return error;
                }
            }
            return std::nullopt;
        }
        moves.push_back(*move);
        if (played) {
            position.play(*move);
        }
        return std::nullopt;
    }
};

// `played`: one after the other, else each in the record's position.
std::expected<std::vector<Move>, std::string> moves_of(const EpdRecord& record,
                                                       std::string_view opcode, bool played) {
    MoveReader reader{record.position, played};
    for (const EpdOperation& operation : record.operations) {
        if (operation.opcode != opcode) {
            continue;
        }
        for (const std::string& operand : joined(operation.operands)) {
            if (const auto error = reader.take(operand)) {
                return std::unexpected(refusal(operation, *error));
            }
        }
    }
    return std::move(reader.moves);
}

// With a fraction or without, in whole seconds.
std::expected<std::optional<std::uint64_t>, std::string> seconds_of(const EpdRecord& record) {
    const auto value = number_of<double>(record, "acs");
    constexpr double most = 1e15;
    if (!value || !*value) {
        return value ? std::expected<std::optional<std::uint64_t>, std::string>{std::nullopt}
                     : std::unexpected(value.error());
    }
    if (**value < 0 || **value > most) {
        return std::unexpected("acs: a number of seconds is wanted");
    }
    return static_cast<std::uint64_t>(std::llround(**value));
}

std::expected<std::optional<Score>, std::string> score_of(const EpdRecord& record) {
    if (const EpdOperation* operation = record.find("dm")) {
        const auto score =
            operation->operands.size() == 1 ? mate(operation->operands.front()) : std::nullopt;
        if (!score) {
            return std::unexpected(refusal(*operation, "a number of moves is wanted, at most " +
                                                           std::to_string(most_told_mate)));
        }
        return score;
    }
    const auto ce = number_of<int>(record, "ce");
    if (!ce) {
        return std::unexpected(ce.error());
    }
    if (*ce) {
        const auto score = score_of_ce(**ce);
        if (!score) {
            return std::unexpected("ce: " + std::to_string(**ce) +
                                   " is neither within 29,753 nor a mate in 246 moves or fewer");
        }
        return score;
    }
    const EpdOperation* best = record.find("bm");
    if (best != nullptr && !best->operands.empty() && best->operands.front().starts_with('#')) {
        const auto score = mate(std::string_view{best->operands.front()}.substr(1));
        if (!score) {
            return std::unexpected(
                refusal(*best, "a number of moves is wanted after '#', at most " +
                                   std::to_string(most_told_mate)));
        }
        return score;
    }
    return std::nullopt;
}

std::vector<std::string> sans(Position position, const std::vector<Move>& moves, bool played) {
    std::vector<std::string> words;
    for (const Move move : moves) {
        words.push_back(to_san(position, move));
        if (played) {
            position.play(move);
        }
    }
    return words;
}

} // namespace

int to_ce(Score score) {
    if (score.kind() == Score::Kind::mate) {
        const int plies = std::min(score.plies(), mate_now - least_mate);
        return score.is_win() ? mate_now - plies : plies - mate_now;
    }
    if (score.kind() == Score::Kind::tablebase) {
        const int value = std::max(20'000 - score.plies(), 10'000);
        return score.is_win() ? value : score.is_loss() ? -value : 0;
    }
    return std::clamp(score.centipawns(), -most_told_cp, most_told_cp);
}

std::optional<Score> score_of_ce(int ce) {
    if (ce < -mate_now || ce > mate_now) {
        return std::nullopt;
    }
    const int plies = mate_now - std::abs(ce);
    const Score score = plies > mate_now - least_mate ? Score::cp(ce)
                        : ce > 0                      ? Score::mate_in(std::max(plies, 1))
                                                      : Score::mated_in(plies);
    return may_be_told(score) ? std::optional{score} : std::nullopt;
}

std::expected<EpdVerdict, std::string> verdict_of(const EpdRecord& record) {
    const auto score = score_of(record);
    const auto depth = number_of<int>(record, "acd");
    const auto nodes = number_of<std::uint64_t>(record, "acn");
    const auto seconds = seconds_of(record);
    const auto best = moves_of(record, "bm", false);
    const auto avoid = moves_of(record, "am", false);
    const auto pv = moves_of(record, "pv", true);
    if (depth && (depth->value_or(0) < 0 || depth->value_or(0) > most_told_depth)) {
        return std::unexpected("acd: a depth of 0 to " + std::to_string(most_told_depth) +
                               " is wanted");
    }
    if (!score || !depth || !nodes || !seconds) {
        return std::unexpected(!score   ? score.error()
                               : !depth ? depth.error()
                               : !nodes ? nodes.error()
                                        : seconds.error());
    }
    if (!best || !avoid || !pv) {
        return std::unexpected(!best ? best.error() : !avoid ? avoid.error() : pv.error());
    }
    EpdVerdict verdict{*score, *depth, *nodes, *seconds, *best, *avoid, *pv, {}};
    if (const EpdOperation* id = record.find("id")) {
        for (const std::string& word : id->operands) {
            verdict.id += (verdict.id.empty() ? "" : " ") + word;
        }
    }
    return verdict;
}

std::vector<EpdOperation> operations_of(const Position& position, const EpdVerdict& verdict) {
    std::vector<EpdOperation> operations;
    const auto add_number = [&](const char* opcode, const auto& value) {
        if (value) {
            operations.push_back({opcode, {std::to_string(*value)}});
        }
    };
    add_number("acd", verdict.depth);
    add_number("acn", verdict.nodes);
    add_number("acs", verdict.seconds);
    if (!verdict.avoid.empty()) {
        operations.push_back({"am", sans(position, verdict.avoid, false)});
    }
    if (!verdict.best.empty()) {
        operations.push_back({"bm", sans(position, verdict.best, false)});
    }
    if (verdict.score) {
        operations.push_back({"ce", {std::to_string(to_ce(*verdict.score))}});
        if (verdict.score->kind() == Score::Kind::mate && verdict.score->is_win() &&
            verdict.score->plies() % 2 == 1) {
            const int moves = (verdict.score->plies() + 1) / 2;
            operations.push_back({"dm", {std::to_string(moves)}});
        }
    }
    if (!verdict.id.empty()) {
        operations.push_back({"id", {verdict.id}});
    }
    if (!verdict.pv.empty()) {
        operations.push_back({"pv", sans(position, verdict.pv, true)});
    }
    return operations;
}

} // namespace adjourn::chess
