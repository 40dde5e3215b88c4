#include "bench/benches.hpp"

#include "base/files.hpp"
#include "bench/arguments.hpp"
#include "bench/made_up.hpp"
#include "bench/process_use.hpp"
#include "bench/sqlite_alone.hpp"
#include "storage/open.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <future>
#include <iomanip>
#include <ostream>
#include <string>
#include <vector>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using analysis::Evaluation;
using Clock = std::chrono::steady_clock;

struct StoreOptions {
    std::uint64_t facts = 1'000'000;
    fs::path directory = fs::temp_directory_path();
    fs::path store;
};

Arguments arguments(StoreOptions& to) {
    return {
        number("--facts", "N", "evaluations that are stored", to.facts),
        path("--directory", "DIR", "where the store is made, and removed", to.directory),
        path("--store", "URL", "an empty database instead of the directory; it stays", to.store)};
}

void row(std::ostream& out, const char* what, double value, int digits, const char* target) {
    out << std::left << std::setw(40) << what << std::right << std::setw(14) << std::fixed
        << std::setprecision(digits) << value << "   " << target << '\n';
}

} // namespace

int run_store(const std::vector<std::string>& args, std::ostream& out) {
    StoreOptions options;
    if (const auto code = answer_arguments("store", arguments(options), args, out)) {
        return *code;
    }
    fs::create_directories(options.directory);
    const base::ScratchDirectory scratch{options.directory, "adjourn-bench-store-"};
    const bool in_directory = options.store.empty();
    const fs::path location = in_directory ? scratch.path() : options.store;
    const storage::EngineRecord engine{{}, "Bench", "1", "Hash=64\nThreads=1", "net.nnue"};
    double append_seconds = 0, single_seconds = 0;
    constexpr std::size_t batch_size = 50'000, singles = 200;
    {
        const auto store = storage::open_store(location, storage::OpenMode::owner);
        FactMaker maker{store->engine(engine), made_up_seed};
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
    const auto store = storage::open_store(location, storage::OpenMode::read);
    std::uint64_t rows = 0;
    const auto loading = Clock::now();
    store->for_each_evaluation(store->engines().front().id, [&](const Evaluation&) { ++rows; });
    const double load_seconds = seconds_since(loading);

    out << "store: " << rows << " facts in "
        << storage::shown(in_directory ? options.directory : options.store) << '\n';
    if (in_directory) {
        const auto bytes = static_cast<double>(fs::file_size(scratch.path() / "adjourn.db"));
        row(out, "disk for a fact, PV included (bytes)", bytes / static_cast<double>(rows), 1,
            "<= 100");
    }
    row(out, "append in batches, durable (facts/s)",
        static_cast<double>(options.facts) / append_seconds, 0, ">= 100000");
    row(out, "append one, durable (ms)", 1e3 * single_seconds / singles, 2, "");
    row(out, "load (facts/s)", static_cast<double>(rows) / load_seconds, 0, ">= 2000000");
    if (in_directory) {
        const Alone alone = sqlite_alone(scratch.path(), batch_size);
        row(out, "SQLite alone, the same rows: inserted (/s)", alone.inserted, 0, "");
        row(out, "SQLite alone, the same rows: read (/s)", alone.read, 0, "");
        row(out, "  append, of that",
            static_cast<double>(options.facts) / append_seconds / alone.inserted, 2, "");
        row(out, "  load, of that", static_cast<double>(rows) / load_seconds / alone.read, 2, "");
    }
    return 0;
}

} // namespace adjourn::bench
