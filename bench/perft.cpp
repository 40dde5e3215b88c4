#include "bench/benches.hpp"

#include "bench/arguments.hpp"
#include "bench/engine_pipe.hpp"
#include "bench/process_use.hpp"
#include "chess/position.hpp"
#include "core/engines/installed_engines.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iomanip>
#include <memory>
#include <ostream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

struct Case {
    const char* name;
    const char* fen;
    int depth; // that takes a few tenths of a second
};

constexpr std::array cases{
    Case{"start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6},
    Case{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5},
    Case{"promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5},
    Case{"pawn endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7},
    Case{"Chess960", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 5}};

struct PerftOptions {
    int repeat = 3;
    int depth = 7;
    std::string stockfish;
};

Arguments arguments(PerftOptions& options) {
    return {number("--depth", "N", "plies at most", options.depth, 1, 100),
            number("--repeat", "N", "the best of so many runs counts", options.repeat, 1, 1000),
            text("--stockfish", "PATH", "counts the same", options.stockfish)};
}

// The rest of the first line of the engine that starts with `prefix`.
std::string await(EnginePipe& engine, const std::string& prefix,
                  EnginePipe::Clock::time_point deadline) {
    for (;;) {
        const std::string line = engine.line(deadline);
        if (line.starts_with(prefix)) {
            return line.substr(prefix.size());
        }
    }
}

// Null where it does not start or does not answer.
std::unique_ptr<EnginePipe> started(const std::string& program) {
    try {
        auto engine = std::make_unique<EnginePipe>(std::vector{program});
        engine->send("setoption name UCI_Chess960 value true");
        engine->send("isready");
        await(*engine, "readyok", EnginePipe::Clock::now() + std::chrono::seconds{20});
        return engine;
    } catch (const std::runtime_error&) {
        return nullptr;
    }
}

struct PerftCount {
    std::uint64_t nodes = 0; // 0: it failed
    double seconds = 1e9;    // from the command to the answer
};

PerftCount count_by(EnginePipe& engine, const std::string& fen, int depth) {
    const auto start = EnginePipe::Clock::now();
    try {
        engine.send("position fen " + fen);
        engine.send("go perft " + std::to_string(depth));
        const std::string answer =
            await(engine, "Nodes searched: ", start + std::chrono::minutes{30});
        return {std::strtoull(answer.c_str(), nullptr, 10), seconds_since(start)};
    } catch (const std::runtime_error&) {
        return {};
    }
}

struct PerftRow {
    PerftCount ours, theirs;
};

// Takes turns, so that both meet the same state of the machine; keeps the best of each.
PerftRow measure(const chess::Position& position, int depth, int repeat, EnginePipe* stockfish) {
    PerftRow row;
    for (int i = 0; i < repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        row.ours.nodes = chess::perft(position, depth);
        row.ours.seconds = std::min(row.ours.seconds, seconds_since(start));
        if (stockfish != nullptr) {
            const PerftCount count = count_by(*stockfish, position.engine_fen(), depth);
            row.theirs = {count.nodes, std::min(row.theirs.seconds, count.seconds)};
        }
    }
    return row;
}

double millions(const PerftCount& count) {
    return static_cast<double>(count.nodes) / std::max(count.seconds, 1e-9) / 1e6;
}

} // namespace

int run_perft(const std::vector<std::string>& args, std::ostream& out) {
    PerftOptions options;
    options.stockfish = server::find_program("stockfish").value_or("stockfish");
    if (const auto code = answer_arguments("perft", arguments(options), args, out)) {
        return *code;
    }
    const auto stockfish = started(options.stockfish);
    if (!stockfish) {
        out << "no Stockfish at " << options.stockfish << ": ours alone\n";
    }
    out << "perft, one thread, best of " << options.repeat << ", Mn/s\n"
        << std::left << std::setw(16) << "position" << std::right << std::setw(6) << "depth"
        << std::setw(14) << "nodes" << std::setw(10) << "adjourn" << std::setw(11) << "stockfish"
        << std::setw(7) << "ratio" << '\n';
    bool agree = true;
    for (const Case& item : cases) {
        const int depth = std::min(item.depth, options.depth);
        const PerftRow row = measure(chess::Position::from_fen(item.fen).value(), depth,
                                     options.repeat, stockfish.get());
        const double ours = millions(row.ours);
        out << std::left << std::setw(16) << item.name << std::right << std::setw(6) << depth
            << std::setw(14) << row.ours.nodes << std::fixed << std::setprecision(1)
            << std::setw(10) << ours;
        if (stockfish) {
            const double theirs = millions(row.theirs);
            out << std::setw(11) << theirs << std::setprecision(2) << std::setw(7)
                << ours / std::max(theirs, 1e-9);
            if (row.ours.nodes != row.theirs.nodes) {
                out << "  Stockfish counts " << row.theirs.nodes;
                agree = false;
            }
        }
        out << std::endl;
    }
    return agree ? 0 : 1;
}

} // namespace adjourn::bench
