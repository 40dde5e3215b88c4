// FakeClouds: chessdb.cn and lichess on one address, by their published descriptions
// (https://www.chessdb.cn/cloudbookc_api_en.html, https://lichess.org/api#tag/Analysis). They know
// every position but those that they are told not to know, and score moves by their place among the
// legal ones.
#pragma once

#include "chess/notation.hpp"
#include "http/requests/target.hpp"
#include "webhook_sink.hpp"

#include <nlohmann/json.hpp>

#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace adjourn::server {

class FakeClouds {
public:
    using Answer = std::pair<std::string, std::string>; // head and body
    static constexpr const char* ok = "HTTP/1.1 200 OK";

    // Of the n-th legal move, from 0, for the side to move.
    static int chessdb_cp(std::size_t n) { return 30 - 10 * static_cast<int>(n); }
    static int lichess_cp(std::size_t n) { return 25 - 5 * static_cast<int>(n); }

    // As the configuration names it.
    std::string address(const std::string& name) const { return name + "=" + sink_.url(""); }
    std::vector<WebhookSink::Letter> wait_for(std::size_t count) { return sink_.wait_for(count); }
    std::size_t requests() { return sink_.letters().size(); }
    // The next request gets that instead.
    void say(const std::string& head, const std::string& body) {
        const std::lock_guard lock{mutex_};
        said_.emplace_back(head, body);
    }
    void forget(const std::string& fen) {
        const std::lock_guard lock{mutex_};
        unknown_.insert(fen);
    }

    // What they say of a position.
    static std::string chessdb(const chess::Position& position) {
        nlohmann::json moves = nlohmann::json::array();
        std::size_t n = 0;
        for (const chess::Move move : position.legal_moves()) {
            const int rank = n == 0 ? 2 : n < 3 ? 1 : 0;
            const char* const notes[] = {"? (20-00)", "* (20-04)", "! (20-01)"};
            moves.push_back({{"uci", chess::to_uci(position, move)},
                             {"san", chess::to_san(position, move)},
                             {"score", chessdb_cp(n++)},
                             {"rank", rank},
                             {"note", notes[rank]},
                             {"winrate", "50.10"}});
        }
        return nlohmann::json{{"status", "ok"}, {"moves", moves}, {"ply", 1}}.dump();
    }
    static std::string lichess(const chess::Position& position, std::size_t lines) {
        const bool white = position.turn() == chess::Color::white;
        nlohmann::json pvs = nlohmann::json::array();
        for (const chess::Move move : position.legal_moves()) {
            const std::size_t n = pvs.size();
            if (n < lines) {
                pvs.push_back(
                    {{"moves", chess::to_uci(position, move, chess::CastlingStyle::king_rook)},
                     {"cp", white ? lichess_cp(n) : -lichess_cp(n)}});
            }
        }
        return nlohmann::json{
            {"fen", position.fen()}, {"knodes", 106'325}, {"depth", 48}, {"pvs", pvs}}
            .dump();
    }

private:
    Answer answer(const WebhookSink::Letter& letter) {
        const std::lock_guard lock{mutex_};
        if (!said_.empty()) {
            Answer answer = said_.front();
            said_.pop_front();
            return answer;
        }
        const std::size_t begin = letter.line.find(' ') + 1;
        const auto target =
            http::parse_target(letter.line.substr(begin, letter.line.rfind(' ') - begin));
        if (!letter.line.starts_with("GET ") || !target) {
            return {"HTTP/1.1 400 Bad Request", "{}"};
        }
        const auto asked = [&](const char* name) -> std::string {
            for (const auto& [key, value] : target->query) {
                if (key == name) {
                    return value;
                }
            }
            return "";
        };
        if (target->path == "/cdb.php" && asked("action") == "queryall" && asked("json") == "1") {
            const std::string fen = asked("board");
            const auto position = chess::Position::from_fen(fen);
            const std::string status = !position                ? "invalid board"
                                       : unknown_.contains(fen) ? "unknown"
                                                                : "";
            return {ok, status.empty() ? chessdb(*position) : R"({"status":")" + status + "\"}"};
        }
        const std::string fen = asked("fen");
        const auto position = chess::Position::from_fen(fen);
        if (target->path != "/api/cloud-eval" || !position || unknown_.contains(fen)) {
            return {"HTTP/1.1 404 Not Found",
                    R"({"error":"No cloud evaluation available for that position"})"};
        }
        const std::string lines = asked("multiPv");
        return {ok, lichess(*position, lines.empty() ? 1 : std::stoul(lines))};
    }

    std::mutex mutex_;
    std::deque<Answer> said_;
    std::set<std::string> unknown_;
    WebhookSink sink_{[this](const WebhookSink::Letter& letter) { return answer(letter); }};
};

} // namespace adjourn::server
