#include "opening_book.hpp"
#include "opening_words.hpp"

#include "chess/notation.hpp"

#include <algorithm>
#include <map>

extern const char adjourn_openings_tsv[];

namespace adjourn::server {

OpeningBook::OpeningBook() {
    std::string_view rest{adjourn_openings_tsv};
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        add(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    count_names();
}

const Opening* OpeningBook::at(const chess::Position& position) const {
    const auto found = by_position_.find(position.packed());
    return found == by_position_.end() ? nullptr : &openings_[found->second];
}

OpeningWordId OpeningBook::id_of(const std::string& word) {
    const auto [at, is_new] = ids_.try_emplace(word, words_.size());
    if (is_new) {
        words_.push_back({word, opening_sound(word), is_common_word(word)});
    }
    return at->second;
}

void OpeningBook::add(std::string_view line) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) {
        return;
    }
    Opening opening;
    opening.eco = line.substr(0, first);
    opening.name = line.substr(first + 1, second - first - 1);
    opening.pgn = line.substr(second + 1);
    const chess::Position start = chess::Position::initial();
    auto moves = chess::parse_line(start, opening.pgn);
    if (!moves) {
        return;
    }
    opening.moves = std::move(*moves);
    const chess::Position position = start.after(opening.moves);
    for (std::size_t at = 0; at < opening.name.size();) {
        const std::size_t end = std::min(opening.name.find_first_of(":,", at), opening.name.size());
        Opening::Part part;
        std::string before;
        for (const std::string& word : opening_words(opening.name.substr(at, end - at))) {
            part.words.push_back(id_of(word));
            part.joined.push_back(before.empty() ? part.words.back() : id_of(before + word));
            before = word;
        }
        opening.parts.push_back(std::move(part));
        at = end + 1;
    }
    by_position_.emplace(position.packed(), openings_.size());
    openings_.push_back(std::move(opening));
}

void OpeningBook::count_names() {
    std::map<std::vector<OpeningWordId>, std::size_t> lines; // that begin with these words
    for (const Opening& opening : openings_) {
        std::vector<OpeningWordId> name;
        for (const Opening::Part& part : opening.parts) {
            for (const OpeningWordId word : part.words) {
                name.push_back(word);
                ++lines[name];
            }
        }
    }
    for (Opening& opening : openings_) {
        std::vector<OpeningWordId> name;
        for (const Opening::Part& part : opening.parts) {
            name.insert(name.end(), part.words.begin(), part.words.end());
            if (opening.family == 0) {
                opening.family = lines[name];
            }
        }
        opening.below = lines[name];
    }
}

const OpeningBook& opening_book() {
    static const OpeningBook the_book;
    return the_book;
}

} // namespace adjourn::server
