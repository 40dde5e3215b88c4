#include "configuration.hpp"

#include "base/number.hpp"

#include <functional>
#include <map>

namespace adjourn::bench {

namespace {

using search::DullMoves;
using search::InterestTerm;
using search::Options;
using search::Quiescence;
using search::Selection;

bool read_word(std::string_view word, Options& into) {
    static const std::map<std::string, std::function<void(Options&)>, std::less<>> words{
        {"full-width", [](Options& o) { o.selection = Selection::full_width; }},
        {"interest", [](Options& o) { o.selection = Selection::interest; }},
        {"none", [](Options& o) { o.quiescence = Quiescence::none; }},
        {"captures", [](Options& o) { o.quiescence = Quiescence::captures; }},
        {"consistency", [](Options& o) { o.quiescence = Quiescence::consistency; }},
        {"answered", [](Options& o) { o.interest.dull = DullMoves::answered; }},
        {"counted", [](Options& o) { o.interest.dull = DullMoves::counted; }},
        {"left-out", [](Options& o) { o.interest.dull = DullMoves::left_out; }},
        {"apart", [](Options& o) { o.interest.budgets_apart = true; }},
        {"joint", [](Options& o) { o.interest.budgets_apart = false; }}};
    const auto known = words.find(word);
    if (known == words.end()) {
        return false;
    }
    known->second(into);
    return true;
}

// False: there is none of that name, or not with that number.
bool read_setting(std::string_view name, int value, Options& into) {
    const std::map<std::string_view, int*> numbers{{"step", &into.interest.step},
                                                   {"entry", &into.interest.entry},
                                                   {"threshold", &into.consistency.threshold},
                                                   {"loosening", &into.consistency.loosening},
                                                   {"most_plies", &into.consistency.most_plies},
                                                   {"most_nodes", &into.consistency.most_nodes}};
    if (const auto known = numbers.find(name); known != numbers.end()) {
        *known->second = value;
        return name != "step" || value > 0;
    }
    const auto& table = into.interest.weights.table();
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (name == table[i].name) {
            into.interest.weights.set(static_cast<InterestTerm>(i), value);
            return true;
        }
    }
    return false;
}

} // namespace

std::expected<Options, std::string> parse_configuration(std::string_view text) {
    Options options;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        const std::size_t equals = part.find('=');
        bool read = false;
        if (equals == std::string_view::npos) {
            read = read_word(part, options);
        } else if (const auto value = base::parse_number<int>(part.substr(equals + 1));
                   value && *value >= -100'000 && *value <= 100'000) {
            read = read_setting(part.substr(0, equals), *value, options);
        }
        if (!read) {
            return std::unexpected("\"" + std::string{part} + "\"");
        }
    }
    return options;
}

} // namespace adjourn::bench
