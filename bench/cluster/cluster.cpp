#include "bench/benches.hpp"

#include "base/files.hpp"
#include "bench/arguments.hpp"
#include "bench/cluster/site.hpp"
#include "bench/postgres/postgres_cluster.hpp"
#include "storage/open.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using analysis::Evaluation;
using Clock = std::chrono::steady_clock;

struct ClusterOptions {
    int workers = 8;
    int engines = 8;
    int fast_ms = 20;
    int slow_ms = 500;
    int analyses = 20;
    int faults = 4;
    std::uint64_t seed = 1;
    std::string program;
    std::string hash_engine;
    fs::path directory = fs::temp_directory_path();
};

Arguments arguments(ClusterOptions& to) {
    return {
        number("--workers", "N", "worker processes", to.workers, 1, 64),
        number("--engines", "M", "processes of hash_engine of each", to.engines, 1, 64),
        number("--fast", "MS", "shortest time of an answer", to.fast_ms, 0, 60'000),
        number("--slow", "MS", "longest one, among faults", to.slow_ms, 0, 60'000),
        number("--analyses", "N", "full-width trees of up to 900 questions", to.analyses, 1, 400),
        number("--faults", "N", "of each kind", to.faults, 0, 100),
        number("--seed", "S", "of the order of faults", to.seed, 0),
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

// What befalls a site while its trees grow, drawn by a seed. Each comes when so many answers are
// there, so that it does not matter how fast the machine is.
class Faults {
public:
    enum class Kind : std::uint8_t {
        worker_killed,
        worker_stopped, // until its leases are past
        engine_killed,
        server_killed,
        database_crashed,
        connections_cut,
    };
    static constexpr std::array<const char*, 6> words{"worker killed",    "worker stopped",
                                                      "engine killed",    "server killed",
                                                      "database crashed", "connections cut"};

    // `database` and `url` are null and empty where workers come by HTTP; then nothing befalls a
    // database. `each` of each kind, spread over the answers from `first` to `last`.
    Faults(Site& site, PostgresCluster* database, std::string url, int each, std::uint64_t seed,
           std::uint64_t first, std::uint64_t last);

    // Does what is due. To be called often. Throws std::runtime_error where something does not
    // start again.
    void look(std::uint64_t answers);
    // How often each happened.
    const std::map<Kind, int>& done() const { return done_; }
    // Of the evaluations that stood in the database before a fault, and of those that the server
    // had told, how many are not there. After the end.
    std::uint64_t lost();

private:
    void happen(Kind kind, std::uint64_t answers);
    void wake();
    std::map<std::string, std::string> stored() const; // evaluations: number, moment

    Site& site_;
    PostgresCluster* const database_;
    const std::string url_;
    std::mt19937_64 random_;
    std::vector<std::pair<std::uint64_t, Kind>> due_; // the next one at the end
    std::map<Kind, int> done_;
    std::map<std::size_t, Clock::time_point> asleep_; // workers, until when
    std::map<std::string, std::string> seen_;
    std::uint64_t short_of_told_ = 0;
};

Faults::Faults(Site& site, PostgresCluster* database, std::string url, int each, std::uint64_t seed,
               std::uint64_t first, std::uint64_t last)
    : site_{site}, database_{database}, url_{std::move(url)}, random_{seed} {
    std::vector<Kind> kinds;
    for (const Kind kind : {Kind::worker_killed, Kind::worker_stopped, Kind::engine_killed,
                            Kind::server_killed, Kind::database_crashed, Kind::connections_cut}) {
        const bool possible = database_ != nullptr ||
                              (kind != Kind::database_crashed && kind != Kind::connections_cut);
        kinds.insert(kinds.end(), possible ? static_cast<std::size_t>(each) : 0, kind);
    }
    std::ranges::shuffle(kinds, random_);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        due_.emplace_back(last - (last - first) * (i + 1) / (kinds.size() + 1), kinds[i]);
    }
}

std::map<std::string, std::string> Faults::stored() const {
    std::map<std::string, std::string> rows;
    if (database_ != nullptr) {
        std::istringstream in{database_->sql(url_, "SELECT id, at FROM evaluations")};
        for (std::string line; std::getline(in, line);) {
            const std::size_t bar = line.find('|');
            rows.emplace(line.substr(0, bar), line.substr(bar + 1));
        }
    }
    return rows;
}

void Faults::wake() {
    std::erase_if(asleep_, [this](const auto& one) {
        const bool over = Clock::now() >= one.second;
        if (over) {
            site_.worker(one.first).signal(SIGCONT);
        }
        return over;
    });
}

void Faults::look(std::uint64_t answers) {
    wake();
    while (!due_.empty() && answers >= due_.back().first) {
        const Kind kind = due_.back().second;
        due_.pop_back();
        happen(kind, answers);
        ++done_[kind];
    }
}

void Faults::happen(Kind kind, std::uint64_t answers) {
    const std::map<std::string, std::string> before = stored();
    if (database_ != nullptr && before.size() < answers) { // acknowledged earlier
        short_of_told_ = std::max<std::uint64_t>(short_of_told_, answers - before.size());
    }
    seen_.insert(before.begin(), before.end());
    const std::size_t victim = random_() % std::max<std::size_t>(site_.workers(), 1);
    switch (kind) {
    case Kind::worker_killed:
        site_.worker(victim).kill();
        asleep_.erase(victim);
        site_.start_worker(victim);
        break;
    case Kind::worker_stopped:
        site_.worker(victim).signal(SIGSTOP);
        asleep_[victim] = Clock::now() + std::chrono::seconds{2 * Site::lease_seconds};
        break;
    case Kind::engine_killed:
        if (const auto engines = children_of(site_.worker(victim).number()); !engines.empty()) {
            ::kill(engines[random_() % engines.size()], SIGKILL);
        }
        break;
    case Kind::server_killed: site_.kill_server(); break;
    case Kind::database_crashed:
        database_->crash();
        database_->start();
        break;
    case Kind::connections_cut:
        database_->sql(url_, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname "
                             "= current_database() AND pid <> pg_backend_pid()");
        break;
    }
}

std::uint64_t Faults::lost() {
    const std::map<std::string, std::string> now = stored();
    std::uint64_t lost = short_of_told_;
    for (const auto& [number, moment] : seen_) {
        const auto there = now.find(number);
        lost += there == now.end() || there->second != moment ? 1 : 0;
    }
    return lost;
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

struct Grown {
    Facts facts;
    std::uint64_t lost = 0;
    bool sound = false; // by `adjourn check`
};

class Runs {
public:
    Runs(const ClusterOptions& options, const fs::path& scratch, std::ostream& out)
        : options_{options}, scratch_{scratch}, out_{out} {}

    // Without workers, as fast as can be.
    void alone();
    // By workers. `among_faults`: with slow answers, and after a while in peace with faults.
    void together(const std::string& title, Site::Way way, int slow_ms, bool among_faults);
    bool all_well() const { return well_; }

private:
    Site::Options site_options(const fs::path& store);
    void grow(Site& site, Meter& meter, Faults* faults);
    Grown end(Site& site, const fs::path& store, Faults* faults);
    void row(const std::string& title, const Site& site, const Meter& meter, double seconds,
             std::size_t answers);
    void verdict(const Grown& grown, const Faults* faults);

    const ClusterOptions& options_;
    const fs::path& scratch_;
    std::ostream& out_;
    int number_ = 0;
    Facts alone_;
    bool well_ = true;
};

Site::Options Runs::site_options(const fs::path& store) {
    Site::Options options;
    options.program = options_.program;
    options.hash_engine = options_.hash_engine;
    options.directory = scratch_ / ("site" + std::to_string(++number_));
    options.store = store;
    return options;
}

void Runs::grow(Site& site, Meter& meter, Faults* faults) {
    site.create(options_.analyses);
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
            if (faults != nullptr) {
                faults->look(progress->answers);
            }
        }
        if (Clock::now() - moved > without_answer) {
            throw std::runtime_error{"nothing is answered any more"};
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{50}); // between polls
    }
}

Grown Runs::end(Site& site, const fs::path& store, Faults* faults) {
    if (!site.stop()) {
        throw std::runtime_error{"the server does not end well"};
    }
    Grown grown{read_facts(store), faults != nullptr ? faults->lost() : 0};
    Child check{{options_.program, "check", storage::is_url(store) ? "--store" : "--data", store},
                scratch_ / "check.log"};
    grown.sound = check.wait();
    return grown;
}

void Runs::row(const std::string& title, const Site& site, const Meter& meter, double seconds,
               std::size_t answers) {
    out_ << std::left << std::setw(44) << title << std::right << std::setw(9) << site.processes()
         << std::setw(9) << answers << std::fixed << std::setprecision(1) << std::setw(9)
         << seconds;
    if (meter.from && meter.to) {
        const Meter::Reading& from = *meter.from;
        const Meter::Reading& to = *meter.to;
        const double wall = std::chrono::duration<double>(to.at - from.at).count();
        const auto answers = static_cast<double>(to.progress.answers - from.progress.answers);
        const ProcessorTime spent = to.spent - from.spent;
        out_ << std::setw(11) << answers / wall << std::setprecision(3) << std::setw(9)
             << (to.progress.engine_seconds - from.progress.engine_seconds) /
                    (wall * site.processes())
             << std::setprecision(0);
        for (const double seconds_of_one :
             {spent.server, spent.database, spent.workers, spent.engines}) {
            out_ << std::setw(10) << 1e6 * seconds_of_one / answers;
        }
    }
    out_ << std::endl;
}

void Runs::alone() {
    const fs::path store = scratch_ / "alone";
    Site::Options options = site_options(store);
    options.own = 4;
    Site site{options};
    Meter meter;
    const auto began = Clock::now();
    grow(site, meter, nullptr);
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    alone_ = end(site, store, nullptr).facts;
    row("one server without workers, SQLite", site, meter, seconds, alone_.answers.size());
}

void Runs::together(const std::string& title, Site::Way way, int slow_ms, bool among_faults) {
    std::optional<PostgresCluster> database;
    fs::path store = scratch_ / ("store" + std::to_string(number_));
    if (way == Site::Way::database) {
        database.emplace(PostgresCluster::Durable::yes);
        store = database->new_database();
    }
    Site::Options options = site_options(store);
    options.way = way;
    options.servers = way == Site::Way::database && among_faults ? 2 : 1;
    options.workers = options_.workers;
    options.engines = options_.engines;
    // From the shortest to the longest time of an answer.
    options.answer_ms = (options_.fast_ms + slow_ms) / 2;
    options.jitter = options.answer_ms == 0
                         ? 0
                         : static_cast<int>(std::lround(50.0 * (slow_ms - options_.fast_ms) /
                                                        options.answer_ms));
    Site site{options};
    const std::uint64_t all = alone_.answers.size();
    Meter meter{all / 10, among_faults ? all * 4 / 10 : all * 7 / 10,
                database ? &*database : nullptr};
    std::optional<Faults> faults;
    if (among_faults) {
        faults.emplace(site, database ? &*database : nullptr, store, options_.faults, options_.seed,
                       all * 4 / 10, all * 9 / 10);
    }
    const auto began = Clock::now();
    grow(site, meter, faults ? &*faults : nullptr);
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    const Grown grown = end(site, store, faults ? &*faults : nullptr);
    row(title, site, meter, seconds, grown.facts.answers.size());
    verdict(grown, faults ? &*faults : nullptr);
}

void Runs::verdict(const Grown& grown, const Faults* faults) {
    if (faults != nullptr) {
        out_ << "  ";
        const char* between = "";
        for (const auto& [kind, count] : faults->done()) {
            out_ << std::exchange(between, ", ") << Faults::words[static_cast<std::size_t>(kind)]
                 << ' ' << count;
        }
        out_ << '\n';
    }
    const std::size_t different = answered_differently(alone_, grown.facts);
    out_ << "  lost " << grown.lost << ", doubled " << grown.facts.doubled << ", different "
         << different << ", check " << (grown.sound ? "clean" : "not clean") << std::endl;
    well_ = well_ && grown.lost == 0 && grown.facts.doubled == 0 && different == 0 && grown.sound;
}

bool grow_all(const ClusterOptions& options, const fs::path& scratch, std::ostream& out) {
    Runs runs{options, scratch, out};
    const std::string fast = std::to_string(options.fast_ms) + " ms";
    const std::string slow = std::to_string(options.fast_ms) + " to " +
                             std::to_string(options.slow_ms) + " ms, faults from 40 %";
    out << options.workers << " workers with " << options.engines
        << " engines each and one of the server's, " << options.analyses << " analyses, seed "
        << options.seed << '\n'
        << "Speed, share of the engines' time that is searched, and processor time of an answer "
           "(us) are of the part from 10 % of the answers to the first fault, else to 70 %.\n"
        << std::left << std::setw(44) << "workers by, time of an engine's answer" << std::right
        << "processes  answers  seconds  answers/s     busy us:server  database   workers   engines"
        << std::endl;
    runs.alone();
    if (const std::string missing = PostgresCluster::missing(); !missing.empty()) {
        out << "skipped: workers of a database: " << missing << '\n';
    } else {
        runs.together("PostgreSQL, " + fast, Site::Way::database, options.fast_ms, false);
        runs.together("PostgreSQL, " + slow, Site::Way::database, options.slow_ms, true);
    }
    runs.together("HTTP, " + slow, Site::Way::http, options.slow_ms, true);
    return runs.all_well();
}

} // namespace

int run_cluster(const std::vector<std::string>& args, std::ostream& out) {
    ClusterOptions options;
    if (const auto code = answer_arguments("cluster", arguments(options), args, out)) {
        return *code;
    }
    if (options.slow_ms < options.fast_ms) {
        std::cerr << "bench cluster: '--slow' lacks a sensible value\n";
        return 2;
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
