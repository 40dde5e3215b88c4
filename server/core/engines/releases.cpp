#include "core/engines/releases.hpp"

#include "base/number.hpp"

#include <spdlog/fmt/fmt.h>

#include <chrono>

namespace adjourn::server {

namespace {

struct Release {
    std::string_view name; // as it begins; a blank or the end follows, unless it ends with a dot
    int year;
};

// The newest of all first: what people are told to take. Years are those of the projects' own
// releases, not of packages.
constexpr Release releases[] = {
    {"Stockfish 19", 2026},         {"Stockfish 18", 2026},
    {"Stockfish 17.1", 2025},       {"Stockfish 17", 2024},
    {"Stockfish 16.1", 2024},       {"Stockfish 16", 2023},
    {"Stockfish 15.1", 2022},       {"Stockfish 15", 2022},
    {"Stockfish 14.1", 2021},       {"Stockfish 14", 2021},
    {"Stockfish 13", 2021},         {"Stockfish 12", 2020},
    {"Stockfish 11", 2020},         {"Stockfish 10", 2018},
    {"Lc0 v0.32.", 2025},           {"Lc0 v0.31.", 2024},
    {"Lc0 v0.30.", 2023},           {"Lc0 v0.29.", 2022},
    {"Lc0 v0.28.", 2021},           {"Fairy-Stockfish 14.0.1", 2021},
    {"Fairy-Stockfish 11.1", 2020}, {"Ethereal 12.00", 2020},
    {"GNU Chess 6.2.7", 2020},      {"Toga II 3.0", 2012},
    {"Glaurung 2.2", 2008},
};

constexpr std::string_view daily = "Stockfish dev-"; // and the day

} // namespace

std::optional<int> release_year(std::string_view name) {
    if (name.starts_with(daily)) {
        return base::parse_number<int>(name.substr(daily.size(), 4));
    }
    for (const Release& release : releases) {
        const std::size_t length = release.name.size();
        if (name.starts_with(release.name) &&
            (name.size() == length || name[length] == ' ' || release.name.ends_with('.'))) {
            return release.year;
        }
    }
    return std::nullopt;
}

std::string with_year(const std::string& name) {
    const auto year = release_year(name);
    return year ? fmt::format("{} ({})", name, *year) : name;
}

std::string advice_on(std::string_view name, analysis::UnixMs now) {
    using namespace std::chrono;
    const year_month_day today{floor<days>(sys_time<milliseconds>{milliseconds{now}})};
    const auto year = release_year(name);
    if (!year ||
        static_cast<int>(today.year()) - *year <= 2) { // of December two years ago, perhaps
        return "";
    }
    return fmt::format("It is of {}, older than two years; {} is of {}. The program of its project "
                       "(stockfishchess.org; one file for all processors, named in the "
                       "configuration) is best; else a newer package; else npm install stockfish, "
                       "about half as fast.",
                       *year, releases[0].name, releases[0].year);
}

} // namespace adjourn::server
