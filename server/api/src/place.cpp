#include "place.hpp"

#include "request_parts.hpp"

namespace adjourn::server {

std::expected<const AnalysisRun*, Error> run_of(const Context& call) {
    const auto id = call.path.integer("id");
    const AnalysisRun* run = id ? call.core.queue().find(analysis::AnalysisId{*id}) : nullptr;
    if (run == nullptr) {
        return std::unexpected(
            Error{ErrorCode::not_found, "there is no analysis " + call.path.text("id"), "id"});
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

std::expected<Place, Error> place_of(const Context& call, QueryReader& query) {
    auto run = run_of(call);
    if (!run) {
        return std::unexpected(run.error());
    }
    auto line =
        parse_line_at(query.text("moves", longest_moves).value_or(""), (*run)->root, "query.moves");
    if (!line) {
        return std::unexpected(line.error());
    }
    return Place{*run, std::move(*line)};
}

std::expected<Place, Error> finished(std::expected<Place, Error> place, QueryReader& query) {
    if (!place) {
        return place;
    }
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    return place;
}

std::expected<Place, Error> finished_in_tree(std::expected<Place, Error> place,
                                             QueryReader& query) {
    place = finished(std::move(place), query);
    if (place && place->run->shown() == nullptr) {
        return std::unexpected(no_tree(*place->run));
    }
    return place;
}

LookAgain look_at(const Core& core, const AnalysisRun& run, LookAgain look) {
    return [&core, id = run.record.id, slot = run.slot, root = run.root,
            look = std::move(look)](const TimeUp& time_up) -> std::expected<bool, Error> {
        const AnalysisRun* now = core.queue().find(id);
        if (now == nullptr) {
            return std::unexpected(
                Error{ErrorCode::not_found, "the analysis was deleted while it was read", "id"});
        }
        if (now->slot != slot) {
            return std::unexpected(Error{
                ErrorCode::unavailable,
                "the analysis came to rest on other engines while it was read: ask again", "id"});
        }
        if (!(now->root == root)) {
            return std::unexpected(Error{ErrorCode::unavailable,
                                         "the game went on while it was read: ask again", "id"});
        }
        return look(time_up);
    };
}

Api::Walk json_walk(const Core& core, const AnalysisRun& run,
                    const std::shared_ptr<JsonWalk>& walk) {
    return {look_at(core, run, [walk](const TimeUp& time_up) { return walk->go_on(time_up); }),
            [walk] {
                Response response;
                response.body = walk->result().dump();
                return response;
            }};
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
