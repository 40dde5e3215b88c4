#include "pool_run.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

namespace adjourn::engine_bridge {

Profile fake(std::vector<std::string> switches, std::size_t count) {
    Profile profile{"fake", {ADJOURN_FAKE_ENGINE}, {}, count, false};
    profile.command.insert(profile.command.end(), switches.begin(), switches.end());
    return profile;
}

Profile hash_engine(std::size_t count, int answer_ms) {
    return {"hash", {ADJOURN_HASH_ENGINE}, {{"AnswerMs", std::to_string(answer_ms)}}, count, false};
}

Timeouts quick() {
    Timeouts timeouts;
    timeouts.backoff_first = std::chrono::milliseconds{5};
    timeouts.backoff_most = std::chrono::milliseconds{20};
    return timeouts;
}

Timeouts impatient() {
    Timeouts timeouts = quick();
    timeouts.stop = std::chrono::milliseconds{150};
    timeouts.quit = std::chrono::milliseconds{100};
    timeouts.movetime_grace = std::chrono::milliseconds{150};
    timeouts.silence = std::chrono::milliseconds{150};
    return timeouts;
}

PoolRun::PoolRun(Profile profile, Timeouts timeouts) {
    index = dispatcher->add(profile.name, profile.reproducible);
    pool.emplace(context, dispatcher, index, std::move(profile), timeouts,
                 Pool::Callbacks{
                     .changed = [this](std::size_t) { ++changes; },
                     .identified =
                         [this](std::expected<Identity, std::string> identity) {
                             if (identity) {
                                 identities.push_back(*identity);
                             } else {
                                 problems.push_back(identity.error());
                             }
                         },
                     .died = [this](std::size_t,
                                    std::string reason) { deaths.push_back(std::move(reason)); }});
    pool->start();
}

PoolRun::~PoolRun() {
    pool.reset();
}

JobId PoolRun::submit(std::string_view fen, chess::Limit limit,
                      std::vector<std::string> searchmoves, bool urgent) {
    const chess::Position position =
        fen.empty() ? chess::Position::initial() : chess::Position::from_fen(fen).value();
    Job job{++last, position, limit, {}, 0, urgent};
    for (const std::string& text : searchmoves) {
        job.searchmoves.push_back(parse_uci(position, text).value());
    }
    submit(std::move(job));
    return last;
}

void PoolRun::submit(Job job) {
    const JobId id = job.id;
    dispatcher->submit(index, std::move(job), [this, id](Result result) {
        CHECK(results.emplace(id, std::move(result)).second);
        order.push_back(id);
    });
}

Result PoolRun::result(JobId id) {
    REQUIRE(run_until([&] { return results.contains(id); }));
    return results.at(id);
}

Result PoolRun::ask(std::string_view fen, chess::Limit limit,
                    std::vector<std::string> searchmoves) {
    return result(submit(fen, limit, std::move(searchmoves)));
}

bool PoolRun::wait_for_all() {
    return run_until([&] { return results.size() == last; });
}

bool PoolRun::wait_for(ProcessStatus::State state, std::size_t process) {
    return run_until([&] { return pool->status().at(process).state == state; });
}

bool PoolRun::stop() {
    pool->stop([this] { ++stops; });
    return run_until([&] { return stops > 0; });
}

std::vector<std::string> lines_of_file(const std::string& path) {
    std::vector<std::string> lines;
    std::ifstream file{path};
    std::string line;
    while (std::getline(file, line)) {
        lines.push_back(line);
    }
    return lines;
}

std::size_t count_of(const std::vector<std::string>& lines, std::string_view line) {
    return static_cast<std::size_t>(std::ranges::count(lines, line));
}

} // namespace adjourn::engine_bridge
