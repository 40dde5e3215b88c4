#include "bench/benches.hpp"

#include "base/files.hpp"
#include "bench/arguments.hpp"
#include "bench/http_client.hpp"
#include "bench/made_up.hpp"
#include "bench/process_use.hpp"
#include "host/service.hpp"
#include "storage/open.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

struct ServeOptions {
    std::uint64_t facts = 1'000'000;
    std::uint64_t games = 4'000;
    fs::path directory = fs::temp_directory_path();
};

Arguments arguments(ServeOptions& to) {
    return {number("--facts", "N", "evaluations that are stored", to.facts),
            number("--games", "N", "games that are imported", to.games),
            path("--directory", "DIR", "where the store is made, and removed", to.directory)};
}

void fill(storage::Store& store, const storage::EngineRecord& record, std::uint64_t facts,
          std::uint64_t seed) {
    FactMaker maker{store.engine(record), seed};
    for (std::uint64_t i = 1; i <= facts; ++i) {
        store.append(maker.next(), {});
        if (i % 50'000 == 0) {
            store.flush();
        }
    }
    store.flush();
}

class Caller {
public:
    Caller(HttpClient& client, std::ostream& out, std::uint64_t seed)
        : client_{client}, out_{out}, random_{seed} {}

    json timed(const std::string& target, CallTimes& times) {
        const auto start = Clock::now();
        const auto reply = client_.get(target);
        times.add(milliseconds_since(start));
        return reply.status == 200 ? json::parse(reply.body) : json{};
    }

    // Down the tree by random moves, and again from its root.
    void browse(CallTimes& times) {
        std::string line;
        for (int ply = 0; ply < 12; ++ply) {
            const json node = timed("/api/v1/analyses/1/node?moves=" + line, times);
            if (!node.is_object() || node["moves"].empty()) {
                return;
            }
            const json& move = node["moves"][random_() % node["moves"].size()];
            line += (line.empty() ? "" : ",") + move["uci"].get<std::string>();
        }
    }

    bool has_tree() { return client_.get("/api/v1/analyses/1/tree?plies=1&limit=2").status == 200; }

    // What held the core's thread since it was asked last is printed.
    void print_held(const std::string& while_what) {
        out_ << "  core held while " << while_what << ":\n";
        std::istringstream lines{client_.get("/metrics").body};
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("adjourn_core_held_seconds_max{")) {
                out_ << "    " << line << '\n';
            }
        }
    }

private:
    HttpClient& client_;
    std::ostream& out_;
    std::mt19937_64 random_;
};

double processor_seconds() {
    return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

// Fills the store, and lets a server read all of it once: large graphs are kept as files then.
void make_store(const ServeOptions& options, const fs::path& directory,
                const server::Config& config, std::ostream& out) {
    {
        const auto store = storage::open_store(directory, storage::OpenMode::owner);
        fill(*store, {{}, "Bench", "1", "", ""}, options.facts, made_up_seed);
        fill(*store, {{}, "Other", "1", "", ""}, options.facts / 2, made_up_seed + 1);
        insert_paused_analysis(*store);
    }
    const double before = processor_seconds();
    server::Service first{config, {directory, true, ""}};
    first.start();
    HttpClient client{"127.0.0.1", first.port()};
    Caller caller{client, out, made_up_seed};
    while (!caller.has_tree()) {
        std::this_thread::sleep_for(std::chrono::milliseconds{1}); // between calls
    }
    out << "first start: " << processor_seconds() - before << " s of processor time\n";
    first.stop();
}

// By a process of its own, lest the memory that it used be taken for the server's.
void make_store_elsewhere(const ServeOptions& options, const fs::path& directory,
                          const server::Config& config, std::ostream& out) {
    out.flush();
    const pid_t maker = fork();
    if (maker == 0) {
        try {
            make_store(options, directory, config, out);
            out.flush();
            _exit(0);
        } catch (const std::exception& error) {
            out << error.what() << std::endl;
            _exit(1);
        }
    }
    int status = 0;
    if (maker < 0 || waitpid(maker, &status, 0) != maker || status != 0) {
        throw std::runtime_error("the store was not made");
    }
}

} // namespace

int run_serve(const std::vector<std::string>& args, std::ostream& out) {
    ServeOptions options;
    if (const auto code = answer_arguments("serve", arguments(options), args, out)) {
        return *code;
    }
    fs::create_directories(options.directory);
    const base::ScratchDirectory scratch{options.directory, "adjourn-bench-serve-"};
    const server::Config config = config_without_engine();
    make_store_elsewhere(options, scratch.path(), config, out);
    const std::size_t without = resident_bytes();
    const auto print_memory = [&](const std::string& when) {
        const auto more = static_cast<double>(resident_bytes()) - static_cast<double>(without);
        out << "memory " << when << ": " << more / 1e6 << " MB, "
            << more / static_cast<double>(options.facts) << " B an evaluation of one move\n";
    };
    const auto start = Clock::now();
    const double before = processor_seconds();
    server::Service service{config, {scratch.path(), true, ""}};
    service.start();
    HttpClient client{"127.0.0.1", service.port()};
    HttpClient other{"127.0.0.1", service.port()};
    Caller caller{client, out, made_up_seed};
    CallTimes starting, browsing, verdict, radar, accepting, importing, browsing_importing;
    caller.timed("/api/v1/health", starting);
    out << "serve: " << options.facts << " facts, " << options.facts / 2 << " of another engine\n"
        << "first answer after " << milliseconds_since(start) << " ms\n";
    const auto until_tree = [&](CallTimes& times) {
        const auto begun = Clock::now();
        do {
            caller.timed("/api/v1/health", times);
            std::this_thread::sleep_for(std::chrono::milliseconds{1}); // between calls
        } while (!caller.has_tree());
        return milliseconds_since(begun);
    };
    until_tree(starting);
    out << "tree after " << milliseconds_since(start) << " ms, " << processor_seconds() - before
        << " s of processor time\n";
    print_memory("after the tree is read");
    caller.print_held("reading the evaluations");
    for (int i = 0; i < 200; ++i) {
        caller.browse(browsing);
    }
    print_memory("after 2,400 calls");
    caller.print_held("browsed");
    for (int i = 0; i < 20; ++i) {
        caller.timed("/api/v1/analyses/1/verdict", verdict);
        caller.timed("/api/v1/radar?since=0", radar);
    }
    caller.print_held("looking at all of it");
    const auto patch =
        other.send("PATCH", "/api/v1/analyses/1", R"({"accept":["Other"]})", "application/json");
    if (patch.status != 200) {
        out << patch.body << '\n';
        return 1;
    }
    const double accepted = until_tree(accepting);
    out << "accepted after " << accepted << " ms\n";
    caller.print_held("accepting");

    constexpr std::uint64_t games_at_once = 1'000; // stays below the largest body
    double imported = 0;
    for (std::uint64_t done = 0; done < options.games; done += games_at_once) {
        const std::string text = made_up_games(std::min(games_at_once, options.games - done),
                                               made_up_seed + done, 60, true);
        std::atomic<bool> over = false;
        HttpClient::Reply reply;
        const auto begun = Clock::now();
        std::jthread poster{[&] {
            reply =
                other.send("POST", "/api/v1/import?format=pgn&name=bench&analysis=1&plies=10000",
                           text, "application/x-chess-pgn");
            over = true;
        }};
        while (!over) {
            caller.timed("/api/v1/health", importing);
            caller.browse(browsing_importing);
        }
        poster.join();
        imported += milliseconds_since(begun);
        if (reply.status != 200) {
            out << reply.body << '\n';
            return 1;
        }
    }
    out << "imported " << options.games << " games in " << imported << " ms\n";
    caller.print_held("importing");
    out << std::setw(58) << " "
        << "      p50       p99       max (ms)\n";
    starting.print(out, "health while reading");
    browsing.print(out, "node");
    verdict.print(out, "verdict at the root");
    radar.print(out, "radar");
    accepting.print(out, "health while accepting");
    importing.print(out, "health while importing");
    browsing_importing.print(out, "node while importing");
    service.stop();
    return 0;
}

} // namespace adjourn::bench
