// `adjourn export --format site`: an analysis as a web site of files, which needs no server. Its
// positions are asked of the API one by one, so that the site says what the page says.
#pragma once

#include "chess/position.hpp"
#include "files/site/site_tree.hpp"
#include "program/client/remote.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace adjourn::server {

// What of an analysis goes into a site. A person's moves are always followed, as in other exports.
struct SiteBounds {
    std::vector<std::string> line;   // UCI from the root: from there on; the way there is in, too
    int margin = 100;                // cp behind the best move of each position
    std::size_t plies = 40;          // from there
    std::size_t max_moves = 100'000; // listed at all positions together
};

// What a site keeps of a position: what its page does not read, and what would tell of other
// machines and of lines elsewhere in the graph, is left out; so is what has its usual value
// (web/src/data/site/siteNode.ts puts it back). Nothing is made.
nlohmann::json site_node(nlohmann::json node);
nlohmann::json site_verdict(nlohmann::json verdict);

class SiteWalk {
public:
    // `root`: the FEN of the analysis's root.
    SiteWalk(Remote& remote, std::int64_t id, const std::string& root, SiteBounds bounds);

    // This position is in, and the way there, whatever the bounds.
    void want(const std::vector<std::string>& line);
    // Asks for all of them, nearest first, each by the line that came first. Blocks; `progress` is
    // told how many positions there are so far.
    std::expected<void, Refusal> run(const std::function<void(std::size_t)>& progress);

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

    std::expected<void, Refusal> look(const Open& at);
    void go_on(const Open& at, const nlohmann::json& node);
    bool follows(const Open& at, const nlohmann::json& node, const nlohmann::json& move) const;
    std::string path(const char* call, const std::vector<std::string>& line) const;

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

struct SiteOptions {
    std::int64_t id = 0;
    std::string moves; // from the position after these; as people type them
    int margin = 100;
    std::size_t plies = 40;
    std::size_t max_moves = 100'000;
    std::filesystem::path directory;
    std::filesystem::path page; // of the build: web/dist/site
    std::int64_t now = 0;       // Unix ms
};

struct SiteWritten {
    std::size_t positions = 0;
    std::size_t moves = 0; // listed at them
    bool cut = false;      // by max_moves
};

// Blocks until the site is there, or nothing has changed. `progress`: positions so far, and how
// many there are at most. What the site has of other analyses is nothing; what it has of machines,
// tokens and paths, too.
std::expected<SiteWritten, Refusal>
write_site(Remote& remote, const SiteOptions& options,
           const std::function<void(std::uint64_t, std::uint64_t)>& progress);

} // namespace adjourn::server
