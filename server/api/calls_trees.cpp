// What an analysis found: positions, trees, history, changes, exports.

#include "analysis/strategy.hpp"
#include "api/call.hpp"
#include "api/cloud/clouds.hpp"
#include "api/request_parts.hpp"
#include "api/views/graph_views.hpp"
#include "api/views/view.hpp"
#include "core/records/strategy_json.hpp"
#include "core/schedule/answer.hpp"
#include "files/collections/collection.hpp"
#include "files/export/export.hpp"
#include "files/kept/kept_file.hpp"
#include "files/openings/openings.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

namespace adjourn::server {

namespace {

// What stands in the query, which has been found right, if it stands there.
template <class Number>
void take(std::optional<std::int64_t> given, Number& out) {
    out = static_cast<Number>(given.value_or(static_cast<std::int64_t>(out)));
}

Answer get_tree(Context& call) {
    QueryReader query{call.request};
    auto place = place_of(call, query);
    TreeLimits limits;
    take(query.integer("plies", 1, 64), limits.plies);
    take(query.integer("margin", 0, 100'000), limits.margin);
    take(query.integer("limit", 1, 20'000), limits.limit);
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    return seen(*place->run,
                [line = place->line, limits](const RunView& run, const GraphReading& reading) {
                    return tree_json(run, reading, line, limits);
                });
}

Answer get_disagreements(Context& call) {
    QueryReader query{call.request};
    auto place = place_of(call, query);
    DisagreementLimits limits;
    take(query.integer("gap", 1, 2'000), limits.gap);
    take(query.integer("margin", 0, 100'000), limits.margin);
    take(query.integer("limit", 1, 200), limits.limit);
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    return seen(*place->run,
                [line = place->line, limits](const RunView& run, const GraphReading& reading) {
                    return disagreements_json(run, reading, line, limits);
                });
}

Answer get_gaps(Context& call) {
    QueryReader query{call.request};
    auto place = place_of(call, query);
    const auto side = query.choice("side", {"white", "black"});
    const auto name = query.text("collection", collections::longest_collection_name);
    GapLimits limits;
    take(query.integer("within", 0, 1'000), limits.within);
    take(query.integer("games", 1, 1'000'000'000), limits.games);
    take(query.integer("loses", 1, 1'000), limits.loses);
    take(query.integer("plies", 1, 200), limits.plies);
    take(query.integer("limit", 1, 1'000), limits.limit);
    limits.own_only = query.boolean("own_only").value_or(false);
    limits.answers = query.boolean("answers").value_or(false);
    const bool left = query.boolean("left").value_or(false);
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    const bool black = side ? *side == 1 : place->run->spec.labels.my_side == "black";
    limits.side = black ? chess::Color::black : chess::Color::white;
    std::shared_ptr<const collections::Collection> collection;
    if (name) {
        auto found = collections::is_name(*name)
                         ? collections::CollectionDirectory{call.core.collections()}.open(*name)
                         : std::unexpected("there is no collection '" + *name + "'");
        if (!found) {
            return refuse(ErrorCode::bad_value, found.error(), "query.collection");
        }
        collection = std::make_shared<collections::Collection>(std::move(*found));
    }
    return seen(*place->run,
                [line = place->line, limits, collection, left,
                 &store = call.core.store()](const RunView& run, const GraphReading& reading) {
                    json out = gaps_json(run, reading, line, limits, collection);
                    if (left) {
                        auto games = reading.without_graph([&] {
                            return games_that_leave(kept_files(store, run.record.id), run.root, 0,
                                                    limits.limit, run.spec.labels);
                        });
                        out["left"] = left_json(run, std::move(games));
                    }
                    return out;
                });
}

constexpr std::size_t most_lines = 200; // asked at once

// {lines: [moves, …]}: each line's last move is included, as if somebody had done it by hand.
Answer queue_gaps(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        std::vector<std::vector<chess::Move>> lines;
        for (const JsonValue& value : reader.at("lines").items(most_lines)) {
            auto line = read_line(value, run.root);
            if (!line) {
                return std::unexpected(line.error());
            }
            lines.push_back(std::move(*line));
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        std::vector<Pending<Core::Given>> said;
        for (const auto& line : lines) {
            said.push_back(
                call.core.direct(run.record.id, line, line.empty() ? "now" : "include", ""));
        }
        return when_durable(
            call, all_of(said).map([](const std::vector<Pending<Core::Given>::Result>& results) {
                std::size_t asked = 0;
                std::string refused; // the first reason
                for (const auto& result : results) {
                    asked += result ? 1 : 0;
                    if (!result && refused.empty()) {
                        refused = to_http(result.error()).message;
                    }
                }
                return json_response({{"asked", asked},
                                      {"refused", results.size() - asked},
                                      {"reason", refused.empty() ? json{} : json(refused)}});
            }));
    });
}

// What is exported, and how.
struct Export {
    std::vector<chess::Move> line;
    ExportLimits limits;
    const ExportFormat& format;
    Surety surety;
    analysis::UnixMs now;
};

// The games that people brought are read first, then the graph.
std::string exported(const RunReader& reader, const storage::Store& store, const Export& wanted) {
    const RunView& run = reader.run();
    const auto& [line, limits, format, surety, now] = wanted;
    const chess::Position at = run.root.after(line);
    const auto games = std::make_shared<OwnGames>();
    if (limits.mine != OwnPart::none) {
        const auto files = kept_files(store, run.record.id);
        *games = own_games(games_of(files), earlier_games_of(files), limits, at);
    }
    const OwnWork own = own_work(run, games, limits.mine);
    std::optional<ExportTree> tree;
    std::string sure; // what the answer rests on
    {
        const GraphReading reading = reader.read();
        const auto search = verdict_search(run, line);
        while (search != nullptr && search->go_on()) {
            reading.breathe();
        }
        if (const auto found = search == nullptr ? std::nullopt : search->take()) {
            sure = verdict_text(*found, sure_of(run, surety, line, *found), at);
        }
        tree = export_tree(run, reading, line, limits, own);
    }
    return format.write({store, now, run, line, limits, own, sure}, *tree);
}

Answer get_export(Context& call) {
    QueryReader query{call.request};
    auto place = place_of(call, query);
    std::vector<std::string_view> names;
    for (const ExportFormat& format : export_formats()) {
        names.push_back(format.name);
    }
    const auto named = query.choice("format", names);
    ExportLimits limits;
    take(query.integer("margin", 0, 100'000), limits.margin);
    take(query.integer("plies", 1, 400), limits.plies);
    take(query.integer("max_moves", 1, 1'000'000), limits.max_moves);
    const auto from = query.choice("from", {"root", "game"});
    const auto comments = query.choice("comments", {"all", "branches", "leaves", "none"});
    const auto side = query.choice("side", {"both", "white", "black"});
    limits.own_only = query.boolean("own_only").value_or(false);
    limits.mine =
        static_cast<OwnPart>(query.choice("mine", {"all", "annotated", "none"}).value_or(0));
    limits.engine =
        static_cast<EnginePart>(query.choice("engine", {"all", "best", "none"}).value_or(0));
    const auto nags = query.boolean("nags");
    const auto arrows = query.boolean("arrows");
    const bool for_study = query.boolean("study").value_or(false);
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    if (for_study) {
        limits.max_moves = std::min(limits.max_moves, most_for_study);
    }
    if (side.value_or(0) != 0) {
        limits.one_sided = side == 1 ? chess::Color::white : chess::Color::black;
    }
    const AnalysisRun& run = *place->run;
    limits.pgn.from_game = from.value_or(for_study ? 1 : 0) == 1;
    limits.pgn.comments = static_cast<CommentDensity>(comments.value_or(0));
    limits.pgn.nags = nags.value_or(for_study);
    limits.pgn.arrows = arrows.value_or(for_study);
    const ExportFormat& format = export_formats()[named.value_or(0)];
    return Api::Later{
        [reader = reader_of(run), &store = call.core.store(),
         wanted = Export{place->line, limits, format, call.core.surety_of(run), call.core.now()}] {
            Response response;
            response.content_type = wanted.format.content_type;
            response.headers["Content-Disposition"] =
                "attachment; filename=\"" + export_file_name(reader->run(), wanted.format.ending) +
                "\"";
            response.body = exported(*reader, store, wanted);
            return response;
        }};
}

Answer get_node(Context& call) {
    QueryReader query{call.request};
    auto place = place_of(call, query);
    const bool looks = query.boolean("cloud").value_or(false);
    place = finished(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    if (place->run->awaited && place->run->shown() == nullptr) {
        return std::unexpected(no_tree(*place->run));
    }
    const auto draft = std::make_shared<NodeDraft>(node_draft(call.core, *place->run, place->line));
    if (call.request.by_link) {
        draft->out["version"] = 0;   // it counts what others find, too
        draft->out.erase("failure"); // engines and machines have names and paths
    }
    const Clouds::Look look{static_cast<std::int64_t>(place->run->record.id),
                            place->run->version()};
    return when_read(
        call,
        [draft, &store = call.core.store(), clouds = call.request.by_link ? nullptr : call.clouds,
         look = looks ? std::optional{look} : std::nullopt] {
            json out = draft->finish(store);
            if (clouds != nullptr && out["status"] != "terminal") {
                const chess::Position here = *chess::Position::unpack(draft->position);
                const auto known = store.clouds(draft->position);
                const auto missing = clouds->missing(here, known, look);
                if (!missing.empty() && !look) {
                    out["clouds"] = missing;
                }
                add_clouds(out, here, known);
            }
            return json_response(out);
        },
        [draft] { return json_response(draft->without_store()); });
}

Answer get_history(Context&, const AnalysisRun& run) {
    return json_response(history_json(run));
}

std::optional<Second> second_asked_by(const Context& call, const AnalysisRun& run) {
    const EngineSlot* engine = second_engine_of(run, call.core.engines());
    if (engine == nullptr) {
        return std::nullopt;
    }
    const auto noise = call.core.graphs().noise_of(engine->id).value_or(analysis::Noise{});
    return Second{engine->id, engine->identity->name, analysis::reckoned_sigma(noise)};
}

Answer get_changes(Context& call, const AnalysisRun& run) {
    QueryReader query{call.request};
    const auto since = read_since(query);
    if (!since) {
        return std::unexpected(since.error());
    }
    const GraphKey key =
        run.awaited ? *run.awaited
        : run.slot != nullptr
            ? run.slot->key()
            : GraphKey{run.record.engine, {}, basis_of(run.record.limit, run.directives)};
    return Api::Later{[&store = call.core.store(), key, kept = run.has_graph(),
                       reader = reader_of(run), since = *since,
                       now = run.slot != nullptr ? run.slot->complete_until(call.core.complete())
                                                 : call.core.complete(),
                       tables = call.core.tables(), stop = call.request.unwanted.get_token(),
                       second = second_asked_by(call, run)] {
        const RunView& run = reader->run();
        const auto compare = [&](const analysis::Graph& graph, const GraphReading& reading) {
            json out =
                changes_json(store, key, graph, reading, run.root, run.repeated, since, now, stop,
                             analysis::strategy_of(run.spec.strategy.kind).has_anchor());
            out["second_opinions"] =
                kept ? second_says_json(run, reading, second, store, since) : json::array();
            return json_response(out);
        };
        return kept
                   ? compare(run.slot->graph(), reader->read())
                   : compare(read_graph(store, key, run.root, tables, stop), GraphReading{nullptr});
    }};
}

// What the store knows, whatever analysis it came from: evaluations, positions; and opening names.

Answer list_evaluations(Context& call) {
    QueryReader query{call.request};
    const auto place = finished(place_of(call, query), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    return when_read(
        call, [&store = call.core.store(), position = line_end(*place->run, place->line).position] {
            return json_response(evaluations_json(store, position));
        });
}

Answer get_position(Context& call) {
    QueryReader query{call.request};
    const auto position = read_fen(query);
    if (!position) {
        return std::unexpected(position.error());
    }
    return when_read(call, [&store = call.core.store(),
                            known = positions_json(call.core, *position), position = *position] {
        json out = known;
        out["evaluations"] = store.evaluations(position.packed()).size();
        return json_response(out);
    });
}

// {text} as the position that it means: {start_fen, moves, fen, opening}.
Answer read_position(Context& call) {
    return with_body(call, [](const JsonObject& reader) -> Answer {
        const auto text = reader.at("text").text(longest_pasted);
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        const auto root = read_root_text(*text, "text");
        if (!root) {
            return std::unexpected(root.error());
        }
        storage::AnalysisRecord record;
        record.root_moves = root->moves;
        const chess::Position end = root->start.after(root->moves);
        return json_response({{"start_fen", root->start.fen()},
                              {"moves", line_json(root->start, root->moves)},
                              {"fen", end.fen()},
                              {"opening", opening_json({record, {}, root->start, end}, {})}});
    });
}

Answer find_openings(Context& call) {
    QueryReader query{call.request};
    const std::string text = query.search("q").value_or("");
    const auto limit = query.integer("limit", 1, 200);
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    return json_response(
        {{"openings", search_openings(text, static_cast<std::size_t>(limit.value_or(20)))}});
}

// What an answer rests on, and work that is spent on that.

constexpr std::int64_t most_evaluations = 10'000;
constexpr std::int64_t most_nodes = 1'000'000'000'000'000;
constexpr std::uint64_t usual_evaluations = 8;

Answer get_verdict(Context& call) {
    QueryReader query{call.request};
    const auto place = finished_in_tree(place_of(call, query), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    const AnalysisRun& run = *place->run;
    const Verify* left = call.core.verifier().left(run.record.id);
    return seen(run, [line = place->line, surety = call.core.surety_of(run),
                      second = second_asked_by(call, run), &store = call.core.store(),
                      verifying = left == nullptr ? json{} : verifying_json(*left)](
                         const RunView& view, const GraphReading& reading) {
        json out = verdict_json(view, reading, line, surety, second, store);
        out["verifying"] = verifying;
        return out;
    });
}

// {moves?, evaluations? | nodes?}
Answer verify(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        std::vector<chess::Move> line;
        if (const auto moves = reader.find("moves"); moves.there()) {
            auto read = read_line(moves, run.root);
            if (!read) {
                return std::unexpected(read.error());
            }
            line = std::move(*read);
        }
        const auto evaluations = reader.find("evaluations").integer(1, most_evaluations);
        const auto nodes = reader.find("nodes").integer(1, most_nodes);
        if (evaluations && nodes) {
            reader.wrong("nodes", "one of evaluations and nodes at a time");
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        Verify work;
        if (nodes) {
            work.nodes = static_cast<std::uint64_t>(*nodes);
        } else {
            work.evaluations =
                evaluations ? static_cast<std::uint64_t>(*evaluations) : usual_evaluations;
        }
        return when_durable(
            call, call.core.verify(run.record.id, std::move(line), work).map([work](Core::Given) {
                return json_response(verifying_json(work));
            }));
    });
}

// What people look at: a position is searched deeper and deeper as long as they do.

constexpr std::int64_t most_from_queue = 1'024; // processes, as a profile may have

std::expected<const BoardSearch*, Error> look_of(const Context& call) {
    const auto run = run_of(call);
    if (!run) {
        return std::unexpected(run.error());
    }
    const auto id = call.path.integer("look");
    const BoardSearch* look =
        id ? call.core.long_searches().find((*run)->record.id, BoardSearchId{*id}) : nullptr;
    if (look == nullptr) {
        return refuse(ErrorCode::not_found,
                      "there is no look " + call.path.text("look") + " at this analysis", "look");
    }
    return look;
}

std::expected<BoardSearchPatch, Error> read_look(const JsonObject& reader, const AnalysisRun& run) {
    BoardSearchPatch patch;
    if (const auto moves = reader.find("moves"); moves.there()) {
        auto line = read_line(moves, run.root);
        if (!line) {
            return std::unexpected(line.error());
        }
        patch.line = std::move(*line);
    }
    const auto lines = reader.find("lines").integer(1, LongSearches::most_lines);
    const auto from_queue = reader.find("from_queue").integer(0, most_from_queue);
    const auto until_stopped = reader.find("until_stopped").boolean();
    if (auto done = http::finished(reader); !done) {
        return std::unexpected(done.error());
    }
    patch.lines = lines;
    patch.from_queue = from_queue;
    patch.until_stopped = until_stopped;
    return patch;
}

Answer list_looks(Context& call, const AnalysisRun& run) {
    json list = json::array();
    for (const BoardSearch* look : call.core.long_searches().of(run.record.id)) {
        list.push_back(look_json(call.core, *look));
    }
    return json_response({{"looks", std::move(list)}});
}

Answer post_look(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto read = read_look(reader, run);
        if (!read) {
            return std::unexpected(read.error());
        }
        const auto look = call.core.long_searches().begin(run, *read);
        if (!look) {
            return std::unexpected(to_http(look.error()));
        }
        Response response = json_response(look_json(call.core, **look), 201);
        response.headers["Location"] =
            call.request.path + "/" + std::to_string(static_cast<std::int64_t>((*look)->id));
        return response;
    });
}

Answer get_look(Context& call, const BoardSearch& look) {
    return json_response(look_json(call.core, look));
}

Answer patch_look(Context& call, const BoardSearch& found) {
    const AnalysisRun& run = *call.core.queue().find(found.analysis);
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto patch = read_look(reader, run);
        if (!patch) {
            return std::unexpected(patch.error());
        }
        const auto look = call.core.long_searches().change(run, found.id, *patch);
        if (!look) {
            return std::unexpected(to_http(look.error()));
        }
        return json_response(look_json(call.core, **look));
    });
}

Answer delete_look(Context& call, const BoardSearch& look) {
    call.core.long_searches().stop(look.id);
    return no_content();
}

// A handler of the look that {look} names.
template <Answer (*handler)(Context&, const BoardSearch&)>
Answer of_look(Context& call) {
    const auto look = look_of(call);
    return look ? handler(call, **look) : Answer{std::unexpected(look.error())};
}

constexpr std::array tree_calls{
    Call{Method::get, "/api/v1/analyses/{id}/node", get_node, true, by_link()},
    Call{Method::get, "/api/v1/analyses/{id}/tree", get_tree, true, by_link(large_call)},
    Call{Method::get, "/api/v1/analyses/{id}/gaps", get_gaps, true, large_call},
    Call{Method::post, "/api/v1/analyses/{id}/gaps/queue", of_run<queue_gaps>, false, json_body},
    Call{Method::get, "/api/v1/analyses/{id}/disagreements", get_disagreements, true,
         by_link(large_call)},
    Call{Method::get, "/api/v1/analyses/{id}/history", of_run<get_history>, false, by_link()},
    Call{Method::get, "/api/v1/analyses/{id}/changes", of_run<get_changes>, true,
         by_link(slow_call)},
    Call{Method::get, "/api/v1/analyses/{id}/export", get_export, true, by_link(slow_call)},
    Call{Method::get, "/api/v1/analyses/{id}/evaluations", list_evaluations, true},
    Call{Method::get, "/api/v1/positions", get_position, true},
    Call{Method::post, "/api/v1/positions", read_position, false, json_body},
    Call{Method::get, "/api/v1/openings", find_openings, true},
    Call{Method::get, "/api/v1/analyses/{id}/verdict", get_verdict, true, by_link(large_call)},
    Call{Method::post, "/api/v1/analyses/{id}/verify", of_run<verify>, false, json_body},
    Call{Method::get, "/api/v1/analyses/{id}/looks", of_run<list_looks>},
    Call{Method::post, "/api/v1/analyses/{id}/looks", of_run<post_look>, false, json_body},
    Call{Method::get, "/api/v1/analyses/{id}/looks/{look}", of_look<get_look>},
    Call{Method::patch, "/api/v1/analyses/{id}/looks/{look}", of_look<patch_look>, false,
         json_body},
    Call{Method::del, "/api/v1/analyses/{id}/looks/{look}", of_look<delete_look>},
};

} // namespace

std::span<const Call> calls_of_trees() {
    return tree_calls;
}

} // namespace adjourn::server
