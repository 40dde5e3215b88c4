// A small tree, and exports of it with games that a person brought.
#pragma once

#include "chess/game_reader.hpp"
#include "core_fixture.hpp"
#include "exported.hpp"
#include "program.hpp"
#include "shared_data.hpp"

namespace adjourn::server {

using Games = std::vector<chess::AnnotatedGame>;

struct Analysed {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture core{directory.path(), bench};
    analysis::AnalysisId id;

    explicit Analysed(const std::string& moves) : id{core.create(moves, 2, 30)} { settle(); }

    void settle() {
        core.work_until([&] { return core.settled(id); });
        REQUIRE(core.settled(id));
    }
    const AnalysisRun& run() const { return core.run(id); }
    std::string pgn(const ExportLimits& limits, Games games = {},
                    const std::vector<chess::Move>& line = {}) const {
        return exported("pgn", *core.core, run(), line, limits, std::move(games));
    }
    // The move that the tree likes least of those that it knows at the root.
    chess::Move worst() const {
        const auto& graph = run().slot->graph();
        const auto moves = graph.moves(run().root_node);
        const auto value = [&](std::size_t i) {
            return graph.game_value_of(run().root_node, i).rank();
        };
        std::size_t found = 0;
        for (std::size_t i = 1; i < moves.size(); ++i) {
            found = value(i) < value(found) ? i : found;
        }
        return moves[found].move;
    }
};

inline ExportLimits from_game() {
    ExportLimits limits;
    limits.pgn.from_game = true;
    limits.plies = 6;
    return limits;
}

inline Games read(const std::string& pgn) {
    const chess::GameFile file = chess::read_games(pgn);
    for (const chess::ReadingNote& note : file.report.notes) {
        FAIL_CHECK(chess::to_text(note));
    }
    return file.games;
}

// pgn-extract, where it is installed, reads it as one game and has nothing to say.
inline void check_by_pgn_extract(const std::filesystem::path& directory, const std::string& pgn) {
    if (const auto tool = pgn_extract()) {
        const auto file = directory / "out.pgn";
        std::ofstream{file} << pgn;
        const Finished said = run_command({*tool, "-r", file.string()});
        CHECK(said.errors.find("arning") == std::string::npos);
        CHECK(said.errors.find("1 game") != std::string::npos);
    }
}

inline Games file_of_ours(const char* name) {
    std::ifstream in{data_root() / "pgn" / name};
    std::ostringstream text;
    text << in.rdbuf();
    return read(text.str());
}

} // namespace adjourn::server
