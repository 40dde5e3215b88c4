#include "program/doctor/checks.hpp"

#include "base/number.hpp"
#include "core/engines/installed_engines.hpp"
#include "core/records/directive.hpp"
#include "engine_bridge/dispatch/pool.hpp"
#include "storage/open.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

namespace adjourn::server {

namespace {

namespace fs = std::filesystem;
using Kind = Finding::Kind;

constexpr std::uintmax_t mebibyte = 1u << 20;
constexpr std::uintmax_t too_little_room = 100 * mebibyte;
constexpr std::uintmax_t little_room = 1024 * mebibyte;

constexpr std::size_t short_token = 16; // characters

// Descriptors of the server itself: connections, store, log; and of each engine process.
constexpr std::size_t own_descriptors = 320;
constexpr std::size_t descriptors_of_engine = 6;

std::string size_text(std::uintmax_t bytes) {
    return bytes < 10 * 1024 * mebibyte ? fmt::format("{} MiB", bytes / mebibyte)
                                        : fmt::format("{} GiB", bytes / (1024 * mebibyte));
}

// Of network file systems, on which processes cannot share memory: SQLite's log needs that.
std::optional<std::string> network_name(const fs::path& path) {
    struct statfs found {};
    if (statfs(path.c_str(), &found) != 0) {
        return std::nullopt;
    }
    switch (static_cast<std::uint32_t>(found.f_type)) {
    case 0x6969: return "NFS";
    case 0x517B:
    case 0xFF534D42:
    case 0xFE534D42: return "SMB";
    case 0x01021997: return "9p";
    default: return std::nullopt;
    }
}

// The nearest directory above that exists.
fs::path existing(fs::path path) {
    std::error_code error;
    path = fs::absolute(path, error);
    while (!path.empty() && path != path.root_path() && !fs::exists(path, error)) {
        path = path.parent_path();
    }
    return path;
}

std::optional<std::uint64_t> option_number(const engine_bridge::Profile& profile,
                                           const std::string& name) {
    const auto found = profile.options.find(name);
    return found == profile.options.end() ? std::nullopt
                                          : base::parse_number<std::uint64_t>(found->second);
}

std::optional<std::uintmax_t> available_memory() {
    std::ifstream in{"/proc/meminfo"};
    std::string word;
    while (in >> word) {
        if (word == "MemAvailable:") {
            std::uintmax_t kibibytes = 0;
            in >> kibibytes;
            return in ? std::optional{kibibytes * 1024} : std::nullopt;
        }
    }
    return std::nullopt;
}

constexpr std::chrono::seconds patience{30};
constexpr chess::Limit question{chess::Limit::Kind::depth, 6};

Finding asked(engine_bridge::Profile profile, std::int64_t now_ms) {
    const std::string name = "engine '" + profile.name + "'";
    const std::string command = profile.command.front();
    profile.count = 1;
    boost::asio::io_context context;
    std::optional<engine_bridge::Identity> identity;
    std::optional<engine_bridge::Result> result;
    boost::asio::steady_timer deadline{context, patience};
    const auto dispatcher = std::make_shared<engine_bridge::Dispatcher>();
    const engine_bridge::ProfileId index = dispatcher->add(profile.name);
    engine_bridge::Pool pool{
        context, dispatcher, index, std::move(profile), {}, {.identified = [&](auto who) {
            if (who) {
                identity = std::move(*who);
            }
        }}};
    deadline.async_wait([&](const boost::system::error_code&) { pool.stop([] {}); });
    pool.start();
    dispatcher->submit(index, {dispatcher->next_id(), chess::Position::initial(), question, {}},
                       [&](engine_bridge::Result done) {
                           result = std::move(done);
                           deadline.cancel();
                       });
    context.run();
    if (result && *result) {
        const std::string who = identity ? identity->name : command;
        return {Kind::good,
                fmt::format("{}: {}, depth {} of the start position in {} ms", name, with_year(who),
                            (*result)->depth, (*result)->time_ms),
                advice_on(who, now_ms)};
    }
    const bool cancelled =
        !result || result->error().kind == engine_bridge::Failure::Kind::cancelled;
    return {Kind::bad,
            name + ": " +
                (cancelled ? fmt::format("no answer within {} s", patience.count())
                           : result->error().reason),
            "try it by hand: start " + command + ", type uci, isready, go depth 6"};
}

} // namespace

Findings check_tokens(const Config& config, const fs::path& file) {
    Findings findings;
    struct stat status {};
    const bool open = stat(file.c_str(), &status) == 0 && (status.st_mode & 077) != 0;
    const bool inside = (!config.token.empty() && config.token_file.empty()) ||
                        (!config.read_token.empty() && config.read_token_file.empty()) ||
                        (!config.worker_token.empty() && config.worker_token_file.empty());
    if (inside && open) {
        findings.push_back({Kind::doubtful,
                            "other users of this machine may read the token in " + file.string(),
                            "chmod 600 " + file.string() +
                                ", or put the token into a file of its own (token_file)"});
    }
    const bool hooks = std::ranges::any_of(config.webhooks, [](const WebhookSettings& hook) {
        return !hook.secret.empty() && hook.secret_file.empty();
    });
    if (hooks && open) {
        findings.push_back(
            {Kind::doubtful,
             "other users of this machine may read a webhook's secret in " + file.string(),
             "chmod 600 " + file.string() + ", or put it into a file of its own (secret_file)"});
    }
    for (const auto& [name, token] :
         {std::pair{"token", &config.token}, std::pair{"read_token", &config.read_token},
          std::pair{"worker_token", &config.worker_token}}) {
        if (!token->empty() && token->size() < short_token) {
            findings.push_back({Kind::doubtful,
                                fmt::format("the {} has {} characters only", name, token->size()),
                                "make one: openssl rand -hex 24"});
        }
    }
    return findings;
}

Findings check_data_directory(const fs::path& directory) {
    std::error_code error;
    const fs::path nearest = existing(directory);
    const bool there = fs::exists(directory, error);
    const std::string name = directory.string();
    if (there && !fs::is_directory(directory, error)) {
        return {{Kind::bad, name + " is not a directory", "choose another with --data"}};
    }
    if (access(nearest.c_str(), W_OK | X_OK) != 0) {
        return {{Kind::bad,
                 nearest.string() + " cannot be written by user " + std::to_string(getuid()),
                 "chown it to that user, or choose another directory with --data"}};
    }
    Findings findings;
    const fs::space_info space = fs::space(nearest, error);
    const std::string room = error ? "unknown room" : size_text(space.available) + " free";
    if (!error && space.available < little_room) {
        findings.push_back({space.available < too_little_room ? Kind::bad : Kind::doubtful,
                            name + ": only " + room + " on its disk",
                            "make room; a million evaluations take some 100 MiB"});
    } else {
        findings.push_back(
            {Kind::good, "data directory " + name + (there ? "" : " (will be made)") + ", " + room,
             ""});
    }
    struct stat status {};
    if (there && stat(name.c_str(), &status) == 0 && (status.st_mode & 077) != 0) {
        findings.push_back(
            {Kind::doubtful,
             fmt::format("other users of this machine may look into {} (mode {:04o})", name,
                         status.st_mode & 07777),
             "chmod -R go= " + name});
    }
    if (const auto network = network_name(nearest)) {
        findings.push_back({Kind::bad, name + " is on a network file system (" + *network + ")",
                            "keep the data on a disk of this machine: a store there gets damaged"});
    }
    return findings;
}

// What people without a token may read; nothing where there are none. Whoever has put a backup back
// looks whether all of them are still meant.
std::optional<Finding> links_of(const storage::Store& store,
                                const std::vector<storage::AnalysisRecord>& analyses) {
    std::size_t links = 0;
    std::size_t shared = 0;
    for (const storage::AnalysisRecord& analysis : analyses) {
        std::vector<Directive> directives;
        for (storage::DirectiveRecord& record : store.directives(analysis.id, [](const auto&) {})) {
            if (auto directive = directive_of(std::move(record))) {
                directives.push_back(std::move(*directive));
            }
        }
        const std::size_t of_this = links_in(directives).size();
        links += of_this;
        shared += of_this == 0 ? 0 : 1;
    }
    if (links == 0) {
        return std::nullopt;
    }
    return Finding{Kind::good,
                   fmt::format("shared by links: {} of {} analyses, {} links in all", shared,
                               analyses.size(), links),
                   ""};
}

Findings check_store(const fs::path& directory, std::int64_t now_ms) {
    std::error_code error;
    if (!storage::is_url(directory) && !fs::exists(directory / "adjourn.db", error)) {
        return {{Kind::good, "no store there yet", ""}};
    }
    try {
        const auto store = storage::open_store(directory, storage::OpenMode::read);
        Findings findings;
        const auto damaged = [&](const std::string& what) {
            findings.push_back({Kind::bad, what,
                                "see docs/operate/backup-restore.md: adjourn check, or a backup"});
        };
        const auto analyses = store->analyses(damaged);
        findings.push_back({Kind::good,
                            fmt::format("store: {} evaluations, {} analyses",
                                        store->evaluation_count(), analyses.size()),
                            ""});
        if (auto links = links_of(*store, analyses)) {
            findings.push_back(std::move(*links));
        }
        if (const std::string missing = store->environment().missing; !missing.empty()) {
            damaged(missing);
        }
        std::int64_t newest = 0;
        for (const storage::AnalysisRecord& analysis : analyses) {
            newest = std::max<std::int64_t>(newest, analysis.created_at);
        }
        constexpr std::int64_t minute = 60'000;
        if (newest > now_ms + minute) {
            findings.push_back(
                {Kind::bad,
                 fmt::format("the clock is {} minutes behind the newest analysis of the store",
                             (newest - now_ms) / minute),
                 "set the clock: timedatectl set-ntp true"});
        }
        return findings;
    } catch (const storage::StoreError& broken) {
        return {{Kind::bad, broken.what(),
                 storage::is_url(directory)
                     ? "see docs/operate/postgresql.md"
                     : "see docs/operate/backup-restore.md: adjourn check, or a backup"}};
    }
}

Findings check_machine(const Config& config) {
    Findings findings;
    std::size_t processes = 0;
    std::uintmax_t hash = 0;
    std::size_t threads = 0;
    for (const engine_bridge::Profile& profile : config.engines) {
        processes += profile.count;
        hash += profile.count * option_number(profile, "Hash").value_or(16) * mebibyte;
        threads = std::max<std::size_t>(threads, profile.count *
                                                     option_number(profile, "Threads").value_or(1));
    }
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    if (threads > cores) {
        findings.push_back(
            {Kind::doubtful,
             fmt::format("an engine profile wants {} threads on {} cores", threads, cores),
             "lower count or Threads: more than the cores makes all of them slower"});
    }
    const auto memory = available_memory();
    if (memory && hash > *memory) {
        findings.push_back({Kind::bad,
                            fmt::format("the engines want {} of hash, {} of memory are free",
                                        size_text(hash), size_text(*memory)),
                            "lower Hash in the configuration"});
    }
    rlimit descriptors{};
    const std::size_t needed = own_descriptors + processes * descriptors_of_engine;
    if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0 && descriptors.rlim_cur < needed) {
        findings.push_back(
            {Kind::doubtful,
             fmt::format("{} open files are allowed, {} may be needed", descriptors.rlim_cur,
                         needed),
             "ulimit -n " + std::to_string(needed) + ", or LimitNOFILE= in the unit"});
    }
    if (findings.empty()) {
        findings.push_back(
            {Kind::good,
             fmt::format("{} engine {}, {} of hash, {} cores", processes,
                         processes == 1 ? "process" : "processes", size_text(hash), cores),
             ""});
    }
    return findings;
}

Findings check_tables(const Config& config) {
    if (config.tables.syzygy.empty() && config.tables.own.empty()) {
        return {{Kind::good, "no endgame tables are set", ""}};
    }
    const auto tables = tables::open_tables(config.tables);
    if (!tables) {
        return {{Kind::bad, "no endgame table was found", "look at syzygy_path and tables_path"}};
    }
    const tables::Inventory& found = tables->inventory();
    Findings findings{{Kind::good,
                       fmt::format("endgame tables: {} Syzygy WDL, {} DTZ, {} own, up to {} men",
                                   found.wdl.size(), found.dtz.size(), found.own.size(), found.men),
                       ""}};
    for (const std::string& problem : found.problems) {
        findings.push_back(
            {Kind::doubtful, "endgame tables: " + problem, "see docs/operate/tables.md"});
    }
    return findings;
}

Findings check_address(const Config& config, const fs::path& directory) {
    namespace asio = boost::asio;
    if (const auto owner =
            storage::is_url(directory) ? std::nullopt : storage::owner_of(directory)) {
        return {
            {Kind::good,
             "a program with this data is running: " + (owner->empty() ? "not a server" : *owner),
             ""}};
    }
    const std::string where = config.listen_address + ":" + std::to_string(config.listen_port);
    boost::system::error_code error;
    const auto address = asio::ip::make_address(config.listen_address, error);
    if (error) {
        return {{Kind::bad, "listen: '" + config.listen_address + "' is not a numeric address",
                 "write it as 127.0.0.1:8462"}};
    }
    asio::io_context context;
    asio::ip::tcp::acceptor acceptor{context};
    const asio::ip::tcp::endpoint endpoint{address, config.listen_port};
    acceptor.open(endpoint.protocol(), error);
    if (!error) {
        acceptor.set_option(asio::ip::tcp::acceptor::reuse_address(true), error);
        acceptor.bind(endpoint, error);
    }
    if (!error) {
        acceptor.listen(1, error);
    }
    if (error) {
        return {{Kind::bad, "cannot listen on " + where + ": " + error.message(),
                 error == asio::error::address_in_use
                     ? "stop what listens there (ss -ltnp), or choose another port with --listen"
                     : "choose another address with --listen (hostname -I shows those of this "
                       "machine)"}};
    }
    if (!address.is_loopback() && config.token.empty()) {
        return {{Kind::bad, "without a token it will not listen on " + where,
                 "set token_file in the configuration"}};
    }
    return {{Kind::good, "can listen on " + where, ""}};
}

Findings check_page(const std::string& directory) {
    return {directory.empty()
                ? Finding{Kind::doubtful, "the page is not there; only the API would be served",
                          "./run --build-only, or --web DIR"}
                : Finding{Kind::good, "page in " + directory, ""}};
}

Findings check_engines(const Config& config, std::int64_t now_ms) {
    Findings findings;
    for (const engine_bridge::Profile& profile : config.engines) {
        findings.push_back(asked(profile, now_ms));
    }
    if (is_built_in(config.engines.front()) && findings.front().kind == Kind::good) {
        findings.front().cure =
            "no Stockfish is installed, so the built-in engine answers, which is far weaker: "
            "apt install stockfish (docs/operate/engines.md)";
    }
    return findings;
}

Findings check_installed(InstalledEngines& installed) {
    std::string free;
    for (const InstalledEngine& engine : installed.look()) {
        if (engine.state == InstalledEngine::State::free && engine.problem.empty() &&
            engine.name != built_in_engine) {
            free += (free.empty() ? "" : ", ") + engine.name + ": " + with_year(engine.identity);
        }
    }
    return free.empty() ? Findings{}
                        : Findings{{Kind::good, "installed, and not used: " + free,
                                    "Add an engine… on the page adds one"}};
}

} // namespace adjourn::server
