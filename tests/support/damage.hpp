// Texts as disks, editors and programs damage them, to see that nothing of them is lost untold.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace adjourn {

class Damage {
public:
    explicit Damage(std::uint64_t seed) : random_{seed} {}

    // One to three damages; `other`: a text of the same kind, for what is spliced.
    std::string operator()(std::string text, std::string_view other) {
        for (std::size_t left = 1 + below(3); left > 0; --left) {
            once(text, other);
            ++tried;
        }
        return text;
    }
    std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

    std::size_t tried = 0;

private:
    void once(std::string& text, std::string_view other) {
        static constexpr std::string_view special = "{}()[]\";,:%$*#-.\n\r\t 0159Kex\\/\xff";
        const std::size_t at = below(text.size());
        const char byte =
            below(3) > 0 ? special[below(special.size())] : static_cast<char>(below(256));
        switch (below(8)) {
        case 0: text.erase(at, 1 + below(8)); break;
        case 1: text.insert(at, 1, byte); break;
        case 2:
            if (!text.empty()) {
                text[at] = byte;
            }
            break;
        case 3:
            if (!text.empty()) {
                std::swap(text[at], text[below(text.size())]);
            }
            break;
        case 4: // a separator less
            if (const auto found = text.find_first_of("{}()[]\";,:\n\t ", at);
                found != std::string::npos) {
                text.erase(found, 1);
            }
            break;
        case 5: change_line_ends(text); break;
        case 6: text.resize(at); break;
        default: text = text.substr(0, at) + std::string{other.substr(below(other.size()))};
        }
    }

    void change_line_ends(std::string& text) {
        static constexpr std::string_view ends[] = {"\r", "\r\n", "\n\n", " "};
        const std::string_view end = ends[below(4)];
        const bool all = below(2) == 0;
        for (std::size_t at = text.find('\n', below(text.size())); at != std::string::npos;
             at = text.find('\n', at + end.size())) {
            text.replace(at, 1, end);
            if (!all) {
                break;
            }
        }
    }

    std::mt19937_64 random_;
};

} // namespace adjourn
