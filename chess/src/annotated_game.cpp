#include "chess/annotated_game.hpp"

#include "comment_text.hpp"

#include "base/utf8.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace adjourn::chess {

using namespace detail;

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> roster{
    {{"Event", "?"},
     {"Site", "?"},
     {"Date", "????.??.??"},
     {"Round", "?"},
     {"White", "?"},
     {"Black", "?"},
     {"Result", "*"}}};

} // namespace

bool is_annotation(const GameToken& token) {
    return !std::holds_alternative<Move>(token) && !std::holds_alternative<VariationStart>(token) &&
           !std::holds_alternative<VariationEnd>(token);
}

PgnComment PgnComment::of(std::string_view text) {
    return {comment_text(base::to_utf8(text)).text};
}

AnnotatedGame new_game(const Position& start, const std::vector<PgnTag>& tags,
                       const std::string& result) {
    AnnotatedGame game{{}, start, {}, result, {}};
    for (const auto& [name, unknown] : roster) {
        const std::string_view given = name == "Result" ? result : tag_value(tags, name);
        game.tags.push_back({std::string{name}, std::string{given.empty() ? unknown : given}});
    }
    std::vector<PgnTag> others;
    for (const PgnTag& tag : tags) {
        const auto is_this = [&](const auto& item) { return item.first == tag.name; };
        if (std::ranges::none_of(roster, is_this) && tag.name != "FEN" && tag.name != "SetUp") {
            others.push_back(tag);
        }
    }
    if (start.fen() != Position::initial().fen()) {
        if (start.chess960() && tag_value(tags, "Variant").empty()) {
            others.push_back({"Variant", "Chess960"});
        }
        others.push_back({"SetUp", "1"});
        others.push_back({"FEN", start.fen()});
    }
    // The export format wants them in the order of ASCII.
    std::ranges::stable_sort(others, {}, &PgnTag::name);
    std::ranges::move(others, std::back_inserter(game.tags));
    return game;
}

std::string_view tag_value(const std::vector<PgnTag>& tags, std::string_view name) {
    const auto found = std::ranges::find(tags, name, &PgnTag::name);
    return found == tags.end() ? std::string_view{} : std::string_view{found->value};
}

namespace detail {

CommentText comment_text(std::string_view text) {
    CommentText made;
    std::size_t blanks = 0;
    std::size_t line_ends = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
            continue;
        }
        if (c == '\n' || c == '\r') {
            ++line_ends;
            continue;
        }
        if (c == ' ' || is_control(c)) {
            made.changed = made.changed || (c != ' ' && c != '\t');
            ++blanks;
            continue;
        }
        if (!made.text.empty() && line_ends > 1) {
            made.text.append(line_ends, '\n');
        } else if (!made.text.empty()) {
            made.text.append(line_ends == 1 ? 1 : blanks, ' ');
        }
        blanks = 0;
        line_ends = 0;
        made.changed = made.changed || c == '{' || c == '}';
        made.text += c == '{' ? '(' : c == '}' ? ')' : c;
    }
    return made;
}

CommentText line_comment_text(std::string_view text) {
    CommentText made{std::string{trimmed(text)}};
    for (char& c : made.text) {
        made.changed = made.changed || (is_control(c) && c != '\t');
        c = is_control(c) ? ' ' : c;
    }
    made.text = std::string{trimmed(made.text)};
    return made;
}

} // namespace detail

} // namespace adjourn::chess
