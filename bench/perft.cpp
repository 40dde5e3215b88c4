#include "bench/benches.hpp"

#include "bench/arguments.hpp"
#include "bench/engine_pipe.hpp"
#include "chess/position.hpp"
#include "core/engines/installed_engines.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>

namespace adjourn::bench {

namespace {

struct Case {
    std::string name;
    std::string fen;
    int depth;
};

struct PerftOptions {
    int repeat = 3;
    std::string stockfish;
};

constexpr const char* start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// Depths of a few tenths of a second each; `deeper` adds a ply.
std::vector<Case> standard_cases(int deeper) {
    return {{"start position", start_fen, 6 + deeper},
            {"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
             5 + deeper},
            {"promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
             5 + deeper},
            {"pawn endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7 + deeper},
            {"Chess960", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
             5 + deeper}};
}

// What was written; the cases follow from it.
struct Written {
    bool deep = false;
    int depth = 5;
    std::string fen;
    bool own_case = false;
};

Arguments arguments(PerftOptions& options, Written& written) {
    return {flag("--deep", "a ply more", written.deep),
            number("--repeat", "N", "the best of so many runs counts", options.repeat, 1, 1000),
            text("--stockfish", "PATH", "counts the same", options.stockfish),
            {"--depth", "N", "of one position alone (default 5)",
             [&written](const std::string& text) {
                 written.own_case = true;
                 return read_number(text, written.depth, 1, 100);
             }},
            {"FEN", "", "that position alone, or startpos", [&written](const std::string& word) {
                 written.own_case = true;
                 written.fen += (written.fen.empty() ? "" : " ") + word;
                 return true;
             }}};
}

std::vector<Case> cases(const Written& written) {
    if (!written.own_case) {
        return standard_cases(written.deep ? 1 : 0);
    }
    const bool initial = written.fen.empty() || written.fen == "startpos";
    return {{"position", initial ? start_fen : written.fen, written.depth}};
}

// Stockfish as a node counter. Every wait ends by a deadline; what fails gives nothing.
class StockfishPerft {
public:
    explicit StockfishPerft(const std::string& program);

    // Started and answering.
    bool ready() const { return engine_.has_value(); }
    struct Count {
        std::uint64_t nodes;
        double seconds; // from the command to the answer
    };
    // REQUIRES: ready().
    std::optional<Count> count(const std::string& fen, int depth);

private:
    // The rest of the first line that starts with `prefix`.
    std::string await(const std::string& prefix, EnginePipe::Clock::time_point deadline);

    std::optional<EnginePipe> engine_;
};

StockfishPerft::StockfishPerft(const std::string& program) {
    try {
        engine_.emplace(std::vector{program});
        engine_->send("setoption name UCI_Chess960 value true");
        engine_->send("isready");
        await("readyok", EnginePipe::Clock::now() + std::chrono::seconds{20});
    } catch (const std::runtime_error&) {
        engine_.reset();
    }
}

std::string StockfishPerft::await(const std::string& prefix,
                                  EnginePipe::Clock::time_point deadline) {
    for (;;) {
        const std::string line = engine_->line(deadline);
        if (line.starts_with(prefix)) {
            return line.substr(prefix.size());
        }
    }
}

std::optional<StockfishPerft::Count> StockfishPerft::count(const std::string& fen, int depth) {
    assert(ready());
    const auto start = EnginePipe::Clock::now();
    try {
        engine_->send("position fen " + fen);
        engine_->send("go perft " + std::to_string(depth));
        const std::string answer = await("Nodes searched: ", start + std::chrono::minutes{30});
        const std::chrono::duration<double> elapsed = EnginePipe::Clock::now() - start;
        return Count{std::strtoull(answer.c_str(), nullptr, 10), elapsed.count()};
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

struct PerftRow {
    std::uint64_t ours = 0;
    std::uint64_t theirs = 0;
    double our_seconds = 1e9;
    double their_seconds = 1e9;
};

// Takes turns, so that both meet the same state of the machine; keeps the best of each.
PerftRow measure(const chess::Position& position, int depth, int repeat,
                 StockfishPerft* stockfish) {
    PerftRow row;
    for (int i = 0; i < repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        row.ours = chess::perft(position, depth);
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        row.our_seconds = std::min(row.our_seconds, elapsed.count());
        if (stockfish != nullptr) {
            const auto count = stockfish->count(position.engine_fen(), depth);
            row.theirs = count ? count->nodes : 0;
            row.their_seconds = std::min(row.their_seconds, count ? count->seconds : 1e9);
        }
    }
    return row;
}

double millions(std::uint64_t nodes, double seconds) {
    return static_cast<double>(nodes) / std::max(seconds, 1e-9) / 1e6;
}

} // namespace

int run_perft(const std::vector<std::string>& args, std::ostream& out) {
    PerftOptions options;
    options.stockfish = server::find_program("stockfish").value_or("stockfish");
    Written written;
    if (const auto code = answer_arguments("perft", arguments(options, written), args, out)) {
        return *code;
    }
    for (const Case& item : cases(written)) {
        if (const auto position = chess::Position::from_fen(item.fen); !position) {
            std::cerr << "bench perft: " << position.error().field << ": "
                      << position.error().message << '\n';
            return 2;
        }
    }
    auto stockfish = std::make_unique<StockfishPerft>(options.stockfish);
    if (!stockfish->ready()) {
        out << "no Stockfish at " << options.stockfish << ": ours alone\n";
        stockfish.reset();
    }
    out << "perft, one thread, best of " << options.repeat << ", Mn/s\n"
        << std::left << std::setw(16) << "position" << std::right << std::setw(6) << "depth"
        << std::setw(14) << "nodes" << std::setw(10) << "adjourn" << std::setw(11) << "stockfish"
        << std::setw(7) << "ratio" << '\n';
    bool agree = true;
    for (const Case& item : cases(written)) {
        const auto position = chess::Position::from_fen(item.fen);
        const PerftRow row = measure(*position, item.depth, options.repeat, stockfish.get());
        const double ours = millions(row.ours, row.our_seconds);
        out << std::left << std::setw(16) << item.name << std::right << std::setw(6) << item.depth
            << std::setw(14) << row.ours << std::fixed << std::setprecision(1) << std::setw(10)
            << ours;
        if (stockfish) {
            const double theirs = millions(row.theirs, row.their_seconds);
            out << std::setw(11) << theirs << std::setprecision(2) << std::setw(7)
                << ours / std::max(theirs, 1e-9);
            if (row.ours != row.theirs) {
                out << "  Stockfish counts " << row.theirs;
                agree = false;
            }
        }
        out << std::endl;
    }
    return agree ? 0 : 1;
}

} // namespace adjourn::bench
