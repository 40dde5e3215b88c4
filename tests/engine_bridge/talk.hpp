// Talk: a session and a script: what the engine says, what is expected of the session.
#pragma once

#include "chess/notation.hpp"
#include "engine_bridge/process/session.hpp"

#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::engine_bridge {

class Talk {
public:
    using Lines = std::vector<std::string>;
    using Seconds = std::chrono::duration<double>;

    explicit Talk(Profile profile = {"engine", {"engine"}, {}, 1, false}, Timeouts timeouts = {});

    // The lines the session wants to send now.
    Lines sent() { return session.take_commands(); }
    Talk& say(std::string_view line);
    Talk& say(std::initializer_list<std::string_view> lines);
    // Lets time pass. A deadline that comes meanwhile is kept.
    Talk& wait(Seconds time);
    // The deadline, in seconds from now.
    std::optional<double> deadline() const;

    // From start to idle, with an engine that has these options ("NAME type …").
    Talk& shake_hands(std::initializer_list<std::string_view> options = {
                          "UCI_Chess960 type check default false"});
    // go; the position and go lines are taken.
    Talk& go(std::string_view fen, chess::Limit limit = {chess::Limit::Kind::depth, 10},
             const std::vector<const char*>& searchmoves = {});

    // The engine answers the isready that follows a bestmove; if the answer was doubtful nothing
    // more comes. Commands are dropped.
    Talk& confirm();
    // The report, which must be of that kind (else the test fails). A search's is confirmed first.
    Result result();
    Answer answer();
    Failure failure();
    Session::Lost lost();
    Identity identity();
    bool quiet() { return !session.take_report(); }

    Session session;

private:
    Session::Time now_{std::chrono::hours{1}};
};

inline constexpr std::string_view start_fen =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

std::string uci_text(const std::vector<chess::Move>& moves, std::string_view fen = start_fen);

} // namespace adjourn::engine_bridge
