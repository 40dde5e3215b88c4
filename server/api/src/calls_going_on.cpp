// What goes on: the game, and the work of an analysis that has ended.
#include "api/views/view.hpp"
#include "call.hpp"
#include "place.hpp"
#include "request_parts.hpp"
#include "views/radar.hpp"

#include <array>

namespace adjourn::server {

namespace {

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
        chess::Position from = run.made_at;
        for (std::size_t i = 0; i + back < run.played.size(); ++i) {
            from.play(run.played[i]);
        }
        std::vector<chess::Move> moves;
        if (const auto given = reader.find("moves"); given.there()) {
            auto line = read_line(given, from);
            if (!line) {
                return std::unexpected(line.error());
            }
            moves = std::move(*line);
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        if (moves.empty() && back == 0) {
            return std::unexpected(
                Error{ErrorCode::bad_request, "moves or back is missing", "moves"});
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
            return std::unexpected(Error{
                ErrorCode::bad_request, "hours, levels, positions, nodes or until is missing", ""});
        }
        return shown(call, call.core.extend(run.record.id, *more));
    });
}

Answer radar(Context& call) {
    QueryReader query{call.request};
    const auto since = read_since(query);
    if (!since) {
        return std::unexpected(since.error());
    }
    const auto all = std::make_shared<Radar>(call.core, *since);
    return Api::Walk{
        [all](const TimeUp& time_up) -> std::expected<bool, Error> { return all->go_on(time_up); },
        [all] { return json_response(all->result()); }, [all] { return all->elsewhere(); }};
}

constexpr std::array going_on_calls{
    Call{Method::get, "/api/v1/radar", radar, true, slow_call},
    Call{Method::post, "/api/v1/analyses/{id}/advance", of_run<advance>, false, json_body},
    Call{Method::post, "/api/v1/analyses/{id}/extend", of_run<extend>, false, json_body},
};

} // namespace

std::span<const Call> calls_of_going_on() {
    return going_on_calls;
}

} // namespace adjourn::server
