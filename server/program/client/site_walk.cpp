#include "program/client/site.hpp"

#include "chess/notation.hpp"
#include "http/requests/target.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

using nlohmann::json;

namespace {

// A score of the API, White's view, on one scale.
int scale_of(const json& score) {
    constexpr int mate = 300'000;
    constexpr int table = 200'000;
    if (score.contains("cp")) {
        return score["cp"];
    }
    if (score.contains("mate")) {
        const int moves = score["mate"];
        return moves > 0 ? mate - moves : -mate - moves;
    }
    const std::string word = score.value("tb", "");
    return word == "win" ? table : word == "loss" ? -table : 0;
}

void drop_usual(json& object, std::initializer_list<std::pair<const char*, json>> usual) {
    for (const auto& [name, value] : usual) {
        if (object.contains(name) && object[name] == value) {
            object.erase(name);
        }
    }
}

} // namespace

json site_node(json node) {
    for (const char* name : {"version", "line", "parents", "proposals", "clock", "failure"}) {
        node.erase(name);
    }
    node["pv"].erase("idea");
    drop_usual(node, {{"terminal", nullptr},
                      {"clock_note", nullptr},
                      {"estimate", nullptr},
                      {"opening", nullptr},
                      {"notes", json::array()}});
    for (json& move : node["moves"]) {
        if (move["engine"].is_object()) {
            move["engine"].erase("machine");
            move["engine"].erase("limit");
        }
        drop_usual(move, {{"engine", nullptr},
                          {"estimate", nullptr},
                          {"positions", 0},
                          {"transposition", false},
                          {"source", "engine"}});
    }
    return node;
}

json site_verdict(json verdict) {
    verdict["verifying"] = nullptr;
    for (json& carrier : verdict["carries"]) {
        carrier.erase("evaluation");
    }
    return verdict;
}

SiteWalk::SiteWalk(Remote& remote, std::int64_t id, const std::string& root, SiteBounds bounds)
    : remote_{remote}, id_{id}, bounds_{std::move(bounds)},
      root_{chess::Position::from_fen(root).value()} {
    want(bounds_.line);
}

void SiteWalk::want(const std::vector<std::string>& line) {
    chess::Position position = root_;
    for (const std::string& uci : line) {
        const auto move = chess::parse_uci(position, uci);
        if (!move) {
            return;
        }
        wanted_[position.packed()].insert(uci);
        position.play(*move);
    }
}

std::string SiteWalk::path(const char* call, const std::vector<std::string>& line) const {
    std::string moves;
    for (const std::string& uci : line) {
        moves += (moves.empty() ? "" : ",") + uci;
    }
    return "/api/v1/analyses/" + std::to_string(id_) + "/" + call + "?moves=" + moves;
}

std::expected<void, Refusal> SiteWalk::run(const std::function<void(std::size_t)>& progress) {
    numbers_.emplace(root_.packed(), 0);
    positions_.emplace_back();
    next_.push_back(
        {0, root_, {}, bounds_.line.empty() ? std::optional<std::size_t>{0} : std::nullopt});
    while (!next_.empty()) {
        for (const Open& at : std::exchange(next_, {})) {
            if (auto looked = look(at); !looked) {
                return looked;
            }
            progress(positions_.size());
        }
    }
    return {};
}

std::expected<void, Refusal> SiteWalk::look(const Open& at) {
    const auto asked = remote_.get(path("node", at.line));
    if (!asked) {
        return std::unexpected(asked.error());
    }
    const json& node = *asked;
    const auto scored = std::ranges::count_if(node["moves"], [](const json& move) {
        return !move["alpha"].is_null() && move["status"] != "excluded";
    });
    // The page asks for no other.
    if (scored >= (at.line.empty() ? 1 : 2)) {
        const auto verdict = remote_.get(path("verdict", at.line));
        if (!verdict) {
            return std::unexpected(verdict.error());
        }
        positions_[at.number].verdict = site_verdict(*verdict).dump();
    }
    positions_[at.number].node = site_node(node).dump();
    moves_ += node["moves"].size();
    go_on(at, node);
    return {};
}

// The position may have come up by another line meanwhile; what the site has not taken yet, it
// takes by the line that is first in the order of moves.
void SiteWalk::go_on(const Open& at, const json& node) {
    std::vector<std::string> ways; // in the order of the rows
    for (const json& move : node["moves"]) {
        ways.push_back(move["uci"]);
    }
    const auto wanted = wanted_.find(at.position.packed());
    if (wanted != wanted_.end()) {
        for (const std::string& uci : wanted->second) {
            if (std::ranges::find(ways, uci) == ways.end()) {
                ways.push_back(uci);
            }
        }
    }
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const auto move = chess::parse_uci(at.position, ways[i]);
        if (!move) {
            continue;
        }
        const chess::Position target = at.position.after(*move);
        if (const auto known = numbers_.find(target.packed()); known != numbers_.end()) {
            positions_[at.number].to.emplace_back(ways[i], known->second);
            continue;
        }
        const bool is_wanted = wanted != wanted_.end() && wanted->second.contains(ways[i]);
        const bool followed =
            is_wanted || (i < node["moves"].size() && follows(at, node, node["moves"][i]));
        if (!followed) {
            continue;
        }
        if (moves_ >= bounds_.max_moves && !is_wanted) {
            cut_ = true;
            continue;
        }
        const std::size_t number = positions_.size();
        numbers_.emplace(target.packed(), number);
        positions_.push_back({"", "", at.number, {}});
        positions_[at.number].to.emplace_back(ways[i], number);
        std::vector<std::string> line = at.line;
        line.push_back(ways[i]);
        const bool begins = line == bounds_.line;
        next_.push_back({number, target, std::move(line),
                         begins     ? std::optional<std::size_t>{0}
                         : at.plies ? std::optional{*at.plies + 1}
                                    : std::nullopt});
    }
}

// What has no moves of its own is told by the row that leads there.
bool SiteWalk::follows(const Open& at, const json& node, const json& move) const {
    const std::string status = move["status"];
    const bool has_moves =
        status == "expanded" || (status == "terminal" && !move["alpha"].contains("cp"));
    if (!at.plies || *at.plies >= bounds_.plies || move["alpha"].is_null() || !has_moves) {
        return false;
    }
    if (move["source"] == "person" || move["source"] == "import") {
        return true;
    }
    const int sign = node["turn"] == "white" ? 1 : -1;
    int best = sign * scale_of(move["alpha"]);
    for (const json& other : node["moves"]) {
        if (!other["alpha"].is_null() && other["status"] != "excluded") {
            best = std::max(best, sign * scale_of(other["alpha"]));
        }
    }
    return best - sign * scale_of(move["alpha"]) <= bounds_.margin;
}

} // namespace adjourn::server
