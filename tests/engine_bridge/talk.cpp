#include "talk.hpp"
#include "test.hpp"

namespace adjourn::engine_bridge {

Talk::Talk(Profile profile, Timeouts timeouts) : session{profile, timeouts} {}

Talk& Talk::say(std::string_view line) {
    session.line(line, now_);
    return *this;
}

Talk& Talk::say(std::initializer_list<std::string_view> lines) {
    for (const std::string_view line : lines) {
        say(line);
    }
    return *this;
}

Talk& Talk::wait(Seconds time) {
    now_ += duration_cast<Session::Time::duration>(time);
    session.time(now_);
    return *this;
}

std::optional<double> Talk::deadline() const {
    const auto deadline = session.deadline();
    return deadline ? std::optional{Seconds{*deadline - now_}.count()} : std::nullopt;
}

Talk& Talk::shake_hands(std::initializer_list<std::string_view> options) {
    session.start(now_);
    say({"id name Talker 1", "id author nobody"});
    for (const std::string_view option : options) {
        say("option name " + std::string{option});
    }
    say("uciok").say("readyok");
    REQUIRE(session.state() == Session::State::idle);
    sent();
    identity();
    return *this;
}

Talk& Talk::go(std::string_view fen, chess::Limit limit,
               const std::vector<const char*>& searchmoves) {
    Search search{chess::Position::from_fen(fen).value(), limit, {}};
    for (const char* const text : searchmoves) {
        search.searchmoves.push_back(parse_uci(search.position, text).value());
    }
    session.go(std::move(search), now_);
    return *this;
}

Talk& Talk::confirm() {
    while (session.state() == Session::State::confirming) {
        say("readyok");
        sent();
    }
    if (session.state() == Session::State::clearing) {
        now_ = *session.deadline();
        session.time(now_);
    }
    return *this;
}

namespace {

template <class Kind>
Kind taken(Session& session) {
    auto report = session.take_report();
    REQUIRE(report);
    REQUIRE(std::holds_alternative<Kind>(*report));
    return std::get<Kind>(std::move(*report));
}

} // namespace

Result Talk::result() {
    confirm();
    return taken<Result>(session);
}

Answer Talk::answer() {
    Result found = result();
    if (!found) {
        FAIL("failed: " << found.error().reason);
    }
    return *found;
}

Failure Talk::failure() {
    const Result found = result();
    REQUIRE_FALSE(found);
    return found.error();
}

Session::Lost Talk::lost() {
    return taken<Session::Lost>(session);
}

Identity Talk::identity() {
    return taken<Identity>(session);
}

std::string uci_text(const std::vector<chess::Move>& moves, std::string_view fen) {
    chess::Position at = chess::Position::from_fen(fen).value();
    std::string text;
    for (const chess::Move move : moves) {
        text += (text.empty() ? "" : " ") + to_uci(at, move);
        at.play(move);
    }
    return text;
}

} // namespace adjourn::engine_bridge
