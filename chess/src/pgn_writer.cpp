#include "chess/pgn_writer.hpp"

#include "text.hpp"

#include "chess/notation.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace adjourn::chess {

using namespace detail;

namespace {

constexpr std::size_t columns = 79; // bytes, to be safe with any reader

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> roster{
    {{"Event", "?"},
     {"Site", "?"},
     {"Date", "????.??.??"},
     {"Round", "?"},
     {"White", "?"},
     {"Black", "?"},
     {"Result", "*"}}};

bool is_control(char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
}

class Writer {
public:
    std::string write(const PgnTree& tree) {
        write_tags(tree);
        text_ += '\n';
        comment(tree.comment);
        line(tree.start, tree.moves, true);
        word(tree.result);
        place();
        return std::move(text_) + "\n";
    }

private:
    void write_tags(const PgnTree& tree);
    void tag(std::string_view name, std::string_view value);
    void line(Position position, const std::vector<PgnNode>& moves, bool numbered);
    void move(const Position& position, const PgnNode& node, bool numbered);
    void comment(std::string_view text);
    void word(std::string_view text);
    void place();

    std::string text_;
    std::string word_;    // not in text_ yet: brackets may still close after it
    std::string opening_; // brackets that the next word begins with
    std::size_t column_ = 0;
};

void Writer::tag(std::string_view name, std::string_view value) {
    text_ += '[';
    text_ += name;
    text_ += " \"";
    for (const char c : value) {
        if (c == '"' || c == '\\') {
            text_ += '\\';
        }
        text_ += is_control(c) ? ' ' : c;
    }
    text_ += "\"]\n";
}

void Writer::write_tags(const PgnTree& tree) {
    const auto given = [&](std::string_view name) {
        return std::find_if(tree.tags.begin(), tree.tags.end(),
                            [&](const PgnTag& tag) { return tag.name == name; });
    };
    for (const auto& [name, unknown] : roster) {
        const auto found = given(name);
        if (name == "Result") {
            tag(name, tree.result);
        } else {
            tag(name, found == tree.tags.end() ? unknown : std::string_view{found->value});
        }
    }
    std::vector<PgnTag> others;
    for (const PgnTag& entry : tree.tags) {
        const bool in_roster = std::any_of(roster.begin(), roster.end(), [&](const auto& item) {
            return item.first == entry.name;
        });
        if (!in_roster && entry.name != "FEN" && entry.name != "SetUp") {
            others.push_back(entry);
        }
    }
    if (tree.start.fen() != Position::initial().fen()) {
        if (tree.start.chess960() && given("Variant") == tree.tags.end()) {
            others.push_back({"Variant", "Chess960"});
        }
        others.push_back({"SetUp", "1"});
        others.push_back({"FEN", tree.start.fen()});
    }
    // The export format wants them in the order of ASCII.
    std::ranges::stable_sort(others, {}, &PgnTag::name);
    for (const PgnTag& entry : others) {
        tag(entry.name, entry.value);
    }
}

void Writer::line(Position position, const std::vector<PgnNode>& moves, bool numbered) {
    const std::vector<PgnNode>* replies = &moves;
    while (!replies->empty()) {
        const PgnNode& main = replies->front();
        move(position, main, numbered);
        numbered = !main.comment.empty() || !main.nags.empty();
        for (std::size_t i = 1; i < replies->size(); ++i) {
            const PgnNode& other = (*replies)[i];
            opening_ += '(';
            move(position, other, true);
            line(position.after(other.move), other.replies,
                 !other.comment.empty() || !other.nags.empty());
            word_ += ')';
            numbered = true;
        }
        position.play(main.move);
        replies = &main.replies;
    }
}

void Writer::move(const Position& position, const PgnNode& node, bool numbered) {
    if (position.turn() == Color::white) {
        word(std::to_string(position.fullmove_number()) + ".");
    } else if (numbered) {
        word(std::to_string(position.fullmove_number()) + "...");
    }
    word(to_san(position, node.move));
    for (const int nag : node.nags) {
        word("$" + std::to_string(nag));
    }
    comment(node.comment);
}

// Breaks between words. A command such as [%eval 0.23] is one word.
void Writer::comment(std::string_view text) {
    std::string next;
    bool in_command = false;
    bool any = false;
    const auto flush = [&] {
        if (!next.empty()) {
            word(any ? next : "{" + next);
            any = true;
            next.clear();
        }
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ' ' || is_control(c)) {
            if (in_command) {
                next += ' ';
            } else {
                flush();
            }
            continue;
        }
        if (text.substr(i).starts_with("[%") && text.find(']', i) != std::string_view::npos) {
            in_command = true;
        } else if (c == ']') {
            in_command = false;
        }
        next += c == '{' ? '(' : c == '}' ? ')' : c;
    }
    flush();
    if (any) {
        word_ += '}';
    }
}

void Writer::word(std::string_view text) {
    place();
    word_ = std::exchange(opening_, "");
    word_ += text;
}

void Writer::place() {
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

} // namespace

std::string to_pgn(const PgnTree& tree) {
    return Writer{}.write(tree);
}

} // namespace adjourn::chess
