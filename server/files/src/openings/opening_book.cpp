#include "opening_book.hpp"
#include "folded.hpp"

#include "base/text.hpp"
#include "chess/notation.hpp"

#include <cassert>
#include <map>

extern const char adjourn_openings_tsv[];

namespace adjourn::server {

std::vector<std::string> opening_words(std::string_view text) {
    std::vector<std::string> words;
    base::for_each_element(folded(text), ' ', [&](std::string_view word) {
        if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) {
            word.remove_suffix(1);
        }
        if (!word.empty()) {
            words.emplace_back(word);
        }
    });
    return words;
}

OpeningBook::OpeningBook() {
    base::for_each_element(adjourn_openings_tsv, '\n', [&](std::string_view line) { add(line); });
    std::map<std::string_view, std::size_t> lines; // by how their names begin
    for (Opening& opening : openings_) {
        for (std::size_t at = 0; at < opening.name.size();) {
            const auto end = std::min(opening.name.find_first_of(":,", at), opening.name.size());
            opening.parts.push_back(opening_words(opening.name.substr(at, end - at)));
            ++lines[opening.name.substr(0, end)];
            at = end + 1;
        }
    }
    for (Opening& opening : openings_) {
        opening.lines = lines[opening.name];
    }
}

const Opening* OpeningBook::at(const chess::Position& position) const {
    const auto found = by_position_.find(position.packed());
    return found == by_position_.end() ? nullptr : &openings_[found->second];
}

std::expected<Opening, std::string> parse_opening(std::string_view line) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) {
        return std::unexpected("three columns are wanted");
    }
    Opening opening;
    opening.eco = line.substr(0, first);
    opening.name = line.substr(first + 1, second - first - 1);
    opening.pgn = line.substr(second + 1);
    const chess::Position start = chess::Position::initial();
    auto moves = chess::parse_line(start, opening.pgn);
    if (!moves) {
        return std::unexpected(to_text(start, moves.error()));
    }
    opening.moves = std::move(*moves);
    return opening;
}

void OpeningBook::add(std::string_view line) {
    auto read = parse_opening(line);
    assert(read && "the table is part of the program");
    Opening opening = std::move(*read);
    by_position_.emplace(chess::Position::initial().after(opening.moves).packed(),
                         openings_.size());
    openings_.push_back(std::move(opening));
}

const OpeningBook& opening_book() {
    static const OpeningBook the_book;
    return the_book;
}

} // namespace adjourn::server
