// The opening search finds what people type.
#include "files/openings/openings.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::server;
using nlohmann::json;

namespace {

using Asked = std::vector<std::pair<const char*, const char*>>;

std::string first_of(const std::string& text) {
    const json found = search_openings(text, 1);
    return found.empty() ? "nothing" : found[0]["name"].get<std::string>();
}

void require_first(const Asked& asked) {
    for (const auto& [text, name] : asked) {
        INFO(text);
        CHECK(first_of(text) == name);
    }
}

} // namespace

TEST_CASE("openings: spelling, accents and punctuation do not matter") {
    require_first(
        {{"grunfeld", "Grünfeld Defense"},
         {"gruenfeld", "Grünfeld Defense"},
         {"gr\xc3\xbcnfeld defence", "Grünfeld Defense"},
         {"R\xc3\xa9ti", "Réti Opening"},
         {"Re\xcc\x81ti", "Réti Opening"}, // with a combining accent
         {"queen\xe2\x80\x99s gambit", "Queen's Gambit"},
         {"queens gambit", "Queen's Gambit"},
         {"two knights defence", "Italian Game: Two Knights Defense"},
         {"Petrow", "Petrov's Defense"},
         {"sicilian, najdorf", "Sicilian Defense: Najdorf Variation"},
         {"Najdorf Sicilian", "Sicilian Defense: Najdorf Variation"},
         {"king's indian", "King's Indian Defense"},
         {"caro kann", "Caro-Kann Defense"},
         {"Niemzowitsch-Verteidigung", "Nimzowitsch Defense"},
         {"Sweschnikow", "Sicilian Defense: Lasker-Pelikan Variation, Sveshnikov Variation"},
         {"saemisch", "King's Indian Defense: Sämisch Variation"}});
}

TEST_CASE("openings: the main line of the most common name comes first") {
    require_first({{"spanish", "Ruy Lopez"},
                   {"berlin", "Ruy Lopez: Berlin Defense"},
                   {"english attack", "Sicilian Defense: Najdorf Variation, English Attack"},
                   {"accelerated dragon", "Sicilian Defense: Accelerated Dragon"},
                   {"king's indian attack", "King's Indian Attack"},
                   {"semi slav", "Semi-Slav Defense"}});
    const json french = search_openings("french", 2);
    CHECK(french[0]["pgn"] == "1. e4 e6"); // the shorter line of two with one name
    CHECK(french[1]["pgn"] == "1. e4 e6 2. d4 d5");
}

TEST_CASE("openings: codes, codes with words, moves") {
    const json coded = search_openings("C65 berlin", 50);
    REQUIRE_FALSE(coded.empty());
    CHECK(coded[0]["name"] == "Ruy Lopez: Berlin Defense");
    for (const json& line : coded) {
        CHECK(line["eco"] == "C65");
    }
    for (const json& line : search_openings("B9", 200)) {
        CHECK(line["eco"].get<std::string>().starts_with("B9"));
    }
    CHECK(search_openings("e60", 1)[0]["eco"] == "E60");
    require_first({{"1. e4 e5 2. Nf3 Nc6 3. Bb5", "Ruy Lopez"},
                   {"e4 e5 Nf3 Nc6 Bb5", "Ruy Lopez"},
                   {"e2e4 c7c5", "Sicilian Defense"},
                   {"1. e4 c", "Caro-Kann Defense"}});
}

TEST_CASE("openings: other names and other languages") {
    require_first({{"QGD", "Queen's Gambit Declined"},
                   {"KID", "King's Indian Defense"},
                   {"center counter", "Scandinavian Defense"},
                   {"Orang-Utan", "Polish Opening"},
                   {"Damengambit", "Queen's Gambit"},
                   {"Abgelehntes Damengambit", "Queen's Gambit Declined"},
                   {"Sizilianisch Drachenvariante", "Sicilian Defense: Dragon Variation"},
                   {"Koenigsindische Verteidigung", "King's Indian Defense"},
                   {"Nimzoindisch", "Nimzo-Indian Defense"},
                   {"Grünfeldindisch", "Grünfeld Defense"},
                   {"Spanische Partie", "Ruy Lopez"},
                   {"Französische Vorstoßvariante", "French Defense: Advance Variation"},
                   {"Geschlossener Sizilianer", "Sicilian Defense: Closed"},
                   {"Zweispringerspiel im Nachzuge", "Italian Game: Two Knights Defense"},
                   {"Najdorfvariante", "Sicilian Defense: Najdorf Variation"},
                   {"Défense sicilienne", "Sicilian Defense"},
                   {"est-indienne", "King's Indian Defense"},
                   {"Apertura Española", "Ruy Lopez"},
                   {"Difesa siciliana", "Sicilian Defense"},
                   {"Koningsindisch", "King's Indian Defense"},
                   {"Obrona sycylijska", "Sicilian Defense"},
                   {"Сицилианская защита", "Sicilian Defense"},
                   {"Ферзевый гамбит", "Queen's Gambit"}});
}

TEST_CASE("openings: while one types") {
    require_first({{"sic naj", "Sicilian Defense: Najdorf Variation"},
                   {"nimzo-ind", "Nimzo-Indian Defense"},
                   {"sizil", "Sicilian Defense"},
                   {"königsind", "King's Indian Defense"},
                   {"french defenc", "French Defense"},
                   {"sicilian opening", "Sicilian Defense"},
                   {"spanish opening exchange", "Ruy Lopez: Exchange Variation"}});
    CHECK(search_openings("qwertz", 5).empty());
    CHECK(search_openings("sicilian qwertz", 5).empty()); // every word has to be found
    CHECK(search_openings("defense", 5).empty());         // says nothing
    CHECK(search_openings("", 7).size() == 7);
    CHECK(search_openings("\xff\xfe", 5).size() <= 5);
}

namespace {

void find_themselves(std::size_t every) {
    const json all = search_openings("", 10'000);
    REQUIRE(all.size() > 3'000);
    for (std::size_t i = 0; i < all.size(); i += every) {
        const std::string name = all[i]["name"];
        INFO(name);
        CHECK(first_of(name) == name);
    }
}

} // namespace

TEST_CASE("openings: names of the book find themselves") {
    find_themselves(97);
}

TEST_CASE("openings: every name of the book finds itself", "[.][deep]") {
    find_themselves(1);
}

TEST_CASE("openings: one is meant, or none") {
    const auto spanish = opening_called("Spanisch");
    REQUIRE(spanish);
    CHECK(spanish->name == "Ruy Lopez");
    CHECK(spanish->moves.size() == 5);
    CHECK_FALSE(opening_called("hello"));
    CHECK_FALSE(opening_called("sicilian nonsense"));
    CHECK_FALSE(opening_called("grunf")); // a guess, in the book
    CHECK_FALSE(opening_called("sizil")); // and in the table
}
