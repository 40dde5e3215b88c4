#include "threads.hpp"

#include "bench/strategies/course.hpp"
#include "bench/strategies/reference.hpp"
#include "desk.hpp"
#include "parallel.hpp"
#include "table.hpp"

#include <algorithm>
#include <ostream>

namespace adjourn::bench {

std::vector<Match> worker_choices(const StrategiesOptions& options, std::span<const Root> roots,
                                  Oracle& evaluations) {
    const std::size_t count = std::min(options.thread_roots, roots.size());
    const std::size_t variants = options.strategies.size();
    std::vector<std::optional<Match>> found(count * variants);
    Progress progress{"workers", count};
    parallel_for(count, options.processes, [&](std::size_t i) {
        for (std::size_t v = 0; v < variants; ++v) {
            CourseRequest request{roots[i].position, options.strategies[v].parameters,
                                  nodes_limit(options.nodes)};
            request.budget = options.budget;
            request.choice = options.choice;
            request.workers = options.threads;
            const Course course = follow_course(request, evaluations);
            if (const auto& last = course.points.back()) {
                found[i * variants + v] =
                    Match{roots[i].position,
                          v,
                          last->move,
                          std::max<std::uint64_t>(1, course.engine_ms / options.threads),
                          {}};
            }
        }
        progress.step();
    });
    std::vector<Match> matches;
    for (const auto& match : found) {
        if (match) {
            matches.push_back(*match);
        }
    }
    return matches;
}

void add_thread_choices(std::vector<Match>& matches, Oracle& threads) {
    Progress progress{"threads", matches.size()};
    for (Match& match : matches) {
        const analysis::Limit limit{analysis::Limit::Kind::movetime, match.wall_ms};
        match.threads = threads.ask({match.root.packed(), threads.engine(), limit, {}}).move;
        progress.step();
    }
}

void print_matches(const StrategiesOptions& options, const std::vector<Match>& matches,
                   Oracle& reference, std::ostream& out) {
    const std::string n = std::to_string(options.threads);
    Rows rows{{"equal wall time", "roots", "regret of " + n + " workers, cp",
               "regret of " + n + " threads, cp", "less regret by workers, cp"}};
    Bootstrap how;
    how.seed = options.seed;
    for (std::size_t v = 0; v < options.strategies.size(); ++v) {
        std::vector<double> workers;
        std::vector<double> threads;
        std::vector<double> gain;
        for (const Match& match : matches) {
            if (match.variant != v || !match.threads) {
                continue;
            }
            const MoveValues values = judged(match.root, {match.workers, *match.threads},
                                             reference_limit(options), reference);
            workers.push_back(regret(values, match.workers));
            threads.push_back(regret(values, *match.threads));
            gain.push_back(threads.back() - workers.back());
        }
        if (!gain.empty()) {
            rows.push_back({options.strategies[v].name, std::to_string(gain.size()),
                            cell(bootstrap_mean(workers, how), 1),
                            cell(bootstrap_mean(threads, how), 1),
                            cell(bootstrap_mean(gain, how), 1)});
        }
    }
    print_table(rows, out);
}

} // namespace adjourn::bench
