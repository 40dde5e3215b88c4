#include "search/engine/settings.hpp"

#include "base/number.hpp"
#include "base/readable.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace adjourn::engine {

namespace {

using search::Quiescence;
using search::Selection;

constexpr std::int64_t most_hash_mib = 4'096;
constexpr std::int64_t most_lines = 218; // no position has more moves
constexpr std::int64_t most_overhead_ms = 5'000;

bool same_word(std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::unexpected<std::string> refused(const char* option, std::string_view value,
                                     const std::string& what) {
    constexpr std::size_t longest = 100;
    return std::unexpected("option " + std::string{option} + ": '" +
                           base::readable(value.substr(0, longest)) + "' is " + what);
}

using Done = std::expected<Settings::Effect, std::string>;

template <class Number>
Done set_number(const char* option, std::string_view value, std::int64_t least, std::int64_t most,
                Number& into) {
    const auto number = base::parse_number<std::int64_t>(value);
    if (!number || *number < least || *number > most) {
        return refused(option, value,
                       "not a whole number from " + std::to_string(least) + " to " +
                           std::to_string(most));
    }
    into = static_cast<Number>(*number);
    return Settings::Effect::set;
}

Done set_check(const char* option, std::string_view value, bool& into) {
    if (!same_word(value, "true") && !same_word(value, "false")) {
        return refused(option, value, "neither true nor false");
    }
    into = same_word(value, "true");
    return Settings::Effect::set;
}

template <class Kind>
Done set_one_of(const char* option, std::string_view value, const char* first, Kind of_first,
                const char* second, Kind of_second, Kind& into) {
    if (!same_word(value, first) && !same_word(value, second)) {
        return refused(option, value, std::string{"neither "} + first + " nor " + second);
    }
    into = same_word(value, first) ? of_first : of_second;
    return Settings::Effect::set;
}

} // namespace

search::Options Settings::search() const {
    search::Options options;
    options.selection = selection;
    options.quiescence = quiescence;
    options.table_bytes = hash_mib << 20;
    return options;
}

std::expected<Settings::Effect, std::string> Settings::set(std::string_view name,
                                                           std::string_view value) {
    if (same_word(name, "Hash")) {
        return set_number("Hash", value, 1, most_hash_mib, hash_mib);
    }
    if (same_word(name, "Clear Hash")) {
        return Effect::clear;
    }
    if (same_word(name, "MultiPV")) {
        return set_number("MultiPV", value, 1, most_lines, lines);
    }
    if (same_word(name, "Selection")) {
        return set_one_of("Selection", value, "full", Selection::full_width, "interest",
                          Selection::interest, selection);
    }
    if (same_word(name, "Quiescence")) {
        return set_one_of("Quiescence", value, "captures", Quiescence::captures, "consistency",
                          Quiescence::consistency, quiescence);
    }
    if (same_word(name, "Ponder")) { // that the GUI may ponder changes nothing here
        bool ponder = false;
        return set_check("Ponder", value, ponder);
    }
    if (same_word(name, "Move Overhead")) {
        std::int64_t ms = 0;
        const Done done = set_number("Move Overhead", value, 0, most_overhead_ms, ms);
        overhead = done ? std::chrono::milliseconds{ms} : overhead;
        return done;
    }
    if (same_word(name, "UCI_Chess960")) {
        return set_check("UCI_Chess960", value, chess960);
    }
    if (same_word(name, "UCI_ShowWDL")) {
        return set_check("UCI_ShowWDL", value, shows_wdl);
    }
    constexpr std::size_t longest = 100;
    return std::unexpected("no option is named '" + base::readable(name.substr(0, longest)) + "'");
}

const std::vector<std::string>& declared_options() {
    static const std::vector<std::string> lines = [] {
        const auto spin = [](const char* name, std::int64_t usual, std::int64_t least,
                             std::int64_t most) {
            return std::string{"option name "} + name + " type spin default " +
                   std::to_string(usual) + " min " + std::to_string(least) + " max " +
                   std::to_string(most);
        };
        const Settings usual;
        return std::vector<std::string>{
            spin("Hash", static_cast<std::int64_t>(usual.hash_mib), 1, most_hash_mib),
            "option name Clear Hash type button",
            spin("MultiPV", usual.lines, 1, most_lines),
            "option name Selection type combo default full var full var interest",
            "option name Quiescence type combo default captures var captures var consistency",
            "option name Ponder type check default false",
            spin("Move Overhead", usual.overhead.count(), 0, most_overhead_ms),
            "option name UCI_Chess960 type check default false",
            "option name UCI_ShowWDL type check default false"};
    }();
    return lines;
}

} // namespace adjourn::engine
