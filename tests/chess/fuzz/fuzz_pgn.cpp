// PGN: whatever the file, calls nest, moves are legal, texts are UTF-8, errors point into the file,
// and a stream says what the text says.
#include "require.hpp"

#include "base/text.hpp"
#include "chess/pgn.hpp"
#include "chess/pgn_comment.hpp"
#include "chess/position_text.hpp"

#include <algorithm>
#include <sstream>

using namespace adjourn::chess;
using adjourn::chess::fuzz::require;

namespace {

class Checker : public PgnVisitor {
public:
    void begin_game() override {
        require(stage_ == Stage::between);
        stage_ = Stage::tags;
        ++games;
    }
    void tag(std::string_view name, std::string_view value) override {
        require(stage_ == Stage::tags && !name.empty());
        require(adjourn::base::is_utf8(name) && adjourn::base::is_utf8(value));
        note(name);
        note(value);
    }
    bool begin_moves(const Position& start) override {
        require(stage_ == Stage::tags);
        stage_ = Stage::moves;
        note(start.fen());
        return games % 5 != 0;
    }
    void move(const Position& before, Move move) override {
        require(stage_ == Stage::moves && games % 5 != 0 && before.is_legal(move));
        events = events * 31 + move.raw() + before.hash();
    }
    void null_move(const Position& before) override {
        require(stage_ == Stage::moves && !before.in_check());
        events = events * 31 + 1;
    }
    void comment(std::string_view text) override {
        require(stage_ == Stage::moves && adjourn::base::is_utf8(text));
        const auto eval = eval_in_comment(text, Color::white);
        require(!eval || eval->score == -(-eval->score));
        require(text_of_comment(text).size() <= text.size());
        note(text);
    }
    void nag(int nag) override {
        require(stage_ == Stage::moves && nag >= 0 && nag <= 255);
        events = events * 31 + static_cast<std::uint64_t>(nag);
    }
    void begin_variation() override {
        require(stage_ == Stage::moves);
        ++depth_;
    }
    void end_variation() override {
        require(depth_ > 0);
        --depth_;
    }
    void error(const PgnError& error) override {
        require(stage_ != Stage::between && error.game == games && error.line >= 1);
        require(!error.message.empty());
        note(error.message);
        events = events * 31 + error.line;
    }
    void end_game(std::string_view result) override {
        require(stage_ != Stage::between && depth_ == 0);
        require(result.empty() || result == "*" || result == "1-0" || result == "0-1" ||
                result == "1/2-1/2");
        stage_ = Stage::between;
        note(result);
    }

    std::size_t games = 0;
    std::uint64_t events = 0; // a digest of all that was told

private:
    enum class Stage { between, tags, moves };

    void note(std::string_view text) {
        for (const char c : text) {
            events = events * 131 + static_cast<unsigned char>(c);
        }
        events = events * 31 + 7;
    }

    Stage stage_ = Stage::between;
    int depth_ = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    Checker from_text;
    PgnReader text_reader{text};
    while (text_reader.read_game(from_text)) {
    }
    Checker from_stream;
    std::istringstream in{std::string{text}};
    PgnReader stream_reader{in};
    while (stream_reader.read_game(from_stream)) {
    }
    require(from_text.games == from_stream.games && from_text.events == from_stream.events);
    const auto first = parse_position_file(text);
    require(first || !first.error().empty());
    return 0;
}
