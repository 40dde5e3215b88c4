// What the store knows, whatever analysis it came from: evaluations, positions; and opening names.
#include "api/views/view.hpp"
#include "call.hpp"
#include "core/records/value_json.hpp"
#include "files/openings/openings.hpp"
#include "place.hpp"
#include "request_parts.hpp"

namespace adjourn::server {

namespace {

Answer list_evaluations(Context& call) {
    QueryReader query{call.request};
    const auto place = finished(place_of(call, query), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    return when_read(
        call, [&store = call.core.store(), position = stand(*place->run, place->line).position] {
            return json_response(evaluations_json(store, position));
        });
}

Answer get_position(Context& call) {
    QueryReader query{call.request};
    const auto fen = query.required_text("fen");
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    const auto position = chess::Position::from_fen(*fen);
    if (!position) {
        return std::unexpected(fen_error(position.error(), "query.fen"));
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

constexpr std::array fact_calls{
    Call{Method::get, "/api/v1/analyses/{id}/evaluations", list_evaluations, true},
    Call{Method::get, "/api/v1/positions", get_position, true},
    Call{Method::post, "/api/v1/positions", read_position, false, json_body},
    Call{Method::get, "/api/v1/openings", find_openings, true},
};

} // namespace

std::span<const Call> calls_of_facts() {
    return fact_calls;
}

} // namespace adjourn::server
