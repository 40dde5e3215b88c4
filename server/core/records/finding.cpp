#include "core/records/finding.hpp"

#include "chess/notation.hpp"
#include "core/records/strategy_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace adjourn::server {

using chess::Bound;
using chess::Score;
using chess::uci::RankedLine;
using nlohmann::json;

namespace {

constexpr std::array bounds{"exact", "lower", "upper"};                            // Bound
constexpr std::array results{"loss", "blessed_loss", "draw", "cursed_win", "win"}; // Wdl, from −2

template <class Words>
int place_of(const json& word, const Words& words) {
    const auto found = std::ranges::find(words, word.get<std::string>());
    return static_cast<int>(found - words.begin()) % static_cast<int>(words.size());
}

// From the mover's side to White's, and back.
Bound turned(Bound bound, chess::Color mover) {
    const bool same = mover == chess::Color::white || bound == Bound::exact;
    return same ? bound : bound == Bound::lower ? Bound::upper : Bound::lower;
}

json ranked_json(const RankedLine& line, chess::Position at) {
    json moves = json::array();
    const chess::Color mover = at.turn();
    for (const chess::Move move : line.pv) {
        if (!at.is_legal(move)) {
            break; // of a fact that somebody has damaged
        }
        moves.push_back(chess::to_uci(at, move));
        at.play(move);
    }
    return {{"score", score_json(line.score, mover)},
            {"bound", bounds.at(static_cast<std::size_t>(turned(line.bound, mover)))},
            {"moves", std::move(moves)}};
}

Score read_score(const json& in, chess::Color mover) {
    const bool white = mover == chess::Color::white;
    if (in.contains("cp")) {
        return Score::cp(white ? in.at("cp").get<int>() : -in.at("cp").get<int>());
    }
    if (in.contains("mate")) {
        const int moves = in.at("mate");
        return (moves > 0) == white ? Score::mate_in(2 * std::abs(moves) - 1)
                                    : Score::mated_in(2 * std::abs(moves));
    }
    const auto score =
        Score::tablebase(static_cast<chess::Wdl>(place_of(in.at("tb"), results) - 2), in.at("dtz"));
    return white ? score : -score;
}

RankedLine read_ranked(const json& in, chess::Position at) {
    RankedLine line{read_score(in.at("score"), at.turn()), {}};
    line.bound = turned(static_cast<Bound>(place_of(in.at("bound"), bounds)), at.turn());
    for (const std::string text : in.at("moves")) {
        const auto move = chess::parse_uci(at, text);
        if (!move) {
            break;
        }
        line.pv.push_back(*move);
        at.play(*move);
    }
    return line;
}

json candidate_json(const std::optional<Candidate>& candidate, const chess::Position& position) {
    json out = candidate ? ranked_json(candidate->line, position) : json{};
    if (candidate) {
        out["depth"] = candidate->depth;
        out["final"] = candidate->final;
    }
    return out;
}

std::optional<Candidate> read_candidate(const json& in, const chess::Position& position) {
    if (in.is_null()) {
        return std::nullopt;
    }
    Candidate candidate{read_ranked(in, position), in.at("depth"), in.at("final")};
    return candidate.line.pv.empty() ? std::nullopt : std::optional{std::move(candidate)};
}

} // namespace

json finding_json(const SeatFinding& finding, const chess::Position& position) {
    json lines = json::array();
    for (const RankedLine& line : finding.lines) {
        lines.push_back(ranked_json(line, position));
    }
    return {{"ready", finding.ready},
            {"settled", finding.settled},
            {"finished", finding.finished},
            {"looked", finding.looked},
            {"lines", std::move(lines)},
            {"evidence", finding.evidence},
            {"anchored", finding.anchored},
            {"running", candidate_json(finding.running, position)},
            {"stored", candidate_json(finding.stored, position)},
            {"nodes", finding.nodes},
            {"nps", finding.nodes_per_second},
            {"problem", finding.problem.empty() ? json(nullptr) : json(finding.problem)}};
}

SeatFinding read_finding(const json& in, const chess::Position& position) {
    SeatFinding finding;
    finding.ready = in.at("ready");
    finding.settled = in.at("settled");
    finding.finished = in.at("finished");
    finding.looked = in.at("looked");
    for (const json& each : in.at("lines")) {
        if (RankedLine line = read_ranked(each, position); !line.pv.empty()) {
            finding.lines.push_back(std::move(line));
        }
    }
    finding.evidence = in.at("evidence");
    finding.anchored = in.at("anchored");
    finding.running = read_candidate(in.at("running"), position);
    finding.stored = read_candidate(in.at("stored"), position);
    finding.nodes = in.at("nodes");
    finding.nodes_per_second = in.at("nps");
    finding.problem = in.at("problem").is_null() ? "" : in.at("problem").get<std::string>();
    return finding;
}

} // namespace adjourn::server
