#include "game.hpp"

#include "chess/notation.hpp"
#include "engine_bridge/process/uci.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace adjourn::match {

using chess::Color;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds grace{10'000}; // after the flag fell, until the engine counts as hung
constexpr milliseconds longest_thought{300'000}; // without a clock

std::string number(milliseconds time) {
    return std::to_string(std::max<std::int64_t>(0, time.count()));
}

class Table {
public:
    Table(Player& white, Player& black, const GamePlan& plan)
        : players_{&white, &black}, plan_{plan}, position_{plan.start} {
        clocks_.fill(plan.control.base);
        result_.least_left = clocks_;
        ++seen_[position_.packed()];
        for (const chess::Move move : plan.opening) {
            make(move);
        }
    }

    GameResult play() {
        for (Player* player : players_) {
            player->send("ucinewgame");
            player->send("isready");
            player->wait_for("readyok", std::chrono::seconds{60});
        }
        while (!over() && turn()) {
        }
        result_.moves = chess::to_san_line(plan_.start, moves_);
        result_.plies = moves_.size();
        return std::move(result_);
    }

private:
    std::size_t side() const { return position_.turn() == Color::white ? 0 : 1; }
    int loss() const { return side() == 0 ? -1 : 1; }

    bool end(int white, std::string reason) {
        result_.white = white;
        result_.reason = std::move(reason);
        return true;
    }
    void fault(const std::string& what) {
        result_.faults.push_back(players_[side()]->name() + ": " + what);
    }

    bool over() {
        switch (position_.terminal()) {
        case chess::Terminal::checkmate: return end(loss(), "mate");
        case chess::Terminal::stalemate: return end(0, "stalemate");
        case chess::Terminal::dead: return end(0, "insufficient material");
        default: break;
        }
        if (seen_[position_.packed()] >= 3) {
            return end(0, "threefold repetition");
        }
        if (position_.halfmove_clock() >= 100) {
            return end(0, "fifty moves");
        }
        return moves_.size() >= plan_.most_plies && end(0, "length");
    }

    // One move; false where it ends the game.
    bool turn() {
        Player& player = *players_[side()];
        milliseconds& clock = clocks_[side()];
        player.send(position_command());
        player.send(!plan_.go.empty()
                        ? "go " + plan_.go
                        : "go wtime " + number(clocks_[0]) + " btime " + number(clocks_[1]) +
                              " winc " + number(plan_.control.increment) + " binc " +
                              number(plan_.control.increment));
        const auto start = Player::Clock::now();
        auto spoke = start;
        while (true) {
            const auto line =
                player.read(start + (plan_.go.empty() ? clock + grace : longest_thought));
            const auto now = Player::Clock::now();
            if (!line) {
                fault("hangs on " + position_.fen());
                end(loss(), "hung");
                return false;
            }
            if (line->starts_with("info") && !line->starts_with("info string")) {
                check_info(*line, now - spoke);
                spoke = now;
            }
            if (line->starts_with("bestmove") && !plan_.go.empty()) {
                return answer(*line);
            }
            if (line->starts_with("bestmove")) {
                clock -= duration_cast<milliseconds>(now - start);
                result_.least_left[side()] = std::min(result_.least_left[side()], clock);
                if (clock < milliseconds{0}) {
                    fault("loses on time by " + number(-clock) + " ms in " + position_.fen());
                    end(loss(), "time");
                    return false;
                }
                clock += plan_.control.increment;
                return answer(*line);
            }
        }
    }

    bool answer(const std::string& line) {
        const auto parsed = engine_bridge::uci::parse(line);
        const auto& best = std::get<engine_bridge::uci::BestMove>(parsed);
        const auto move = best.move ? chess::parse_uci(position_, *best.move)
                                    : std::unexpected(chess::MoveError{chess::MoveErrorKind::syntax,
                                                                       "no move", "no move"});
        if (!move) {
            fault("'" + line + "' in " + position_.fen());
            end(loss(), "illegal move");
            return false;
        }
        make(*move);
        return true;
    }

    void check_info(const std::string& line, Player::Clock::duration silence) {
        if (silence > plan_.longest_silence) {
            fault("said nothing for " + number(duration_cast<milliseconds>(silence)) + " ms");
        }
        const auto parsed = engine_bridge::uci::parse(line);
        const auto* info = std::get_if<engine_bridge::uci::Info>(&parsed);
        if (info == nullptr) {
            return;
        }
        chess::Position at = position_;
        for (const std::string_view text : info->pv) {
            const auto move = chess::parse_uci(at, text);
            if (!move) {
                fault("illegal variation: " + line + " in " + position_.fen());
                return;
            }
            at.play(*move);
        }
    }

    std::string position_command() const {
        std::string text = "position fen " + plan_.start.fen();
        chess::Position at = plan_.start;
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            text += (i == 0 ? " moves " : " ") + chess::to_uci(at, moves_[i]);
            at.play(moves_[i]);
        }
        return text;
    }

    void make(chess::Move move) {
        moves_.push_back(move);
        position_.play(move);
        ++seen_[position_.packed()];
    }

    std::array<Player*, 2> players_;
    const GamePlan& plan_;
    chess::Position position_;
    std::vector<chess::Move> moves_;
    std::map<chess::PackedPosition, int> seen_;
    std::array<milliseconds, 2> clocks_{};
    GameResult result_;
};

} // namespace

GameResult play(Player& white, Player& black, const GamePlan& plan) {
    return Table{white, black, plan}.play();
}

} // namespace adjourn::match
