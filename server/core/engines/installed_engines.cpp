#include "core/engines/installed_engines.hpp"

#include "base/files.hpp"
#include "base/line_reader.hpp"
#include "base/number.hpp"
#include "core/engines/engines.hpp"

#include <boost/asio/post.hpp>
#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace adjourn::server {

namespace {

namespace fs = std::filesystem;
using engine_bridge::Profile;
using Kind = InstalledEngines::Refusal::Kind;
using Command = std::vector<std::string>;

constexpr const char* head =
    "# Engines that were added to those of the configuration: name and processes.\n";

// In the order in which they are searched. Directories of another place tomorrow are left out.
std::vector<fs::path> directories_of_path() {
    const char* path = std::getenv("PATH");
    std::istringstream words{std::string{path != nullptr ? path : ""} + ":/usr/games"};
    std::vector<fs::path> all;
    for (std::string directory; std::getline(words, directory, ':');) {
        if (directory.starts_with("/")) {
            all.emplace_back(directory);
        }
    }
    return all;
}

// npm's package `stockfish`, where npm puts what is installed from the home directory or for all
// (beside a directory of the path). Of its five builds the full one that needs no threads: one
// process is one thread here.
Command npm_stockfish() {
    std::vector<fs::path> roots = directories_of_path();
    std::ranges::transform(roots, roots.begin(),
                           [](const fs::path& root) { return root.parent_path() / "lib"; });
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        roots.insert(roots.begin(), home);
    }
    const auto node = find_program("node");
    for (const fs::path& root : roots) {
        std::error_code none;
        for (const auto& file : fs::directory_iterator{root / "node_modules/stockfish/bin", none}) {
            const std::string name = file.path().filename();
            if (node && name.ends_with("-single.js") && !name.contains("-lite-")) {
                return {*node, file.path()};
            }
        }
    }
    return {};
}

// Its paths are absolute. Empty if this machine has none.
Command command_of(const KnownEngine& engine) {
    const std::string name = engine.name;
    const auto program = name == built_in_engine ? own_program() : find_program(name);
    Command command = name == npm_engine ? npm_stockfish()
                      : program          ? Command{*program}
                                         : Command{};
    if (!command.empty()) {
        command.insert(command.end(), engine.arguments.begin(), engine.arguments.end());
    }
    return command;
}

// Which file is the engine: what Node runs, not Node.
std::string file_of(const Command& command) {
    const bool script = command.size() > 1 && fs::path{command[0]}.filename() == "node";
    const std::string& file = command[script ? 1 : 0];
    return file.contains('/') ? file : find_program(file).value_or("");
}

// With the hash of the built-in default, where the engine has it.
Profile profile_of(const KnownEngine& engine, Command command, std::size_t processes) {
    Profile profile;
    profile.name = engine.name;
    profile.command = std::move(command);
    profile.count = processes;
    profile.wishes = {{"Hash", "64"}};
    return profile;
}

// Another text when the program is another one.
std::string stamp(const std::string& path) {
    std::error_code error;
    const auto size = fs::file_size(path, error);
    const auto time = fs::last_write_time(path, error);
    return path + '\n' + std::to_string(size) + '\n' +
           std::to_string(time.time_since_epoch().count());
}

bool same_file(const std::string& a, const std::string& b) {
    std::error_code error;
    return a == b || fs::equivalent(a, b, error);
}

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

// In the order in which they are shown.
std::span<const KnownEngine> known_engines() {
    static const std::vector<KnownEngine> all{
        {"stockfish"},
        {npm_engine},
        {"lc0"},
        {"fairy-stockfish"},
        {"ethereal-chess"},
        {"ethereal"},
        {"berserk"},
        {"koivisto"},
        {"rubichess"},
        {"komodo"},
        {"arasanx"},
        {"toga2"},
        {"fruit"},
        {"glaurung"},
        {"gnuchess", {"--uci"}},
        {built_in_engine, {built_in_command}},
    };
    return all;
}

InstalledEngines::InstalledEngines(fs::path file, Profiles configured,
                                   std::span<const KnownEngine> known,
                                   std::chrono::milliseconds patience)
    : file_{std::move(file)}, known_{known}, patience_{patience}, configured_{
                                                                      std::move(configured)} {
    std::ifstream in{file_, std::ios::binary};
    base::LineReader lines{in};
    while (in && lines.next()) {
        const std::string_view line = lines.text();
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        const std::size_t space = line.find(' ');
        const auto processes = space == std::string_view::npos
                                   ? std::nullopt
                                   : base::parse_number<std::size_t>(line.substr(space + 1));
        if (!processes || *processes == 0 || *processes > 1024) {
            spdlog::warn("{}:{}: expected the name of an engine and a number of processes",
                         file_.string(), lines.number());
            continue;
        }
        added_.push_back({std::string{line.substr(0, space)}, *processes});
    }
    find();
}

InstalledEngines::Profiles InstalledEngines::profiles() const {
    const std::lock_guard lock{mutex_};
    return profiles_;
}

void InstalledEngines::set_configured(Profiles configured) {
    const std::lock_guard lock{mutex_};
    configured_ = std::move(configured);
    find();
}

const KnownEngine* InstalledEngines::known(const std::string& name) const {
    const auto found = std::ranges::find_if(
        known_, [&](const KnownEngine& engine) { return engine.name == name; });
    return found == known_.end() ? nullptr : &*found;
}

bool InstalledEngines::is_configured(const KnownEngine& engine, const Command& command) const {
    return std::ranges::any_of(configured_, [&](const Profile& profile) {
        return profile.name == engine.name ||
               (!command.empty() && same_file(file_of(profile.command), file_of(command)));
    });
}

void InstalledEngines::find() {
    profiles_ = configured_;
    for (const Added& added : added_) {
        const KnownEngine* engine = known(added.name);
        Command command = engine == nullptr ? Command{} : command_of(*engine);
        if (command.empty()) {
            spdlog::warn("engine {}, which was added on the page, is not on the path any more",
                         added.name);
        } else if (!is_configured(*engine, command)) {
            profiles_.push_back(profile_of(*engine, std::move(command), added.processes));
        }
    }
}

std::map<std::string, InstalledEngines::NameOrReason>
InstalledEngines::names_of(const std::vector<Profile>& engines) {
    std::map<std::string, NameOrReason> names;
    std::vector<Profile> unknown;
    for (const Profile& engine : engines) {
        const std::lock_guard lock{mutex_};
        if (const auto name = names_.find(stamp(file_of(engine.command))); name != names_.end()) {
            names.emplace(engine.name, name->second);
        } else {
            unknown.push_back(engine);
        }
    }
    for (auto& [name, told] : introductions(unknown, patience_)) {
        if (told) {
            const std::lock_guard lock{mutex_};
            const auto of = std::ranges::find(unknown, name, &Profile::name);
            names_[stamp(file_of(of->command))] = told->name;
            names.emplace(name, told->name);
        } else {
            names.emplace(name, std::unexpected(told.error()));
        }
    }
    return names;
}

std::vector<InstalledEngine> InstalledEngines::look() {
    const std::lock_guard one{changing_};
    std::vector<InstalledEngine> all;
    std::vector<Profile> to_ask;
    {
        const std::lock_guard lock{mutex_};
        for (const KnownEngine& engine : known_) {
            Command command = command_of(engine);
            const auto added = std::ranges::find(added_, engine.name, &Added::name);
            if (command.empty() && added == added_.end()) {
                continue;
            }
            InstalledEngine& shown = all.emplace_back();
            shown.name = engine.name;
            if (is_configured(engine, command)) {
                shown.state = InstalledEngine::State::configured;
            } else if (added != added_.end()) {
                shown.state = InstalledEngine::State::added;
                shown.processes = added->processes;
            }
            if (!command.empty()) {
                to_ask.push_back(profile_of(engine, std::move(command), 1));
            } else {
                shown.problem = "it is not on the server's path any more";
            }
        }
    }
    const auto names = names_of(to_ask);
    for (InstalledEngine& engine : all) {
        if (const auto found = names.find(engine.name); found == names.end()) {
            continue;
        } else if (found->second) {
            engine.identity = *found->second;
        } else {
            engine.problem = found->second.error();
        }
    }
    return all;
}

InstalledEngines::Done InstalledEngines::add(const std::string& name, std::size_t processes) {
    const std::lock_guard one{changing_};
    const KnownEngine* engine = known(name);
    const Command command = engine == nullptr ? Command{} : command_of(*engine);
    if (command.empty()) {
        return std::unexpected(
            Refusal{Kind::unknown, "no engine named '" + name + "' is installed on the server"});
    }
    std::vector<Added> added;
    {
        const std::lock_guard lock{mutex_};
        added = added_;
        if (is_configured(*engine, command)) {
            return std::unexpected(
                Refusal{Kind::taken, "engine '" + name + "' is in the configuration already"});
        }
    }
    if (std::ranges::find(added, name, &Added::name) != added.end()) {
        return std::unexpected(Refusal{Kind::taken, "engine '" + name + "' was added already"});
    }
    if (const NameOrReason told = names_of({profile_of(*engine, command, 1)}).at(name); !told) {
        return std::unexpected(
            Refusal{Kind::unusable, "engine '" + name + "' cannot be used: " + told.error()});
    }
    added.push_back({name, processes});
    return take(std::move(added));
}

InstalledEngines::Done InstalledEngines::remove(const std::string& name) {
    const std::lock_guard one{changing_};
    std::vector<Added> added;
    {
        const std::lock_guard lock{mutex_};
        added = added_;
        const bool by_name =
            std::ranges::find(configured_, name, &Profile::name) != configured_.end();
        if (by_name && std::ranges::find(added, name, &Added::name) == added.end()) {
            return std::unexpected(Refusal{Kind::taken, "engine '" + name +
                                                            "' is in the configuration: it is "
                                                            "taken out there"});
        }
    }
    if (std::erase_if(added, [&](const Added& each) { return each.name == name; }) == 0) {
        return std::unexpected(Refusal{Kind::unknown, "no engine named '" + name + "' was added"});
    }
    return take(std::move(added));
}

// From now on these are the ones that were added.
InstalledEngines::Done InstalledEngines::take(std::vector<Added> added) {
    std::string text = head;
    for (const Added& each : added) {
        text += each.name + ' ' + std::to_string(each.processes) + '\n';
    }
    std::error_code error;
    fs::create_directories(file_.parent_path(), error); // if not, nothing can be written
    if (const auto saved = base::replace_file(file_, text); !saved) {
        return std::unexpected(Refusal{Refusal::Kind::not_saved, saved.error()});
    }
    const std::lock_guard lock{mutex_};
    added_ = std::move(added);
    find();
    return {};
}

std::size_t InstalledEngines::most_processes() {
    return std::max(1U, std::thread::hardware_concurrency());
}

void InstalledEngines::elsewhere(std::function<void()> task) {
    boost::asio::post(thread_, std::move(task));
}

void InstalledEngines::stop() {
    thread_.stop();
    thread_.join();
}

std::optional<std::string> find_program(const std::string& name) {
    for (const fs::path& directory : directories_of_path()) {
        const fs::path candidate = directory / name;
        std::error_code error;
        // npm's package leaves a `stockfish` that hides Debian's behind an engine half as fast.
        if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, error) &&
            !fs::canonical(candidate, error).string().contains("/node_modules/")) {
            return candidate;
        }
    }
    return std::nullopt;
}

std::string own_program() {
    const fs::path program = base::program_file();
    std::error_code error;
    // DIR/lib/adjourn with its loader DIR/lib/loader/adjourn (decision 140).
    if (fs::exists(program.parent_path() / "loader" / program.filename(), error)) {
        return (program.parent_path().parent_path() / program.filename()).string();
    }
    return program.string();
}

bool is_built_in(const engine_bridge::Profile& profile) {
    return profile.name == built_in_engine && profile.command.size() == 2 &&
           profile.command[0] == own_program() && profile.command[1] == built_in_command;
}

engine_bridge::Profile built_in_profile(std::size_t processes) {
    engine_bridge::Profile profile;
    profile.name = built_in_engine;
    profile.command = {own_program(), built_in_command};
    profile.count = processes;
    profile.options = {{"Hash", "64"}};
    return profile;
}

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
