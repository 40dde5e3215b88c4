#include "random_game.hpp"

#include "chess/game_reader.hpp"
#include "chess/pgn_writer.hpp"
#include "test.hpp"

namespace adjourn::chess::testing {

namespace {

const char* const odd_words[] = {"plain",
                                 "words",
                                 "%",
                                 "[Event \"x\"]",
                                 ";",
                                 "(1. e4",
                                 ")",
                                 "$1",
                                 "1-0",
                                 "*",
                                 "Grünfeld",
                                 "日本",
                                 "\\",
                                 "\"",
                                 "<x>",
                                 "[%clk 1:02:03]",
                                 "[%csl Gd4,Re5]",
                                 "[%cal Ge2e4]",
                                 "[%eval -0.31,18]",
                                 "[%unknown a b  c]",
                                 "[%",
                                 "]",
                                 "e.p.",
                                 "{",
                                 "}",
                                 "\x01",
                                 "\n\n",
                                 "\n \n\n%",
                                 "\n\n[Event \"y\"]",
                                 "\n",
                                 "  "};

class Growing {
public:
    Growing(Random& random, std::vector<GameToken>& into) : random_{random}, into_{into} {}

    void line(Position position, int plies, int depth) {
        for (int i = 0; i < plies; ++i) {
            const MoveList moves = position.legal_moves();
            if (moves.empty()) {
                return;
            }
            const Move move = moves[random_() % moves.size()];
            into_.emplace_back(move);
            annotations(8);
            for (int more = 0; depth > 0 && more < 3 && one_in(6); ++more) {
                into_.emplace_back(VariationStart{});
                annotations(6);
                line(position, 1 + static_cast<int>(random_() % 6), depth - 1);
                into_.emplace_back(VariationEnd{});
                annotations(6);
            }
            position.play(move);
        }
    }
    void annotations(std::uint64_t rare) {
        while (one_in(rare)) {
            switch (random_() % 8) {
            case 0: into_.emplace_back(PgnNag{static_cast<std::uint8_t>(random_()), false}); break;
            case 1:
                into_.emplace_back(PgnNag{static_cast<std::uint8_t>(1 + random_() % 6), true});
                break;
            case 2: text(true); break;
            case 3: into_.emplace_back(PgnEscape{one_line()}); break;
            default: text(false);
            }
        }
    }
    void text(bool line) {
        if (line) {
            std::string text = one_line();
            text.erase(0, text.find_first_not_of(' '));
            text.erase(text.find_last_not_of(' ') + 1);
            into_.emplace_back(PgnLineComment{std::move(text)});
        } else {
            const int words = one_in(10) ? 0 : static_cast<int>(random_() % 30);
            into_.emplace_back(PgnComment::of(random_text(random_, words)));
        }
    }

private:
    bool one_in(std::uint64_t count) { return random_() % count == 0; }
    std::string one_line() {
        std::string text = random_text(random_, static_cast<int>(random_() % 12));
        std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
        return text;
    }

    Random& random_;
    std::vector<GameToken>& into_;
};

} // namespace

std::string random_text(Random& random, int words) {
    std::string text;
    for (int i = 0; i < words; ++i) {
        text += random() % 4 == 0 ? "" : " ";
        text += random() % 12 == 0 ? std::string(random() % 100, 'x')
                                   : odd_words[random() % std::size(odd_words)];
    }
    return text;
}

AnnotatedGame random_game(Random& random) {
    AnnotatedGame game;
    game.tags = {{"Event", "some"}, {"Odd", "a \"]\\"}, {"Odd", "twice  "}, {"\xc3\xa9[", "\"] ["}};
    std::string value = random_text(random, 5);
    std::erase_if(value, [](char c) { return static_cast<unsigned char>(c) < ' '; });
    game.tags.push_back({"Text", value});
    if (random() % 2 == 0) {
        game.start = random_position(random, 30);
        game.tags.push_back({"FEN", game.start.fen()});
        game.tags.push_back({"SetUp", "1"});
    }
    const char* const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    game.result = results[random() % 4];
    game.tags.push_back({"Result", random() % 4 == 0 ? "1-0" : game.result});
    Growing growing{random, game.moves};
    growing.annotations(3);
    growing.line(game.start, static_cast<int>(random() % 60), 4);
    Growing behind{random, game.behind};
    while (random() % 4 == 0) {
        behind.text(random() % 3 == 0);
    }
    return game;
}

std::string require_stable(const std::vector<AnnotatedGame>& games) {
    std::string text;
    for (const AnnotatedGame& game : games) {
        text += (text.empty() ? "" : "\n") + to_pgn(game);
    }
    INFO(text);
    const GameFile file = read_games(text);
    if (!file.report.notes.empty()) {
        FAIL(to_text(file.report.notes.front()));
    }
    REQUIRE(file.games.size() == games.size());
    for (std::size_t i = 0; i < games.size(); ++i) {
        INFO("game " << i + 1);
        REQUIRE(file.games[i].tags == games[i].tags);
        REQUIRE((file.games[i].moves == games[i].moves));
        REQUIRE((file.games[i].behind == games[i].behind));
        REQUIRE(file.games[i].result == games[i].result);
        REQUIRE(file.games[i].start.fen() == games[i].start.fen());
        REQUIRE(to_pgn(file.games[i]) == to_pgn(games[i]));
    }
    return text;
}

} // namespace adjourn::chess::testing
