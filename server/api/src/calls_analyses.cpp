// The queue: analyses are made, listed, shown, changed, deleted, and directed.
#include "analysis/strategy.hpp"
#include "api/views/view.hpp"
#include "api/work_errors.hpp"
#include "base/text.hpp"
#include "call.hpp"
#include "chess/chess960.hpp"
#include "chess/notation.hpp"
#include "core/records/strategy_json.hpp"
#include "files/openings/openings.hpp"
#include "new_analysis.hpp"
#include "place.hpp"
#include "request_parts.hpp"
#include "views/directives.hpp"

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

// Such a name is none.
bool is_blank(const std::optional<std::string>& name) {
    return !name || base::trimmed(*name).empty();
}

// Fields that POST and PATCH share; absent ones stay empty. The body's reader remembers what is
// wrong.
AnalysisPatch read_common(const JsonObject& reader, const AnalysisSpec& base) {
    AnalysisPatch patch{read_spec(reader, base), {}, {}, {}, {}, {}};
    patch.name = reader.find("name").text();
    if (patch.name && base::has_control_characters(*patch.name)) {
        reader.wrong("name", "name must have no control characters");
    }
    patch.hold = reader.find("hold").boolean();
    if (const auto priority = reader.find("priority")
                                  .integer(static_cast<std::int64_t>(priority_field.least),
                                           static_cast<std::int64_t>(priority_field.most))) {
        patch.priority = static_cast<int>(*priority);
    }
    if (const auto limit = reader.find("limit"); limit.there()) {
        patch.limit = read_limit(limit.object());
    }
    return patch;
}

} // namespace

std::expected<NewAnalysis, Error> read_new_analysis(const JsonObject& reader) {
    auto root = read_root(reader.at("position").object());
    if (!root) {
        return std::unexpected(root.error());
    }
    const auto engine = reader.find("engine").text();
    AnalysisSpec usual;
    const AnalysisPatch common = read_common(reader, usual);
    if (auto done = http::finished(reader); !done) {
        return std::unexpected(done.error());
    }
    if (!common.limit) {
        return std::unexpected(Error{ErrorCode::bad_request,
                                     "limit is missing: depth, nodes or movetime_ms", "limit"});
    }
    apply(common, usual);
    return NewAnalysis{is_blank(common.name) ? default_name(*root) : *common.name,
                       root->start,
                       root->moves,
                       engine.value_or(""),
                       *common.limit,
                       std::move(usual),
                       common.priority.value_or(0),
                       common.hold.value_or(false)};
}

namespace {

Answer list_analyses(Context& call) {
    json list = json::array();
    for (const auto& run : call.core.queue().runs()) {
        list.push_back(analysis_json(call.core, *run));
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

Answer post_analysis(Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        auto wanted = read_new_analysis(reader);
        if (!wanted) {
            return std::unexpected(wanted.error());
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
        AnalysisPatch patch = read_common(reader, run.spec);
        if (patch.name && is_blank(patch.name)) {
            patch.name = default_name({run.start, run.moves_before()});
        }
        patch.accept_also =
            reader.find("accept_also").texts(most_accepted).value_or(std::vector<std::string>{});
        patch.rank = reader.find("rank").number(rank_field.least, rank_field.most);
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
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
        chess::Position from = run.made_at;
        for (std::size_t i = 0; i + back < run.played.size(); ++i) {
            from.play(run.played[i]);
        }
        auto line = read_line(moves, from);
        if (!line) {
            return std::unexpected(line.error());
        }
        std::string text;
        if (word == "note") {
            auto note = reader.at("text").text(longest_note);
            if (!note) {
                return refused(reader);
            }
            if (note->empty()) {
                return std::unexpected(
                    Error{ErrorCode::bad_value, "text must not be empty", "text"});
            }
            text = std::move(*note);
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
    const auto list = std::make_shared<DirectivesList>(call.core, run);
    const auto look = [&core = call.core, id = run.record.id,
                       list](const TimeUp& time_up) -> std::expected<bool, Error> {
        const AnalysisRun* now = core.queue().find(id);
        if (now == nullptr) {
            return std::unexpected(
                Error{ErrorCode::not_found, "the analysis was deleted while it was read", "id"});
        }
        return list->go_on(*now, time_up);
    };
    return Api::Walk{
        look, [list, &store = call.core.store()] { return json_response(list->result(store)); }};
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
};

} // namespace

std::span<const Call> calls_of_analyses() {
    return analysis_calls;
}

} // namespace adjourn::server
