// The queue: analyses are made, listed, shown, changed, deleted, and directed.
#include "analysis/strategy.hpp"
#include "api/call.hpp"
#include "api/definition.hpp"
#include "api/request_parts.hpp"
#include "api/views/changes.hpp"
#include "api/views/view.hpp"
#include "base/text.hpp"
#include "chess/game_edit.hpp"
#include "chess/notation.hpp"
#include "chess/pgn_writer.hpp"
#include "chess/position.hpp"
#include "core/records/strategy_json.hpp"
#include "files/openings/openings.hpp"

#include <nlohmann/json.hpp>

#include <array>

namespace adjourn::server {

namespace {

constexpr std::size_t longest_note = 10'000;

// "Ruy Lopez", else the moves, else the start position by its Chess960 number or its FEN.
std::string default_name(const RootSpec& root) {
    storage::AnalysisRecord record;
    record.root_moves = root.moves;
    const AnalysisRun run{record, {}, root.start, root.start};
    const json opening = opening_json(run, {});
    if (opening.is_object()) {
        return opening["name"].get<std::string>();
    }
    if (!root.moves.empty()) {
        return chess::to_san_line(root.start, root.moves).substr(0, base::usual_text);
    }
    if (root.start == chess::Position::initial()) {
        return "Start position";
    }
    const auto number = chess::chess960_number(root.start);
    return number ? "Chess960 position " + std::to_string(*number) : root.start.fen();
}

// So many plies of the game before the root.
chess::Position before(const AnalysisRun& run, std::size_t back) {
    chess::Position at = run.made_at;
    for (std::size_t i = 0; i + back < run.played.size(); ++i) {
        at.play(run.played[i]);
    }
    return at;
}

// Such a name is none.
bool is_blank(const std::optional<std::string>& name) {
    return !name || base::trimmed(*name).empty();
}

// A second engine is one that there is.
std::optional<Error> wrong_second(const Context& call, const std::string& name) {
    return name.empty() || call.core.engines().named(name) != nullptr
               ? std::nullopt
               : std::optional{Error{ErrorCode::unknown_engine,
                                     "no engine is named '" + name + "' in the config",
                                     "second_engine"}};
}

Answer list_analyses(Context& call) {
    json list = json::array();
    for (const auto& run : call.core.queue().runs()) {
        if (!run->transient) {
            list.push_back(analysis_json(call.core, *run));
        }
    }
    return json_response({{"analyses", std::move(list)}});
}

Answer get_analysis(Context& call, const AnalysisRun& run) {
    const json all = analysis_json(call.core, run);
    return json_response(call.request.by_link ? shown_by_link(all) : all);
}

Answer delete_analysis(Context& call, const AnalysisRun& run) {
    return when_durable(call, call.core.remove(run.record.id).map([](analysis::AnalysisId) {
        return no_content();
    }));
}

// The body of POST analyses.
std::expected<NewAnalysis, Error> read_new_analysis(const JsonObject& reader) {
    auto root = read_root(reader.at("position").object());
    if (!root) {
        return std::unexpected(root.error());
    }
    AnalysisSpec spec;
    storage::AnalysisRecord record;
    const AnalysisPatch given = read_settings(reader, SettingsOf::post, spec);
    if (auto done = http::finished(reader); !done) {
        return std::unexpected(done.error());
    }
    if (!given.limit) {
        return refuse(ErrorCode::bad_request, "limit is missing: depth, nodes or movetime_ms",
                      "limit");
    }
    apply(given, record, spec);
    return NewAnalysis{is_blank(given.name) ? default_name(*root) : record.name,
                       root->start,
                       root->moves,
                       record.profile,
                       record.limit,
                       std::move(spec),
                       record.priority,
                       given.hold.value_or(false)};
}

Answer post_analysis(Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        auto wanted = read_new_analysis(reader);
        if (!wanted) {
            return std::unexpected(wanted.error());
        }
        if (auto wrong = wrong_second(call, wanted->spec.second_engine)) {
            return std::unexpected(std::move(*wrong));
        }
        return when_durable(
            call, call.core.create(std::move(*wanted)).map([](analysis::AnalysisId id) {
                const std::string number = std::to_string(static_cast<std::int64_t>(id));
                Response response = json_response({{"id", static_cast<std::int64_t>(id)}}, 201);
                response.headers["Location"] = "/api/v1/analyses/" + number;
                return response;
            }));
    });
}

Answer patch_analysis(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        AnalysisPatch patch = read_settings(reader, SettingsOf::patch, run.spec);
        if (patch.name && is_blank(patch.name)) {
            patch.name = default_name({run.start, run.moves_before()});
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        if (auto wrong = wrong_second(call, patch.second_engine.value_or(""))) {
            return std::unexpected(std::move(*wrong));
        }
        return when_durable(call, call.core.change(run.record.id, std::move(patch))
                                      .map([&core = call.core](analysis::AnalysisId id) {
                                          return json_response(
                                              analysis_json(core, *core.queue().find(id)), 200);
                                      }));
    });
}

Answer post_directive(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto moves = reader.at("moves");
        const auto action = reader.at("action").choice(action_names());
        if (!action) {
            return refused(reader);
        }
        const std::string word{action_names()[*action]};
        // What was said before the game went another way is taken back where it was said.
        const auto plies =
            word != "retract"
                ? std::nullopt
                : reader.find("back").integer(0, static_cast<std::int64_t>(run.played.size()));
        if (!reader.problems().empty()) {
            return refused(reader);
        }
        const auto back = static_cast<std::size_t>(plies.value_or(0));
        auto line = read_line(moves, before(run, back));
        if (!line) {
            return std::unexpected(line.error());
        }
        std::string text;
        if (word == "note") {
            const auto given = reader.at("text");
            text = given.text(longest_note).value_or("");
            if (given.is_text() && text.empty() && reader.problems().empty()) {
                given.wrong("text must not be empty");
            }
        } else if (word == "deepen") {
            text = std::to_string(reader.find("plies").integer(1, 100).value_or(2));
        } else if (word == "retract") {
            text = std::to_string(reader.at("at").integer(0, 100'000'000'000'000).value_or(0));
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        return when_durable(
            call, call.core.direct(run.record.id, std::move(*line), word, std::move(text), back)
                      .map([](Core::Given given) {
                          return json_response({{"id", given.id}, {"at", given.at}}, 201);
                      }));
    });
}

// What it says of an analysis without a tree has no effect yet.
Answer list_directives(Context& call, const AnalysisRun& run) {
    return Api::Later{[reader = reader_of(run), searched = searched_now(call.core, run),
                       &store = call.core.store()] {
        return json_response(directives_json(*reader, searched, store));
    }};
}

// One that does not lie below the root begins where the analysis was made, `back` plies before.
json note_json(const AnalysisRun& run, const Directive& note) {
    const auto below = run.from_root(note.line);
    json out{{"at", note.at},
             {"line", below ? line_json(run.root, *below) : line_json(run.made_at, note.line)},
             {"text", std::get<Note>(note.action).text}};
    if (!below) {
        out["back"] = run.played.size();
    }
    return out;
}

// Notes that have all words of `search`, the oldest first.
Answer list_notes(Context& call) {
    QueryReader query{call.request};
    const std::string wanted = base::lower_case(query.search("search").value_or(""));
    const auto run = run_of(call);
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    if (!run) {
        return std::unexpected(run.error());
    }
    json list = json::array();
    for (const Directive* said : notes_of((*run)->directives)) {
        const std::string& text = std::get<Note>(said->action).text;
        const std::string there = base::lower_case(text);
        bool all = true;
        base::for_each_element(wanted, ' ', [&](std::string_view word) {
            all = all && there.find(word) != std::string::npos;
        });
        if (all) {
            list.push_back(note_json(**run, *said));
        }
    }
    return json_response({{"notes", std::move(list)}});
}

// What people change in the games of a file, and taking it back. A change is made of the version
// that is there, and written only if nobody has written another one meanwhile.

using chess::GameTree;

constexpr std::size_t longest_comment = 100'000; // bytes, of what an edit says
constexpr std::size_t longest_path = 20'000;     // numbers of moves, with dots
constexpr std::size_t most_marks = 100;

// The game's moves as an edit at a node leaves them, and the line to what it is about then.
struct Edited {
    std::vector<chess::GameToken> moves;
    std::vector<chess::Move> shown;
};
using EditGame = std::function<std::expected<Edited, Error>(const GameTree&, GameTree::Node)>;
using EditNode = std::function<chess::EditResult(const GameTree&, GameTree::Node)>;

std::expected<Edited, Error> edited(chess::EditResult edit, std::vector<chess::Move> shown) {
    if (!edit) {
        return refuse(ErrorCode::conflict, edit.error(), "path");
    }
    return Edited{std::move(*edit), std::move(shown)};
}

EditGame at_node(EditNode edit) {
    return [edit = std::move(edit)](const GameTree& tree, GameTree::Node node) {
        return edited(edit(tree, node), tree.moves_to(node));
    };
}

EditGame read_move_edit(const JsonObject& reader) {
    const std::string text = reader.at("move").text().value_or("");
    return [text](const GameTree& tree, GameTree::Node node) -> std::expected<Edited, Error> {
        auto line = parse_line_at(text, tree.position(node), "move");
        if (!line) {
            return std::unexpected(line.error());
        }
        if (line->size() != 1) {
            return refuse(ErrorCode::bad_value, "move must be one move", "move");
        }
        std::vector<chess::Move> shown = tree.moves_to(node);
        shown.push_back(line->front());
        return tree.child(node, line->front())
                   ? Edited{tree.game().moves, std::move(shown)} // it is there
                   : edited(add_move(tree, node, line->front()), std::move(shown));
    };
}

EditGame read_delete(const JsonObject&) {
    return [](const GameTree& tree, GameTree::Node node) {
        std::vector<chess::Move> shown = tree.moves_to(node);
        if (!shown.empty()) {
            shown.pop_back();
        }
        return edited(delete_move(tree, node), std::move(shown));
    };
}

template <auto edit>
EditGame read_plain(const JsonObject&) {
    return at_node([](const GameTree& tree, GameTree::Node node) { return edit(tree, node); });
}

template <auto edit>
EditGame read_nag(const JsonObject& reader) {
    const auto nag = static_cast<std::uint8_t>(reader.at("nag").integer(0, 255).value_or(0));
    return at_node(
        [nag](const GameTree& tree, GameTree::Node node) { return edit(tree, node, nag); });
}

template <chess::CommentPlace place>
EditGame read_comment(const JsonObject& reader) {
    const std::string text = reader.at("text").text(longest_comment).value_or("");
    return at_node([text](const GameTree& tree, GameTree::Node node) {
        return set_comment(tree, node, place, text);
    });
}

EditGame read_marks(const JsonObject& reader) {
    std::vector<chess::BoardMark> marks;
    for (const JsonValue& item : reader.at("marks").items(most_marks)) {
        const auto mark = mark_of(item.text().value_or(""));
        if (!mark) {
            item.wrong(item.path() + " must be a circle like Gd4 or an arrow like Ge2e4, in G, R, "
                                     "Y or B");
            break;
        }
        marks.push_back(*mark);
    }
    return at_node([marks](const GameTree& tree, GameTree::Node node) {
        return set_marks(tree, node, marks);
    });
}

struct EditAction {
    std::string_view name;
    EditGame (*read)(const JsonObject& reader);
};
constexpr std::array edit_actions{
    EditAction{"move", read_move_edit},
    EditAction{"delete", read_delete},
    EditAction{"promote", read_plain<chess::promote>},
    EditAction{"main", read_plain<chess::make_main_line>},
    EditAction{"nag", read_nag<chess::set_nag>},
    EditAction{"clear_nag", read_nag<chess::clear_nag>},
    EditAction{"comment", read_comment<chess::CommentPlace::behind>},
    EditAction{"comment_before", read_comment<chess::CommentPlace::before>},
    EditAction{"marks", read_marks},
};

struct EditWish {
    std::int64_t game = 0;
    std::optional<std::int64_t> version; // that was looked at; none: whichever is the last
    std::string path;
    EditGame edit;
};

// What it writes, null where nothing changes, and the answer.
struct EditDone {
    std::optional<storage::FileChange> change;
    Response response;
};

std::expected<EditDone, Error> carry_out(const KeptFile& file, const EditWish& wish,
                                         analysis::UnixMs at) {
    const auto* version = file.game(wish.game);
    auto game = version == nullptr ? std::nullopt : game_of(version->text);
    if (!game) {
        return std::unexpected(no_game(wish.game, "game"));
    }
    if (wish.version && *wish.version != version->version) {
        return refuse(ErrorCode::conflict,
                      "somebody has changed the game: it is at version " +
                          std::to_string(version->version) + ", look again",
                      "version");
    }
    Edited made;
    {
        const GameTree tree{*game};
        const auto node = node_at(tree, wish.path);
        if (!node) {
            return refuse(ErrorCode::bad_value, "path leads to no move of the game", "path");
        }
        auto edit = wish.edit(tree, *node);
        if (!edit) {
            return std::unexpected(edit.error());
        }
        made = std::move(*edit);
    }
    EditDone done;
    storage::FileRecord shown = *version;
    if (made.moves != game->moves) {
        game->moves = std::move(made.moves);
        done.change = file.with_game(wish.game, chess::to_pgn(*game), at);
        shown = done.change->rows.front();
    }
    json out = game_json(shown);
    const GameTree tree{*game};
    const auto node = tree.find(std::span<const chess::Move>{made.shown});
    out["path"] = path_text(tree, node.value_or(GameTree::start));
    done.response = json_response(out);
    return done;
}

Answer edit_game(Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto place = file_place(call);
        if (!place) {
            return std::unexpected(place.error());
        }
        std::vector<std::string_view> names;
        for (const EditAction& action : edit_actions) {
            names.push_back(action.name);
        }
        EditWish wish;
        wish.game = reader.at("game").integer(1, most_number).value_or(0);
        wish.version = reader.find("version").integer(1, most_number);
        wish.path = reader.find("path").text(longest_path).value_or("");
        if (const auto action = reader.at("action").choice(names)) {
            wish.edit = edit_actions[*action].read(reader);
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        return when_changed(call,
                            [&core = call.core, place = *place, wish = std::move(wish),
                             at = call.core.now()]() -> std::expected<Change, Response> {
                                const auto file = place.read();
                                auto done = file ? carry_out(*file, wish, at)
                                                 : std::unexpected(file.error());
                                if (!done || !done->change) {
                                    return std::unexpected(done ? std::move(done->response)
                                                                : http::to_response(done.error()));
                                }
                                return [&core, id = place.analysis, done = std::move(*done)] {
                                    return core.keep(id, *done.change).map([done](std::int64_t) {
                                        return done.response;
                                    });
                                };
                            });
    });
}

Answer undo(Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto place = file_place(call);
        if (!place) {
            return std::unexpected(place.error());
        }
        const auto game = reader.find("game").integer(1, most_number);
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        return when_changed(
            call,
            [&core = call.core, place = *place, number = game.value_or(0),
             at = call.core.now()]() -> std::expected<Change, Response> {
                const auto file = place.read(number == 0);
                if (!file) {
                    return std::unexpected(http::to_response(file.error()));
                }
                auto change = file->undone(number, at);
                if (!change) {
                    return std::unexpected(
                        http::to_response({ErrorCode::conflict, change.error(), "game"}));
                }
                return [&core, id = place.analysis, change = std::move(*change)] {
                    return core.keep(id, change).map([row = change.rows.front()](std::int64_t) {
                        return json_response(row.number == 0
                                                 ? json{{"id", row.file}, {"name", row.text}}
                                                 : game_json(row));
                    });
                };
            });
    });
}

// What goes on: the game, and the work of an analysis that has ended.

constexpr std::int64_t longest_game = 2'000; // plies

Answer shown(const Context& call, const Pending<analysis::AnalysisId>& change) {
    return when_durable(call, change.map([&core = call.core](analysis::AnalysisId id) {
        return json_response(analysis_json(core, *core.queue().find(id)));
    }));
}

// {back?, moves?}: the last moves of the game are taken back, then it goes on by others.
Answer advance(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto back =
            static_cast<std::size_t>(reader.find("back").integer(1, longest_game).value_or(0));
        if (back > run.played.size()) {
            reader.wrong("back", "the game went on by " + std::to_string(run.played.size()) +
                                     " plies since the analysis was made");
        }
        if (!reader.problems().empty()) {
            return refused(reader);
        }
        std::vector<chess::Move> moves;
        if (const auto given = reader.find("moves"); given.there()) {
            auto line = read_line(given, before(run, back));
            if (!line) {
                return std::unexpected(line.error());
            }
            moves = std::move(*line);
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        if (moves.empty() && back == 0) {
            return refuse(ErrorCode::bad_request, "moves or back is missing", "moves");
        }
        return shown(call, call.core.advance(run.record.id, back, std::move(moves)));
    });
}

struct MoreField {
    const char* name;
    Extension::Kind kind;
    double least;
    double most;
};
constexpr std::array<MoreField, 5> more_fields{{{"hours", Extension::Kind::hours, 0.001, 100'000},
                                                {"levels", Extension::Kind::levels, 1, 200},
                                                {"positions", Extension::Kind::positions, 1, 1e9},
                                                {"nodes", Extension::Kind::nodes, 1, 1e15},
                                                {"until", Extension::Kind::until, 1, 1e14}}};

// Exactly one of them.
Answer extend(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        std::optional<Extension> more;
        for (const MoreField& field : more_fields) {
            const auto value = reader.find(field.name);
            const auto whole = [&]() -> std::optional<double> {
                const auto number = value.integer(static_cast<std::int64_t>(field.least),
                                                  static_cast<std::int64_t>(field.most));
                return number ? std::optional{static_cast<double>(*number)} : std::nullopt;
            };
            const auto amount = field.kind == Extension::Kind::hours
                                    ? value.number(field.least, field.most)
                                    : whole();
            if (amount && more) {
                reader.wrong(field.name,
                             "one of hours, levels, positions, nodes and until at a time");
            } else if (amount) {
                more = Extension{field.kind, *amount};
            }
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        if (!more) {
            return refuse(ErrorCode::bad_request,
                          "hours, levels, positions, nodes or until is missing", "");
        }
        return shown(call, call.core.extend(run.record.id, *more));
    });
}

// {engine, hours?}: it goes on with that engine.
Answer renew(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto engine = reader.at("engine").text();
        const auto hours = reader.find("hours").number(0.001, 100'000);
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        std::optional<analysis::UnixMs> until;
        if (hours) {
            until = call.core.now() + static_cast<analysis::UnixMs>(*hours * 3'600'000);
        }
        return shown(call, call.core.renew(run.record.id, *engine, until));
    });
}

Answer renewal(Context&, const AnalysisRun& run) {
    nlohmann::json told = renewal_json(run);
    if (told.is_null()) {
        return std::unexpected(Error{ErrorCode::not_found, "no other engine has taken over", ""});
    }
    return json_response(told);
}

Answer radar(Context& call) {
    QueryReader query{call.request};
    const auto since = read_since(query);
    if (!since) {
        return std::unexpected(since.error());
    }
    const auto all = std::make_shared<Radar>(call.core, *since, false);
    return Api::Later{
        [all, stop = call.request.unwanted.get_token()] { return json_response(all->look(stop)); }};
}

constexpr std::array analysis_calls{
    Call{Method::get, "/api/v1/analyses", list_analyses},
    Call{Method::post, "/api/v1/analyses", post_analysis, false, json_body},
    Call{Method::get, "/api/v1/analyses/{id}", of_run<get_analysis>, false, by_link()},
    Call{Method::patch, "/api/v1/analyses/{id}", of_run<patch_analysis>, false, json_body},
    Call{Method::del, "/api/v1/analyses/{id}", of_run<delete_analysis>},
    Call{Method::get, "/api/v1/analyses/{id}/notes", list_notes, true, by_link()},
    Call{Method::get, "/api/v1/analyses/{id}/directives", of_run<list_directives>, false,
         slow_call},
    Call{Method::post, "/api/v1/analyses/{id}/directives", of_run<post_directive>, false,
         json_body},
    Call{Method::post, "/api/v1/analyses/{id}/files/{file}/edits", edit_game, false, json_body},
    Call{Method::post, "/api/v1/analyses/{id}/files/{file}/undo", undo, false, json_body},
    Call{Method::get, "/api/v1/radar", radar, true, slow_call},
    Call{Method::post, "/api/v1/analyses/{id}/advance", of_run<advance>, false, json_body},
    Call{Method::post, "/api/v1/analyses/{id}/extend", of_run<extend>, false, json_body},
    Call{Method::get, "/api/v1/analyses/{id}/renew", of_run<renewal>},
    Call{Method::post, "/api/v1/analyses/{id}/renew", of_run<renew>, false, json_body},
};

} // namespace

std::span<const Call> calls_of_analyses() {
    return analysis_calls;
}

std::optional<AnalysisDefinition> wanted_definition(const json& body,
                                                    const std::string& default_engine) {
    const auto wanted = read_new_analysis(JsonObject{body, base::JsonPolicy::strict});
    if (!wanted) {
        return std::nullopt;
    }
    return AnalysisDefinition{wanted->start.fen(), wanted->moves,
                              wanted->engine.empty() ? default_engine : wanted->engine,
                              wanted->limit, defining(wanted->spec)};
}

std::optional<AnalysisDefinition> shown_definition(const json& analysis) {
    const auto limit = analysis.is_object() && analysis.contains("limit")
                           ? parse_limit_json(analysis["limit"])
                           : std::nullopt;
    if (!limit || !analysis.contains("engine") || !analysis["engine"].is_string()) {
        return std::nullopt;
    }
    const json position{{"fen", analysis.value("start_fen", "")},
                        {"moves", analysis.value("moves", json::array())}};
    const auto root = read_root(JsonObject{position, base::JsonPolicy::strict});
    if (!root) {
        return std::nullopt;
    }
    return AnalysisDefinition{root->start.fen(), root->moves, analysis["engine"], *limit,
                              defining(parse_spec(analysis.dump()))};
}

} // namespace adjourn::server
