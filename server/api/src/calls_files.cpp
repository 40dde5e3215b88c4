// POST import: a file's text into the store.
#include "call.hpp"
#include "files/import/import_file.hpp"
#include "files/import/import_store.hpp"
#include "request_parts.hpp"
#include "storage/open.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <memory>
#include <sstream>

namespace adjourn::server {

namespace {

constexpr std::int64_t most_before = 1'000'000'000'000;

Response answer(const ImportReport& report) {
    Response response;
    response.body = report_json(report).dump();
    return response;
}

Response finished(storage::Store& store, ImportFormat format, const std::string& body,
                  const ImportOptions& options, bool keep, const Core::Imported& imported) {
    std::istringstream in{body};
    const auto report =
        keep ? import_whole(store, format, body, options) : import_text(store, format, in, options);
    if (!report) {
        return http::to_response(
            {ErrorCode::unavailable, "the store cannot write: " + report.error(), ""});
    }
    imported({options.target ? std::optional{options.target->analysis} : std::nullopt,
              report->engines, false});
    return answer(*report);
}

// A store that was staged under its random name in the data directory: whoever can put it there
// can write the store itself.
Answer prepare_merge(const Context& call, const std::string& name) {
    Core& core = call.core;
    const bool plain = name.starts_with("staged-") && name.size() < 40 &&
                       std::all_of(name.begin(), name.end(), [](char c) {
                           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
                       });
    if (!plain || core.staging().empty()) {
        return std::unexpected(Error{ErrorCode::bad_value,
                                     "name is that of a store staged in the data directory, as "
                                     "`adjourn import` does",
                                     "query.name"});
    }
    return [&store = core.store(), imported = core.when_imported(),
            directory = core.staging() / name,
            stop = call.request.unwanted.get_token()]() -> Response {
        const auto named = [&](const std::string& text) {
            return StagedStore::named_as_given(text, directory);
        };
        std::unique_ptr<storage::Store> other;
        try {
            other = storage::open_store(directory, storage::OpenMode::read, stop);
            const auto report = import_store(store, *other);
            if (!report && report.error().unsound) {
                return http::to_response({ErrorCode::bad_value, named(report.error().message), ""});
            }
            if (!report) {
                return http::to_response({ErrorCode::unavailable,
                                          "the store cannot write: " + report.error().message, ""});
            }
            imported({std::nullopt, report->engines, true});
            return answer(*report);
        } catch (const storage::StoreError& broken) {
            if (other) { // what has come before that
                Core::Import taken{std::nullopt, {}, true};
                for (const storage::EngineRecord& engine : store.engines()) {
                    taken.engines.insert(engine.id);
                }
                imported(taken);
            }
            return http::to_response({ErrorCode::bad_value, named(broken.what()), "query.name"});
        }
    };
}

Answer post_import(Context& call) {
    QueryReader query{call.request};
    const auto format = query.required_text("format");
    ImportOptions options;
    options.name = query.text("name").value_or("");
    options.at = call.core.now();
    const auto analysis = query.integer("analysis", 1, std::numeric_limits<std::int64_t>::max());
    const auto moves = query.choice("moves", {"all", "main"});
    const auto plies = query.integer("plies", 1, 10'000);
    const auto side = query.choice("side", {"both", "white", "black"});
    const auto records = query.integer("records_before", 0, most_before);
    const auto lines = query.integer("lines_before", 0, most_before);
    const auto keep = query.boolean("keep");
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    if (*format == "db") {
        return prepare_merge(call, options.name);
    }
    const auto kind = parse_import_format(*format);
    if (!kind) {
        return std::unexpected(
            Error{ErrorCode::bad_value, "format is pgn, epd, jsonl or db", "query.format"});
    }
    if (options.name.empty()) {
        return std::unexpected(Error{ErrorCode::bad_value,
                                     "name must not be empty: it says where the moves and "
                                     "evaluations come from",
                                     "query.name"});
    }
    if (analysis) {
        const AnalysisRun* run = call.core.queue().find(analysis::AnalysisId{*analysis});
        if (run == nullptr) {
            return std::unexpected(Error{ErrorCode::bad_value,
                                         "there is no analysis " + std::to_string(*analysis),
                                         "query.analysis"});
        }
        options.target = {run->record.id, run->root, run->played};
    }
    options.variations = moves.value_or(0) == 0;
    if (plies) {
        options.plies = static_cast<std::size_t>(*plies);
    }
    options.side = static_cast<ImportSide>(side.value_or(0));
    options.records_before = static_cast<std::size_t>(records.value_or(0));
    options.lines_before = static_cast<std::size_t>(lines.value_or(0));
    return [&store = call.core.store(), imported = call.core.when_imported(), kind = *kind,
            body = std::move(call.request.body), options, keep = keep.value_or(true)] {
        return finished(store, kind, body, options, keep, imported);
    };
}

constexpr std::array file_calls{
    Call{Method::post, "/api/v1/import", post_import, true, file_body},
};

} // namespace

std::span<const Call> calls_of_files() {
    return file_calls;
}

} // namespace adjourn::server
