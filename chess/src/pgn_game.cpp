// The first game of a file as a value.
#include "chess/pgn.hpp"

namespace adjourn::chess {

namespace {

class MainLine : public PgnVisitor {
public:
    explicit MainLine(const PgnReader& reader) : reader_{reader} {}

    void tag(std::string_view name, std::string_view value) override {
        game.tags.push_back({std::string{name}, std::string{value}});
    }
    bool begin_moves(const Position& start) override {
        game.start = start;
        return true;
    }
    void move(const Position&, Move move) override {
        if (depth_ == 0) {
            game.moves.push_back(move);
        }
    }
    void null_move(const Position& before) override {
        if (depth_ == 0 && !problem) {
            problem = PgnError{1, reader_.line(),
                               "the main line has a null move after '" + before.fen() + "'"};
        }
    }
    void begin_variation() override { ++depth_; }
    void end_variation() override { --depth_; }
    void error(const PgnError& error) override {
        if (depth_ == 0 && !problem) {
            problem = error;
        }
    }
    void end_game(std::string_view result) override { game.result = result; }

    PgnGame game;
    std::optional<PgnError> problem; // of the main line

private:
    const PgnReader& reader_;
    int depth_ = 0;
};

} // namespace

std::string to_text(const PgnError& error) {
    return "game " + std::to_string(error.game) + ", line " + std::to_string(error.line) +
           (error.column > 0 ? ", column " + std::to_string(error.column) : "") + ": " +
           error.message;
}

std::expected<PgnGame, PgnError> read_first_game(std::string_view text, bool cut) {
    PgnReader reader{text};
    MainLine main_line{reader};
    if (!reader.read_game(main_line)) {
        return std::unexpected(PgnError{1, 1, "no game"});
    }
    if (main_line.problem) {
        return std::unexpected(std::move(*main_line.problem));
    }
    if (cut && reader.at_end()) {
        return std::unexpected(PgnError{1, reader.line(), "the game goes on for too long"});
    }
    return std::move(main_line.game);
}

} // namespace adjourn::chess
