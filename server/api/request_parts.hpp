// The parts that request bodies share: positions and lines.
#pragma once

#include "api/call.hpp"
#include "core/graphs/analysis_run.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/schedule/core.hpp"
#include "files/kept/kept_file.hpp"
#include "http/requests/message.hpp"

#include <expected>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

constexpr std::size_t longest_moves = 40'000;   // bytes, of a line as text
constexpr std::size_t longest_pasted = 100'000; // of a position as people paste it

struct RootSpec {
    chess::Position start = chess::Position::initial();
    std::vector<chess::Move> moves;
};

// {fen?, moves?} or {text}
std::expected<RootSpec, Error> read_root(const JsonObject& reader);
// Whatever openings/root_text.hpp reads.
std::expected<RootSpec, Error> read_root_text(const std::string& text, const std::string& where);
// A list of UCI or SAN moves, or a text of them. where = "PATH[index]".
std::expected<std::vector<chess::Move>, Error> read_line(const JsonValue& value,
                                                         const chess::Position& from);
std::expected<std::vector<chess::Move>, Error>
parse_line_at(std::string_view text, const chess::Position& from, const std::string& where);

// The moment of calls that tell what has changed; their only parameter.
std::expected<analysis::UnixMs, Error> read_since(QueryReader& query);
// The position of calls about one, wherever it stands; their only parameter.
std::expected<chess::Position, Error> read_fen(QueryReader& query);

// "" is null.
nlohmann::json text_or_no_text(const std::string& text);

Response json_response(const nlohmann::json& body, int status = 200);
Response pgn_response(std::string text);
Response no_content(); // 204

// Which analysis and line a call is about.

// The analysis that {id} names, else not_found.
std::expected<const AnalysisRun*, Error> run_of(const Context& call);

// A handler of that analysis.
template <Answer (*handler)(Context&, const AnalysisRun&)>
Answer of_run(Context& call) {
    const auto run = run_of(call);
    return run ? handler(call, **run) : Answer{std::unexpected(run.error())};
}

// The analysis and the line that a GET names by ?moves=.
struct RunLine {
    const AnalysisRun* run;
    std::vector<chess::Move> line;
};

// Why an analysis has no tree to look at now.
Error no_tree(const AnalysisRun& run);

// With the other parameters still to be read.
std::expected<RunLine, Error> place_of(const Context& call, QueryReader& query);
// When all of the query has been read: what is wrong with it, if anything is.
std::expected<RunLine, Error> finished(std::expected<RunLine, Error> place, QueryReader& query);
// The same for calls that need a tree.
std::expected<RunLine, Error> finished_in_tree(std::expected<RunLine, Error> place,
                                               QueryReader& query);

// The analysis as it is now, to be read by what is left of the call.
inline std::shared_ptr<const RunReader> reader_of(const AnalysisRun& run) {
    return std::make_shared<const RunReader>(run, false);
}
// The answer is what `view(run, reading)` makes of the analysis and its graph, on another thread.
template <class View>
Api::Reply seen(const AnalysisRun& run, View view) {
    return Api::Later{[reader = reader_of(run), view = std::move(view)] {
        const GraphReading reading = reader->read();
        return json_response(view(reader->run(), reading));
    }};
}

// Which file of an analysis a call is about.

constexpr std::int64_t most_number = std::numeric_limits<std::int64_t>::max();

Error no_game(std::int64_t number, const char* where);

// For other threads, too.
struct FilePlace {
    const storage::Store& store;
    analysis::AnalysisId analysis;
    std::int64_t file;

    // As it is now; one that is deleted only where it is wanted. Blocks for the disk.
    std::expected<KeptFile, Error> read(bool deleted = false) const;
};
std::expected<FilePlace, Error> file_place(const Context& call);

} // namespace adjourn::server
