#include "bench/benches.hpp"

#include "api/views/view.hpp"
#include "base/files.hpp"
#include "bench/arguments.hpp"
#include "bench/made_up.hpp"
#include "bench/process_use.hpp"
#include "core/graphs/graph_slot.hpp"
#include "storage/open.hpp"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <iomanip>
#include <ostream>

namespace adjourn::bench {

namespace {

namespace fs = std::filesystem;
using analysis::Evaluation;

struct ChangesOptions {
    std::uint64_t facts = 1'000'000;
    std::size_t newest = 30'000;
    fs::path directory = fs::temp_directory_path();
};

Arguments arguments(ChangesOptions& to) {
    return {number("--facts", "N", "evaluations that are stored", to.facts),
            number("--newest", "N", "of them that are newer than the moment", to.newest),
            path("--directory", "DIR", "where the store is made, and removed", to.directory)};
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
    const Times times = fill(*store, FactMaker{engine.id, made_up_seed}, options);
    const chess::Position root = chess::Position::initial();
    const server::GraphKey key{
        engine.id, {}, server::basis_of({analysis::Limit::Kind::depth, 18}, {})};
    const analysis::Graph graph = server::read_graph(*store, key, root, nullptr);
    const double start = thread_seconds();
    const nlohmann::json told = server::changes_json(
        *store, key, graph, server::GraphReading{nullptr}, root, {}, times.since, times.now);
    const double spent = 1e3 * (thread_seconds() - start);
    row(out, "evaluations", static_cast<double>(options.facts), "");
    row(out, "evaluations newer than the moment", told["evaluations"].get<double>(), "");
    row(out, "changes, ms of one core for a million evaluations",
        spent * 1e6 / static_cast<double>(options.facts), "<= 500");
    return 0;
}

} // namespace adjourn::bench
