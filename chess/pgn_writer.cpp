#include "chess/pgn_writer.hpp"

#include "base/number.hpp"
#include "chess/notation.hpp"
#include "chess/pgn_comment.hpp"
#include "chess/pgn_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace adjourn::chess {

using namespace detail;

namespace {

constexpr std::size_t columns = 79; // bytes, to be safe with any reader

// Puts words into lines.
class Lines {
public:
    explicit Lines(std::string& text) : text_{text} {}

    void word(std::string_view text) {
        place();
        word_ = std::exchange(opening_, "");
        word_ += text;
    }
    // Brackets that the next word begins with.
    void open(std::string_view bracket) { opening_ += bracket; }
    // Behind the last word, or, where that ends its line, at the start of the next.
    void close(std::string_view bracket) {
        if (word_.empty() || !opening_.empty()) {
            word("");
        }
        word_ += bracket;
    }
    // The next word begins a line.
    void end_line(std::size_t ends = 1) {
        place();
        text_.append(ends, '\n');
        column_ = 0;
    }
    // A line by itself.
    void line(std::string_view text) {
        if (!opening_.empty()) {
            word("");
        }
        place();
        text_ += column_ > 0 ? "\n" : "";
        text_ += text;
        text_ += '\n';
        column_ = 0;
    }
    // At the end of the text.
    void finish() {
        place();
        text_ += column_ > 0 ? "\n" : "";
    }

private:
    void place();

    std::string& text_;
    std::string word_;    // not in text_ yet: brackets may still close after it
    std::string opening_; // brackets that the next word begins with
    std::size_t column_ = 0;
};

void Lines::place() {
    if (word_.empty()) {
        return;
    }
    if (column_ != 0 && column_ + 1 + word_.size() > columns) {
        text_ += '\n';
        column_ = 0;
    }
    // At a line's start '%' and '[' mean something.
    if (column_ != 0 || word_.starts_with('%') || word_.starts_with('[')) {
        text_ += ' ';
        ++column_;
    }
    text_ += word_;
    column_ += word_.size();
    word_.clear();
}

class GameWriter {
public:
    explicit GameWriter(const AnnotatedGame& game) : lines_{text_} {
        places_.push_back({game.start, game.start});
    }

    std::string write(const AnnotatedGame& game) {
        for (const PgnTag& tag : game.tags) {
            write_tag(tag);
        }
        if (game.tags.empty()) { // a game must begin somewhere
            write_tag({"Result", game.result});
        }
        text_ += '\n';
        for (const GameToken& token : game.moves) {
            std::visit(*this, token);
        }
        lines_.word(game.result);
        for (const GameToken& token : game.behind) {
            std::visit(*this, token);
        }
        lines_.finish();
        return std::move(text_);
    }

    void operator()(Move move);
    void operator()(PgnNag nag);
    void operator()(const PgnComment& comment);
    void operator()(const PgnLineComment& comment) {
        lines_.word(comment.text.empty() ? ";" : "; " + comment.text);
        lines_.end_line();
        behind_ = Behind::annotation;
    }
    void operator()(const PgnEscape& escape) {
        lines_.line("%" + escape.text);
        behind_ = Behind::annotation;
    }
    void operator()(VariationStart) {
        lines_.open("(");
        places_.push_back({places_.back().before, places_.back().before});
        behind_ = Behind::nothing;
    }
    void operator()(VariationEnd) {
        lines_.close(")");
        places_.pop_back();
        behind_ = Behind::nothing;
    }

private:
    struct Place {
        Position current;
        Position before; // the last move
    };
    enum class Behind : std::uint8_t { nothing, move, signed_move, annotation };

    void write_tag(const PgnTag& tag) {
        std::string value = escaped_tag_value(tag.value);
        std::ranges::replace_if(value, is_control, ' ');
        text_ += "[" + tag.name + " \"" + value + "\"]\n";
    }

    std::string text_;
    Lines lines_;
    std::vector<Place> places_; // of the line being written and of those around it
    Behind behind_ = Behind::nothing;
};

void GameWriter::operator()(Move move) {
    Place& at = places_.back();
    if (at.current.turn() == Color::white) {
        lines_.word(std::to_string(at.current.fullmove_number()) + ".");
    } else if (behind_ != Behind::move && behind_ != Behind::signed_move) {
        lines_.word(std::to_string(at.current.fullmove_number()) + "...");
    }
    lines_.word(to_san(at.current, move));
    at.before = at.current;
    at.current.play(move);
    behind_ = Behind::move;
}

void GameWriter::operator()(PgnNag nag) {
    constexpr std::array<const char*, 7> signs{"", "!", "?", "!!", "??", "!?", "?!"};
    if (!nag.sign) {
        lines_.word("$" + std::to_string(nag.number));
    } else if (behind_ == Behind::move) {
        lines_.close(signs.at(nag.number));
        behind_ = Behind::signed_move;
        return;
    } else {
        lines_.word(signs.at(nag.number));
    }
    behind_ = Behind::annotation;
}

// Breaks where there is one blank between words. A command such as [%eval 0.23] is one word.
void GameWriter::operator()(const PgnComment& comment) {
    constexpr std::size_t longest_command = 70;
    const std::string& text = comment.text;
    lines_.open("{");
    std::size_t first = 0;       // of the word
    std::size_t command_end = 0; // of a command that is not to be broken
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '[' && text.compare(i, 2, "[%") == 0 && i >= command_end) {
            const std::size_t end = text.find_first_of("]\n", i);
            if (end != std::string::npos && text[end] == ']' && end - i < longest_command) {
                command_end = end;
            }
        }
        const bool single = i > 0 && text[i] == ' ' && text[i + 1] != ' ' && text[i - 1] != ' ';
        if (single && i >= command_end) {
            lines_.word(std::string_view{text}.substr(first, i - first));
            first = i + 1;
        } else if (text[i] == '\n') {
            const std::size_t end = std::min(text.find_first_not_of('\n', i), text.size());
            lines_.word(std::string_view{text}.substr(first, i - first));
            lines_.end_line(end - i);
            first = end;
            i = end - 1;
        }
    }
    if (first < text.size() || text.empty()) {
        lines_.word(std::string_view{text}.substr(first));
    }
    lines_.close("}");
    behind_ = Behind::annotation;
}

using Tokens = std::vector<GameToken>;

constexpr std::string_view mark_name = "adj";
constexpr std::string_view mark_body = "engine";

std::optional<PgnCommand> mark_of(std::string_view comment) {
    if (!comment.starts_with("[%")) {
        return std::nullopt;
    }
    const auto commands = commands_in_comment(comment);
    const bool marked = !commands.empty() && commands.front().name == mark_name;
    return marked ? std::optional{commands.front()} : std::nullopt;
}

std::optional<std::uint8_t> nag_of(const PgnCommand& mark) {
    const auto sign = mark.body.find('$');
    return sign == std::string_view::npos
               ? std::nullopt
               : base::parse_number<std::uint8_t>(mark.body.substr(sign + 1));
}

void remove_from(Tokens& tokens) {
    Tokens kept;
    kept.reserve(tokens.size());
    std::size_t run = 0; // where the annotations begin among which the next one stands
    for (GameToken& token : tokens) {
        const auto* comment = std::get_if<PgnComment>(&token);
        const auto mark = comment == nullptr ? std::nullopt : mark_of(comment->text);
        if (!mark) {
            const bool annotation = is_annotation(token);
            kept.push_back(std::move(token));
            run = annotation ? run : kept.size();
            continue;
        }
        if (const auto nag = nag_of(*mark)) {
            const auto found = std::find(kept.begin() + static_cast<std::ptrdiff_t>(run),
                                         kept.end(), GameToken{PgnNag{*nag, false}});
            if (found != kept.end()) {
                kept.erase(found);
            }
        }
    }
    tokens = std::move(kept);
}

} // namespace

std::string to_pgn(const AnnotatedGame& game) {
    return GameWriter{game}.write(game);
}

PgnComment exported_comment(std::optional<std::uint8_t> nag, std::string_view text) {
    std::string whole = "[%" + std::string{mark_name} + " " + std::string{mark_body};
    whole += nag ? ",$" + std::to_string(*nag) + "]" : "]";
    whole += text.empty() ? "" : " ";
    return PgnComment::of(whole + std::string{text});
}

bool is_exported(std::string_view comment) {
    return mark_of(comment).has_value();
}

void remove_exported(AnnotatedGame& game) {
    remove_from(game.moves);
    remove_from(game.behind);
}

void ExportedComments::say(GameTree::Node node, std::optional<std::uint8_t> nag,
                           std::string_view text, bool quiet) {
    const GameTree::Range range = tree_.behind(node);
    const std::vector<GameToken>& from = tree_.game().moves;
    std::size_t behind_nags = range.first;
    for (std::size_t i = range.first; i < range.end; ++i) {
        const auto* other = std::get_if<PgnNag>(&from[i]);
        behind_nags = other != nullptr && i == behind_nags ? i + 1 : behind_nags;
        if (other != nullptr && nag && nag_kind(other->number) == nag_kind(*nag)) {
            nag.reset();
        }
    }
    if (nag) {
        copy(behind_nags);
        tokens_.emplace_back(PgnNag{*nag, false});
    }
    if (!text.empty() || (nag && !quiet)) {
        copy(range.end);
        tokens_.emplace_back(exported_comment(nag, text));
    }
}

std::vector<GameToken> ExportedComments::take() {
    copy(tree_.game().moves.size());
    return std::move(tokens_);
}

void ExportedComments::copy(std::size_t end) {
    const std::vector<GameToken>& from = tree_.game().moves;
    tokens_.insert(tokens_.end(), from.begin() + static_cast<std::ptrdiff_t>(copied_),
                   from.begin() + static_cast<std::ptrdiff_t>(end));
    copied_ = end;
}

} // namespace adjourn::chess
