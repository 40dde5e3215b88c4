#include "files/collections/taken_games.hpp"

#include "base/number.hpp"

#include <algorithm>

namespace adjourn::collections {

namespace {

constexpr int most_elo = 9'999;

int number_in(std::string_view text, int most) {
    const int number = base::parse_number<int>(text).value_or(0);
    return number > 0 && number <= most ? number : 0;
}

class GameTaker final : public chess::PgnVisitor {
public:
    GameTaker(const CollectOptions& options, TakenGames& taken)
        : options_{options}, taken_{taken} {}

    void begin_game() override {
        ++taken_.read;
        game_ = {};
        white_elo_ = black_elo_ = 0;
        moves_.clear();
        depth_ = 0;
        cut_ = weak_ = damaged_ = false;
    }

    void tag(std::string_view name, std::string_view value) override {
        if (name == "White") {
            game_.white = value;
        } else if (name == "Black") {
            game_.black = value;
        } else if (name == "Result") {
            game_.result = value;
        } else if (name == "WhiteElo") {
            white_elo_ = number_in(value, most_elo);
        } else if (name == "BlackElo") {
            black_elo_ = number_in(value, most_elo);
        } else if (name == "Date" || (name == "UTCDate" && game_.year == 0)) {
            game_.year = number_in(value.substr(0, 4), 9'999);
        }
    }

    bool begin_moves(const chess::Position&) override {
        weak_ = std::min(white_elo_, black_elo_) < options_.least_elo;
        return !weak_;
    }

    void move(const chess::Position& before, chess::Move move) override {
        if (depth_ > 0 || cut_) {
            return;
        }
        moves_.push_back({static_cast<std::int64_t>(before.hash()), move.raw(),
                          static_cast<std::uint32_t>(taken_.games.size())});
    }
    // What follows is no game.
    void null_move(const chess::Position&) override { cut_ = cut_ || depth_ == 0; }
    bool had_enough() const override {
        return depth_ > 0 || cut_ || moves_.size() >= options_.plies;
    }
    void begin_variation() override { ++depth_; }
    void end_variation() override { --depth_; }

    void error(const chess::PgnError& error) override {
        if (depth_ > 0) {
            return;
        }
        damaged_ = true;
        if (taken_.report.errors.size() < most_told) {
            taken_.report.errors.push_back(error);
        }
    }

    void end_game(std::string_view result) override {
        if (!result.empty()) {
            game_.result = result;
        }
        CollectReport& report = taken_.report;
        if (damaged_) {
            ++report.damaged;
        } else if (weak_) {
            ++report.too_weak;
        } else if (!moves_.empty() || !game_.result.empty()) {
            add();
        }
    }

private:
    void add() {
        CollectReport& report = taken_.report;
        if (game_.result != "1-0" && game_.result != "0-1" && game_.result != "1/2-1/2") {
            ++report.without_result;
            return;
        }
        game_.elo = white_elo_ > 0 && black_elo_ > 0 ? (white_elo_ + black_elo_) / 2 : 0;
        taken_.games.push_back(game_);
        // A game counts once where it comes to a position again and plays the same move.
        std::ranges::sort(moves_);
        moves_.erase(std::unique(moves_.begin(), moves_.end()), moves_.end());
        taken_.moves.insert(taken_.moves.end(), moves_.begin(), moves_.end());
        ++report.games;
        report.moves += moves_.size();
    }

    const CollectOptions& options_;
    TakenGames& taken_;
    KnownGame game_;
    int white_elo_ = 0;
    int black_elo_ = 0;
    std::vector<TakenMove> moves_;
    int depth_ = 0;
    bool cut_ = false;
    bool weak_ = false;
    bool damaged_ = false;
};

} // namespace

TakenGames take_games(const chess::PgnParts::Part& part, const CollectOptions& options) {
    TakenGames taken;
    taken.lines = part.lines;
    if (part.left_out) {
        taken.read = taken.report.damaged = 1;
        taken.report.errors.push_back(
            {1, *part.left_out - part.lines_before, chess::PgnParts::trouble});
        return taken;
    }
    chess::PgnReader reader{std::string_view{part.text}};
    GameTaker taker{options, taken};
    while (reader.read_game(taker)) {
    }
    return taken;
}

} // namespace adjourn::collections
