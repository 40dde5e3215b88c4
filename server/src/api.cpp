#include "server/api.hpp"

#include "api_calls.hpp"
#include "api_import.hpp"
#include "openings.hpp"
#include "request_parts.hpp"
#include "server/export.hpp"
#include "server/http/query.hpp"
#include "server/view.hpp"

extern const char adjourn_openapi_json[];

namespace adjourn::server {

using http::Error;
using http::ErrorCode;
using http::Method;
using http::PathParameters;
using http::QueryReader;
using http::Request;
using http::Response;
using nlohmann::json;

namespace {

constexpr const char* base = "/api/v1";

Response ok(const json& body, int status = 200) {
    Response response;
    response.status = status;
    response.body = body.dump();
    return response;
}

// A call that may fail: an error becomes its response.
template <class Call>
http::Router::Function answering(Call call) {
    return [call](const Request& request, const PathParameters& path) -> Response {
        std::expected<Response, Error> result = call(request, path);
        return result ? std::move(*result) : http::to_response(result.error());
    };
}

std::expected<const AnalysisRun*, Error> run_of(const Core& core, const PathParameters& path) {
    const auto id = path.integer("id");
    const AnalysisRun* run = id ? core.find(analysis::AnalysisId{*id}) : nullptr;
    if (run == nullptr) {
        return std::unexpected(
            Error{ErrorCode::not_found, "there is no analysis " + path.text("id"), "id"});
    }
    return run;
}

// What `call` makes of the analysis that the path names.
template <class Call>
std::expected<Response, Error> with_run(const Core& core, const PathParameters& path, Call call) {
    const auto run = run_of(core, path);
    if (!run) {
        return std::unexpected(run.error());
    }
    return call(**run);
}

Error no_tree(const AnalysisRun& run) {
    if (run.awaited) {
        return {ErrorCode::unavailable, std::string{"the server is still "} + reading_evaluations,
                ""};
    }
    return {ErrorCode::unavailable, "the engine has not started yet, so there is no tree", ""};
}

// The analysis and the line that a GET names by ?moves=, with the other parameters still to be
// read.
struct Place {
    const AnalysisRun* run;
    std::vector<chess::Move> line;
};

std::expected<Place, Error> place_of(const Core& core, const PathParameters& path,
                                     QueryReader& query) {
    auto run = run_of(core, path);
    if (!run) {
        return std::unexpected(run.error());
    }
    auto line = parse_line_at(query.text("moves").value_or(""), (*run)->root, "query.moves");
    if (!line) {
        return std::unexpected(line.error());
    }
    return Place{*run, std::move(*line)};
}

// When all of the query has been read: what is wrong with it, if anything is.
std::expected<Place, Error> finished(std::expected<Place, Error> place, QueryReader& query) {
    if (!place) {
        return place;
    }
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    return place;
}

// The same for calls that need a tree.
std::expected<Place, Error> finished_in_tree(std::expected<Place, Error> place,
                                             QueryReader& query) {
    place = finished(std::move(place), query);
    if (place && place->run->slot == nullptr) {
        return std::unexpected(no_tree(*place->run));
    }
    return place;
}

std::expected<Response, Error> tree(const Core& core, const Request& request,
                                    const PathParameters& path) {
    QueryReader query{request};
    auto place = place_of(core, path, query);
    const auto plies = query.integer("plies", 1, 64);
    const auto margin = query.integer("margin", 0, 100'000);
    const auto limit = query.integer("limit", 1, 20'000);
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    TreeLimits limits;
    limits.plies = static_cast<std::size_t>(plies->value_or(4));
    limits.margin = static_cast<int>(margin->value_or(50));
    limits.limit = static_cast<std::size_t>(limit->value_or(500));
    return ok(tree_json(*place->run, place->line, limits));
}

std::expected<Response, Error> disagreements(const Core& core, const Request& request,
                                             const PathParameters& path) {
    QueryReader query{request};
    auto place = place_of(core, path, query);
    const auto gap = query.integer("gap", 1, 2'000);
    const auto margin = query.integer("margin", 0, 100'000);
    const auto limit = query.integer("limit", 1, 200);
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    DisagreementLimits limits;
    limits.gap = static_cast<int>(gap->value_or(limits.gap));
    limits.margin = static_cast<int>(margin->value_or(limits.margin));
    limits.limit =
        static_cast<std::size_t>(limit->value_or(static_cast<std::int64_t>(limits.limit)));
    return ok(disagreements_json(*place->run, place->line, limits));
}

std::expected<Response, Error> export_file(const Core& core, const Request& request,
                                           const PathParameters& path) {
    QueryReader query{request};
    auto place = place_of(core, path, query);
    const auto format = query.choice("format", {"pgn", "epd", "polyglot", "json"});
    const auto margin = query.integer("margin", 0, 100'000);
    const auto plies = query.integer("plies", 1, 400);
    const auto most = query.integer("max_moves", 1, 1'000'000);
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    ExportLimits limits;
    limits.margin = static_cast<int>(margin->value_or(limits.margin));
    limits.plies =
        static_cast<std::size_t>(plies->value_or(static_cast<std::int64_t>(limits.plies)));
    limits.max_moves =
        static_cast<std::size_t>(most->value_or(static_cast<std::int64_t>(limits.max_moves)));
    const AnalysisRun& run = *place->run;
    Response response;
    const auto make = [&](const char* type, std::string body) {
        response.content_type = type;
        response.body = std::move(body);
    };
    const std::size_t kind = format->value_or(0);
    if (kind == 0) {
        make("application/x-chess-pgn; charset=utf-8", export_pgn(core, run, place->line, limits));
    } else if (kind == 1) {
        make("text/plain; charset=utf-8", export_epd(core, run, place->line, limits));
    } else if (kind == 2) {
        make("application/octet-stream", export_polyglot(run, place->line, limits));
    } else {
        response.body = export_json(core, run, place->line, limits);
    }
    const std::string extension = std::array{".pgn", ".epd", ".bin", ".json"}.at(kind);
    const std::string id = std::to_string(static_cast<std::int64_t>(run.record.id));
    response.headers["Content-Disposition"] =
        "attachment; filename=\"adjourn-" + id + extension + "\"";
    return response;
}

} // namespace

Api::Api(Core& core) : core_{core} {
    const std::string root = base;
    const auto get = [&](const std::string& pattern, auto call) {
        router_.add(Method::get, root + pattern, answering(call));
    };
    get("/health", [this](const Request& request, const PathParameters&) {
        return no_query(request, [&] { return health(core_); });
    });
    get("/engines", [this](const Request& request, const PathParameters&) {
        return no_query(request, [&]() -> std::expected<Response, Error> {
            json list = json::array();
            for (const auto& engine : core_.engines()) {
                list.push_back(engine_json(core_, *engine, list.empty()));
            }
            return ok({{"engines", std::move(list)}});
        });
    });
    get("/analyses", [this](const Request& request, const PathParameters&) {
        return no_query(request, [&]() -> std::expected<Response, Error> {
            json list = json::array();
            for (const auto& run : core_.runs()) {
                list.push_back(analysis_json(core_, *run));
            }
            return ok({{"analyses", std::move(list)}});
        });
    });
    router_.add(Method::post, root + "/analyses",
                answering([this](const Request& request, const PathParameters&) {
                    return post_analysis(core_, request);
                }));
    get("/analyses/{id}", [this](const Request& request, const PathParameters& path) {
        return no_query(request, [&] {
            return with_run(core_, path,
                            [&](const AnalysisRun& run) { return ok(analysis_json(core_, run)); });
        });
    });
    router_.add(Method::patch, root + "/analyses/{id}",
                answering([this](const Request& request, const PathParameters& path) {
                    return with_run(core_, path, [&](const AnalysisRun& run) {
                        return patch_analysis(core_, run, request);
                    });
                }));
    router_.add(Method::del, root + "/analyses/{id}",
                answering([this](const Request& request, const PathParameters& path) {
                    return no_query(request, [&] {
                        return with_run(
                            core_, path,
                            [&](const AnalysisRun& run) -> std::expected<Response, Error> {
                                if (auto gone = core_.remove(run.record.id); !gone) {
                                    return std::unexpected(gone.error());
                                }
                                Response response;
                                response.status = 204;
                                return response;
                            });
                    });
                }));
    get("/analyses/{id}/node",
        [this](const Request& request,
               const PathParameters& path) -> std::expected<Response, Error> {
            QueryReader query{request};
            const auto place = finished(place_of(core_, path, query), query);
            if (!place) {
                return std::unexpected(place.error());
            }
            if (place->run->awaited) {
                return std::unexpected(no_tree(*place->run));
            }
            return ok(node_json(core_, *place->run, place->line));
        });
    get("/analyses/{id}/tree", [this](const Request& request, const PathParameters& path) {
        return tree(core_, request, path);
    });
    get("/analyses/{id}/disagreements", [this](const Request& request, const PathParameters& path) {
        return disagreements(core_, request, path);
    });
    get("/analyses/{id}/history", [this](const Request& request, const PathParameters& path) {
        return no_query(request, [&] {
            return with_run(core_, path,
                            [](const AnalysisRun& run) { return ok(history_json(run)); });
        });
    });
    get("/analyses/{id}/evaluations",
        [this](const Request& request,
               const PathParameters& path) -> std::expected<Response, Error> {
            QueryReader query{request};
            const auto place = finished(place_of(core_, path, query), query);
            if (!place) {
                return std::unexpected(place.error());
            }
            return ok(evaluations_json(core_.store(), stand(*place->run, place->line).position));
        });
    get("/analyses/{id}/export", [this](const Request& request, const PathParameters& path) {
        return export_file(core_, request, path);
    });
    // Only for the router's table; prepare() answers it.
    get("/analyses/{id}/changes",
        [this](const Request& request, const PathParameters&) -> std::expected<Response, Error> {
            const auto deferred = prepare(request);
            return (*deferred)();
        });
    router_.add(Method::post, root + "/import",
                answering([this](const Request& request, const PathParameters&)
                              -> std::expected<Response, Error> { return (*prepare(request))(); }));
    router_.add(Method::post, root + "/analyses/{id}/directives",
                answering([this](const Request& request, const PathParameters& path) {
                    return with_run(core_, path, [&](const AnalysisRun& run) {
                        return post_directive(core_, run, request);
                    });
                }));
    get("/positions",
        [this](const Request& request, const PathParameters&) -> std::expected<Response, Error> {
            QueryReader query{request};
            auto fen = query.required_text("fen");
            if (!fen) {
                return std::unexpected(fen.error());
            }
            if (auto done = query.finish(); !done) {
                return std::unexpected(done.error());
            }
            auto position = chess::Position::from_fen(*fen);
            if (!position) {
                return std::unexpected(fen_error(position.error(), "query.fen"));
            }
            return ok(positions_json(core_, *position));
        });
    get("/openings",
        [](const Request& request, const PathParameters&) -> std::expected<Response, Error> {
            QueryReader query{request};
            const std::string text = query.text("q").value_or("");
            auto limit = query.integer("limit", 1, 200);
            if (auto done = query.finish(); !done) {
                return std::unexpected(done.error());
            }
            return ok({{"openings",
                        search_openings(text, static_cast<std::size_t>(limit->value_or(20)))}});
        });
    get("/openapi.json", [](const Request& request, const PathParameters&) {
        return no_query(request, []() -> std::expected<Response, Error> {
            Response response;
            response.body = adjourn_openapi_json;
            return response;
        });
    });
    router_.add(Method::get, "/metrics", answering([this](const Request&, const PathParameters&) {
                    Response response;
                    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
                    response.body = metrics_text(core_);
                    return std::expected<Response, Error>{std::move(response)};
                }));
}

std::optional<Api::Deferred> Api::deferred(const Request& request) const {
    http::Routes routes;
    routes.add(Method::get, std::string{base} + "/analyses/{id}/changes");
    routes.add(Method::post, std::string{base} + "/import");
    const auto match = routes.match(request.method, request.path);
    if (!match) {
        return std::nullopt;
    }
    const auto failed = [](const Error& error) -> Deferred {
        return [error] { return http::to_response(error); };
    };
    if (match->index == 1) {
        auto import = prepare_import(core_, request);
        return import ? std::move(*import) : failed(import.error());
    }
    const auto run = run_of(core_, match->parameters);
    if (!run) {
        return failed(run.error());
    }
    QueryReader query{request};
    const auto since = query.integer("since", 0, 100'000'000'000'000);
    if (auto done = query.finish(); !done) {
        return failed(done.error());
    }
    if (!*since) {
        return failed(
            {ErrorCode::bad_request, "since is missing: Unix milliseconds", "query.since"});
    }
    return [&store = core_.store(), record = (*run)->record, root = (*run)->root, since = **since,
            now = core_.now(), tables = core_.tables()] {
        return ok(changes_json(store, record, root, since, now, tables));
    };
}

} // namespace adjourn::server
