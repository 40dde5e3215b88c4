#include "bench/store.hpp"

#include "arguments.hpp"
#include "chess/position.hpp"
#include "server/scratch_directory.hpp"
#include "storage/sqlite.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <future>
#include <iomanip>
#include <ostream>
#include <random>
#include <unordered_set>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using analysis::Evaluation;
using chess::Move;
using chess::Position;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Facts as an analysis makes them: positions of a tree that grows from the initial one, each
// searched once and then again without the moves found so far (2.5 searches a position), with some
// looked at once more later. PV lengths and node counts are Stockfish 15.1's at depth 18 in 239
// middle games.
class FactMaker {
public:
    FactMaker(analysis::EngineId engine, std::uint64_t seed) : engine_{engine}, random_{seed} {
        discover(Position::initial());
    }

    Evaluation next() {
        while (open_.size() < most_open && !frontier_.empty()) {
            open_.push_back({frontier_.front(), {}, 18});
            frontier_.pop_front();
        }
        const std::size_t at = pick(open_.size());
        Open& open = open_[at];
        Evaluation fact = search(open);
        discover(open.position.after(*fact.move));
        open.tried.insert(std::ranges::lower_bound(open.tried, *fact.move), *fact.move);
        if (open.tried.size() == open.position.legal_moves().size() || chance(0.4)) {
            if (open.depth == 18 && chance(0.05)) {
                later_.push_back({open.position, {}, 20});
            }
            std::swap(open, open_.back());
            open_.pop_back();
        }
        if (!later_.empty() && (open_.empty() || chance(0.02))) {
            const std::size_t which = pick(later_.size());
            std::swap(later_[which], later_.back());
            open_.push_back(std::move(later_.back()));
            later_.pop_back();
        }
        return fact;
    }

private:
    struct Open {
        Position position;
        std::vector<Move> tried; // sorted
        std::uint64_t depth;
    };

    std::size_t pick(std::size_t size) { return static_cast<std::size_t>(random_() % size); }
    bool chance(double p) { return std::uniform_real_distribution{}(random_) < p; }

    void discover(const Position& position) {
        if (frontier_.size() < 1'000'000 && position.has_legal_move() &&
            seen_.insert(position.packed()).second) {
            frontier_.push_back(position);
        }
    }

    Evaluation search(const Open& open) {
        Evaluation fact;
        fact.question = {open.position.packed(),
                         engine_,
                         {analysis::Limit::Kind::depth, open.depth},
                         open.tried};
        const auto length = static_cast<std::size_t>(std::max(1.0, pv_length_(random_)));
        Position position = open.position;
        while (fact.pv.size() < length) {
            const auto moves = position.legal_moves();
            if (moves.empty()) {
                break;
            }
            Move move = moves[pick(moves.size())];
            while (fact.pv.empty() && std::ranges::binary_search(open.tried, move)) {
                move = moves[pick(moves.size())];
            }
            fact.pv.push_back(move);
            position.play(move);
        }
        fact.move = fact.pv.front();
        fact.score = chance(0.02) ? chess::Score::mate_in(1 + 2 * static_cast<int>(pick(15)))
                                  : chess::Score::cp(static_cast<int>(score_(random_)));
        fact.depth = static_cast<int>(open.depth);
        fact.seldepth = fact.depth + static_cast<int>(pick(12));
        fact.nodes = static_cast<std::uint64_t>(nodes_(random_));
        fact.time_ms = static_cast<std::uint32_t>(fact.nodes / 900);
        fact.at = now_ += static_cast<std::int64_t>(pick(100));
        return fact;
    }

    static constexpr std::size_t most_open = 256;
    analysis::EngineId engine_;
    std::mt19937_64 random_;
    std::normal_distribution<> pv_length_{18.7, 3.4}, score_{0, 120};
    std::lognormal_distribution<> nodes_{std::log(450'000.0), 0.6};
    std::deque<Position> frontier_;
    std::vector<Open> open_, later_;
    std::unordered_set<chess::PackedPosition, chess::PackedPositionHash> seen_;
    analysis::UnixMs now_ = 1'767'225'600'000; // the year 2026
};

struct Options {
    std::uint64_t facts = 1'000'000;
    std::uint64_t seed = 1;
    fs::path directory = fs::temp_directory_path();
};

Arguments arguments(Options& to) {
    return {number("--facts", "N", "evaluations that are stored", to.facts),
            path("--directory", "DIR", "where the store is made, and removed", to.directory),
            number("--seed", "S", "of the made-up evaluations", to.seed, 0)};
}

void row(std::ostream& out, const char* what, double value, int digits, const char* target) {
    out << std::left << std::setw(40) << what << std::right << std::setw(14) << std::fixed
        << std::setprecision(digits) << value << "   " << target << '\n';
}

} // namespace

int run_store(const std::vector<std::string>& args, std::ostream& out) {
    Options options;
    if (const auto code = answer_arguments("store", arguments(options), args, out)) {
        return *code;
    }
    fs::create_directories(options.directory);
    const server::ScratchDirectory scratch{options.directory, "adjourn-bench-store-"};
    const storage::EngineRecord engine{{}, "Bench", "1", "Hash=64\nThreads=1", "net.nnue"};
    double append_seconds = 0, single_seconds = 0;
    constexpr std::size_t batch_size = 50'000, singles = 200;
    {
        const auto store = storage::open_sqlite(scratch.path(), storage::OpenMode::owner);
        FactMaker maker{store->engine(engine), options.seed};
        std::vector<Evaluation> batch;
        for (std::uint64_t done = 0; done < options.facts; done += batch.size()) {
            batch.clear();
            const auto size = std::min<std::uint64_t>(batch_size, options.facts - done);
            std::generate_n(std::back_inserter(batch), size, [&] { return maker.next(); });
            const auto start = Clock::now();
            for (const Evaluation& fact : batch) {
                store->append(fact, {});
            }
            store->flush();
            append_seconds += seconds_since(start);
        }
        for (std::size_t i = 0; i < singles; ++i) {
            const Evaluation fact = maker.next();
            const auto start = Clock::now();
            store->append(fact, {});
            store->flush();
            single_seconds += seconds_since(start);
        }
    }
    const auto bytes = static_cast<double>(fs::file_size(scratch.path() / "adjourn.db"));
    const auto opening = Clock::now();
    const auto store = storage::open_sqlite(scratch.path(), storage::OpenMode::read);
    const double open_seconds = seconds_since(opening);
    std::uint64_t rows = 0;
    const auto loading = Clock::now();
    store->for_each_evaluation(store->engines().front().id, [&](const Evaluation&) { ++rows; });
    const double load_seconds = seconds_since(loading);

    out << "store: " << rows << " facts in " << options.directory.string() << '\n';
    row(out, "disk for a fact, PV included (bytes)", bytes / static_cast<double>(rows), 1,
        "<= 100");
    row(out, "append in batches, durable (facts/s)",
        static_cast<double>(options.facts) / append_seconds, 0, ">= 100000");
    row(out, "append one, durable (ms)", 1e3 * single_seconds / singles, 2, "");
    row(out, "open (ms)", 1e3 * open_seconds, 2, "");
    row(out, "load (facts/s)", static_cast<double>(rows) / load_seconds, 0, ">= 2000000");
    return 0;
}

} // namespace adjourn::bench
