#include "bench/benches.hpp"

#include "analysis/strategy.hpp"
#include "base/files.hpp"
#include "bench/arguments.hpp"
#include "bench/strategies/course.hpp"
#include "core/engines/installed_engines.hpp"
#include "engine_bridge/dispatch/pool.hpp"
#include "host/service.hpp"

#include <boost/asio/io_context.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iomanip>
#include <memory>
#include <stdexcept>
#include <thread>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct BusyOptions {
    int answer_ms = 20;
    int engines = 8;
    int movetime_ms = 200;
    int stockfish_engines = 2;
    int seconds = 10;
    int warmup = 3;
    std::string hash_engine;
    std::string stockfish;
    std::string strategy = "halving";
    bool affinity = false;
    std::size_t questions = 400;
    int depth = 14;
};

Arguments arguments(BusyOptions& to) {
    std::vector<std::pair<std::string, std::string>> kinds;
    for (const std::string& kind : analysis::strategy_names()) {
        kinds.emplace_back(kind, kind);
    }
    return {number("--answer", "MS", "time of an answer of hash_engine", to.answer_ms),
            number("--engines", "N", "processes of hash_engine, 0 leaves them out", to.engines, 0),
            number("--movetime", "MS", "time of an answer of Stockfish", to.movetime_ms),
            number("--stockfish-engines", "N", "processes of Stockfish, 0 leaves them out",
                   to.stockfish_engines, 0),
            choice("--strategy", "how the tree grows", std::move(kinds), to.strategy),
            number("--seconds", "S", "measured for each row", to.seconds),
            number("--warmup", "S", "before that", to.warmup, 0),
            flag("--affinity", "instead: what warm hash tables save the processes of Stockfish",
                 to.affinity),
            number("--questions", "N", "of a tree, for --affinity", to.questions),
            number("--depth", "N", "of each of them", to.depth),
            text("--hash-engine", "PATH", "(default: beside this program)", to.hash_engine),
            text("--stockfish", "PATH", "(default: the one that is installed)", to.stockfish)};
}

constexpr std::chrono::minutes most_wait{2}; // for the first answer

struct Reading {
    Clock::time_point at;
    double busy = 0; // seconds, all processes
    std::uint64_t jobs = 0;
};

Reading read(server::Service& service) {
    Reading reading;
    service.with_core([&](server::Core& core) {
        for (const auto& status : core.engines().all().front()->status()) {
            reading.busy += std::chrono::duration<double>(status.busy).count();
            reading.jobs += status.jobs_done;
        }
    });
    reading.at = Clock::now();
    return reading;
}

bool measure(const std::string& title, engine_bridge::Profile profile, analysis::Limit limit,
             const BusyOptions& options, std::ostream& out) {
    const base::ScratchDirectory directory{fs::temp_directory_path(), "adjourn-busy-"};
    server::Config config;
    const double processes = static_cast<double>(profile.count);
    config.engines = {std::move(profile)};
    server::Service service{config, {directory.path(), false, ""}};
    service.start();
    server::NewAnalysis wanted{"busy", chess::Position::initial(), {}, "", limit, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters(options.strategy);
    service.with_core([&](server::Core& core) { (void)core.create(std::move(wanted)); });
    std::this_thread::sleep_for(std::chrono::seconds{options.warmup});
    const Reading before = read(service);
    std::this_thread::sleep_for(std::chrono::seconds{options.seconds});
    Reading after = read(service);
    // A machine that does other work may not even have begun: an answer belongs to each row.
    while (after.jobs == before.jobs && after.at - before.at < most_wait) {
        std::this_thread::sleep_for(std::chrono::milliseconds{100});
        after = read(service);
    }
    service.stop();
    const double wall = std::chrono::duration<double>(after.at - before.at).count();
    const double share = (after.busy - before.busy) / (wall * processes);
    out << std::left << std::setw(44) << title << std::right << std::fixed << std::setprecision(4)
        << std::setw(9) << share << std::setw(12) << std::setprecision(1)
        << static_cast<double>(after.jobs - before.jobs) / wall << std::endl;
    return after.jobs > before.jobs;
}

// Affinity: what it saves that questions of one line go to the process whose hash knows it.

// A question of a tree.
struct TreeQuestion {
    chess::Position position;
    std::vector<chess::Move> searchmoves; // empty = all legal moves
    std::uint64_t line = 0;               // of the first two moves from the root; never 0
};

// The first `count` questions that the strategy `halving` asks from the initial position, with the
// answers of an engine of its own of depth `depth`, as they would go out one by one. Throws
// std::runtime_error if the engine does not start.
std::vector<TreeQuestion> questions_of_tree(const std::string& engine, std::size_t count,
                                            int depth) {
    const base::ScratchDirectory directory{fs::temp_directory_path(), "adjourn-affinity-"};
    KeptSearches kept{directory.path() / "searches"};
    Conversation conversation{{engine}, {{"Threads", "1"}, {"Hash", "16"}}, kept};
    CourseRequest request{chess::Position::initial(),
                          analysis::default_parameters("halving"),
                          {analysis::Limit::Kind::depth, static_cast<std::uint64_t>(depth)}};
    request.budget = count;
    std::vector<TreeQuestion> questions;
    for (const auto& [query, line] : follow_course(request, conversation).asked) {
        questions.push_back({query.position, query.only, 1});
        for (std::size_t i = 0; i < std::min<std::size_t>(line.size(), 2); ++i) {
            questions.back().line = (questions.back().line << 16) | line[i].raw();
        }
    }
    return questions;
}

enum class Arrangement : std::uint8_t {
    empty,    // each search begins with an empty hash
    any,      // whichever process is free
    affinity, // as the product does: whoever knows the line, if there is one
};

struct ArrangementCost {
    std::uint64_t nodes = 0; // of all searches
    double seconds = 0;      // wall clock
    std::size_t unanswered = 0;
};

// Asks them all of `profile.count` processes, two ahead for each, to that depth. Throws
// std::runtime_error where no process can be started.
ArrangementCost ask_all(const std::vector<TreeQuestion>& questions, int depth,
                        engine_bridge::Profile profile, Arrangement arrangement) {
    ArrangementCost cost;
    boost::asio::io_context context;
    std::size_t next = 0;
    std::size_t out = 0;
    std::string trouble;
    const auto dispatcher = std::make_shared<engine_bridge::Dispatcher>();
    const engine_bridge::ProfileId index = dispatcher->add(profile.name, profile.reproducible);
    engine_bridge::Pool* asked = nullptr;
    const std::function<void()> give = [&] {
        while (next < questions.size() && dispatcher->room(index) > 0) {
            const TreeQuestion& question = questions[next++];
            engine_bridge::Job job{next,
                                   question.position,
                                   {chess::Limit::Kind::depth, static_cast<std::uint64_t>(depth)},
                                   question.searchmoves};
            job.affinity = arrangement == Arrangement::affinity ? question.line : 0;
            job.game = arrangement == Arrangement::empty ? next : 1;
            ++out;
            dispatcher->submit(index, std::move(job), [&](const engine_bridge::Result& result) {
                --out;
                if (result) {
                    cost.nodes += result->nodes;
                } else {
                    ++cost.unanswered;
                }
                give();
            });
        }
        if (out == 0) {
            asked->stop([&context] { context.stop(); });
        }
    };
    engine_bridge::Pool pool{
        context,
        dispatcher,
        index,
        std::move(profile),
        {},
        {.identified = [&](const std::expected<engine_bridge::Identity, std::string>& identity) {
            if (!identity) {
                trouble = identity.error();
                context.stop();
            } else if (next == 0) {
                give();
            }
        }}};
    asked = &pool;
    const auto begin = std::chrono::steady_clock::now();
    pool.start();
    context.run();
    if (!trouble.empty()) {
        throw std::runtime_error(trouble);
    }
    cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return cost;
}

// The same questions thrice, so that the rows differ by who is asked which of them alone.
int measure_affinity(const BusyOptions& options, std::ostream& out) {
    const auto questions =
        questions_of_tree(options.stockfish, options.questions, std::max(1, options.depth / 2));
    engine_bridge::Profile profile;
    profile.name = "stockfish";
    profile.command = {options.stockfish};
    profile.count = static_cast<std::size_t>(options.stockfish_engines);
    profile.options = {{"Threads", "1"}, {"Hash", "64"}};
    out << questions.size() << " questions of a tree, depth " << options.depth << ", "
        << profile.count << " Stockfish           nodes      share   seconds\n";
    const std::array<std::pair<const char*, Arrangement>, 3> rows{
        {{"an empty hash for each", Arrangement::empty},
         {"whichever process is free", Arrangement::any},
         {"who knows the line", Arrangement::affinity}}};
    double all = 0;
    bool answered = true;
    for (const auto& [name, arrangement] : rows) {
        const ArrangementCost cost = ask_all(questions, options.depth, profile, arrangement);
        const auto nodes = static_cast<double>(cost.nodes);
        all = arrangement == Arrangement::empty ? nodes : all;
        out << std::left << std::setw(44) << name << std::right << std::setw(14) << cost.nodes
            << std::fixed << std::setprecision(1) << std::setw(9) << 100 * nodes / all << " %"
            << std::setw(10) << cost.seconds << std::endl;
        answered &= cost.unanswered == 0;
    }
    return answered ? 0 : 1;
}

} // namespace

int run_busy(const std::vector<std::string>& args, std::ostream& out) {
    BusyOptions options;
    if (const auto code = answer_arguments("busy", arguments(options), args, out)) {
        return *code;
    }
    if (options.hash_engine.empty()) {
        options.hash_engine = (base::program_file().parent_path() / "hash_engine").string();
    }
    if (options.stockfish.empty()) {
        options.stockfish = server::find_program("stockfish").value_or("");
    }
    spdlog::set_level(spdlog::level::warn);
    if (options.affinity) {
        if (options.stockfish.empty() || options.stockfish_engines == 0) {
            out << "--affinity needs Stockfish; --stockfish PATH names it\n";
            return 2;
        }
        try {
            return measure_affinity(options, out);
        } catch (const std::runtime_error& error) {
            out << error.what() << '\n';
            return 1;
        }
    }
    out << "engine time / (wall x processes)                busy   answers/s\n";
    bool measured = true;
    if (options.engines > 0) {
        engine_bridge::Profile profile;
        profile.name = "hash_engine";
        profile.command = {options.hash_engine};
        profile.count = static_cast<std::size_t>(options.engines);
        profile.options = {{"AnswerMs", std::to_string(options.answer_ms)}};
        measured &= measure(std::to_string(options.engines) + " hash_engine, " +
                                std::to_string(options.answer_ms) + " ms an answer",
                            profile, {analysis::Limit::Kind::depth, 8}, options, out);
    }
    if (options.stockfish_engines > 0 && !options.stockfish.empty()) {
        engine_bridge::Profile profile;
        profile.name = "stockfish";
        profile.command = {options.stockfish};
        profile.count = static_cast<std::size_t>(options.stockfish_engines);
        profile.options = {{"Threads", "1"}, {"Hash", "16"}};
        measured &= measure(
            std::to_string(options.stockfish_engines) + " Stockfish, " +
                std::to_string(options.movetime_ms) + " ms an answer",
            profile,
            {analysis::Limit::Kind::movetime, static_cast<std::uint64_t>(options.movetime_ms)},
            options, out);
    }
    return measured ? 0 : 1;
}

} // namespace adjourn::bench
