#include "chess/endgame/capture_resolver.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace adjourn::chess {

namespace {

constexpr std::size_t most_remembered = 1 << 20; // positions for each side

using Index = std::uint32_t;

// The region that one question has come to so far: positions that are neither quiet nor terminal
// nor remembered, and the moves between them.
struct Region {
    enum class Fate : std::uint8_t { open, yes, no };
    struct Node {
        Position position;
        Fate fate = Fate::open;
        bool explored = false;
        bool queued = true;
        std::uint32_t open_moves = 0; // to positions whose fate is open
        std::vector<Index> parents;
    };
    std::vector<Node> nodes;
    std::unordered_map<PackedPosition, Index, PackedPositionHash> index;

    Index enter(const Position& position) {
        const auto [at, fresh] =
            index.try_emplace(position.packed(), static_cast<Index>(nodes.size()));
        if (fresh) {
            nodes.push_back({position, Fate::open, false, true, 0, {}});
        }
        return at->second;
    }
};

} // namespace

struct CaptureResolver::Search {
    explicit Search(const QuietTable& known) : table{known} {}

    const QuietTable& table;
    // By attacker: whether that side can force a win.
    std::array<std::unordered_map<PackedPosition, bool, PackedPositionHash>, 2> memories;
    Effort effort;
    bool gap = false; // something was not covered

    bool can_win(const Position& root, Color attacker) {
        if (const auto known = at_once(root, attacker)) {
            return *known;
        }
        Region region;
        std::vector<Index> queue{region.enter(root)};
        for (std::size_t next = 0; next < queue.size() && !gap; ++next) {
            const Index at = queue[next];
            region.nodes[at].queued = false;
            if (region.nodes[at].fate == Region::Fate::open && matters(region, at)) {
                explore(region, at, attacker, queue);
            }
            if (region.nodes.front().fate != Region::Fate::open) {
                break;
            }
        }
        // If all was explored, nobody can force what is still open.
        const bool won = region.nodes.front().fate == Region::Fate::yes;
        const bool complete = region.nodes.front().fate == Region::Fate::open;
        remember(region, attacker, complete);
        return won;
    }

    // Terminal, quiet and remembered positions.
    std::optional<bool> at_once(const Position& position, Color attacker) {
        switch (position.terminal()) {
        case Terminal::checkmate: return position.turn() != attacker;
        case Terminal::stalemate:
        case Terminal::dead: return false;
        case Terminal::no: break;
        }
        if (is_quiet(position)) {
            const std::optional<Outcome> known = table.outcome(position);
            gap |= !known;
            return known == (position.turn() == attacker ? Outcome::win : Outcome::loss);
        }
        const auto& memory = memories[static_cast<std::size_t>(attacker)];
        const auto found = memory.find(position.packed());
        return found == memory.end() ? std::nullopt : std::optional{found->second};
    }

    // A position behind decided ones only need not be looked at now.
    static bool matters(const Region& region, Index at) {
        if (at == 0) {
            return true;
        }
        for (const Index parent : region.nodes[at].parents) {
            if (region.nodes[parent].fate == Region::Fate::open) {
                return true;
            }
        }
        return false;
    }

    // One move decides where its maker gets what he wants; all moves where he does not.
    void explore(Region& region, Index at, Color attacker, std::vector<Index>& queue) {
        ++effort.positions;
        region.nodes[at].explored = true;
        const Position position = region.nodes[at].position;
        const bool wanted = position.turn() == attacker;
        std::vector<Index> open;
        for (const Move move : position.legal_moves()) {
            const Position next = position.after(move);
            std::optional<bool> known = at_once(next, attacker);
            if (!known) {
                const Index child = region.enter(next);
                const Region::Fate fate = region.nodes[child].fate;
                if (fate == Region::Fate::open) {
                    open.push_back(child);
                    continue;
                }
                known = fate == Region::Fate::yes;
            }
            if (*known == wanted) {
                decide(region, at, wanted, attacker);
                return;
            }
        }
        for (const Index child : open) {
            Region::Node& node = region.nodes[child];
            node.parents.push_back(at);
            if (!node.explored && (!node.queued || node.parents.size() == 1)) {
                node.queued = true;
                queue.push_back(child);
            }
        }
        region.nodes[at].open_moves = static_cast<std::uint32_t>(open.size());
        if (open.empty()) {
            decide(region, at, !wanted, attacker);
        }
    }

    // And what follows from it for the positions before.
    static void decide(Region& region, Index at, bool won, Color attacker) {
        std::vector<std::pair<Index, bool>> due{{at, won}};
        while (!due.empty()) {
            const auto [now, yes] = due.back();
            due.pop_back();
            Region::Node& node = region.nodes[now];
            if (node.fate != Region::Fate::open) {
                continue;
            }
            node.fate = yes ? Region::Fate::yes : Region::Fate::no;
            for (const Index p : node.parents) {
                Region::Node& parent = region.nodes[p];
                const bool wanted = parent.position.turn() == attacker;
                if (yes == wanted || --parent.open_moves == 0) {
                    due.emplace_back(p, yes);
                }
            }
        }
    }

    void remember(const Region& region, Color attacker, bool complete) {
        effort.largest_region = std::max(effort.largest_region, region.nodes.size());
        auto& memory = memories[static_cast<std::size_t>(attacker)];
        for (const Region::Node& node : region.nodes) {
            if (node.fate != Region::Fate::open || (complete && node.explored)) {
                memory.emplace(node.position.packed(), node.fate == Region::Fate::yes);
            }
        }
    }
};

CaptureResolver::CaptureResolver(const QuietTable& table)
    : search_{std::make_unique<Search>(table)} {}
CaptureResolver::~CaptureResolver() = default;

std::optional<Outcome> CaptureResolver::outcome(const Position& position) {
    if (position.castling_rooks() != 0) {
        return std::nullopt;
    }
    Search& search = *search_;
    for (auto& memory : search.memories) {
        if (memory.size() > most_remembered) {
            memory.clear();
        }
    }
    search.gap = false;
    const bool won = search.can_win(position, position.turn());
    const bool lost = !won && !search.gap && search.can_win(position, !position.turn());
    if (search.gap) {
        for (auto& memory : search.memories) {
            memory.clear(); // may hold what was found without knowing enough
        }
        return std::nullopt;
    }
    return won ? Outcome::win : lost ? Outcome::loss : Outcome::draw;
}

const CaptureResolver::Effort& CaptureResolver::effort() const {
    return search_->effort;
}

} // namespace adjourn::chess
