// Openings by what people type.
#include "chess/notation.hpp"
#include "chess/position_text.hpp"
#include "files/openings/openings.hpp"
#include "opening_book.hpp"
#include "opening_words.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace adjourn::server {

using nlohmann::json;

namespace {

// How well a word of the book is the one that was typed: 0 not at all, 1 letter for letter.
double likeness(const std::string& typed, const std::string& sound, const OpeningBook::Word& word) {
    if (typed == word.text) {
        return 1;
    }
    if (sound == word.sound && typed.size() > 2) {
        return 0.92;
    }
    const double share = static_cast<double>(typed.size()) /
                         static_cast<double>(std::max<std::size_t>(word.text.size(), 1));
    if (word.text.starts_with(typed)) {
        return 0.72 + 0.18 * share;
    }
    if (typed.size() > 3 && word.sound.starts_with(sound)) {
        return 0.68 + 0.15 * share;
    }
    if (typed.size() >= 8 && within_edits(typed, word.text, 2)) {
        return within_edits(typed, word.text, 1) ? 0.6 : 0.5;
    }
    if (typed.size() >= 5 && within_edits(typed, word.text, 1)) {
        return 0.6;
    }
    return typed.size() >= 4 && word.text.find(typed) != std::string::npos ? 0.45 : 0;
}

bool all_digits(std::string_view word) {
    return std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

// A code (b90) or how one begins.
bool looks_like_eco(std::string_view word) {
    return word.size() >= 2 && word.size() <= 3 && word[0] >= 'a' && word[0] <= 'e' &&
           all_digits(word.substr(1));
}

// One reading of what was typed, held against names.
class Matcher {
public:
    Matcher(const OpeningBook& book, const OpeningReading& reading)
        : book_{book}, certainty_{reading.certainty} {
        for (const std::string& text : reading.words) {
            const bool known = std::ranges::find(book.words(), text, &OpeningBook::Word::text) !=
                               book.words().end();
            if (all_digits(text) && !known && reading.words.size() > 1) {
                continue; // a move number
            }
            Typed typed{text, is_common_word(text), {}};
            const std::string sound = opening_sound(text);
            for (const OpeningBook::Word& word : book.words()) {
                typed.likeness.push_back(likeness(text, sound, word));
            }
            typed_.push_back(std::move(typed));
        }
    }

    struct Match {
        double rank;   // the larger, the closer
        double surest; // of the words that say something, how well the worst was found; 1: to the
                       // letter
        bool complete; // all of them were found
    };

    std::optional<Match> match(const Opening& opening) const {
        const std::size_t words = count_words(opening);
        std::vector<bool> met(words, false);
        double sum = 0;
        double weights = 0;
        bool complete = true;
        bool any = false;
        double worst = 1;
        for (const Typed& typed : typed_) {
            const double weight = typed.common ? 0.5 : 1;
            const double found = best(typed, opening, met);
            complete = complete && (found > 0 || typed.common);
            worst = typed.common ? worst : std::min(worst, found);
            any = any || (!typed.common && found >= 0.68);
            sum += weight * found;
            weights += weight;
        }
        if (weights == 0 || (!complete && !any) || sum == 0) {
            return std::nullopt;
        }
        const double quality = certainty_ * sum / weights;
        const double named = is_name(opening) ? 60 : 0;
        return Match{100 * quality + fullness(opening, met) + fame(opening) + named * certainty_,
                     certainty_ * worst, complete};
    }

private:
    struct Typed {
        std::string text;
        bool common;
        std::vector<double> likeness; // by word of the book
    };

    // Whether the words are the whole name.
    bool is_name(const Opening& opening) const {
        std::size_t at = 0;
        for (const Opening::Part& part : opening.parts) {
            for (const OpeningWordId word : part.words) {
                if (at == typed_.size() || typed_[at].text != book_.words()[word].text) {
                    return false;
                }
                ++at;
            }
        }
        return at == typed_.size();
    }

    static std::size_t count_words(const Opening& opening) {
        std::size_t words = 0;
        for (const Opening::Part& part : opening.parts) {
            words += part.words.size();
        }
        return words;
    }

    // Marks the words of the name that it is most like.
    static double best(const Typed& typed, const Opening& opening, std::vector<bool>& met) {
        double found = 0;
        std::size_t first = 0;
        std::size_t last = 0;
        std::size_t at = 0;
        for (const Opening::Part& part : opening.parts) {
            for (std::size_t i = 0; i < part.words.size(); ++i, ++at) {
                const double single = typed.likeness[part.words[i]];
                const double joined = typed.likeness[part.joined[i]] * 0.98;
                if (single > found) {
                    std::tie(found, first, last) = std::tuple{single, at, at};
                }
                if (i > 0 && joined > found && joined > 0.6) {
                    std::tie(found, first, last) = std::tuple{joined, at - 1, at};
                }
            }
        }
        if (found > 0) {
            met[first] = met[last] = true;
        }
        return std::max(found, beside_the_name(typed, opening));
    }

    // By code or by a move of the line.
    static double beside_the_name(const Typed& typed, const Opening& opening) {
        if (looks_like_eco(typed.text)) {
            std::string eco{opening.eco};
            eco[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(eco[0])));
            if (eco.starts_with(typed.text)) {
                return eco == typed.text ? 1 : 0.9;
            }
        }
        const bool square = typed.text.size() >= 2 && typed.text.size() <= 5 &&
                            all_digits(typed.text.substr(typed.text.size() - 1));
        if (!square) {
            return 0;
        }
        std::string pgn{opening.pgn};
        std::ranges::transform(pgn, pgn.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const std::size_t at = pgn.find(typed.text);
        return at != std::string::npos && (at == 0 || pgn[at - 1] == ' ') ? 0.7 : 0;
    }

    // What of the name was not said: a family that goes without saying costs little, a variation
    // further down much.
    double fullness(const Opening& opening, const std::vector<bool>& met) const {
        double points = 0;
        std::size_t at = 0;
        double waiting = 0; // for parts not met that come before one that is
        for (std::size_t p = 0; p < opening.parts.size(); ++p) {
            int said = 0;
            int unsaid = 0;
            for (const OpeningWordId word : opening.parts[p].words) {
                const bool counts = !book_.words()[word].common;
                said += met[at] ? 1 : 0;
                unsaid += counts && !met[at] ? 1 : 0;
                ++at;
            }
            if (said == 0) {
                points += p == 0 ? -15 : -20;
                waiting += p == 0 ? 0 : 10;
                continue;
            }
            points += waiting + (unsaid == 0 ? 10 : -8 * unsaid);
            waiting = 0;
        }
        return points;
    }

    static double fame(const Opening& opening) {
        return 3 * std::log2(1.0 + static_cast<double>(opening.family)) +
               2 * std::log2(1.0 + static_cast<double>(opening.below));
    }

    const OpeningBook& book_;
    double certainty_;
    std::vector<Typed> typed_;
};

struct Hit {
    double rank;
    double surest; // see Matcher::Match
    bool complete;
    const Opening* opening;
};

std::vector<Hit> hits_by_words(std::string_view text) {
    std::vector<Hit> hits;
    for (const OpeningReading& reading : opening_readings(text)) {
        const Matcher matcher{opening_book(), reading};
        for (const Opening& opening : opening_book().all()) {
            if (const auto match = matcher.match(opening)) {
                hits.push_back({match->rank, match->surest, match->complete, &opening});
            }
        }
    }
    const bool complete = std::ranges::any_of(hits, &Hit::complete);
    std::erase_if(hits, [&](const Hit& hit) { return hit.complete != complete; });
    return hits;
}

// Lines that begin with the moves typed, which may stop in the middle of one ("1. e4 c").
std::vector<Hit> hits_by_moves(std::string_view text) {
    std::vector<Hit> hits;
    std::vector<chess::Move> moves;
    if (const auto parsed = chess::parse_position_text(text);
        parsed && parsed->start == chess::Position::initial()) {
        moves = parsed->moves;
    }
    for (const Opening& opening : opening_book().all()) {
        const bool begins = !moves.empty() && opening.moves.size() >= moves.size() &&
                            std::equal(moves.begin(), moves.end(), opening.moves.begin());
        if (begins || (moves.empty() && text.size() > 1 && opening.pgn.starts_with(text))) {
            hits.push_back({1'000, 1, true, &opening});
        }
    }
    return hits;
}

std::vector<Hit> found_openings(std::string_view text) {
    std::vector<Hit> hits = hits_by_moves(text);
    if (hits.empty()) {
        hits = hits_by_words(text);
    }
    std::ranges::stable_sort(hits, [](const Hit& a, const Hit& b) {
        return std::tuple{-a.rank, a.opening->moves.size()} <
               std::tuple{-b.rank, b.opening->moves.size()};
    });
    std::vector<Hit> unique;
    std::unordered_map<const Opening*, bool> seen;
    for (const Hit& hit : hits) {
        if (seen.try_emplace(hit.opening, true).second) {
            unique.push_back(hit);
        }
    }
    return unique;
}

json line_of(const Opening& opening) {
    json uci = json::array();
    chess::Position position = chess::Position::initial();
    for (const chess::Move move : opening.moves) {
        uci.push_back(chess::to_uci(position, move));
        position.play(move);
    }
    return {{"eco", opening.eco},
            {"name", opening.name},
            {"pgn", opening.pgn},
            {"uci", std::move(uci)}};
}

} // namespace

json search_openings(std::string_view text, std::size_t limit) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    std::vector<Hit> hits;
    if (text.empty()) {
        for (const Opening& opening : opening_book().all()) {
            hits.push_back({0, 0, true, &opening});
        }
        std::ranges::stable_sort(hits, {},
                                 [](const Hit& hit) { return hit.opening->moves.size(); });
    } else {
        hits = found_openings(text);
    }
    json out = json::array();
    for (const Hit& hit : hits) {
        if (out.size() >= limit) {
            break;
        }
        out.push_back(line_of(*hit.opening));
    }
    return out;
}

std::optional<NamedOpening> opening_called(std::string_view text) {
    const std::vector<Hit> hits = hits_by_words(text);
    const auto best = std::ranges::max_element(hits, {}, [](const Hit& hit) {
        return std::tuple{hit.rank, -static_cast<double>(hit.opening->moves.size())};
    });
    constexpr double sure = 0.85;
    if (best == hits.end() || !best->complete || best->surest < sure) {
        return std::nullopt;
    }
    return NamedOpening{std::string{best->opening->eco}, std::string{best->opening->name},
                        best->opening->moves};
}

} // namespace adjourn::server
