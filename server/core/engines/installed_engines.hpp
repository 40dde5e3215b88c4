// InstalledEngines: UCI engines that this machine has by names that are known here, and which of
// them people have added to those of the configuration. Where they are is found on this program's
// own PATH (of npm's package beside it), and what they are started with stands in a table here: of
// a request only a name of that table counts. The names of those added are kept in a file, one a
// line with its number of processes; the configuration's file is never written.
//
// Threads: any may call anything, several at a time. look(), add() and remove() take long: they
// start processes and touch the disk. Nothing else blocks.
#pragma once

#include "analysis/records.hpp"
#include "engine_bridge/process/profile.hpp"

#include <boost/asio/thread_pool.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

// What of an engine is known here: the name of its program, and what it needs to speak UCI.
struct KnownEngine {
    const char* name;
    std::vector<std::string> arguments = {};
};
std::span<const KnownEngine> known_engines();

struct InstalledEngine {
    enum class State : std::uint8_t {
        free,       // it can be added
        added,      // by people
        configured, // it stands in the configuration, perhaps by another name
    };
    std::string name; // of the program, and of its profile once it is added
    State state = State::free;
    std::string identity;      // what it calls itself; "" if it has not told
    std::string problem;       // why it cannot be used; "" if it can
    std::size_t processes = 0; // of one that is added
};

class InstalledEngines {
public:
    struct Refusal {
        enum class Kind : std::uint8_t {
            unknown,   // no such engine is installed, or added
            taken,     // it is added already, or stands in the configuration
            unusable,  // it does not answer as an engine does
            not_saved, // the file could not be written
        };
        Kind kind;
        std::string message; // one sentence for people
    };
    using Done = std::expected<void, Refusal>;
    using Profiles = std::vector<engine_bridge::Profile>;

    // So long all of them together have to say who they are: npm's Stockfish takes two seconds on
    // an idle core.
    static constexpr std::chrono::seconds usual_patience{10};

    // Reads `file`, which need not be there. `configured` are those of the configuration, known
    // those that may be added.
    InstalledEngines(std::filesystem::path file, Profiles configured,
                     std::span<const KnownEngine> known = known_engines(),
                     std::chrono::milliseconds patience = usual_patience);

    // Those of the configuration, then those added whose program is there, in the order in which
    // they were added.
    Profiles profiles() const;
    // The configuration was read again. Those added are looked for again, too.
    void set_configured(Profiles configured);

    // Each that is installed, or was added and is not there any more. Starts those whose
    // name is not known yet.
    std::vector<InstalledEngine> look();
    // It lasts over restarts when this returns. REQUIRES: 0 < processes ≤ most_processes().
    Done add(const std::string& name, std::size_t processes);
    Done remove(const std::string& name);
    static std::size_t most_processes(); // as many as the machine has cores

    // `task` on a thread for such work, one after the other; dropped if this ends before.
    void elsewhere(std::function<void()> task);
    // Waits for the task that runs. None is begun any more.
    void stop();

private:
    struct Added {
        std::string name;
        std::size_t processes;
    };
    using NameOrReason = std::expected<std::string, std::string>; // its name, or why it has none

    const KnownEngine* known(const std::string& name) const;
    bool is_configured(const KnownEngine& engine, const std::vector<std::string>& command) const;
    std::map<std::string, NameOrReason>
    names_of(const std::vector<engine_bridge::Profile>& engines);
    Done take(std::vector<Added> added);
    void find(); // profiles_, anew

    const std::filesystem::path file_;
    const std::span<const KnownEngine> known_;
    const std::chrono::milliseconds patience_;
    std::mutex changing_;      // one look, add or remove at a time
    mutable std::mutex mutex_; // of what follows; held for moments
    Profiles configured_;
    std::vector<Added> added_;
    Profiles profiles_;
    std::map<std::string, std::string> names_; // by path, size and time of its file: its own
    boost::asio::thread_pool thread_{1};
};

// Where a program of this machine is.

// Absolute path of a program (searched in PATH, then /usr/games), or nullopt.
std::optional<std::string> find_program(const std::string& name);

// Stockfish as npm installs it, a script for Node.
inline constexpr const char* npm_engine = "stockfish-npm";

// The engine that needs nothing installed: this program itself, as `adjourn engine`.

inline constexpr const char* built_in_engine = "adjourn"; // its profile
inline constexpr const char* built_in_command = "engine"; // what the program is started with

// The file to start this program by; of the archive the launcher, since the program itself may not
// fit the system's loader.
std::string own_program();

// Whether a profile is the one that the program brings, whatever its options.
bool is_built_in(const engine_bridge::Profile& profile);
engine_bridge::Profile built_in_profile(std::size_t processes);

// When engines were released, by the names that they call themselves.

// Of a release that is known here, or of a build whose name has its day. nullopt of others, newer
// ones among them.
std::optional<int> release_year(std::string_view name);
// "Stockfish 15.1 (2022)"; the name alone where no year is known.
std::string with_year(const std::string& name);
// For people: that an engine is older than two years, and what to do. "" of others.
std::string advice_on(std::string_view name, analysis::UnixMs now);

} // namespace adjourn::server
