// Names of openings as words that can be compared, however they are spelt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

// Words of a text: lower case, without diacritics ("Réti" is "reti"; "Grünfeld" and "Gruenfeld" are
// "grunfeld"), apostrophes and the s of a genitive or plural ("king's", "kings", "king" are
// "king"), British spelling as American ("defence" is "defense"). Hyphens and punctuation end
// words. Latin and Cyrillic letters are folded, others stay. Text that is not UTF-8 loses the bytes
// that are not.
std::vector<std::string> opening_words(std::string_view text);

// Equal for spellings that sound alike: Petroff, Petrow, Petrov; Nimzowitsch, Nimzovich;
// Tschigorin, Chigorin; Sveshnikov, Sweschnikow. For transliterations of names, not for words in
// general.
std::string opening_sound(std::string_view word);

// Whether that many letters changed, missing, added or exchanged with the next one make `a` of `b`
// (optimal string alignment distance).
bool within_edits(std::string_view a, std::string_view b, int edits);

// Words that say little of which opening is meant: defense, variation, line, …
bool is_common_word(std::string_view word);

// What may be meant by words, the closest reading first. At most a dozen.
struct OpeningReading {
    std::vector<std::string> words;
    double certainty; // 1: said in full; less where the last word is completed
};
// The words themselves, in English if they are in another language, and with the book's name for
// what has several ("Spanish": Ruy Lopez). Languages and names: data/opening_words.tsv.
std::vector<OpeningReading> opening_readings(std::string_view text);

} // namespace adjourn::server
