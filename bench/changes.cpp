#include "bench/benches.hpp"

#include "api/views/view_walks.hpp"
#include "arguments.hpp"
#include "base/files.hpp"
#include "core/graphs/analysis_run.hpp"
#include "fact_maker.hpp"
#include "storage/open.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <iomanip>
#include <ostream>
#include <time.h>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using analysis::Evaluation;
using Clock = std::chrono::steady_clock;

struct ChangesOptions {
    std::uint64_t facts = 1'000'000;
    std::size_t newest = 30'000;
    std::uint64_t seed = 1;
    fs::path directory = fs::temp_directory_path();
};

Arguments arguments(ChangesOptions& to) {
    return {number("--facts", "N", "evaluations that are stored", to.facts),
            number("--newest", "N", "of them that are newer than the moment", to.newest),
            path("--directory", "DIR", "where the store is made, and removed", to.directory),
            number("--seed", "S", "of the made-up evaluations", to.seed, 0)};
}

// Milliseconds of one core that this thread has had.
double thread_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e6;
}

// The moment that only the newest are newer than, and the last one.
struct Times {
    analysis::UnixMs since = 0;
    analysis::UnixMs now = 0;
};

Times fill(storage::Store& store, FactMaker maker, const ChangesOptions& options) {
    constexpr std::size_t batch_size = 50'000;
    std::deque<analysis::UnixMs> last;
    for (std::uint64_t done = 0; done < options.facts; ++done) {
        Evaluation fact = maker.next();
        fact.pv = {*fact.move}; // nobody looks at more
        last.push_back(fact.at);
        if (last.size() > options.newest + 1) {
            last.pop_front();
        }
        store.append(fact, {});
        if (done % batch_size == 0) {
            store.flush();
        }
    }
    store.flush();
    return {last.front(), last.back()};
}

struct ByGraph {
    double core_ms = 0;    // of the core's thread
    double longest_ms = 0; // that it was held
    double read_ms = 0;    // of the one that reads the store
    double tell_ms = 0;
    bool given_up = false;
    nlohmann::json told;
};

// As a server does it, in slices of a millisecond.
ByGraph by_graph(const server::AnalysisRun& run, const storage::Store& store, const Times& times) {
    ByGraph result;
    const auto timed = [](double& ms, const auto& work) {
        const double start = thread_ms();
        work();
        const double spent = thread_ms() - start;
        ms += spent;
        return spent;
    };
    std::unique_ptr<server::ChangesWalk> walk;
    timed(result.core_ms,
          [&] { walk = server::walk_changes(run, store, times.since, times.now, nullptr); });
    for (bool done = false; !done;) {
        const double held = timed(result.core_ms, [&] {
            const auto until = Clock::now() + std::chrono::milliseconds{1};
            done = walk->go_on([until] { return Clock::now() >= until; });
        });
        result.longest_ms = std::max(result.longest_ms, held);
        if (const auto task = done ? nullptr : walk->elsewhere()) {
            timed(result.read_ms, task);
        }
    }
    result.given_up = walk->given_up();
    timed(result.tell_ms, [&] { result.told = walk->result(); });
    return result;
}

void row(std::ostream& out, const char* what, double value, const char* target) {
    out << std::left << std::setw(52) << what << std::right << std::setw(14) << std::fixed
        << std::setprecision(value < 100 ? 1 : 0) << value << "   " << target << '\n';
}

} // namespace

int run_changes(const std::vector<std::string>& args, std::ostream& out) {
    ChangesOptions options;
    if (const auto code = answer_arguments("changes", arguments(options), args, out)) {
        return *code;
    }
    fs::create_directories(options.directory);
    const base::ScratchDirectory scratch{options.directory, "adjourn-bench-changes-"};
    const auto store = storage::open_store(scratch.path(), storage::OpenMode::owner);
    storage::EngineRecord engine{{}, "Bench", "1", "Hash=64\nThreads=1", "net.nnue"};
    engine.id = store->engine(engine);
    const Times times = fill(*store, FactMaker{engine.id, options.seed}, options);
    const chess::Position root = chess::Position::initial();
    storage::AnalysisRecord record;
    record.engine = engine.id;
    record.root_fen = root.fen();
    record.limit = {analysis::Limit::Kind::depth, 18};
    server::AnalysisRun run{record, {}, root, root};
    const analysis::Basis basis = server::basis_of(record.limit, {});
    server::GraphSlot slot{
        *store, engine, nullptr, {engine.id, {}, basis}, nullptr, std::span{&root, 1}};
    run.slot = &slot;
    run.root_node = slot.graph().find(root.packed()).value();
    slot.count_on(run.root_node, slot.graph().node_count()); // as a server has it
    const ByGraph graph = by_graph(run, *store, times);
    const double start = thread_ms();
    const nlohmann::json alone =
        server::changes_json(*store, record, root, basis, times.since, times.now, nullptr);
    const double alone_ms = thread_ms() - start;
    const bool equal = graph.told == alone;
    row(out, "moves in the graph", static_cast<double>(slot.graph().move_count()), "");
    row(out, "evaluations newer than the moment", graph.told["evaluations"].get<double>(), "");
    row(out, "changes by the graph, ms of one core", graph.core_ms + graph.read_ms + graph.tell_ms,
        "<= 200");
    row(out, "  of these the core's thread", graph.core_ms, "");
    row(out, "  which it held at most", graph.longest_ms, "<= 20");
    row(out, "  reading older evaluations", graph.read_ms, "");
    row(out, "changes by the store alone, ms of one core", alone_ms, "");
    out << (graph.given_up ? "by the graph: given up\n" : "")
        << (equal ? "both tell the same\n" : "THE TWO TELL DIFFERENT THINGS\n");
    return equal ? 0 : 1;
}

} // namespace adjourn::bench
