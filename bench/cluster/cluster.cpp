#include "bench/benches.hpp"

#include "base/files.hpp"
#include "bench/arguments.hpp"
#include "bench/cluster/site.hpp"
#include "bench/postgres/postgres_cluster.hpp"
#include "bench/process_use.hpp"
#include "storage/open.hpp"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <map>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <thread>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using analysis::Evaluation;
using Clock = std::chrono::steady_clock;

struct ClusterOptions {
    int workers = 8;
    int engines = 8;
    int answer_ms = 20;
    int analyses = 20;
    std::string program;
    std::string hash_engine;
    fs::path directory = fs::temp_directory_path();
};

Arguments arguments(ClusterOptions& to) {
    return {
        number("--workers", "N", "worker processes", to.workers, 1, 64),
        number("--engines", "M", "processes of hash_engine of each", to.engines, 1, 64),
        number("--answer", "MS", "time of an answer", to.answer_ms, 0, 60'000),
        number("--analyses", "N", "full-width trees of up to 900 questions", to.analyses, 1, 400),
        path("--directory", "DIR", "where stores are made, and removed", to.directory),
        text("--program", "PATH", "adjourn (default: beside this program)", to.program),
        text("--hash-engine", "PATH", "(default: beside it)", to.hash_engine)};
}

// All evaluations of a store, so that two stores can be compared. Times, row numbers and the order
// of writing are no part of it.
struct Facts {
    std::map<std::string, std::string> answers; // by question; bytes
    std::uint64_t doubled = 0;                  // further rows for a question
};

void add(std::string& to, std::int64_t number) {
    to += std::to_string(number) + ' ';
}

std::string question_text(const Evaluation& fact) {
    const auto& bytes = fact.question.position.bytes;
    std::string text{bytes.begin(), bytes.end()};
    add(text, static_cast<int>(fact.question.limit.kind));
    add(text, static_cast<std::int64_t>(fact.question.limit.amount));
    for (const chess::Move move : fact.question.excluded) {
        add(text, move.raw());
    }
    return text;
}

std::string answer_text(const Evaluation& fact) {
    std::string text;
    add(text, fact.move ? fact.move->raw() : -1);
    add(text, fact.score ? static_cast<int>(fact.score->kind()) : -1);
    add(text, fact.score ? fact.score->rank() : 0);
    add(text, static_cast<int>(fact.bound));
    add(text, fact.depth);
    add(text, fact.seldepth);
    add(text, static_cast<std::int64_t>(fact.nodes));
    for (const chess::Move move : fact.pv) {
        add(text, move.raw());
    }
    return text;
}

// Throws storage::StoreError. No owner of the store is disturbed.
Facts read_facts(const std::filesystem::path& place) {
    const auto store = storage::open_store(place, storage::OpenMode::read);
    Facts facts;
    for (const storage::EngineRecord& engine : store->engines()) {
        store->for_each_evaluation(engine.id, [&](const Evaluation& fact) {
            facts.doubled +=
                facts.answers.emplace(question_text(fact), answer_text(fact)).second ? 0 : 1;
        });
    }
    return facts;
}

// Questions that both have answered, each in another way: of an engine whose answers depend on the
// question alone there are none.
std::size_t answered_differently(const Facts& one, const Facts& other) {
    return static_cast<std::size_t>(std::ranges::count_if(one.answers, [&](const auto& entry) {
        const auto there = other.answers.find(entry.first);
        return there != other.answers.end() && there->second != entry.second;
    }));
}

// Speed between two numbers of answers.
struct Meter {
    struct Reading {
        Clock::time_point at;
        Site::Progress progress;
        ProcessorTime spent;
    };
    std::uint64_t first = 0, last = 0;
    const PostgresCluster* database = nullptr;
    std::optional<Reading> from = {}, to = {};

    void read(const Site& site, const Site::Progress& progress) {
        if (progress.answers >= last && from && !to) {
            to = now(site, progress);
        } else if (progress.answers >= first && !from) {
            from = now(site, progress);
        }
    }
    Reading now(const Site& site, const Site::Progress& progress) const {
        Reading reading{Clock::now(), progress, site.processor_time()};
        if (database != nullptr) {
            reading.spent.database =
                seconds_of(database->process()) + seconds_of_children(database->process());
        }
        return reading;
    }
};

void grow(Site& site, int analyses, Meter& meter) {
    site.create(analyses);
    constexpr std::chrono::minutes without_answer{3};
    std::uint64_t most = 0;
    for (auto moved = Clock::now();;) {
        if (const auto progress = site.progress()) {
            if (progress->failed > 0) {
                throw std::runtime_error{"an analysis has failed"};
            }
            meter.read(site, *progress);
            if (progress->answers > most) {
                most = progress->answers;
                moved = Clock::now();
            }
            if (progress->settled == progress->analyses) {
                return;
            }
        }
        if (Clock::now() - moved > without_answer) {
            throw std::runtime_error{"nothing is answered any more"};
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{50}); // between polls
    }
}

void print_row(std::ostream& out, const std::string& title, const Site& site, const Meter& meter,
               double seconds, std::size_t answers) {
    out << std::left << std::setw(44) << title << std::right << std::setw(9) << site.processes()
        << std::setw(9) << answers << std::fixed << std::setprecision(1) << std::setw(9) << seconds;
    if (meter.from && meter.to) {
        const Meter::Reading& from = *meter.from;
        const Meter::Reading& to = *meter.to;
        const double wall = std::chrono::duration<double>(to.at - from.at).count();
        const auto measured = static_cast<double>(to.progress.answers - from.progress.answers);
        const ProcessorTime spent = to.spent - from.spent;
        out << std::setw(11) << measured / wall << std::setprecision(3) << std::setw(9)
            << (to.progress.engine_seconds - from.progress.engine_seconds) /
                   (wall * site.processes())
            << std::setprecision(0);
        for (const double seconds_of_one :
             {spent.server, spent.database, spent.workers, spent.engines}) {
            out << std::setw(10) << 1e6 * seconds_of_one / measured;
        }
    }
    out << std::endl;
}

// The trees, grown on one store; a row of the table.
Facts grown(const ClusterOptions& options, const std::string& title, const Site::Options& wanted,
            Meter meter, std::ostream& out) {
    Site site{wanted};
    const auto began = Clock::now();
    grow(site, options.analyses, meter);
    const double seconds = seconds_since(began);
    if (!site.stop()) {
        throw std::runtime_error{"the server does not end well"};
    }
    Facts facts = read_facts(wanted.store);
    print_row(out, title, site, meter, seconds, facts.answers.size());
    return facts;
}

bool grow_all(const ClusterOptions& options, const fs::path& scratch, std::ostream& out) {
    out << options.workers << " workers with " << options.engines
        << " engines each and one of the server's, " << options.analyses << " analyses\n"
        << "Speed, share of the engines' time that is searched, and processor time of an answer "
           "(us) are of the part from 10 % to 70 % of the answers.\n"
        << std::left << std::setw(44) << "server and workers, time of an engine's answer"
        << std::right
        << "processes  answers  seconds  answers/s     busy us:server  database   workers   engines"
        << std::endl;
    const Facts alone = grown(options, "one server without workers, SQLite, 0 ms",
                              {.program = options.program,
                               .hash_engine = options.hash_engine,
                               .directory = scratch / "one",
                               .store = scratch / "alone",
                               .own = 4},
                              {}, out);
    PostgresCluster database{PostgresCluster::Durable::yes};
    const fs::path store = database.new_database();
    const std::uint64_t all = alone.answers.size();
    const Facts together =
        grown(options, "workers by HTTP, PostgreSQL, " + std::to_string(options.answer_ms) + " ms",
              {.program = options.program,
               .hash_engine = options.hash_engine,
               .directory = scratch / "many",
               .store = store,
               .workers = options.workers,
               .engines = options.engines,
               .answer_ms = options.answer_ms},
              {all / 10, all * 7 / 10, &database}, out);
    Child check{{options.program, "check", "--store", store}, scratch / "check.log"};
    const bool sound = check.wait();
    const std::size_t different = answered_differently(alone, together);
    out << "  doubled " << together.doubled << ", different " << different << ", check "
        << (sound ? "clean" : "not clean") << std::endl;
    return together.doubled == 0 && different == 0 && sound;
}

} // namespace

int run_cluster(const std::vector<std::string>& args, std::ostream& out) {
    ClusterOptions options;
    if (const auto code = answer_arguments("cluster", arguments(options), args, out)) {
        return *code;
    }
    if (const std::string missing = PostgresCluster::missing(); !missing.empty()) {
        out << "cluster: " << missing << '\n';
        return 1;
    }
    const fs::path self = base::program_file();
    options.program = fs::absolute(options.program.empty() ? self.parent_path() / "adjourn"
                                                           : fs::path{options.program});
    options.hash_engine =
        fs::absolute(options.hash_engine.empty() ? self.parent_path() / "hash_engine"
                                                 : fs::path{options.hash_engine});
    fs::create_directories(options.directory);
    auto scratch =
        std::make_unique<base::ScratchDirectory>(options.directory, "adjourn-bench-cluster-");
    bool well = false;
    try {
        well = grow_all(options, scratch->path(), out);
    } catch (const std::exception& error) {
        out << "stopped: " << error.what() << '\n';
    }
    if (!well) {
        out << "what the processes said: " << scratch->path().string() << '\n';
        (void)scratch.release(); // stays
    }
    return well ? 0 : 1;
}

} // namespace adjourn::bench
