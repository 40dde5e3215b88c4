#include "real.hpp"

#include "bench/strategies/reference.hpp"
#include "bench/strategies/roots.hpp"
#include "desk.hpp"
#include "parallel.hpp"
#include "threads.hpp"

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

using Stage = StrategiesOptions::Stage;

std::vector<Root> choose_roots(const StrategiesOptions& options, Oracle& oracle) {
    std::vector<std::vector<chess::Position>> suites;
    for (const auto& file : options.epd) {
        suites.push_back(read_positions(file));
    }
    const std::vector<chess::Position> all = mixed(std::move(suites), options.seed);
    RootFilter filter;
    filter.limit = nodes_limit(options.nodes);
    filter.distance = options.root_distance;
    std::vector<Root> roots;
    Progress progress{"roots", options.roots};
    const std::size_t chunk = options.processes * 4;
    for (std::size_t from = 0; from < all.size() && roots.size() < options.roots; from += chunk) {
        const std::size_t count = std::min(chunk, all.size() - from);
        std::vector<std::optional<Root>> found(count);
        parallel_for(count, options.processes,
                     [&](std::size_t i) { found[i] = contested(all[from + i], filter, oracle); });
        for (auto& root : found) {
            if (root && roots.size() < options.roots) {
                roots.push_back(std::move(*root));
                progress.step();
            }
        }
    }
    if (roots.size() < options.roots) {
        throw std::runtime_error("only " + std::to_string(roots.size()) +
                                 " contested positions in the files");
    }
    return roots;
}

std::vector<std::vector<Course>> follow_all(const StrategiesOptions& options,
                                            const std::vector<Root>& roots, Oracle& oracle) {
    std::vector<std::vector<Course>> courses(roots.size());
    Progress progress{"courses", roots.size()};
    parallel_for(roots.size(), options.processes, [&](std::size_t i) {
        for (const Variant& variant : options.strategies) {
            CourseRequest request{roots[i].position, variant.parameters,
                                  nodes_limit(options.nodes)};
            request.budget = options.budget;
            request.choice = options.choice;
            courses[i].push_back(follow_course(request, oracle));
        }
        progress.step();
    });
    return courses;
}

// The move of one search with the nodes of so many evaluations.
std::optional<chess::Move> long_choice(const StrategiesOptions& options,
                                       const chess::Position& root, std::size_t evaluations,
                                       Oracle& oracle) {
    return oracle
        .ask({root.packed(), oracle.engine(), nodes_limit(options.nodes * evaluations), {}})
        .move;
}

void prepare_reference(const StrategiesOptions& options, const std::vector<Root>& roots,
                       Oracle& oracle) {
    // The two best of each root first: if time runs out, those are what is needed most.
    for (const bool rest : {false, true}) {
        Progress progress{rest ? "further candidates" : "reference", roots.size()};
        parallel_for(roots.size(), options.processes, [&](std::size_t i) {
            const auto& all = roots[i].candidates;
            std::vector<chess::Move> moves{all.begin(), rest ? all.end() : all.begin() + 2};
            (void)judged(roots[i].position, moves, reference_limit(options), oracle);
            if (!rest) {
                for (const std::size_t evaluations : options.longs) {
                    (void)long_choice(options, roots[i].position, evaluations, oracle);
                }
            }
            progress.step();
        });
    }
}

// Regret of the long searches; between those measured the last one stands, before them the first
// evaluation of all.
std::vector<double> long_regrets(const StrategiesOptions& options, const MoveValues& values,
                                 chess::Move first, const std::vector<chess::Move>& longs) {
    std::vector<double> result(options.budget, regret(values, first));
    for (std::size_t i = 0; i < longs.size(); ++i) {
        std::fill(result.begin() + static_cast<std::ptrdiff_t>(options.longs[i] - 1), result.end(),
                  regret(values, longs[i]));
    }
    return result;
}

std::vector<Contender> judge_all(const StrategiesOptions& options, const std::vector<Root>& roots,
                                 const std::vector<std::vector<Course>>& courses, Oracle& oracle) {
    std::vector<Contender> contenders;
    for (const Variant& variant : options.strategies) {
        contenders.push_back({variant.name, {}, {}});
    }
    if (!options.longs.empty()) {
        contenders.push_back({"one long search", {}, options.longs});
    }
    for (Contender& contender : contenders) {
        contender.regret.resize(roots.size());
    }
    Progress progress{"judged", roots.size()};
    parallel_for(roots.size(), options.processes, [&](std::size_t i) {
        const chess::Position& root = roots[i].position;
        std::vector<chess::Move> moves{roots[i].candidates.front()}; // the first evaluation's
        for (const Course& course : courses[i]) {
            const std::vector<chess::Move> chosen = choices(course);
            moves.insert(moves.end(), chosen.begin(), chosen.end());
        }
        std::vector<chess::Move> longs;
        for (const std::size_t evaluations : options.longs) {
            longs.push_back(long_choice(options, root, evaluations, oracle)
                                .value_or(roots[i].candidates.front()));
        }
        moves.insert(moves.end(), longs.begin(), longs.end());
        const MoveValues values = judged(root, moves, reference_limit(options), oracle);
        for (std::size_t s = 0; s < courses[i].size(); ++s) {
            contenders[s].regret[i] = regrets(values, courses[i][s]);
        }
        if (!longs.empty()) {
            contenders.back().regret[i] =
                long_regrets(options, values, roots[i].candidates.front(), longs);
        }
        progress.step();
    });
    return contenders;
}

} // namespace

std::vector<Contender> compare_on_positions(const StrategiesOptions& options, std::ostream& out) {
    std::vector<Root> roots;
    std::vector<std::vector<Course>> courses;
    std::vector<Match> matches;
    {
        Desk desk = evaluation_desk(options);
        roots = choose_roots(options, desk.oracle());
        if (options.stage != Stage::reference) {
            courses = follow_all(options, roots, desk.oracle());
        }
        if (options.stage == Stage::all && options.threads > 0) {
            matches = worker_choices(options, roots, desk.oracle());
        }
        out << desk.oracle().searches() << " new searches of " << options.nodes << " nodes\n";
    }
    if (options.stage == Stage::courses) {
        return {};
    }
    if (!matches.empty()) {
        Desk desk = thread_desk(options);
        add_thread_choices(matches, desk.oracle());
    }
    Desk desk = reference_desk(options);
    if (options.stage == Stage::reference) {
        prepare_reference(options, roots, desk.oracle());
        return {};
    }
    if (!matches.empty()) {
        print_matches(options, matches, desk.oracle(), out);
    }
    return judge_all(options, roots, courses, desk.oracle());
}

} // namespace adjourn::bench
