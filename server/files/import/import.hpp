// Import: games and evaluations of others as seeds of an analysis and as facts. The function behind
// `adjourn import` and POST import. docs/decisions/020-imported-evaluations.md says what an
// imported evaluation is and who may use it.
#pragma once

#include "analysis/records.hpp"
#include "base/line_reader.hpp"
#include "chess/game_reader.hpp"
#include "chess/pgn.hpp"
#include "files/kept/kept_file.hpp"
#include "storage/store.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <expected>
#include <filesystem>
#include <istream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace adjourn::server {

enum class ImportFormat : std::uint8_t {
    pgn,     // games: moves are seeds, [%eval] an evaluation of the move before it, scores of
             // tournament managers one of the position before that
    epd,     // records: bm and pv are seeds, ce and dm an evaluation of the position
    lichess, // lichess' evaluation export: one JSON object a line
};

// Who speaks in an imported evaluation: each is an engine of its own in the store.
enum class ImportSource : std::uint8_t {
    pgn_eval,      // [%eval]: "pgn %eval"
    pgn_cutechess, // "+0.93/18 0.38s" of cutechess and fastchess: "pgn cutechess"
    pgn_tcec,      // "d=16, …, wv=1.08, …": "pgn tcec"
    epd,           // "epd"
    lichess,       // "lichess"
};
inline constexpr std::size_t import_sources = 5;

std::string_view to_text(ImportFormat format); // "pgn", "epd", "jsonl"
std::optional<ImportFormat> parse_import_format(std::string_view text);

enum class ImportSide : std::uint8_t { both, white, black };

// Whose seeds the moves become.
struct ImportTarget {
    analysis::AnalysisId analysis{};
    chess::Position root;
    std::vector<chess::Move> played; // AnalysisRun::played
};

struct ImportOptions {
    std::string name;                   // of the file: provenance
    std::optional<ImportTarget> target; // without: no seeds and no notes
    bool variations = true;             // else main lines alone
    std::optional<std::size_t> plies;   // seeds only so far from where the line met the root
    ImportSide side = ImportSide::both; // seeds of one side's moves alone
    std::size_t records_before = 0;     // in the file before this text
    std::size_t lines_before = 0;       // the same in lines
    analysis::UnixMs at = 0;            // the facts' time of arrival
};

struct ImportError {
    std::size_t record = 0; // game, or record; from 1 in the whole file
    std::size_t line = 0;   // from 1
    std::string message;

    friend bool operator==(const ImportError&, const ImportError&) = default;
};

// The file of the analysis that the games of a PGN text have become.
struct ImportedFile {
    std::int64_t id = 0;
    bool known = false; // it was there before
    std::size_t games = 0;
    chess::ReadingReport told; // what was mended or left out of it
};

struct ImportReport {
    static constexpr std::size_t most_errors = 100; // of each kind

    std::size_t records = 0; // games, EPD records, JSON lines; broken ones too
    std::size_t moves = 0;   // positions with a move that were read, variations included
    std::size_t seeds_added = 0;
    std::size_t seeds_known = 0; // were there before, or came twice
    std::size_t evaluations_added = 0;
    std::size_t evaluations_known = 0;
    std::size_t evaluations_unread = 0;   // were there, and could not be understood
    std::size_t notes_added = 0;          // comments, as notes of the analysis
    std::size_t skipped = 0;              // whole records that had nothing to take
    std::size_t broken = 0;               // errors; what stands before one in a game is taken
    std::vector<ImportError> errors;      // the first most_errors of them
    std::size_t warned = 0;               // things put right or left out; their records are taken
    std::vector<ImportError> warnings;    // the first most_errors of them
    std::set<analysis::EngineId> engines; // that facts were added of
    std::set<std::string> sources;        // names of engines that the file's evaluations are of
    std::optional<ImportedFile> file;

    void add(const ImportReport& other);
    void warn(ImportError warning);
};

// What of a report is counted, and where that stands in its JSON.
inline constexpr std::array<std::pair<const char*, std::size_t ImportReport::*>, 11> import_counts{
    {{"/records", &ImportReport::records},
     {"/moves", &ImportReport::moves},
     {"/seeds/added", &ImportReport::seeds_added},
     {"/seeds/known", &ImportReport::seeds_known},
     {"/evaluations/added", &ImportReport::evaluations_added},
     {"/evaluations/known", &ImportReport::evaluations_known},
     {"/evaluations/unread", &ImportReport::evaluations_unread},
     {"/notes/added", &ImportReport::notes_added},
     {"/skipped", &ImportReport::skipped},
     {"/broken", &ImportReport::broken},
     {"/warned", &ImportReport::warned}}};

// Why a file of games is not kept as one.
inline constexpr const char* not_kept =
    "the file is too large to be kept as one of the analysis (2,000 games, 4 MiB): its moves are "
    "seeds, and its comments notes";

// "games.pgn: game 3, line 17: …"; without record and line: "games.pgn: …".
std::string to_text(const ImportError& error, ImportFormat format, const std::string& file);

// Reads to the end; everything is durable on return. Blocks for stream and disk; not on the
// store's writer thread. Error: the store cannot write; what went in before stays.
std::expected<ImportReport, std::string> import_text(storage::Store& store, ImportFormat format,
                                                     std::istream& in,
                                                     const ImportOptions& options);

// The same of PGN text whose games, at most most_kept_games, are kept as a file of the target, too
// (files/kept/kept_file.hpp). Without `seeds` its evaluations alone are taken besides.
std::expected<ImportReport, std::string> import_games(storage::Store& store,
                                                      const std::string& text, GamesText games,
                                                      ImportOptions options, bool seeds = true);

// The engine records that imported facts belong to: their name says what kind of source it is,
// their options the file.
storage::EngineRecord imported_engine(ImportSource source, const std::string& file);

// Files to import: what kind they are, and their text, unpacked where it is packed.

// By its name: a file that `open_import_file` unpacks (.gz, .zst), of which nobody knows how much
// is inside.
bool is_packed(const std::filesystem::path& file);

// By the name's ending (.pgn, .epd, .fen, .jsonl, .ndjson, each also with .gz or .zst).
std::optional<ImportFormat> import_format_of(const std::filesystem::path& file);

// Opens a file, a pipe, or with "-" the standard input; gzip members and Zstandard frames are
// unpacked while they are read. Blocks for the first characters. The error names the file: it is
// none, a directory, or nothing that can be read (UTF-16, other packers). A stream that goes bad()
// while it is read has met damaged or truncated data.
std::expected<std::unique_ptr<std::istream>, std::string>
open_import_file(const std::filesystem::path& file);

// What the facts of a file name as their source: its name without folders; "stdin", "pipe".
std::string import_name(const std::filesystem::path& file);

// A text cut into parts of whole records (games, lines), so that each can be imported alone.
class ImportParts {
public:
    // Part sizes are about `size` bytes; a single game may exceed it. A line that is too long, for
    // whoever reads the part, stands in it as one that is.
    ImportParts(std::istream& in, ImportFormat format, std::size_t size);

    // The next part in UTF-8, as of PgnParts; nullopt at the end.
    using Part = chess::PgnParts::Part;
    std::optional<Part> next();

private:
    std::optional<Part> next_lines();

    ImportFormat format_;
    std::size_t size_;
    chess::PgnParts games_;
    base::LineReader lines_;
};

// As POST import answers.
nlohmann::json report_json(const ImportReport& report);
// The inverse, for reports of a server. `engines` stays empty.
std::optional<ImportReport> report_of(const nlohmann::json& json);

// ImportSink: queues what an importer reads at the store, and counts it. Waits while too many
// writes are queued.

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

        void took(const storage::Outcome& written, std::size_t Tally::*added,
                  std::size_t Tally::*known);
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
