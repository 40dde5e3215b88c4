#include "api/api.hpp"

#include "api/work_errors.hpp"
#include "api_calls.hpp"
#include "api_import.hpp"
#include "api_place.hpp"
#include "api_walks.hpp"
#include "http/query.hpp"
#include "request_parts.hpp"
#include "views/openings.hpp"
#include "views/view.hpp"

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

// A call that may fail: an error becomes its response.
template <class Call>
http::Router::Function answering(Call call) {
    return [call](const Request& request, const PathParameters& path) -> Response {
        std::expected<Response, Error> result = call(request, path);
        return result ? std::move(*result) : http::to_response(result.error());
    };
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

// A walk by somebody who has the core's thread for himself.
std::expected<Response, Error> in_one_go(std::expected<Api::Walk, Error> walk) {
    if (!walk) {
        return std::unexpected(walk.error());
    }
    if (auto seen = walk->look(never_up); !seen) {
        return std::unexpected(seen.error());
    }
    return walk->finish();
}

} // namespace

Api::Api(Core& core) : core_{core} {
    const std::string root = api_base;
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
            return json_response({{"engines", std::move(list)}});
        });
    });
    get("/analyses", [this](const Request& request, const PathParameters&) {
        return no_query(request, [&]() -> std::expected<Response, Error> {
            json list = json::array();
            for (const auto& run : core_.runs()) {
                list.push_back(analysis_json(core_, *run));
            }
            return json_response({{"analyses", std::move(list)}});
        });
    });
    router_.add(Method::post, root + "/analyses",
                answering([this](const Request& request, const PathParameters&) {
                    return post_analysis(core_, request);
                }));
    get("/analyses/{id}", [this](const Request& request, const PathParameters& path) {
        return no_query(request, [&] {
            return with_run(core_, path, [&](const AnalysisRun& run) {
                return json_response(analysis_json(core_, run));
            });
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
                                    return std::unexpected(to_http(gone.error()));
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
            return json_response(node_json(core_, *place->run, place->line));
        });
    get("/analyses/{id}/tree", [this](const Request& request, const PathParameters& path) {
        return in_one_go(tree_walk(core_, request, path));
    });
    get("/analyses/{id}/disagreements", [this](const Request& request, const PathParameters& path) {
        return in_one_go(disagreements_walk(core_, request, path));
    });
    get("/analyses/{id}/history", [this](const Request& request, const PathParameters& path) {
        return no_query(request, [&] {
            return with_run(core_, path, [](const AnalysisRun& run) {
                return json_response(history_json(run));
            });
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
            return json_response(
                evaluations_json(core_.store(), stand(*place->run, place->line).position));
        });
    get("/analyses/{id}/export", [this](const Request& request, const PathParameters& path) {
        return in_one_go(export_walk(core_, request, path));
    });
    // Only for the router's table; prepare() answers it.
    get("/analyses/{id}/changes",
        [this](const Request& request, const PathParameters&) -> std::expected<Response, Error> {
            return (*prepare(request))();
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
            return json_response(positions_json(core_, *position));
        });
    router_.add(Method::post, root + "/positions",
                answering([](const Request& request, const PathParameters&) {
                    return read_position(request);
                }));
    get("/openings",
        [](const Request& request, const PathParameters&) -> std::expected<Response, Error> {
            QueryReader query{request};
            const std::string text = query.text("q").value_or("");
            auto limit = query.integer("limit", 1, 200);
            if (auto done = query.finish(); !done) {
                return std::unexpected(done.error());
            }
            return json_response({{"openings", search_openings(text, static_cast<std::size_t>(
                                                                         limit->value_or(20)))}});
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

std::optional<Api::Walk> Api::begun_walk(const Request& request) const {
    using Begin =
        std::expected<Walk, Error> (*)(const Core&, const Request&, const PathParameters&);
    static const std::array<std::pair<const char*, Begin>, 3> walks{
        {{"tree", tree_walk}, {"disagreements", disagreements_walk}, {"export", export_walk}}};
    http::Routes routes;
    for (const auto& [name, begin] : walks) {
        routes.add(Method::get, std::string{api_base} + "/analyses/{id}/" + name);
    }
    const auto match = routes.match(request.method, request.path);
    if (!match) {
        return std::nullopt;
    }
    auto walk = walks.at(match->index).second(core_, request, match->parameters);
    if (walk) {
        return std::move(*walk);
    }
    return Walk{[error = walk.error()](const TimeUp&) { return std::unexpected(error); }, {}};
}

std::optional<Api::Deferred> Api::deferred(Request& request) const {
    http::Routes routes;
    routes.add(Method::get, std::string{api_base} + "/analyses/{id}/changes");
    routes.add(Method::post, std::string{api_base} + "/import");
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
    return [&store = core_.store(), record = (*run)->record, root = (*run)->root,
            basis = basis_of((*run)->record.limit, (*run)->directives), since = **since,
            now = core_.now(), tables = core_.tables()] {
        return json_response(changes_json(store, record, root, basis, since, now, tables));
    };
}

} // namespace adjourn::server
