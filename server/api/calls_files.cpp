// POST import: a file's text into the store.
#include "api/call.hpp"

#include "api/request_parts.hpp"
#include "api/views/view.hpp"
#include "base/text.hpp"
#include "core/records/settings.hpp"
#include "core/records/strategy_json.hpp"
#include "files/collections/collect.hpp"
#include "files/collections/collection.hpp"
#include "files/import/import.hpp"
#include "files/kept/kept_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
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

Response cannot_write(const std::string& why) {
    return http::to_response({ErrorCode::unavailable, "the store cannot write: " + why, ""});
}

Response finished(storage::Store& store, ImportFormat format, const std::string& body,
                  const ImportOptions& options, bool keep, const Core::Imported& imported) {
    GamesText games =
        keep && format == ImportFormat::pgn && options.target ? read_games_text(body) : GamesText{};
    const bool too_many = games.games.size() > most_kept_games;
    std::istringstream in{body};
    auto report = games.games.empty() || too_many
                      ? import_text(store, format, in, options)
                      : import_games(store, body, std::move(games), options);
    if (!report) {
        return cannot_write(report.error());
    }
    if (too_many) {
        report->warn({0, 0, not_kept});
    }
    imported(
        {options.target ? std::optional{options.target->analysis} : std::nullopt, report->engines});
    return answer(*report);
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
    const auto kind = parse_import_format(*format);
    if (!kind) {
        return refuse(ErrorCode::bad_value, "format is pgn, epd or jsonl", "query.format");
    }
    if (options.name.empty()) {
        return refuse(ErrorCode::bad_value,
                      "name must not be empty: it says where the moves and "
                      "evaluations come from",
                      "query.name");
    }
    if (analysis) {
        const AnalysisRun* run = call.core.queue().find(analysis::AnalysisId{*analysis});
        if (run == nullptr) {
            return refuse(ErrorCode::bad_value, "there is no analysis " + std::to_string(*analysis),
                          "query.analysis");
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

// Files of games that people brought to an analysis: in and out. What is changed in a game
// is in calls_analyses.cpp.

// Reads every game of them, which may take a second: longer than `Reads` waits for a store.
Answer list_files(Context& call, const AnalysisRun& run) {
    return [&store = call.core.store(), id = run.record.id] {
        json list = json::array();
        for (const KeptFile& file : kept_files(store, id)) {
            list.push_back(file_json(file));
        }
        return json_response({{"files", std::move(list)}});
    };
}

Answer get_file(Context& call) {
    QueryReader query{call.request};
    const auto number = query.integer("game", 1, most_number);
    const auto as = query.choice("as", {"pgn", "json"});
    const auto place = file_place(call);
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    if (!place) {
        return std::unexpected(place.error());
    }
    const bool as_json = as.value_or(0) == 1;
    if (as_json && !number) {
        return refuse(ErrorCode::bad_request, "game is missing: which one?", "query.game");
    }
    return when_read(call, [place = *place, number, as_json] {
        const auto file = place.read();
        if (!file) {
            return http::to_response(file.error());
        }
        if (number) {
            const auto* game = file->game(*number);
            return game == nullptr ? http::to_response(no_game(*number, "query.game"))
                   : as_json       ? json_response(game_json(*game))
                                   : pgn_response(game->text);
        }
        std::string text;
        for (const auto* game : file->games()) {
            text += (text.empty() ? "" : "\n") + game->text;
        }
        return pgn_response(std::move(text));
    });
}

// ---- PGN in ----

struct FileText {
    std::optional<std::string> name;
    std::optional<std::string> pgn;
    bool seeds = true; // its moves become some, and its comments notes
};

// PGN text, or {name?, pgn?}. Any thread.
std::expected<FileText, Error> read_file_text(const std::string& body, bool is_pgn) {
    if (is_pgn) {
        return FileText{{}, body, true};
    }
    const auto parsed = http::parse_json(body, http::max_json_values);
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    const JsonObject reader{*parsed, base::JsonPolicy::strict};
    FileText text{reader.find("name").text(), reader.find("pgn").text(most_import_bytes),
                  reader.find("seeds").boolean().value_or(true)};
    if (text.name &&
        (base::trimmed(*text.name).empty() || base::has_control_characters(*text.name))) {
        reader.wrong("name", "name must not be empty and have no control characters");
    }
    if (auto done = http::finished(reader); !done) {
        return std::unexpected(done.error());
    }
    return text;
}

std::expected<GamesText, Error> read_games_of(const FileText& text) {
    if (!text.pgn) {
        return refuse(ErrorCode::bad_request, "pgn is missing", "pgn");
    }
    GamesText read = read_games_text(*text.pgn);
    if (read.games.empty()) {
        const auto& notes = read.told.notes;
        return refuse(
            ErrorCode::bad_value,
            "there is no game in it" + (notes.empty() ? "" : ": " + to_text(notes.front())), "pgn");
    }
    if (read.games.size() > most_kept_games) {
        return refuse(ErrorCode::too_large,
                      "a file has at most " + std::to_string(most_kept_games) +
                          " games; this one has " + std::to_string(read.games.size()),
                      "pgn");
    }
    return read;
}

// A file of an analysis by POST or PUT: PGN that is kept, and whose moves become seeds. On the slow
// thread.
class FileImport {
public:
    FileImport(Context& call, const AnalysisRun& run)
        : store_{call.core.store()}, imported_{call.core.when_imported()}, body_{std::move(
                                                                               call.request.body)} {
        const std::string type = call.request.header("content-type").value_or("");
        is_pgn_ = type.find("pgn") != std::string::npos || type.starts_with("text/plain");
        id_ = run.record.id;
        options_.target = {run.record.id, run.root, run.played};
        options_.at = call.core.now();
    }

    Response add() {
        const auto text = read_file_text(body_, is_pgn_);
        auto read = text ? read_games_of(*text) : std::unexpected(text.error());
        if (!read) {
            return http::to_response(read.error());
        }
        options_.name = text->name.value_or("games.pgn");
        return answer(import_games(store_, *text->pgn, std::move(*read), options_, text->seeds),
                      text->seeds, 201);
    }

    Response replace(const FilePlace& place) {
        const auto text = read_file_text(body_, is_pgn_);
        if (!text) {
            return http::to_response(text.error());
        }
        const auto file = place.read();
        if (!file) {
            return http::to_response(file.error());
        }
        auto read = text->pgn ? read_games_of(*text) : GamesText{texts(file->games()), {}};
        if (!read) {
            return http::to_response(read.error());
        }
        const auto change = file->with(text->name.value_or(""), read->games, options_.at);
        if (!change.rows.empty()) {
            const auto written =
                write_through([&](const storage::Done& done) { store_.write(change, done); });
            if (!written) {
                return cannot_write(written.error().why);
            }
            if (!written->inserted) {
                return http::to_response({ErrorCode::conflict,
                                          "somebody has changed the file meanwhile: look again",
                                          ""});
            }
        }
        options_.name = text->name.value_or(file->name());
        if (!text->seeds) {
            options_.target.reset();
        }
        std::istringstream in{text->pgn.value_or("")};
        auto report = import_text(store_, ImportFormat::pgn, in, options_);
        if (report) {
            report->file = ImportedFile{file->id(), change.rows.empty(), read->games.size(),
                                        std::move(read->told)};
        }
        return answer(report, text->seeds, 200);
    }

private:
    static std::vector<std::string> texts(const std::vector<const KeptFile::Version*>& games) {
        std::vector<std::string> all;
        for (const auto* game : games) {
            all.push_back(game->text);
        }
        return all;
    }

    Response answer(const std::expected<ImportReport, std::string>& report, bool seeds,
                    int status) const {
        if (!report) {
            return cannot_write(report.error());
        }
        imported_({seeds ? std::optional{id_} : std::nullopt, report->engines});
        json out = told_json(report->file->told);
        out.update({{"id", report->file->id},
                    {"known", report->file->known},
                    {"games", report->file->games},
                    {"seeds", report->seeds_added},
                    {"evaluations", report->evaluations_added}});
        return json_response(out, status);
    }

    storage::Store& store_;
    analysis::AnalysisId id_{};
    Core::Imported imported_;
    std::string body_;
    bool is_pgn_;
    ImportOptions options_;
};

Answer post_file(Context& call, const AnalysisRun& run) {
    return [file = std::make_shared<FileImport>(call, run)] { return file->add(); };
}

Answer put_file(Context& call, const AnalysisRun& run) {
    const auto place = file_place(call);
    if (!place) {
        return std::unexpected(place.error());
    }
    return [file = std::make_shared<FileImport>(call, run), place = *place] {
        return file->replace(place);
    };
}

Answer delete_file(Context& call) {
    const auto place = file_place(call);
    if (!place) {
        return std::unexpected(place.error());
    }
    return when_changed(
        call,
        [&core = call.core, place = *place,
         at = call.core.now()]() -> std::expected<Change, Response> {
            const auto file = place.read();
            if (!file) {
                return std::unexpected(http::to_response(file.error()));
            }
            return [&core, id = place.analysis, change = file->without(at)] {
                return core.keep(id, change).map([](std::int64_t) { return no_content(); });
            };
        });
}

// Collections of games: which there are, what was played in a position, games added.

constexpr std::size_t longest_source = 1'000; // bytes, of the name of a file of games

Error no_collection(const std::string& name) {
    return {ErrorCode::not_found, "there is no collection '" + name + "'", "name"};
}

json known_or_null(int number) {
    return number == 0 ? json{} : json(number);
}

json played_json(const chess::Position& position, const collections::PlayedMove& played) {
    json out = move_json(position, played.move);
    out["games"] = played.games();
    out["white"] = played.white;
    out["draws"] = played.draws;
    out["black"] = played.black;
    out["last_year"] = known_or_null(played.last_year);
    out["elo"] = known_or_null(played.elo);
    out["best"] = {{"white", played.best.white},
                   {"black", played.best.black},
                   {"year", known_or_null(played.best.year)},
                   {"elo", known_or_null(played.best.elo)},
                   {"result", played.best.result}};
    return out;
}

Answer list_collections(Context& call) {
    return when_read(call, [directory = collections::CollectionDirectory{call.core.collections()}] {
        json list = json::array();
        for (const std::string& name : directory.names()) {
            const auto collection = directory.open(name);
            // What cannot be read is there all the same: whoever asks for its moves is told why.
            const auto info = collection ? collection->info() : collections::CollectionInfo{};
            json sources = json::array();
            for (const collections::Source& source : info.sources) {
                sources.push_back({{"name", source.name}, {"games", source.games}});
            }
            list.push_back({{"name", name},
                            {"games", info.games},
                            {"moves", info.moves},
                            {"bytes", info.bytes},
                            {"sources", std::move(sources)}});
        }
        return json_response({{"collections", std::move(list)}});
    });
}

Answer get_played(Context& call) {
    QueryReader query{call.request};
    const auto position = read_fen(query);
    if (!position) {
        return std::unexpected(position.error());
    }
    const std::string& name = call.path.text("name");
    if (!collections::is_name(name)) {
        return std::unexpected(no_collection(name));
    }
    return when_read(call, [directory = collections::CollectionDirectory{call.core.collections()},
                            name, position = *position] {
        const auto collection = directory.open(name);
        if (!collection) {
            return http::to_response({ErrorCode::not_found, collection.error(), "name"});
        }
        json moves = json::array();
        std::uint64_t games = 0;
        for (const collections::PlayedMove& played : collection->moves(position)) {
            moves.push_back(played_json(position, played));
            games += played.games();
        }
        return json_response({{"games", games}, {"moves", std::move(moves)}});
    });
}

json report_json(const collections::CollectReport& report) {
    json errors = json::array();
    for (const chess::PgnError& error : report.errors) {
        errors.push_back(
            {{"record", error.game}, {"line", error.line}, {"message", error.message}});
    }
    return {{"games", report.games},
            {"moves", report.moves},
            {"without_result", report.without_result},
            {"too_weak", report.too_weak},
            {"damaged", report.damaged},
            {"known", report.known},
            {"errors", std::move(errors)}};
}

Answer add_games(Context& call) {
    QueryReader query{call.request};
    const auto file = query.text("file", longest_source);
    const auto plies = query.integer("plies", 1, 1'000);
    const auto elo = query.integer("min_elo", 1, 4'000);
    const auto least = query.integer("min_games", 1, 1'000'000);
    const auto player = query.text("player", base::usual_text);
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    const std::string& name = call.path.text("name");
    if (!collections::is_name(name)) {
        return refuse(ErrorCode::bad_value,
                      "a collection's name has " + std::string{collections::name_rule}, "name");
    }
    if (call.core.collections().empty()) {
        return refuse(ErrorCode::unavailable, "this server has no place for collections", "");
    }
    collections::CollectOptions options;
    options.plies = static_cast<std::size_t>(plies.value_or(40));
    options.least_elo = static_cast<int>(elo.value_or(0));
    options.least_games = static_cast<std::size_t>(least.value_or(1));
    options.player = player.value_or("");
    options.threads = 1; // engines need the others
    return [directory = collections::CollectionDirectory{call.core.collections()}, name, options,
            source = file.value_or("upload"), pgn = std::move(call.request.body)]() -> Response {
        std::istringstream in{pgn};
        const auto report = collections::collect(in, source, collections::fingerprint_of_text(pgn),
                                                 directory.file(name), options);
        return report ? json_response(report_json(*report))
                      : http::to_response({ErrorCode::unavailable, report.error(), ""});
    };
}

Answer remove_collection(Context& call) {
    return when_read(call, [directory = collections::CollectionDirectory{call.core.collections()},
                            name = call.path.text("name")]() mutable {
        if (!collections::is_name(name) || !directory.remove(name)) {
            return http::to_response(no_collection(name));
        }
        return no_content();
    });
}

constexpr std::array file_calls{
    Call{Method::post, "/api/v1/import", post_import, true, file_body},
    Call{Method::get, "/api/v1/analyses/{id}/files", of_run<list_files>, false, by_link(slow_call)},
    Call{Method::post, "/api/v1/analyses/{id}/files", of_run<post_file>, false, file_body},
    Call{Method::get, "/api/v1/analyses/{id}/files/{file}", get_file, true, by_link()},
    Call{Method::put, "/api/v1/analyses/{id}/files/{file}", of_run<put_file>, false, file_body},
    Call{Method::del, "/api/v1/analyses/{id}/files/{file}", delete_file},
    Call{Method::get, "/api/v1/collections", list_collections},
    Call{Method::get, "/api/v1/collections/{name}/moves", get_played, true},
    Call{Method::post, "/api/v1/collections/{name}", add_games, true, file_body},
    Call{Method::del, "/api/v1/collections/{name}", remove_collection},
};

} // namespace

std::span<const Call> calls_of_files() {
    return file_calls;
}

} // namespace adjourn::server
