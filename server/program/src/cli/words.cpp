#include "program/cli/words.hpp"

#include "program/cli/setting_options.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

namespace adjourn::server {

namespace {

// Letters to be changed, added or taken away to make one word of the other.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
        }
    }
    return row.back();
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
        names.push_back(command->get_name());
    }
    return names;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

std::string unknown(const std::string& before, const std::string& word,
                    const std::vector<std::string>& names) {
    const auto nearest = std::min_element(names.begin(), names.end(),
                                          [&](const std::string& a, const std::string& b) {
                                              return distance(word, a) < distance(word, b);
                                          });
    const bool near = distance(word, *nearest) <= std::max<std::size_t>(1, (word.size() + 1) / 3) ||
                      (word.size() > 1 && nearest->starts_with(word));
    return "there is no command '" + before + word + "'; " +
           (near ? "did you mean '" + before + *nearest + "'?" : "there are: " + listed(names));
}

bool asks_for_help(const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word == "-h" || word == "--help" || word == "--version";
    });
}

} // namespace

std::vector<std::string> without_help_command(std::vector<std::string> words) {
    if (!words.empty() && words.front() == "help") {
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    return words;
}

std::optional<std::string> command_problem(const CLI::App& app,
                                           const std::vector<std::string>& words) {
    const CLI::App* at = &app;
    std::string before;
    for (const std::string& word : words) {
        const std::vector<std::string> names = command_names(*at);
        if (names.empty() || word.starts_with('-')) {
            break;
        }
        if (std::find(names.begin(), names.end(), word) == names.end()) {
            return unknown(before, word, names);
        }
        at = at->get_subcommand(word);
        before += word + " ";
    }
    const bool missing = at->get_require_subcommand_min() > 0 && !asks_for_help(words);
    return missing ? std::optional{"adjourn " + before +
                                   "needs a command: " + listed(command_names(*at)) +
                                   "; see adjourn " + before + "--help"}
                   : std::nullopt;
}

std::string option_of(const std::string& place) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> options{
        {{"query.moves", "--moves"},
         {"query.margin", "--margin"},
         {"query.plies", "--plies"},
         {"query.max_moves", "--max-moves"},
         {"query.analysis", "--analysis"},
         {"query.format", "--format"},
         {"position", "POSITION"},
         {"engine", "--engine"}}};
    constexpr std::string_view cost = "strategy.";
    // "strategy.plan[2].window" is in "strategy.plan", and that in "strategy".
    std::string_view outer = place;
    while (!outer.empty()) {
        const auto found =
            std::ranges::find(options, outer, [](const auto& row) { return row.first; });
        if (found != options.end()) {
            return std::string{found->second};
        }
        if (const std::string_view option = option_of_setting(outer); !option.empty()) {
            return std::string{option};
        }
        const std::size_t end = outer.find_last_of(".[");
        outer = outer.substr(0, end == std::string_view::npos ? 0 : end);
    }
    return place.starts_with(cost) ? "--set " + place.substr(cost.size()) : "";
}

} // namespace adjourn::server
