#include "program/client/site.hpp"

#include "api/views/view.hpp"
#include "base/text.hpp"
#include "chess/notation.hpp"
#include "files/site/site_directory.hpp"
#include "http/requests/target.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace adjourn::server {

using nlohmann::json;
namespace fs = std::filesystem;

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

// What of an analysis goes into a site. A person's moves are always followed, as in other exports.
struct SiteBounds {
    std::vector<std::string> line;   // UCI from the root: from there on; the way there is in, too
    int margin = 100;                // cp behind the best move of each position
    std::size_t plies = 40;          // from there
    std::size_t max_moves = 100'000; // listed at all positions together
};

class SiteWalk {
public:
    // `root`: the FEN of the analysis's root.
    SiteWalk(Remote& remote, std::int64_t id, const std::string& root, SiteBounds bounds)
        : remote_{remote}, id_{id}, bounds_{std::move(bounds)},
          root_{chess::Position::from_fen(root).value()} {
        want(bounds_.line);
    }

    // This position is in, and the way there, whatever the bounds.
    void want(const std::vector<std::string>& line) {
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

    // Asks for all of them, nearest first, each by the line that came first. Blocks; `progress` is
    // told how many positions there are so far.
    std::expected<void, Refusal> run(const std::function<void(std::size_t)>& progress) {
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

    const std::vector<SitePosition>& positions() const { return positions_; }
    std::size_t moves() const { return moves_; }
    bool cut() const { return cut_; } // by max_moves

private:
    using Numbers =
        std::unordered_map<chess::PackedPosition, std::size_t, chess::PackedPositionHash>;
    struct Open {
        std::size_t number;
        chess::Position position;
        std::vector<std::string> line;
        std::optional<std::size_t> plies; // from where the bounds count; nullopt: before that
    };

    std::expected<void, Refusal> look(const Open& at) {
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

    // The position may have come up by another line meanwhile; what the site has not taken yet,
    // it takes by the line that is first in the order of moves.
    void go_on(const Open& at, const json& node) {
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
    bool follows(const Open& at, const json& node, const json& move) const {
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

    std::string path(const char* call, const std::vector<std::string>& line) const {
        std::string moves;
        for (const std::string& uci : line) {
            moves += (moves.empty() ? "" : ",") + uci;
        }
        return "/api/v1/analyses/" + std::to_string(id_) + "/" + call + "?moves=" + moves;
    }

    Remote& remote_;
    const std::int64_t id_;
    const SiteBounds bounds_;
    std::vector<SitePosition> positions_;
    Numbers numbers_;
    std::vector<Open> next_; // of the ply that follows
    // Lines that are wanted, by the position: the moves that lead on.
    std::map<chess::PackedPosition, std::set<std::string>> wanted_;
    std::size_t moves_ = 0;
    bool cut_ = false;
    chess::Position root_;
};

constexpr std::int64_t day_ms = 86'400'000;

class SiteExport {
public:
    using Done = std::expected<void, Refusal>;

    SiteExport(Remote& remote, const SiteOptions& options)
        : remote_{remote}, options_{options}, base_{"/api/v1/analyses/" +
                                                    std::to_string(options.id)} {}

    std::expected<SiteWritten, Refusal>
    run(const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
        const Done done = one_by_one({[&] { return learn(); }, [&] { return open(); },
                                      [&] { return walk(progress); }, [&] { return begin(); }});
        if (!done) {
            return std::unexpected(done.error());
        }
        if (const Done written = write_all(); !written) {
            directory_->give_up();
            return std::unexpected(written.error());
        }
        return SiteWritten{walk_->positions().size(), walk_->moves(), walk_->cut()};
    }

private:
    static Done one_by_one(const std::vector<std::function<Done()>>& steps) {
        for (const auto& step : steps) {
            if (Done done = step(); !done) {
                return done;
            }
        }
        return {};
    }

    // What it is about, as a link shows it.
    Done learn() {
        const auto analysis = asked("");
        if (!analysis) {
            return std::unexpected(analysis.error());
        }
        analysis_ = shown_by_link(*analysis);
        if (options_.moves.empty()) {
            return {};
        }
        const auto node = asked("/node?moves=" + http::percent_encoded(options_.moves));
        if (!node) {
            return std::unexpected(node.error());
        }
        for (const json& step : (*node)["line"]) {
            line_.push_back(step["uci"]);
        }
        return {};
    }

    Done open() {
        auto found = SiteDirectory::open(options_.directory, {options_.id, analysis_["fen"]});
        if (!found) {
            return std::unexpected(Refusal{"--output: " + found.error(), true});
        }
        directory_ = std::move(*found);
        return {};
    }

    Done walk(const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
        const auto notes = asked("/notes");
        if (!notes) {
            return std::unexpected(notes.error());
        }
        walk_.emplace(remote_, options_.id, analysis_["fen"],
                      SiteBounds{line_, options_.margin, options_.plies, options_.max_moves});
        notes_ = {{"notes", json::array()}};
        for (const json& note : (*notes)["notes"]) {
            std::vector<std::string> line;
            for (const json& step : note["line"]) {
                line.push_back(step["uci"]);
            }
            if (line.size() >= line_.size() &&
                std::equal(line_.begin(), line_.end(), line.begin())) {
                walk_->want(line);
                notes_["notes"].push_back(note);
            }
        }
        const std::uint64_t most = analysis_["positions"];
        return walk_->run([&](std::size_t so_far) { progress(so_far, most); });
    }

    Done begin() {
        if (auto begun = directory_->begin(options_.now); !begun) {
            return refused(begun.error());
        }
        return {};
    }

    Done write_all() {
        const SiteChunks chunks = site_chunks(walk_->positions());
        for (std::size_t i = 0; i < chunks.texts.size(); ++i) {
            if (Done done = put("c" + std::to_string(i), chunks.texts[i]); !done) {
                return done;
            }
        }
        return one_by_one({[&] { return put_answers(); }, [&] { return put_files(); },
                           [&] { return put_changes(); }, [&] { return put_pgn(); },
                           [&] { return put_index(chunks); }, [&] { return put_page(); }});
    }

    // Calls that are answered as they are.
    Done put_answers() {
        if (Done done = put("notes", notes_.dump()); !done) {
            return done;
        }
        for (const auto& [name, call] :
             {std::pair{"history", "/history"}, {"disagreements", "/disagreements?limit=200"}}) {
            auto text = remote_.text(base_ + call);
            if (!text) {
                return std::unexpected(text.error());
            }
            if (Done done = put(name, *text); !done) {
                return done;
            }
        }
        return {};
    }

    // The games that people brought, some to a script.
    Done put_files() {
        auto files = asked("/files");
        if (!files) {
            return std::unexpected(files.error());
        }
        for (const json& file : (*files)["files"]) {
            const std::string number = file["id"].dump();
            const auto pgn = remote_.text(base_ + "/files/" + number);
            if (!pgn) {
                return std::unexpected(pgn.error());
            }
            if (Done done = put("f" + number, json(*pgn).dump()); !done) {
                return done;
            }
            json starts = json::array();
            std::string part;
            const auto end_part = [&]() -> Done {
                Done done{};
                if (!part.empty()) {
                    done = put("f" + number + "-" + std::to_string(starts.size() - 1), part + "}");
                    part.clear();
                }
                return done;
            };
            for (const json& game : file["games"]) {
                const std::string which = game["number"].dump();
                const auto said =
                    remote_.text(base_ + "/files/" + number + "?as=json&game=" + which);
                if (!said) {
                    return std::unexpected(said.error());
                }
                if (part.size() + said->size() > site_chunk_bytes) {
                    if (Done done = end_part(); !done) {
                        return done;
                    }
                }
                if (part.empty()) {
                    starts.push_back(game["number"]);
                }
                part += (part.empty() ? "{\"" : ",\"") + which + "\":" + *said;
            }
            if (Done done = end_part(); !done) {
                return done;
            }
            games_[number] = std::move(starts);
        }
        return put("files", files->dump());
    }

    Done put_changes() {
        const std::int64_t before = directory_->before().exported;
        std::vector<std::pair<const char*, std::int64_t>> moments;
        if (before > 0 && before < options_.now) {
            moments.emplace_back("site", before);
        }
        moments.emplace_back("day", options_.now - day_ms);
        moments.emplace_back("week", options_.now - 7 * day_ms);
        for (const auto& [name, since] : moments) {
            auto changes = asked("/changes?since=" + std::to_string(since));
            if (!changes) {
                return std::unexpected(changes.error());
            }
            (*changes)["now"] = options_.now;
            const std::string script = std::string{"since-"} + name;
            if (Done done = put(script, changes->dump()); !done) {
                return done;
            }
            changes_.push_back({{"name", name}, {"since", since}});
        }
        return {};
    }

    Done put_pgn() {
        const auto pgn = remote_.text(
            base_ + "/export?format=pgn&from=game&margin=" + std::to_string(options_.margin) +
            "&plies=" + std::to_string(options_.plies) + "&max_moves=" +
            std::to_string(options_.max_moves) + "&moves=" + http::percent_encoded(options_.moves));
        if (!pgn) {
            return std::unexpected(pgn.error());
        }
        return put_text("adjourn-" + std::to_string(options_.id) + ".pgn", *pgn);
    }

    Done put_index(const SiteChunks& chunks) {
        json line = json::array();
        for (const std::string& uci : line_) {
            line.push_back(uci);
        }
        return put("index", json{{"exported", options_.now},
                                 {"folder", directory_->generation()},
                                 {"analysis", analysis_},
                                 {"starts", chunks.starts},
                                 {"positions", walk_->positions().size()},
                                 {"moves", walk_->moves()},
                                 {"cut", walk_->cut()},
                                 {"from", std::move(line)},
                                 {"margin", options_.margin},
                                 {"plies", options_.plies},
                                 {"games", games_},
                                 {"changes", changes_}}
                                .dump());
    }

    // The page's own files; index.html comes last, and with it all that was written.
    Done put_page() {
        std::error_code error;
        std::string html;
        for (const fs::directory_entry& entry : fs::directory_iterator{options_.page, error}) {
            std::ifstream in{entry.path(), std::ios::binary};
            const std::string text{std::istreambuf_iterator<char>{in}, {}};
            if (in.bad()) {
                return refused("cannot read " + entry.path().string());
            }
            const std::string name = entry.path().filename().string();
            if (name == "index.html") {
                html = text;
            } else if (Done done = put_text(name, text); !done) {
                return done;
            }
        }
        if (html.empty()) {
            return refused("there is no page of a site in " + options_.page.string());
        }
        const std::string name = analysis_["name"];
        html = base::replaced(html, "{{folder}}", directory_->generation());
        html = base::replaced(html, "{{title}}", markup_text(name));
        if (auto done = directory_->publish(html); !done) {
            return refused(done.error());
        }
        return {};
    }

    static std::unexpected<Refusal> refused(const std::string& message) {
        return std::unexpected(Refusal{message, false});
    }

    Done put(const std::string& name, const std::string& data) {
        return put_text(name + ".js", site_script(name, data));
    }

    Done put_text(const std::string& name, const std::string& text) {
        if (auto written = directory_->write(name, text); !written) {
            return refused(written.error());
        }
        return {};
    }

    Remote::Or<json> asked(const std::string& call) { return remote_.get(base_ + call); }

    Remote& remote_;
    const SiteOptions& options_;
    const std::string base_;
    json analysis_;
    std::vector<std::string> line_; // where the site begins
    std::optional<SiteDirectory> directory_;
    std::optional<SiteWalk> walk_;
    json notes_;
    json games_ = json::object();  // of each file: the first game of each script
    json changes_ = json::array(); // {name, since}
};

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

std::expected<SiteWritten, Refusal>
write_site(Remote& remote, const SiteOptions& options,
           const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
    return SiteExport{remote, options}.run(progress);
}

} // namespace adjourn::server
