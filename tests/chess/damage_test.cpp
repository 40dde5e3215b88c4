// After reading, every byte is in what was read, or named by what was told. Control characters,
// blanks, and numbers of moves where they may stand, say nothing.
#include "damage.hpp"
#include "random_game.hpp"

#include "base/text.hpp"
#include "chess/game_reader.hpp"
#include "chess/notation.hpp"
#include "chess/pgn.hpp"
#include "chess/pgn_writer.hpp"
#include "test.hpp"

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

namespace {

constexpr int damaged_texts = 1'500;

// Without blanks, control characters and the bytes of `dropped`.
std::string bare(std::string_view text, std::string_view dropped = "") {
    std::string left;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) > ' ' && c != 0x7f && !dropped.contains(c)) {
            left += c;
        }
    }
    return left;
}

// Which bytes of a PGN text are told, and whether what is told is what stands there.
class Ledger final : public PgnVisitor {
public:
    explicit Ledger(const std::string& text)
        : text_{text}, told_(text.size(), false), reader_{text} {
        while (reader_.read_game(*this)) {
        }
    }

    bool wants_all() const override { return true; }
    void begin_game() override {
        ++games;
        lost_.assign(1, std::string::npos);
    }
    void tag(std::string_view name, std::string_view value) override {
        constexpr std::string_view syntax = "[]\"\\";
        const std::string_view source = cover();
        expect(!base::is_utf8(source) ||
               bare(source, syntax) == bare(std::string{name} + std::string{value}, syntax));
    }
    void move(const Position& before, Move move) override {
        ++moves;
        std::string_view word = cover();
        word = word.substr(0, word.find_last_not_of("!?") + 1);
        const auto read = parse_line(before, word);
        expect(mended_at_ == reader_.span().first || (read && *read == std::vector{move}));
    }
    void nag(int) override {
        ++nags;
        cover();
    }
    void sign(int, bool) override {
        ++nags;
        cover();
    }
    void text(PgnTextKind kind, std::string_view text, PgnPlace) override {
        std::string_view source = cover().substr(1);
        source.remove_suffix(kind == PgnTextKind::comment ? 1 : 0);
        expect(!base::is_utf8(source) || bare(source) == bare(text));
        texts += bare(text);
    }
    void begin_variation() override {
        cover();
        lost_.push_back(std::string::npos);
    }
    void end_variation() override {
        end_lost();
        lost_.pop_back();
        cover();
    }
    void mended(const PgnError&) override {
        mended_at_ = reader_.span().first;
        cover();
    }
    void left_out(const PgnError& what) override {
        ++refused;
        cover(std::min(place(what), reader_.span().first));
    }
    void error(const PgnError& what) override {
        ++refused;
        if (what.message.starts_with("a variation before any move")) {
            cover();
            skipped_ = place(what);
        } else if (lost_.back() == std::string::npos) {
            lost_.back() = std::min(place(what), reader_.span().first);
        }
    }
    void warning(const PgnError&) override {}
    void end_game(std::string_view result) override {
        end_lost();
        if (!result.empty() || skipped_ != std::string::npos) {
            cover();
        }
    }

    // Bytes that are neither, in runs.
    std::vector<std::string> untold() const {
        std::vector<std::string> runs;
        for (std::size_t at = 0; at < text_.size();) {
            const auto is_untold = [&](std::size_t i) {
                return !told_[i] && static_cast<unsigned char>(text_[i]) > ' ';
            };
            std::size_t end = at;
            while (end < text_.size() && is_untold(end)) {
                ++end;
            }
            const std::string run = text_.substr(at, end - at);
            // A number of a move, or a byte-order mark.
            if (run.find_first_not_of("0123456789.\u2026") != std::string::npos &&
                run != "\ufeff") {
                runs.push_back(run);
            }
            at = end + 1;
        }
        return runs;
    }

    std::size_t games = 0;
    std::size_t moves = 0;
    std::size_t nags = 0;
    std::size_t refused = 0;
    std::string texts;
    bool as_it_stands = true;

private:
    void expect(bool holds) { as_it_stands = as_it_stands && holds; }
    std::string_view cover() { return cover(reader_.span().first); }
    std::string_view cover(std::size_t from) {
        const std::size_t to = reader_.span().second;
        from = std::min(std::exchange(skipped_, std::string::npos), from);
        std::fill(told_.begin() + static_cast<std::ptrdiff_t>(from),
                  told_.begin() + static_cast<std::ptrdiff_t>(to), true);
        const std::size_t first = reader_.span().first;
        return std::string_view{text_}.substr(first, to - first);
    }
    void end_lost() {
        if (lost_.back() != std::string::npos) {
            cover(lost_.back());
        }
    }
    // Its offset.
    std::size_t place(const PgnError& what) const {
        std::size_t at = 0;
        for (std::size_t line = 1; line < what.line; ++line) {
            at = text_.find_first_of("\r\n", at);
            at += text_.compare(at, 2, "\r\n") == 0 ? 2 : 1;
        }
        return what.column == 0 ? std::string::npos : at + what.column - 1;
    }

    const std::string& text_;
    std::vector<bool> told_;
    PgnReader reader_;
    std::vector<std::size_t> lost_; // of the lines that are open, where what is left out begins
    std::size_t skipped_ = std::string::npos;
    std::size_t mended_at_ = std::string::npos;
};

const std::string whole_file =
    "% escaped\n{before} [Event \"A \\\"b\\\"\"]\n[Site \"x\"]\n; among\n[Date \"2020.01.02\"]\n"
    "[White \"Grün\"]\n\n{intro} 1. e4 $1 {a [%eval 0.3,12]} (1. d4 d5 {b} (1... Nf6 2. c4 $14) 2. "
    "c4) 1... e5!?\n2. Nf3 ; a line\nNc6 {two\n\nparagraphs [Event \"x\"] in mid-line} 3. Bb5 a6 "
    "(3... Nf6) 4. Ba4 1/2-1/2 {behind}\n\n[Event \"B\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 "
    "1\"]\n[SetUp \"1\"]\n\n1. a8=Q+ Kd7 ± 2. Qb7+ *\n\n[White \"C\"]\n[Black \"D\"]\n[Result "
    "\"0-1\"]\n\n1.f3 e5 2.g4?? Qh4# 0-1\n\n1. c4 c5 *\n\nremark\n\n[Event \"E\"]\n\n1. d4 "
    "{[%clk 0:01:00]} d5 2. c4 e6 1-0\n";

std::vector<std::string> written_files() {
    std::vector<std::string> files{whole_file};
    Random random{7};
    for (int i = 0; i < 6; ++i) {
        files.push_back(to_pgn(random_game(random)) + "\n" + to_pgn(random_game(random)));
    }
    return files;
}

struct TokenCounts {
    std::size_t moves = 0;
    std::size_t nags = 0;
    std::string texts;

    void add(const std::vector<GameToken>& tokens) {
        for (const GameToken& token : tokens) {
            moves += std::holds_alternative<Move>(token) ? 1 : 0;
            nags += std::holds_alternative<PgnNag>(token) ? 1 : 0;
            const auto* comment = std::get_if<PgnComment>(&token);
            const auto* line = std::get_if<PgnLineComment>(&token);
            const auto* escape = std::get_if<PgnEscape>(&token);
            texts += bare(comment != nullptr  ? comment->text
                          : line != nullptr   ? line->text
                          : escape != nullptr ? escape->text
                                              : "");
        }
    }
};

std::string with_parentheses(std::string text) {
    std::ranges::replace(text, '{', '(');
    std::ranges::replace(text, '}', ')');
    return text;
}

void require_accounted(const std::string& text) {
    INFO(text);
    const Ledger ledger{text};
    CHECK(ledger.untold() == std::vector<std::string>{});
    CHECK(ledger.as_it_stands);
    // What is told is in the games.
    const GameFile file = read_games(text);
    TokenCounts kept;
    for (const AnnotatedGame& game : file.games) {
        kept.add(game.moves);
        kept.add(game.behind);
    }
    CHECK(kept.moves == ledger.moves);
    CHECK(kept.nags == ledger.nags);
    CHECK(file.report.refused >= ledger.refused);
    CHECK(file.games.size() <= ledger.games);
    if (file.report.refused == ledger.refused && file.games.size() == ledger.games) {
        CHECK(with_parentheses(kept.texts) == with_parentheses(ledger.texts));
    }
    require_stable(file.games);
}

} // namespace

TEST_CASE("damage: of a PGN text every byte is in its games, or told", "[chess]") {
    const std::vector<std::string> files = written_files();
    for (const std::string& file : files) {
        require_accounted(file);
    }
    Damage damage{1};
    for (int i = 0; i < damaged_texts; ++i) {
        require_accounted(
            damage(files[damage.below(files.size())], files[damage.below(files.size())]));
    }
    std::cout << "PGN: " << damage.tried << " damages, 0 bytes unaccounted for\n";
}

TEST_CASE("damage: a bracket or quote too many in movetext hides no game", "[chess]") {
    std::string text;
    for (int i = 0; i < 4; ++i) {
        text += "[White \"p" + std::to_string(i) +
                "\"]\n[Event \"e\"]\n\n1. e4 {x} e5 (1... c5 {y "
                "z} 2. Nf3) 2. Nc3 ; w\n Nc6 *\n\n";
    }
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text.rfind("\n\n1.", at) == std::string::npos ||
            text.rfind("\n\n1.", at) < text.rfind("\n[", at) || text[at] == '[') {
            continue; // among tags
        }
        for (const char* mark : {"{", "(", "\"", "}", ")", "<", "[", ";", "{(", "{{"}) {
            std::string damaged = text;
            damaged.insert(at, mark);
            INFO(damaged);
            CHECK(Ledger{damaged}.games == 4);
            std::istringstream in{damaged};
            PgnParts parts{in, 100};
            std::size_t games = 0;
            while (const auto part = parts.next()) {
                games += Ledger{part->text}.games;
            }
            CHECK(games == 4);
        }
    }
}
