#include "engine.hpp"

#include "base/number.hpp"
#include "chess/notation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace hash_engine {
namespace {

constexpr std::string_view greeting = "id name Hash Engine 1\n"
                                      "id author the Adjourn developers\n"
                                      "option name Hash type spin default 16 min 1 max 65536\n"
                                      "option name Threads type spin default 1 min 1 max 64\n"
                                      "option name AnswerMs type spin default 20 min 0 max 600000\n"
                                      "option name Jitter type spin default 0 min 0 max 100\n"
                                      "option name Seed type spin default 0 min 0 max 2147483647\n"
                                      "option name Warm type check default false\n"
                                      "option name UCI_Chess960 type check default false\n"
                                      "uciok\n";

// Deviations shrink as searches grow.
int noise(int depth) {
    return static_cast<int>(std::lround(12.0 / std::sqrt(static_cast<double>(depth))));
}

std::string score_text(chess::Score score) {
    if (score.kind() == chess::Score::Kind::mate) {
        const int moves = (score.plies() + 1) / 2;
        return "mate " + std::to_string(score.is_win() ? moves : -moves);
    }
    return "cp " + std::to_string(score.centipawns());
}

} // namespace

std::string Engine::take_output() {
    return std::exchange(output_, {});
}

std::optional<Engine::Time> Engine::deadline() const {
    return running_ ? running_->deadline : std::nullopt;
}

bool Engine::command(std::string_view line, Time now) {
    const uci::Command command = uci::parse(line);
    if (std::holds_alternative<uci::Quit>(command)) {
        return false;
    }
    if (std::holds_alternative<uci::IsReady>(command)) {
        output_ += "readyok\n";
    } else if (std::holds_alternative<uci::Stop>(command)) {
        if (running_) {
            answer(false, now);
        }
    } else if (running_) {
        output_ += "info string ignored while searching\n";
    } else if (std::holds_alternative<uci::Uci>(command)) {
        output_ += greeting;
    } else if (std::holds_alternative<uci::NewGame>(command)) {
        searched_ = 0;
    } else if (const auto* const option = std::get_if<uci::SetOption>(&command)) {
        set_option(*option);
    } else if (const auto* const game = std::get_if<uci::Game>(&command)) {
        position_known_ = game->problem.empty();
        position_ = game->position;
        output_ += position_known_ ? "" : "info string " + game->problem + "\n";
    } else if (const auto* const limits = std::get_if<uci::Go>(&command)) {
        go(*limits, now);
    }
    return true;
}

void Engine::set_option(const uci::SetOption& option) {
    const auto& [name, value] = option;
    const auto number = adjourn::base::parse_number<std::uint64_t>(value);
    const auto amount = static_cast<int>(std::min<std::uint64_t>(number.value_or(0), 600'000));
    if (name == "AnswerMs") {
        settings_.answer_ms = amount;
    } else if (name == "Jitter") {
        settings_.jitter = std::min(amount, 100);
    } else if (name == "Seed") {
        settings_.seed = number.value_or(0);
        evaluation_ = Evaluation{settings_.seed};
    } else if (name == "Warm") {
        settings_.warm = value == "true";
    } else if (name == "UCI_Chess960") {
        settings_.chess960 = value == "true";
    } else if (name != "Hash" && name != "Threads") {
        output_ += "No such option: " + name + "\n";
    }
}

void Engine::go(const uci::Go& limits, Time now) {
    Running running;
    running.started = now;
    std::uint64_t answer_ms = static_cast<std::uint64_t>(settings_.answer_ms);
    const chess::MoveList legal = position_.legal_moves();
    running.depth = 10;
    running.nodes = 1'000;
    if (limits.depth) {
        running.depth = std::clamp(*limits.depth, 1, 200);
        const auto depth = static_cast<std::uint64_t>(running.depth);
        running.nodes = 100 * depth * depth * std::max<std::uint64_t>(legal.size(), 1);
        running.salt = mix(1, depth);
    } else if (limits.nodes) {
        running.nodes = std::max<std::uint64_t>(*limits.nodes, 1);
        running.depth = static_cast<int>(std::bit_width(running.nodes));
        running.salt = mix(2, running.nodes);
    } else if (limits.movetime) {
        answer_ms = static_cast<std::uint64_t>(
            std::clamp<std::int64_t>(limits.movetime->count(), 0, 86'400'000));
        running.nodes = 1'000 * std::max<std::uint64_t>(answer_ms, 1);
        running.depth = static_cast<int>(std::bit_width(running.nodes));
        running.salt = mix(3, answer_ms);
    }
    if (position_known_ && limits.searchmoves.empty()) {
        running.moves.assign(legal.begin(), legal.end());
    } else if (position_known_) {
        for (const std::string& text : limits.searchmoves) {
            if (const auto move = parse_uci(position_, text)) {
                running.moves.push_back(*move);
            }
        }
    }
    if (settings_.warm) {
        searched_ = mix(searched_, position_.hash());
        running.salt = mix(running.salt, searched_);
    }
    best_.reset();
    running_ = std::move(running);
    if (running_->moves.empty()) {
        const bool mated = position_known_ && legal.empty() && position_.in_check();
        output_ += mated ? "info depth 0 score mate 0\n" : "info depth 0 score cp 0\n";
        output_ += "bestmove (none)\n";
        running_.reset();
        return;
    }
    if (!limits.infinite) {
        if (settings_.jitter > 0) {
            std::uniform_real_distribution<double> share{-1.0, 1.0};
            const double factor = 1.0 + share(pace_) * settings_.jitter / 100.0;
            answer_ms =
                static_cast<std::uint64_t>(std::llround(static_cast<double>(answer_ms) * factor));
        }
        running_->deadline = now + std::chrono::milliseconds{answer_ms};
    }
    const int first = std::max(1, running_->depth / 2);
    report(first, std::max<std::uint64_t>(1, running_->nodes / 4), mix(running_->salt, 1), now);
    time(now);
}

void Engine::time(Time now) {
    if (running_ && running_->deadline && now >= *running_->deadline) {
        answer(true, now);
    }
}

void Engine::answer(bool complete, Time now) {
    if (complete) {
        report(running_->depth, running_->nodes, running_->salt, now);
    }
    output_ += "bestmove " + move_text(position_, *best_) + "\n";
    running_.reset();
}

void Engine::report(int depth, std::uint64_t nodes, std::uint64_t salt, Time now) {
    const std::vector<Opinion> opinions =
        evaluation_.search(position_, running_->moves, salt, noise(depth));
    const Opinion& best = opinions.front();
    best_ = best.move;
    const auto ms = duration_cast<std::chrono::milliseconds>(now - running_->started).count();
    output_ += "info depth " + std::to_string(depth) + " seldepth " + std::to_string(depth + 2) +
               " multipv 1 score " + score_text(best.score) + " nodes " + std::to_string(nodes) +
               " nps " + std::to_string(nodes * 1'000 / static_cast<std::uint64_t>(ms + 1)) +
               " hashfull 0 tbhits 0 time " + std::to_string(ms) + " pv " +
               move_text(position_, best.move);
    chess::Position at = position_.after(best.move);
    const std::uint64_t length = 2 + at.hash() % 3;
    for (std::uint64_t i = 1; i < length; ++i) {
        const std::optional<Opinion> reply = evaluation_.best_reply(at);
        if (!reply) {
            break;
        }
        output_ += ' ' + move_text(at, reply->move);
        at.play(reply->move);
    }
    output_ += '\n';
}

std::string Engine::move_text(const chess::Position& position, chess::Move move) const {
    return to_uci(position, move,
                  settings_.chess960 ? chess::CastlingStyle::king_rook
                                     : chess::CastlingStyle::standard);
}

} // namespace hash_engine
