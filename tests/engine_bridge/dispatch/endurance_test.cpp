// The pool with engines that do everything wrong now and then, over many searches: no answer is
// credited to another question, and nothing is left behind.
#include "pool_run.hpp"
#include "test.hpp"

#include <unistd.h>

using namespace adjourn::engine_bridge;
namespace chess = adjourn::chess;

namespace {

constexpr std::size_t processes = 4;
constexpr std::size_t ahead = 4 * processes; // jobs that are waiting or running

struct Question {
    std::string fen;
    chess::Limit limit;
};

std::vector<Question> made_up_questions(std::size_t count) {
    std::minstd_rand random{1};
    std::vector<Question> questions;
    while (questions.size() < count) {
        chess::Position position = chess::Position::initial();
        for (int ply = 0; ply < 12; ++ply) {
            const chess::MoveList moves = position.legal_moves();
            position.play(
                moves[std::uniform_int_distribution<std::size_t>{0, moves.size() - 1}(random)]);
        }
        if (position.legal_moves().size() > 1) {
            const std::uint64_t nodes = 1'000 + 100 * (questions.size() % 7);
            questions.push_back({position.fen(), {chess::Limit::Kind::nodes, nodes}});
        }
    }
    return questions;
}

// What does not depend on the process or the time.
auto facts_of(const Answer& answer) {
    return std::tuple{answer.move,  answer.score, answer.bound,
                      answer.depth, answer.nodes, answer.pv};
}

std::vector<Answer> true_answers(const std::vector<Question>& questions) {
    PoolRun run{hash_engine(1, 0)};
    std::vector<Answer> answers;
    for (const Question& question : questions) {
        answers.push_back(run.ask(question.fen, question.limit).value());
    }
    return answers;
}

// Processes whose command line holds the word; a zombie's is empty.
std::size_t processes_with(const std::string& word) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream file{entry.path() / "cmdline"};
        const std::string line{std::istreambuf_iterator<char>{file}, {}};
        count += line.find(word) != line.npos ? 1 : 0;
    }
    return count;
}

std::size_t resident_kib() {
    std::ifstream file{"/proc/self/statm"};
    std::size_t size = 0, resident = 0;
    file >> size >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

struct Endured {
    std::size_t right = 0, failed = 0, deaths = 0;
    std::size_t grown_kib = 0; // resident memory, since a fifth of the answers
};

Endured endure(std::size_t count) {
    const auto questions = made_up_questions(200);
    const auto truth = true_answers(questions);
    const std::string tag = "--of=" + std::to_string(getpid());
    const std::size_t descriptors = open_descriptors();
    Endured endured;
    {
        Profile profile = hash_engine(processes, 0);
        profile.command.insert(profile.command.end(), {"--faults=5", tag});
        Timeouts timeouts = quick();
        timeouts.silence = std::chrono::milliseconds{300};
        timeouts.quit = std::chrono::milliseconds{100};
        PoolRun run{profile, timeouts};
        std::size_t resident = 0;
        for (std::size_t done = 0; done < count; ++done) {
            while (run.last < count && run.last < done + ahead) {
                const Question& question = questions[run.last % questions.size()];
                run.submit(question.fen, question.limit);
            }
            REQUIRE(run.run_until([&] { return !run.order.empty(); }));
            const JobId id = run.order.front();
            run.order.erase(run.order.begin());
            const Result& result = run.results.at(id);
            if (result) {
                CAPTURE(id, questions[(id - 1) % questions.size()].fen);
                REQUIRE(facts_of(*result) == facts_of(truth[(id - 1) % questions.size()]));
                ++endured.right;
            } else {
                REQUIRE(result.error().attempts == 3);
                ++endured.failed;
            }
            run.results.erase(id);
            if (done == count / 5) {
                resident = resident_kib();
            }
        }
        endured.grown_kib = std::max(resident_kib(), resident) - resident;
        endured.deaths = run.deaths.size();
        CHECK(run.results.empty()); // none twice
        CHECK(processes_with(tag) >= processes - 1);
        CHECK(run.stop());
    }
    CHECK(no_children());
    // What an engine left behind is nobody's child here: it was killed, and goes when the kernel
    // gets to it.
    CHECK(Loop{}.run_until([&] { return processes_with(tag) == 0; }));
    CHECK(open_descriptors() == descriptors);
    return endured;
}

} // namespace

TEST_CASE("engines that do everything wrong now and then: no answer goes to another question") {
    const Endured endured = endure(4'000);
    CHECK(endured.right > 3'950);
    CHECK(endured.deaths > 0);
}

TEST_CASE("engines that do everything wrong: 100,000 answers", "[.][exhaustive][reliability]") {
    const Endured endured = endure(100'000);
    CHECK(endured.right > 99'000);
    CHECK(endured.deaths > 100);
#ifndef __SANITIZE_ADDRESS__
    CHECK(endured.grown_kib < 8 * 1024);
#endif
}
