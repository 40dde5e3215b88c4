// Files of games that people brought to an analysis: in and out. calls_edits.cpp: what is changed
// in a game.
#include "api/views/view_files.hpp"
#include "base/text.hpp"
#include "core/records/write_through.hpp"
#include "files/import/import.hpp"
#include "files/kept/keep_text.hpp"
#include "kept_place.hpp"
#include "request_parts.hpp"

#include <nlohmann/json.hpp>

#include <sstream>

namespace adjourn::server {

namespace {

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
        return std::unexpected(
            Error{ErrorCode::bad_request, "game is missing: which one?", "query.game"});
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
        return std::unexpected(Error{ErrorCode::bad_request, "pgn is missing", "pgn"});
    }
    GamesText read = read_games_text(*text.pgn);
    if (read.games.empty()) {
        const auto& notes = read.told.notes;
        return std::unexpected(
            Error{ErrorCode::bad_value,
                  "there is no game in it" + (notes.empty() ? "" : ": " + to_text(notes.front())),
                  "pgn"});
    }
    if (read.games.size() > most_kept_games) {
        return std::unexpected(Error{ErrorCode::too_large,
                                     "a file has at most " + std::to_string(most_kept_games) +
                                         " games; this one has " +
                                         std::to_string(read.games.size()),
                                     "pgn"});
    }
    return read;
}

// What a file brings in: PGN that is kept, and whose moves become seeds. On the slow thread.
class Bringing {
public:
    Bringing(Context& call, const AnalysisRun& run)
        : store_{call.core.store()}, imported_{call.core.when_imported()}, body_{std::move(
                                                                               call.request.body)} {
        const std::string type = call.request.header("content-type").value_or("");
        is_pgn_ = type.find("pgn") != std::string::npos || type.starts_with("text/plain");
        id_ = run.record.id;
        options_.target = {run.record.id, run.root, run.played};
        options_.at = call.core.now();
    }

    Response add() {
        auto text = read_file_text(body_, is_pgn_);
        const auto read = text ? read_games_of(*text) : std::unexpected(text.error());
        if (!read) {
            return http::to_response(read.error());
        }
        options_.name = text->name.value_or("games.pgn");
        const auto kept = keep(store_, id_, options_.name, read->games, options_.at);
        if (!kept) {
            return cannot_write(kept.error());
        }
        return brought(*kept, *text, *read, 201);
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
                return cannot_write(written.error());
            }
            if (!written->inserted) {
                return http::to_response({ErrorCode::conflict,
                                          "somebody has changed the file meanwhile: look again",
                                          ""});
            }
        }
        options_.name = text->name.value_or(file->name());
        return brought({file->id(), change.rows.empty()}, *text, *read, 200);
    }

private:
    static std::vector<std::string> texts(const std::vector<const KeptFile::Version*>& games) {
        std::vector<std::string> all;
        for (const auto* game : games) {
            all.push_back(game->text);
        }
        return all;
    }

    static Response cannot_write(const std::string& why) {
        return http::to_response({ErrorCode::unavailable, "the store cannot write: " + why, ""});
    }

    Response brought(const Kept& kept, const FileText& text, const GamesText& read, int status) {
        std::istringstream in{text.pgn.value_or("")};
        if (!text.seeds) {
            options_.target.reset();
        }
        const auto report = import_text(store_, ImportFormat::pgn, in, options_);
        if (!report) {
            return cannot_write(report.error());
        }
        imported_({text.seeds ? std::optional{id_} : std::nullopt, report->engines, false});
        json out = told_json(read.told);
        out.update({{"id", kept.file},
                    {"known", kept.known},
                    {"games", read.games.size()},
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
    return [bringing = std::make_shared<Bringing>(call, run)] { return bringing->add(); };
}

Answer put_file(Context& call, const AnalysisRun& run) {
    const auto place = file_place(call);
    if (!place) {
        return std::unexpected(place.error());
    }
    return [bringing = std::make_shared<Bringing>(call, run), place = *place] {
        return bringing->replace(place);
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

constexpr std::array kept_calls{
    Call{Method::get, "/api/v1/analyses/{id}/files", of_run<list_files>, false, by_link(slow_call)},
    Call{Method::post, "/api/v1/analyses/{id}/files", of_run<post_file>, false, file_body},
    Call{Method::get, "/api/v1/analyses/{id}/files/{file}", get_file, true, by_link()},
    Call{Method::put, "/api/v1/analyses/{id}/files/{file}", of_run<put_file>, false, file_body},
    Call{Method::del, "/api/v1/analyses/{id}/files/{file}", delete_file},
};

} // namespace

std::span<const Call> calls_of_kept() {
    return kept_calls;
}

} // namespace adjourn::server
