#include "chess/board_marks.hpp"

#include "chess/pgn_comment.hpp"

#include "base/text.hpp"

#include <array>

namespace adjourn::chess {

namespace {

constexpr std::array<std::string_view, 2> mark_commands{"csl", "cal"}; // circles, arrows

std::optional<BoardMark> mark_of(std::string_view text, bool arrow) {
    if (text.size() != (arrow ? 5 : 3) || !std::string_view{"GRYB"}.contains(text[0])) {
        return std::nullopt;
    }
    const auto from = Square::parse(text.substr(1, 2));
    const auto to = arrow ? Square::parse(text.substr(3)) : std::nullopt;
    if (!from || (arrow && !to)) {
        return std::nullopt;
    }
    return BoardMark{text[0], *from, to};
}

} // namespace

std::vector<BoardMark> marks_of(std::string_view comment) {
    std::vector<BoardMark> marks;
    const auto commands = commands_in_comment(comment);
    for (const std::string_view name : mark_commands) {
        const bool arrow = name == "cal";
        for (const PgnCommand& command : commands) {
            if (command.name == name) {
                base::for_each_element(command.body, ',', [&](std::string_view element) {
                    if (const auto mark = mark_of(element, arrow)) {
                        marks.push_back(*mark);
                    }
                });
            }
        }
    }
    return marks;
}

std::string to_text(const std::vector<BoardMark>& marks) {
    constexpr std::size_t most_in_command = 8;
    std::string text;
    for (const bool arrows : {false, true}) {
        std::size_t count = 0;
        for (const BoardMark& mark : marks) {
            if (mark.to.has_value() != arrows) {
                continue;
            }
            if (count % most_in_command == 0) {
                text += count > 0 ? "]" : "";
                text += text.empty() ? "" : " ";
                text += "[%" + std::string{mark_commands[arrows ? 1 : 0]} + " ";
            } else {
                text += ',';
            }
            const auto add = [&](Square square) { text += {square.name()[0], square.name()[1]}; };
            text += mark.color;
            add(mark.from);
            if (mark.to) {
                add(*mark.to);
            }
            ++count;
        }
        text += count > 0 ? "]" : "";
    }
    return text;
}

} // namespace adjourn::chess
