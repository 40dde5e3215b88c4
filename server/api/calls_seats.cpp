// Seats: who wants a move in time says what to look at, and is told what is found (decision 106).
#include "api/call.hpp"
#include "api/request_parts.hpp"
#include "chess/notation.hpp"
#include "core/records/strategy_json.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <limits>

namespace adjourn::server {

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_of_a_position = 218; // no position has more moves

Error no_seat(const Context& call) {
    return {ErrorCode::not_found, "there is no seat " + call.path.text("seat"), "seat"};
}

std::expected<SeatWish, Error> read_wish(const JsonObject& reader) {
    auto root = read_root(reader.at("position").object());
    if (!root) {
        return std::unexpected(root.error());
    }
    SeatWish wish;
    wish.game = {root->start, root->moves, root->start.after(root->moves), "", {}};
    wish.limit = read_limit(reader.at("limit").object()).value_or(analysis::Limit{});
    wish.strategy = read_strategy(reader.find("strategy").object(),
                                  analysis::default_parameters(analysis::default_strategy));
    for (const JsonValue& item : reader.find("searchmoves").items(most_of_a_position)) {
        const auto move = chess::parse_uci(wish.game.position, item.text().value_or(""));
        if (!move) {
            return refuse(ErrorCode::illegal_move, item.path() + ": " + move.error().message,
                          item.path());
        }
        wish.searchmoves.push_back(*move);
    }
    wish.lines =
        static_cast<std::size_t>(reader.find("lines").integer(1, most_of_a_position).value_or(1));
    wish.nodes = reader.find("nodes").integer(1, most);
    wish.game_number = static_cast<std::uint64_t>(reader.find("game").integer(0, most).value_or(0));
    return wish;
}

// {number, engine?} looks at nothing, {number, hurry} has what there is; else what is looked at
// from now on.
Answer put_seat(Context& call) {
    const auto id = call.path.integer("seat");
    if (!id || *id <= 0) {
        return std::unexpected(no_seat(call));
    }
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto number = reader.at("number").integer(0, most);
        const auto engine = reader.find("engine").text().value_or("");
        const bool hurry = reader.find("hurry").boolean().value_or(false);
        std::optional<SeatWish> wish;
        if (reader.has("position")) {
            auto read = read_wish(reader);
            if (!read) {
                return std::unexpected(read.error());
            }
            wish = std::move(*read);
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        Seats& seats = call.core.seats();
        if (hurry) {
            seats.hurry(SeatId{*id}, *number);
            return no_content();
        }
        switch (seats.look(SeatId{*id}, engine, *number, std::move(wish))) {
        case Seats::Refusal::none: break;
        case Seats::Refusal::no_engine:
            return refuse(ErrorCode::unknown_engine,
                          "no engine is named '" + engine + "' in the config", "engine");
        case Seats::Refusal::too_many:
            return refuse(ErrorCode::conflict,
                          "there are " + std::to_string(Seats::most_at_once) + " seats already",
                          "");
        }
        return no_content();
    });
}

// Answered when there is another finding than that version, at the latest when the time is over.
Answer get_seat(Context& call) {
    QueryReader query{call.request};
    const auto after = query.integer("after", 0, most);
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    const auto id = call.path.integer("seat");
    if (!id || !call.core.seats().holds(SeatId{*id})) {
        return std::unexpected(no_seat(call));
    }
    const auto begin = [&](std::function<void(Response)> came) {
        const auto told = [id, came = std::move(came), gone = no_seat(call)](const Seat* seat) {
            if (seat == nullptr) {
                came(http::to_response(gone));
                return;
            }
            json out = finding_json(seat->finding, seat->wish.game.position);
            out["id"] = *id;
            out["engine"] = seat->engine;
            out["number"] = seat->number;
            out["version"] = seat->version;
            came(json_response(out));
        };
        call.core.seats().ask(SeatId{*id}, static_cast<std::uint64_t>(after.value_or(0)), told);
    };
    return when_came(call, std::chrono::milliseconds{Seats::patience}, "the server is stopping",
                     begin);
}

Answer delete_seat(Context& call) {
    const auto id = call.path.integer("seat");
    if (!id || !call.core.seats().holds(SeatId{*id})) {
        return std::unexpected(no_seat(call));
    }
    call.core.seats().close(SeatId{*id});
    return no_content();
}

constexpr bool has_query = true;

constexpr std::array seat_calls{
    Call{Method::put, "/api/v1/seats/{seat}", put_seat, false, json_body},
    // Asking keeps it: nobody who only reads does.
    Call{Method::get, "/api/v1/seats/{seat}", get_seat, has_query, for_full()},
    Call{Method::del, "/api/v1/seats/{seat}", delete_seat},
};

} // namespace

std::span<const Call> calls_of_seats() {
    return seat_calls;
}

} // namespace adjourn::server
