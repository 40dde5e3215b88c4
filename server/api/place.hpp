// Which analysis and line a call is about.
#pragma once

#include "api/call.hpp"
#include "api/request_parts.hpp"
#include "core/graphs/analysis_run.hpp"
#include "files/kept/kept_file.hpp"

#include <expected>
#include <limits>
#include <memory>
#include <vector>

namespace adjourn::server {

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
