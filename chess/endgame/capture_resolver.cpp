#include "chess/endgame/capture_resolver.hpp"

#include "chess/detail/sliders.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_map>
#include <vector>

namespace adjourn::chess {

namespace {

constexpr std::size_t most_remembered = 1 << 20; // positions for each side

constexpr std::size_t wide = 3000; // positions of a region with all defences looked at

using Index = std::uint32_t;

// The region that one question has come to so far: positions that are neither quiet nor terminal
// nor remembered, and the moves between them.
struct Region {
    enum class Fate : std::uint8_t { open, yes, no };
    struct Node {
        Position position;
        Fate fate = Fate::open;
        bool explored = false;
        bool queued = false;
        std::uint32_t open_moves = 0; // to positions whose fate is open
        std::vector<Move> untried;    // the defender's, not among those yet; the last one is next
        std::vector<Index> parents;
    };
    std::deque<Node> nodes;
    std::unordered_map<PackedPosition, Index, PackedPositionHash> index;
    std::deque<Index> queue;
    std::size_t explored = 0;

    Index enter(const Position& position) {
        const auto [at, fresh] =
            index.try_emplace(position.packed(), static_cast<Index>(nodes.size()));
        if (fresh) {
            nodes.push_back({position, Fate::open, false, false, 0, {}, {}});
        }
        return at->second;
    }

    const Node* find(const Position& position) const {
        const auto at = index.find(position.packed());
        return at == index.end() ? nullptr : &nodes[at->second];
    }

    // REQUIRES: the child's fate is open.
    void link(Index parent, Index child) {
        Node& node = nodes[child];
        node.parents.push_back(parent);
        ++nodes[parent].open_moves;
        if (!node.explored && !node.queued) {
            node.queued = true;
            queue.push_back(child);
        }
    }
};

using namespace detail;

bool can_capture(const Board& board, Color us) {
    const Bitboard occupied = board.occupied();
    const Bitboard prey = board.of(!us) & ~board.of(Role::king);
    for (int r = 0; r <= static_cast<int>(Role::king); ++r) {
        const auto role = static_cast<Role>(r);
        Bitboard hunters = board.of(us, role);
        while (hunters != 0) {
            const int from = pop_lowest(hunters);
            Bitboard targets = role_attacks(role, us, from, occupied) & prey;
            while (targets != 0) {
                const int to = pop_lowest(targets);
                const int king = role == Role::king ? to : king_square(board, us);
                const Bitboard checkers =
                    attackers<PortableSliders>(board, !us, king, occupied & ~bit(from));
                if ((checkers & ~bit(to)) == 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

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
        region.queue.push_back(region.enter(root));
        const Region::Node& first = region.nodes.front();
        while (!region.queue.empty() && !gap && first.fate == Region::Fate::open) {
            const Index at = region.queue.front();
            region.queue.pop_front();
            region.nodes[at].queued = false;
            if (region.nodes[at].fate == Region::Fate::open && matters(region, at)) {
                explore(region, at, attacker);
            }
        }
        // If nothing is left to explore, what is still open cannot be forced.
        remember(region, attacker, first.fate == Region::Fate::open);
        return first.fate == Region::Fate::yes;
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

    void explore(Region& region, Index at, Color attacker) {
        ++effort.positions;
        ++region.explored;
        region.nodes[at].explored = true;
        const Position position = region.nodes[at].position;
        const bool wanted = position.turn() == attacker;
        std::vector<Move> open;
        for (const Move move : position.legal_moves()) {
            const Position next = position.after(move);
            std::optional<bool> known = at_once(next, attacker);
            if (!known) {
                const Region::Node* node = region.find(next);
                if (node == nullptr || node->fate == Region::Fate::open) {
                    open.push_back(move);
                    continue;
                }
                known = node->fate == Region::Fate::yes;
            }
            if (*known == wanted) {
                decide(region, at, wanted, attacker);
                return;
            }
        }
        if (!wanted) {
            // Last comes first: what is explored and still holds costs nothing, what can be taken
            // back often leads to such, and a pawn's move leads on.
            const auto rank = [&](Move move) {
                const Region::Node* node = region.find(position.after(move));
                return node != nullptr && node->explored                    ? 2
                       : position.piece_at(move.from())->role == Role::pawn ? 0
                                                                            : 1;
            };
            std::stable_sort(open.begin(), open.end(),
                             [&](const Move a, const Move b) { return rank(a) < rank(b); });
            region.nodes[at].untried = std::move(open);
            if (const auto fate = defend(region, at)) {
                decide(region, at, *fate, attacker);
            }
            return;
        }
        for (const Move move : open) {
            region.link(at, region.enter(position.after(move)));
        }
        if (open.empty()) {
            decide(region, at, false, attacker);
        }
    }

    // The defender needs one move that holds. Near by all are looked at side by side, which finds
    // the shortest refutations; later one after the other, which keeps a defence without end to
    // those positions that it comes to. Whether the attacker can win, once known.
    static std::optional<bool> defend(Region& region, Index at) {
        Region::Node& node = region.nodes[at];
        while (!node.untried.empty() && (node.open_moves == 0 || region.explored < wide)) {
            const Move move = node.untried.back();
            node.untried.pop_back();
            const Index child = region.enter(node.position.after(move));
            switch (region.nodes[child].fate) {
            case Region::Fate::open: region.link(at, child); break;
            case Region::Fate::no: return false;
            case Region::Fate::yes: break;
            }
        }
        return node.open_moves == 0 ? std::optional{true} : std::nullopt;
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
                if (yes == wanted) {
                    due.emplace_back(p, yes);
                } else if (--parent.open_moves == 0 && parent.fate == Region::Fate::open) {
                    if (wanted) {
                        due.emplace_back(p, yes);
                    } else if (const auto fate = defend(region, p)) {
                        due.emplace_back(p, *fate);
                    }
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

bool is_quiet(const Position& position) {
    const Board& board = position.board();
    return board.en_passant == 0 && !can_capture(board, Color::white) &&
           !can_capture(board, Color::black);
}

} // namespace adjourn::chess
