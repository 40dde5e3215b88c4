#include "chess/game_reader.hpp"

#include "base/line_reader.hpp"
#include "base/text.hpp"
#include "chess/move_text.hpp"
#include "chess/pgn_text.hpp"
#include "chess/text.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::chess {

using namespace detail;

class GameReader::Impl : public PgnVisitor {
public:
    explicit Impl(std::string_view text) : reader_{text} {}
    explicit Impl(std::istream& in) : reader_{in} {}

    std::optional<AnnotatedGame> next() {
        while (!ended_ && !read_) {
            if (!reader_.read_game(*this)) {
                ended_ = true;
                give();
                if (!loose_.empty()) {
                    note(ReadingNote::Kind::refused, "comments without a game are left out",
                         loose_place_);
                }
            }
        }
        return std::exchange(read_, std::nullopt);
    }

    void begin_game() override {
        give();
        game_ = {};
        game_.moves = std::exchange(loose_, {});
        open_.clear();
        skipped_ = text_bytes_ = tag_bytes_ = 0;
        begun_ = full_ = moved_comment_ = mended_start_ = false;
        in_game_ = true;
        ++games_;
    }
    void tag(std::string_view name, std::string_view value) override {
        if (!game_.moves.empty() && !std::exchange(moved_comment_, true)) {
            note(ReadingNote::Kind::mended,
                 "comments before and among the tags now stand before the first move", here());
        }
        PgnTag tag{std::string{name}, std::string{value}};
        if (base::has_control_characters(value)) {
            std::ranges::replace_if(tag.value, is_control, ' ');
            mended_start_ = mended_start_ || base::lower_case(name) == "fen";
            note(ReadingNote::Kind::mended,
                 "control characters of the tag " + quoted(name) + " are now blanks", here());
        }
        tag_bytes_ += name.size() + escaped_tag_value(tag.value).size() + 16;
        if (name.starts_with('%') || base::has_control_characters(name) ||
            tag_bytes_ > base::longest_text) {
            note(ReadingNote::Kind::refused, "the tag " + quoted(name) + " is left out", here());
            return;
        }
        game_.tags.push_back(std::move(tag));
    }
    bool begin_moves(const Position& start) override {
        begun_ = true;
        game_.start = start;
        if (mended_start_) {
            for (PgnTag& tag : game_.tags) {
                if (base::lower_case(tag.name) == "fen" && !says_nothing(tag.value)) {
                    tag.value = start.fen();
                }
            }
        }
        return true;
    }
    void move(const Position&, Move move) override {
        if (put(move) && !open_.empty()) {
            open_.back().has_moves = true;
        }
    }
    void nag(int nag) override { put(PgnNag{static_cast<std::uint8_t>(nag), false}); }
    void sign(int nag, bool plain) override { put(PgnNag{static_cast<std::uint8_t>(nag), plain}); }
    bool wants_all() const override { return true; }
    void text(PgnTextKind kind, std::string_view text, PgnPlace at) override {
        CommentText made = kind == PgnTextKind::comment        ? comment_text(text)
                           : kind == PgnTextKind::line_comment ? line_comment_text(text)
                                                               : CommentText{std::string{text}};
        std::vector<GameToken>* const into = place_of_text();
        if (into == nullptr || made.text.size() > longest_comment) {
            note(ReadingNote::Kind::refused,
                 into == nullptr ? "a comment behind a game that is left out is left out, too"
                                 : "a comment of more than 768 KiB is left out",
                 at);
            return;
        }
        if (made.changed) {
            note(ReadingNote::Kind::mended,
                 "braces and control characters of the comment are now parentheses and blanks", at);
        }
        if (!fits(*into, made.text.size())) {
            return;
        }
        loose_place_ = loose_.empty() ? at : loose_place_;
        switch (kind) {
        case PgnTextKind::comment: into->push_back(PgnComment{std::move(made.text)}); break;
        case PgnTextKind::line_comment:
            into->push_back(PgnLineComment{std::move(made.text)});
            break;
        case PgnTextKind::escape: into->push_back(PgnEscape{std::move(made.text)}); break;
        }
    }
    bool had_enough() const override { return full_; }
    void begin_variation() override {
        if (!fits(game_.moves, 0)) {
            ++skipped_;
            return;
        }
        open_.push_back({game_.moves.size(), false});
        game_.moves.emplace_back(VariationStart{});
    }
    void end_variation() override {
        if (skipped_ > 0) {
            --skipped_;
            return;
        }
        const OpenVariation ended = open_.back();
        open_.pop_back();
        if (ended.has_moves) {
            game_.moves.emplace_back(VariationEnd{});
            return;
        }
        game_.moves.erase(game_.moves.begin() + static_cast<std::ptrdiff_t>(ended.start));
        note(ReadingNote::Kind::mended, "a variation without moves: its parentheses are left out",
             here());
    }
    void error(const PgnError& error) override {
        const std::size_t told = report.notes.size();
        note(ReadingNote::Kind::refused, error,
             begun_ ? "; what follows in this line is left out" : "; the game is left out");
        if (report.notes.size() > told) {
            report.notes.back().main_line = open_.empty() && skipped_ == 0;
        }
    }
    void warning(const PgnError& warning) override {
        mended_start_ = true;
        mended(warning);
    }
    void mended(const PgnError& what) override { note(ReadingNote::Kind::mended, what); }
    void left_out(const PgnError& what) override { note(ReadingNote::Kind::refused, what); }
    void end_game(std::string_view result) override {
        in_game_ = false;
        if (!begun_) {
            return;
        }
        game_.result = result;
        if (result.empty()) {
            const auto tag = std::ranges::find_if(game_.tags, [](const PgnTag& each) {
                return each.name == "Result" && result_of(each.value) == each.value;
            });
            game_.result = tag == game_.tags.end() ? "*" : tag->value;
            note(ReadingNote::Kind::mended,
                 "the game ends without a result; " + game_.result + " is added", here());
        }
        if (game_.tags.empty()) {
            game_.tags.push_back({"Result", game_.result});
            note(ReadingNote::Kind::mended,
                 games_ > 1 ? "the game follows another one without tags; Result is added"
                            : "the game has no tags; Result is added",
                 here());
        }
        held_ = std::move(game_);
        held_number_ = games_;
    }

    ReadingReport report;
    std::size_t number = 0; // GameReader::number()

private:
    struct OpenVariation {
        std::size_t start; // in game_.moves
        bool has_moves;
    };

    void note(ReadingNote::Kind kind, PgnError what, std::string_view behind = "") {
        ++(kind == ReadingNote::Kind::mended ? report.mended : report.refused);
        if (report.notes.size() < ReadingReport::most_notes) {
            what.message += behind;
            report.notes.push_back({kind, std::move(what)});
        }
    }
    void note(ReadingNote::Kind kind, std::string message, PgnPlace at) {
        note(kind,
             PgnError{std::max<std::size_t>(games_, 1), at.line, std::move(message), at.column});
    }
    void give() {
        read_ = std::exchange(held_, std::nullopt);
        number = read_ ? held_number_ : number;
    }
    PgnPlace here() const { return {reader_.line(), 0}; }
    // False: the game has no room for a token and its text.
    bool fits(const std::vector<GameToken>& into, std::size_t bytes) {
        text_bytes_ += bytes;
        if (!full_ && (into.size() >= most_tokens || text_bytes_ > most_text)) {
            full_ = true;
            note(ReadingNote::Kind::refused,
                 "the game has more than " + std::to_string(most_tokens) +
                     " moves, signs and comments, or more than 8 MiB of comments; the rest is left "
                     "out",
                 here());
        }
        return !full_;
    }
    bool put(GameToken token) {
        if (!fits(game_.moves, 0)) {
            return false;
        }
        game_.moves.push_back(std::move(token));
        return true;
    }
    std::vector<GameToken>* place_of_text() {
        return in_game_ ? &game_.moves : held_ ? &held_->behind : games_ == 0 ? &loose_ : nullptr;
    }

    PgnReader reader_;
    AnnotatedGame game_;
    std::vector<GameToken> loose_; // before the first game
    PgnPlace loose_place_{1, 0};
    std::optional<AnnotatedGame> held_; // read, but what stands behind its result
    std::size_t held_number_ = 0;
    std::optional<AnnotatedGame> read_;
    std::vector<OpenVariation> open_;
    std::size_t skipped_ = 0; // variations open that are not in open_
    std::size_t games_ = 0;
    std::size_t text_bytes_ = 0;
    std::size_t tag_bytes_ = 0;
    bool in_game_ = false;
    bool begun_ = false; // its moves
    bool full_ = false;
    bool moved_comment_ = false; // told
    bool mended_start_ = false;
    bool ended_ = false;
};

GameReader::GameReader(std::string_view text) : impl_{std::make_unique<Impl>(text)} {}
GameReader::GameReader(std::istream& in) : impl_{std::make_unique<Impl>(in)} {}
GameReader::~GameReader() = default;

std::optional<AnnotatedGame> GameReader::next() {
    return impl_->next();
}

std::size_t GameReader::number() const {
    return impl_->number;
}

const ReadingReport& GameReader::report() const {
    return impl_->report;
}

std::string to_text(const ReadingNote& note) {
    return to_text(note.what);
}

GameFile read_games(std::string_view text) {
    GameReader reader{text};
    GameFile file;
    while (auto game = reader.next()) {
        file.games.push_back(std::move(*game));
    }
    file.report = reader.report();
    return file;
}

} // namespace adjourn::chess
