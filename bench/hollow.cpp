#include "bench/hollow.hpp"

#include "arguments.hpp"
#include "bench/strategies/assessments.hpp"
#include "bench/strategies/hollow_moves.hpp"
#include "bench/strategies/options.hpp"
#include "bench/strategies/roots.hpp"
#include "bench/strategies/talk.hpp"
#include "chess/notation.hpp"
#include "host/config.hpp"
#include "strategies/progress.hpp"
#include "strategies/uci_engine.hpp"

#include <chrono>
#include <iostream>
#include <map>
#include <stdexcept>

namespace adjourn::bench {

namespace {

constexpr int widest_gap = 30;  // cp, of a contested root's second move
constexpr int most_ahead = 250; // cp

struct HollowOptions {
    std::vector<std::filesystem::path> epd;
    std::size_t roots = 200;
    std::uint64_t depth = 8;
    int refine = 6;
    std::uint64_t seed = 1;
    double minutes = 0;
    std::filesystem::path cache;
    std::string stockfish;
    Variant strategy = parse_variant("halving").value();
};

struct HollowCounts {
    std::size_t roots = 0;
    std::size_t given_up = 0;
    std::size_t roots_with_hollow = 0;
    std::size_t moves = 0;
    std::size_t hollow = 0;
    std::size_t answers = 0;
    std::size_t checks = 0;
};

Arguments hollow_arguments(HollowOptions& to) {
    return {{"--epd", "FILE", "positions (needed; repeatable)",
             [&to](const std::string& file) {
                 to.epd.emplace_back(file);
                 return !file.empty();
             }},
            number("--roots", "N", "contested positions", to.roots),
            number("--depth", "D", "of each search", to.depth, 1, 100),
            number("--refine", "L", "level of the trees", to.refine, 1, 100),
            {"--strategy", "SPEC",
             "how the trees grow, as in bench strategies (default " + to.strategy.name + ")",
             [&to](const std::string& text) {
                 auto variant = parse_variant(text);
                 if (variant) {
                     to.strategy = std::move(*variant);
                 }
                 return variant.has_value();
             }},
            number("--seed", "S", "of the sample", to.seed, 0),
            path("--cache", "FILE", "answers, kept (default: in the data directory)", to.cache),
            number("--minutes", "N", "ends with what is done then; 0: without end", to.minutes, 0),
            text("--stockfish", "PATH", "(default: the one that is installed)", to.stockfish)};
}

std::vector<chess::Position> positions_of(const HollowOptions& options) {
    std::vector<std::vector<chess::Position>> suites;
    for (const auto& file : options.epd) {
        suites.push_back(read_positions(file));
    }
    return mixed(std::move(suites), options.seed);
}

HollowCounts count_hollow(const HollowOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    const auto late = [&] {
        return options.minutes > 0 && std::chrono::steady_clock::now() - begin >
                                          std::chrono::duration<double>{options.minutes * 60};
    };
    UciEngine engine{engine_command(options.stockfish), {{"Threads", "1"}, {"Hash", "16"}}};
    KeptSearches kept{options.cache.empty() ? server::default_data_directory() / "bench/searches"
                                            : options.cache};
    Conversation conversation{engine, kept};
    Talk talk{conversation, true};
    Progress progress{"contested positions", options.roots};
    HollowCounts counts;
    for (const chess::Position& root : positions_of(options)) {
        if (counts.roots == options.roots || late()) {
            break;
        }
        if (!is_contested(root, widest_gap, most_ahead, conversation)) {
            continue;
        }
        HollowRequest request{
            root, options.strategy.parameters, {analysis::Limit::Kind::depth, options.depth}};
        request.parameters.refine = options.refine;
        if (const auto found = hollow_moves(request, talk)) {
            ++counts.roots;
            counts.roots_with_hollow += found->hollow.empty() ? 0 : 1;
            counts.moves += found->searched.size();
            counts.hollow += found->hollow.size();
            counts.answers += found->answers;
            counts.checks += found->checks;
            for (const chess::Move move : found->hollow) {
                std::cerr << root.fen() << ": " << chess::to_uci(root, move) << '\n';
            }
            progress.step();
        } else {
            ++counts.given_up;
        }
    }
    return counts;
}

} // namespace

int run_hollow(const std::vector<std::string>& args, std::ostream& out) {
    HollowOptions options;
    if (const auto code = answer_arguments("hollow", hollow_arguments(options), args, out)) {
        return *code;
    }
    if (options.epd.empty()) {
        out << "left out: it needs positions, --epd FILE\n";
        return 0;
    }
    try {
        const HollowCounts counts = count_hollow(options);
        out << "| strategy | depth | level | roots | answers | root moves searched below | hollow "
               "| in roots | checks | given up |\n|---|---|---|---|---|---|---|---|---|---|\n| "
            << options.strategy.name << " | " << options.depth << " | " << options.refine << " | "
            << counts.roots << " | " << counts.answers << " | " << counts.moves << " | "
            << counts.hollow << " | " << counts.roots_with_hollow << " | " << counts.checks << " | "
            << counts.given_up << " |\n";
    } catch (const std::runtime_error& problem) {
        std::cerr << "bench hollow: " << problem.what() << '\n';
        return 1;
    }
    return 0;
}

} // namespace adjourn::bench
