// ImportSink: queues what an importer reads at the store, and counts it. Waits while too many
// writes are queued.
#pragma once

#include "analysis/records.hpp"
#include "files/import/import.hpp"

#include <array>
#include <condition_variable>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace adjourn::server {

class ImportSink {
public:
    ImportSink(storage::Store& store, const ImportOptions& options);
    ~ImportSink();
    ImportSink(const ImportSink&) = delete;
    ImportSink& operator=(const ImportSink&) = delete;

    // Whether this side's moves are wanted as seeds, so far from where its line began.
    bool wants_seed(chess::Color mover, std::size_t plies) const;
    void seed(const chess::Position& position, chess::Move move);
    // A comment as a note of the analysis, unless it is there; `line` leads from its root.
    void note(const std::vector<chess::Move>& line, const std::string& text);
    // The question's engine and the time of arrival are filled in.
    void fact(analysis::Evaluation evaluation, ImportSource source);
    void error(std::size_t record, std::size_t line, const std::string& message);
    void warning(std::size_t record, std::size_t line, const std::string& message);

    // Waits for the disk; fills in what was added and known.
    std::expected<ImportReport, std::string> finish();

    const ImportOptions& options() const { return options_; }
    ImportReport report;

private:
    // Shared with callbacks of the writer thread.
    struct Tally {
        std::mutex mutex;
        std::condition_variable settled;
        std::size_t out = 0;
        std::size_t seeds_added = 0;
        std::size_t seeds_known = 0;
        std::size_t facts_added = 0;
        std::size_t facts_known = 0;
        std::size_t notes_added = 0;
        std::size_t notes_known = 0; // none: each is a row of its own
        std::string problem;

        void took(const std::expected<storage::Written, std::string>& written,
                  std::size_t Tally::*added, std::size_t Tally::*known);
    };

    struct Seed {
        chess::PackedPosition position;
        chess::Move move;
        friend bool operator==(const Seed&, const Seed&) = default;
    };
    struct SeedHash {
        std::size_t operator()(const Seed& seed) const noexcept {
            return chess::PackedPositionHash{}(seed.position) ^
                   seed.move.raw() * std::size_t{0x9e3779b97f4a7c15ULL};
        }
    };

    void wait_for_room();

    storage::Store& store_;
    const ImportOptions& options_;
    std::array<std::optional<analysis::EngineId>, import_sources> engines_; // once they are needed
    std::unordered_set<Seed, SeedHash> recent_;
    // Of each position its notes, and the moment of the last; read when the first one comes.
    struct Noted {
        std::set<std::string> texts;
        analysis::UnixMs last = 0;
    };
    std::optional<std::map<std::string, Noted>> noted_;
    std::size_t twice_ = 0;
    std::size_t notes_ = 0;
    std::shared_ptr<Tally> tally_ = std::make_shared<Tally>();
};

// One for each format: reads everything and gives it to the sink.
void read_pgn(std::istream& in, ImportSink& sink);
void read_epd(std::istream& in, ImportSink& sink);
void read_lichess(std::istream& in, ImportSink& sink);

// lichess' evaluation export, a line of it: {"fen", "evals": [{"pvs": [{"cp" | "mate", "line"}],
// "knodes", "depth"}]}, scores from White's side.

struct LichessLine {
    std::vector<analysis::Evaluation> facts; // without engine and time
    std::vector<std::string> told;           // what else stands in the line
};

// Of several PVs, each is the answer to a search that excluded the moves of those before it. The
// error names the place in the line.
std::expected<LichessLine, std::string> parse_lichess_line(std::string_view line);

} // namespace adjourn::server
