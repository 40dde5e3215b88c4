#include "api/place.hpp"

namespace adjourn::server {

std::expected<const AnalysisRun*, Error> run_of(const Context& call) {
    const auto id = call.path.integer("id");
    const AnalysisRun* run = id ? call.core.queue().find(analysis::AnalysisId{*id}) : nullptr;
    if (run == nullptr || run->transient) {
        return refuse(ErrorCode::not_found, "there is no analysis " + call.path.text("id"), "id");
    }
    return run;
}

Error no_tree(const AnalysisRun& run) {
    if (run.awaited) {
        return {ErrorCode::unavailable, std::string{"the server is still "} + reading_evaluations,
                ""};
    }
    return {ErrorCode::unavailable, "the engine has not started yet, so there is no tree", ""};
}

std::expected<RunLine, Error> place_of(const Context& call, QueryReader& query) {
    auto run = run_of(call);
    if (!run) {
        return std::unexpected(run.error());
    }
    auto line =
        parse_line_at(query.text("moves", longest_moves).value_or(""), (*run)->root, "query.moves");
    if (!line) {
        return std::unexpected(line.error());
    }
    return RunLine{*run, std::move(*line)};
}

std::expected<RunLine, Error> finished(std::expected<RunLine, Error> place, QueryReader& query) {
    if (!place) {
        return place;
    }
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    return place;
}

std::expected<RunLine, Error> finished_in_tree(std::expected<RunLine, Error> place,
                                               QueryReader& query) {
    place = finished(std::move(place), query);
    if (place && place->run->shown() == nullptr) {
        return std::unexpected(no_tree(*place->run));
    }
    return place;
}

namespace {

Error no_file(const std::string& file) {
    return {ErrorCode::not_found, "the analysis has no file " + file, "file"};
}

} // namespace

Error no_game(std::int64_t number, const char* where) {
    return {ErrorCode::not_found, "the file has no game " + std::to_string(number), where};
}

std::expected<KeptFile, Error> FilePlace::read(bool deleted) const {
    auto found = kept_file(store, analysis, file);
    if (!found || (found->deleted() && !deleted)) {
        return std::unexpected(no_file(std::to_string(file)));
    }
    return std::move(*found);
}

std::expected<FilePlace, Error> file_place(const Context& call) {
    const auto run = run_of(call);
    if (!run) {
        return std::unexpected(run.error());
    }
    const auto file = call.path.integer("file");
    if (!file || *file < 1) {
        return std::unexpected(no_file(call.path.text("file")));
    }
    return FilePlace{call.core.store(), (*run)->record.id, *file};
}

} // namespace adjourn::server
