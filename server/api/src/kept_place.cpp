#include "kept_place.hpp"

namespace adjourn::server {

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
