// kill -9 at any moment: what was acknowledged is there afterwards, and the store is sound.
#include "storage/sqlite/sqlite_store.hpp"

#include "raw.hpp"
#include "samples.hpp"
#include "test.hpp"

#include <ctime>
#include <fcntl.h>

using namespace adjourn::storage;
using namespace adjourn::storage::test;

namespace {

constexpr int checkpoint_often = 30; // pages: in the middle of it, too, somebody may die

// What the child says of an acknowledged fact; shorter than PIPE_BUF, so written whole or not at
// all.
struct Acknowledgement {
    std::uint64_t n;
    std::int64_t id;
};

// What the child does.
[[noreturn]] void append_until_killed(const std::filesystem::path& directory, std::uint64_t start,
                                      int write_end) noexcept {
    SqliteStore store{directory, OpenMode::owner, checkpoint_often};
    const EngineId engine = store.engine(sample_engine());
    if (store.analyses({}).empty()) {
        insert_and_wait(store, sample_analysis(engine, "asks for every other one", 1));
    }
    const AnalysisId analysis = store.analyses({}).front().id;
    for (std::uint64_t n = start;; ++n) {
        const auto asked_by = n % 2 == 0 ? std::optional{analysis} : std::nullopt;
        store.append(sample_fact(engine, n), asked_by, [n, write_end](const auto& written) {
            const Acknowledgement acknowledgement{n, written.value().id};
            if (::write(write_end, &acknowledgement, sizeof acknowledgement) < 0) {
                ::_exit(0); // the parent has gone
            }
        });
        if (n % 16 == 0) { // groups of different sizes, and a bounded queue
            store.flush();
        }
    }
}

// The next acknowledgement; false at the end of the pipe.
bool receive(int descriptor, Acknowledgement& out) {
    auto* at = reinterpret_cast<char*>(&out);
    std::size_t have = 0;
    while (have < sizeof out) {
        const ssize_t size = ::read(descriptor, at + have, sizeof out - have);
        if (size <= 0) {
            return false;
        }
        have += static_cast<std::size_t>(size);
    }
    return true;
}

} // namespace

TEST_CASE("kill -9 at any moment loses nothing that was acknowledged", "[not valgrind]") {
    constexpr int kills = 7;
    const TemporaryDirectory directory;
    std::mt19937_64 random{Catch::rngSeed() + 1u};
    std::vector<Evaluation> acknowledged;
    std::uint64_t start = 1;
    const auto note = [&](const Acknowledgement& a) {
        start = a.n; // a machine at work lets some live for long
        acknowledged.push_back(sample_fact(EngineId{1}, a.n));
        acknowledged.back().id = static_cast<EvaluationId>(a.id);
    };
    for (int round = 0; round < kills; ++round) {
        CAPTURE(round);
        int ends[2];
        REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            ::close(ends[0]); // else it would write on when this process has gone
            append_until_killed(directory, start, ends[1]);
        }
        ::close(ends[1]);
        // Some die while they open the store, the others after so many facts and some microseconds.
        const std::uint64_t patience = round % 6 == 0 ? 0 : 1 + random() % 120;
        Acknowledgement next{};
        std::uint64_t told = 0;
        for (; told < patience && receive(ends[0], next); ++told) {
            note(next);
        }
        if (told > 0) {
            CHECK_THROWS_AS(open_owner(directory), StoreInUse);
        }
        const timespec moment{
            0, static_cast<long>(random() % (round % 6 == 0 ? 60'000'000 : 2'000'000))};
        ::nanosleep(&moment, nullptr);
        REQUIRE(::kill(child, SIGKILL) == 0);
        int status = 0;
        ::waitpid(child, &status, 0);
        REQUIRE(WIFSIGNALED(status)); // it did not end by itself
        REQUIRE(WTERMSIG(status) == SIGKILL);
        while (receive(ends[0], next)) { // acknowledged before it died
            note(next);
        }
        ::close(ends[0]);
        if (told > 0) { // the log is still there: who only reads finds it, too
            REQUIRE(open_store(directory, OpenMode::read)->check().empty());
        }

        SqliteStore store{directory, OpenMode::owner, checkpoint_often};
        const EngineId engine = store.engine(sample_engine());
        const auto facts = all_facts(store, engine);
        REQUIRE(facts.size() == store.evaluation_count());
        REQUIRE(facts.size() >= acknowledged.size());
        const auto lost = std::ranges::count_if(acknowledged, [&facts](const Evaluation& fact) {
            const auto found = std::ranges::lower_bound(facts, fact.id, {}, &Evaluation::id);
            return found == facts.end() || *found != fact;
        });
        REQUIRE(lost == 0);
        UsageRecord spent{.analysis = AnalysisId{1}};
        const auto asked = store.asked(spent.analysis, {});
        for (const Evaluation& fact : facts) {
            if (std::ranges::binary_search(asked, fact.id)) {
                ++spent.evaluations_new;
                spent.nodes += fact.nodes;
                spent.engine_ms += fact.time_ms;
            }
        }
        // Doubles cost effort without being new, so the sums may be larger.
        REQUIRE(store.usage(spent.analysis, {}).evaluations_new == spent.evaluations_new);
        REQUIRE(store.usage(spent.analysis, {}).engine_ms >= spent.engine_ms);
        const auto findings = store.check();
        CAPTURE(findings);
        REQUIRE(findings.empty());
        start += 1'000; // beyond all that it wrote: no fact is to be acknowledged twice
    }
    CHECK(acknowledged.size() > 20);
}
