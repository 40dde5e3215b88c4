#include "chess/endgame/endgame_table.hpp"

#include "chess/detail/sliders.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <set>

namespace adjourn::chess {

namespace {

constexpr std::array<std::uint8_t, 10> triangle{0, 1, 2, 3, 9, 10, 11, 18, 19, 27};

constexpr std::array<std::uint8_t, 64> triangle_number() {
    std::array<std::uint8_t, 64> numbers{};
    for (std::size_t i = 0; i < triangle.size(); ++i) {
        numbers[triangle[i]] = static_cast<std::uint8_t>(i);
    }
    return numbers;
}

constexpr auto in_triangle = triangle_number();
constexpr std::uint8_t file_mirror = 7;
constexpr std::uint8_t rank_mirror = 56;

constexpr std::uint8_t transposed(std::uint8_t square) {
    return static_cast<std::uint8_t>((square & 7) << 3 | square >> 3);
}

constexpr std::uint8_t lost = 128;

Material normal(const Material& material) {
    return material.normalised() ? material : material.flipped();
}

// What one capture or promotion, or both at once, makes of it.
std::vector<Material> next_of(const Material& material) {
    std::vector<Material> result;
    for (const Color color : {Color::white, Color::black}) {
        std::vector<Material> bases{material};
        for (int role = 0; role < static_cast<int>(Role::king); ++role) {
            if (material.count(!color, static_cast<Role>(role)) > 0) {
                bases.push_back(material);
                bases.back().remove(!color, static_cast<Role>(role));
                result.push_back(bases.back());
            }
        }
        if (material.count(color, Role::pawn) > 0) {
            for (const Material& base : bases) {
                for (int role = 1; role < static_cast<int>(Role::king); ++role) {
                    result.push_back(base);
                    result.back().remove(color, Role::pawn);
                    result.back().add(color, static_cast<Role>(role));
                }
            }
        }
    }
    return result;
}

void collect(const Material& material, std::set<Material>& seen, std::vector<Material>& order) {
    if (material.is_dead() || !seen.insert(material).second) {
        return;
    }
    for (const Material& next : next_of(material)) {
        collect(normal(next), seen, order);
    }
    order.push_back(material);
}

} // namespace

TableIndex::TableIndex(const Material& material)
    : material_{material}, pieces_{{Color::white, Role::king}, {Color::black, Role::king}},
      pawns_{material.has_pawns()} {
    for (const Color color : {Color::white, Color::black}) {
        for (int role = static_cast<int>(Role::queen); role >= 0; --role) {
            const Piece piece{color, static_cast<Role>(role)};
            pieces_.insert(pieces_.end(),
                           static_cast<std::size_t>(material.count(color, piece.role)), piece);
        }
    }
    assert(pieces_.size() <= most_men);
    half_ = pawns_ ? 32 : triangle.size();
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
        half_ *= 64;
    }
}

TableIndex::Squares TableIndex::sorted(Squares squares) const {
    if (pieces_.size() == 4 && pieces_[2] == pieces_[3] && squares[2] > squares[3]) {
        std::swap(squares[2], squares[3]);
    }
    return squares;
}

std::size_t TableIndex::pack(const Squares& squares) const {
    const int king = squares[0];
    std::size_t number = pawns_ ? static_cast<std::size_t>((king >> 3) * 4 + (king & 7))
                                : in_triangle[static_cast<std::size_t>(king)];
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
        number = number * 64 + squares[i];
    }
    return number;
}

std::size_t TableIndex::number(const Squares& given, Color turn) const {
    Squares squares = given;
    const auto change = [&](auto to) {
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            squares[i] = to(squares[i]);
        }
    };
    const auto mirror = [](std::uint8_t by) {
        return [by](std::uint8_t square) { return static_cast<std::uint8_t>(square ^ by); };
    };
    if ((squares[0] & 7) > 3) {
        change(mirror(file_mirror));
    }
    if (!pawns_) {
        if (squares[0] >> 3 > 3) {
            change(mirror(rank_mirror));
        }
        if (squares[0] >> 3 > (squares[0] & 7)) {
            change(transposed);
        }
    }
    squares = sorted(squares);
    std::size_t number = pack(squares);
    if (!pawns_ && squares[0] >> 3 == (squares[0] & 7)) { // on the diagonal: two forms
        change(transposed);
        number = std::min(number, pack(sorted(squares)));
    }
    return number + (turn == Color::black ? half_ : 0);
}

TableIndex::Squares TableIndex::squares(std::size_t number) const {
    if (number >= half_) {
        number -= half_;
    }
    Squares squares{};
    for (std::size_t i = pieces_.size() - 1; i > 0; --i) {
        squares[i] = static_cast<std::uint8_t>(number % 64);
        number /= 64;
    }
    squares[0] = pawns_ ? static_cast<std::uint8_t>(number / 4 * 8 + number % 4) : triangle[number];
    return squares;
}

std::optional<TableIndex::Placed> TableIndex::place(const Position& position) const {
    const Material material = Material::of(position);
    const bool flip = material != material_;
    if (flip && material.flipped() != material_) {
        return std::nullopt;
    }
    Placed placed{{}, flip ? !position.turn() : position.turn()};
    std::uint64_t rest = position.board().occupied();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const Color color = flip ? !pieces_[i].color : pieces_[i].color;
        const auto at = std::countr_zero(position.board().of(color, pieces_[i].role) & rest);
        rest &= ~(std::uint64_t{1} << at);
        placed.squares[i] = static_cast<std::uint8_t>(flip ? at ^ rank_mirror : at);
    }
    return placed;
}

} // namespace adjourn::chess

namespace adjourn::chess::detail {

class TableMoves {
public:
    using Squares = TableIndex::Squares;
    explicit TableMoves(const std::vector<Piece>& pieces) : pieces_{pieces} {}

    struct Step {
        std::size_t piece;
        std::uint8_t to;
        int captured = -1;     // index of the piece taken
        bool promotes = false; // to whatever the caller likes
        bool doubles = false;  // a pawn moves two squares
    };

    Bitboard occupied(const Squares& at) const {
        Bitboard all = 0;
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            all |= bit(at[i]);
        }
        return all;
    }

    // Each man on a square of its own, no pawn on the last ranks, and the side not to move not in
    // check.
    bool legal(const Squares& at, Color turn) const {
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (pieces_[i].role == Role::pawn && (at[i] < 8 || at[i] >= 56)) {
                return false;
            }
        }
        const Bitboard all = occupied(at);
        return static_cast<std::size_t>(count(all)) == pieces_.size() &&
               !attacked(at, all, king(!turn), turn, at[king(!turn)]);
    }
    bool in_check(const Squares& at, Color turn) const {
        return attacked(at, occupied(at), king(turn), !turn, at[king(turn)]);
    }

    // Legal moves of a side, whether or not it is its turn; `see` returns whether to go on. No en
    // passant.
    template <class See>
    bool for_each(const Squares& at, Color mover, bool captures_only, See see) const {
        const Bitboard all = occupied(at);
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (pieces_[i].color != mover) {
                continue;
            }
            Bitboard targets = reach(i, at[i], all);
            if (pieces_[i].role == Role::pawn && !captures_only) {
                targets |= pushes(mover, at[i], all);
            }
            if (captures_only) {
                targets &= all;
            }
            while (targets != 0) {
                const int to = pop_lowest(targets);
                Step step{i, static_cast<std::uint8_t>(to)};
                if ((all & bit(to)) != 0) {
                    step.captured = piece_on(at, to);
                    const Piece& prey = pieces_[static_cast<std::size_t>(step.captured)];
                    if (prey.color == mover || prey.role == Role::king) {
                        continue;
                    }
                }
                if (!safe_after(at, all, mover, step)) {
                    continue;
                }
                if (pieces_[i].role == Role::pawn) {
                    step.promotes = to < 8 || to >= 56;
                    step.doubles = to - at[i] == 16 || at[i] - to == 16;
                }
                if (!see(step)) {
                    return false;
                }
            }
        }
        return true;
    }

    // Whence the men of `mover` may have come by a move that takes and promotes nothing. The
    // position before need not be legal.
    template <class See>
    void for_each_back(const Squares& at, Color mover, See see) const {
        const Bitboard all = occupied(at);
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (pieces_[i].color != mover) {
                continue;
            }
            Bitboard sources = 0;
            if (pieces_[i].role == Role::pawn) {
                const int back = mover == Color::white ? -8 : 8;
                const int one = at[i] + back;
                if (one >= 8 && one < 56 && (all & bit(one)) == 0) {
                    sources |= bit(one);
                    const int start = mover == Color::white ? 1 : 6;
                    const int two = one + back;
                    if (two >> 3 == start && (all & bit(two)) == 0) {
                        sources |= bit(two);
                    }
                }
            } else {
                sources = reach(i, at[i], all) & ~all;
            }
            while (sources != 0) {
                Squares before = at;
                before[i] = static_cast<std::uint8_t>(pop_lowest(sources));
                see(before);
            }
        }
    }

    // Whether a pawn of `mover` may take the pawn of index `passed`, that has just moved two
    // squares, en passant; by which piece, or -1.
    int en_passant_taker(const Squares& at, Color mover, std::size_t passed, int* to) const {
        const Bitboard all = occupied(at);
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (pieces_[i] == Piece{mover, Role::pawn} && at[i] >> 3 == at[passed] >> 3 &&
                (at[i] - at[passed] == 1 || at[passed] - at[i] == 1)) {
                *to = at[passed] + (mover == Color::white ? 8 : -8);
                const Step step{i, static_cast<std::uint8_t>(*to), static_cast<int>(passed)};
                if (safe_after(at, all & ~bit(at[passed]), mover, step)) {
                    return static_cast<int>(i);
                }
            }
        }
        return -1;
    }

private:
    std::size_t king(Color color) const { return color == Color::white ? 0 : 1; }

    int piece_on(const Squares& at, int square) const {
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (at[i] == square) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }

    // Squares attacked by the piece of index i from `from`.
    Bitboard reach(std::size_t i, int from, Bitboard all) const {
        const auto [color, role] = pieces_[i];
        const Bitboard attacked = role_attacks(role, color, from, all);
        return role == Role::pawn ? attacked & all : attacked;
    }

    static Bitboard pushes(Color mover, int from, Bitboard all) {
        const int forward = mover == Color::white ? 8 : -8;
        Bitboard targets = bit(from + forward) & ~all;
        if (targets != 0 && from >> 3 == (mover == Color::white ? 1 : 6)) {
            targets |= bit(from + 2 * forward) & ~all;
        }
        return targets;
    }

    // Whether `by` attacks the square; the piece of index `gone` is not there.
    bool attacked(const Squares& at, Bitboard all, std::size_t gone, Color by, int square) const {
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (pieces_[i].color != by || i == gone) {
                continue;
            }
            const Bitboard hits = pieces_[i].role == Role::pawn ? pawn_attacks[index(by)][at[i]]
                                                                : reach(i, at[i], all);
            if ((hits & bit(square)) != 0) {
                return true;
            }
        }
        return false;
    }

    bool safe_after(const Squares& at, Bitboard all, Color mover, const Step& step) const {
        const std::size_t own = king(mover);
        const int square = step.piece == own ? step.to : at[own];
        const Bitboard then = (all & ~bit(at[step.piece])) | bit(step.to);
        const std::size_t gone =
            step.captured >= 0 ? static_cast<std::size_t>(step.captured) : pieces_.size();
        return !attacked(at, then, gone, !mover, square);
    }

    const std::vector<Piece>& pieces_;
};

} // namespace adjourn::chess::detail

namespace adjourn::chess {

std::uint8_t encode(const Conversion& value) {
    assert(value.plies <= longest_conversion);
    switch (value.outcome) {
    case Outcome::win: return static_cast<std::uint8_t>(value.plies);
    case Outcome::loss: return static_cast<std::uint8_t>(lost + value.plies);
    case Outcome::draw: break;
    }
    return 0;
}

std::optional<Conversion> decode(std::uint8_t code) {
    if (code == 0) {
        return Conversion{};
    }
    if (code < lost) {
        return Conversion{Outcome::win, code};
    }
    return code == no_position ? std::nullopt
                               : std::optional{Conversion{Outcome::loss, code - lost}};
}

std::vector<Material> EndgameTable::needed_for(const Material& material) {
    std::set<Material> seen;
    std::vector<Material> order;
    collect(normal(material), seen, order);
    return order;
}

Conversion EndgameTable::at(const Position& position) const {
    const auto placed = index_.place(position);
    assert(placed);
    return *decode(codes_[index_.number(placed->squares, placed->turn)]);
}

std::vector<std::uint8_t> EndgameTable::quiet_codes() const {
    const detail::TableMoves moves{index_.pieces()};
    std::vector<std::uint8_t> kept(codes_.size());
    const auto no_captures = [&](const TableIndex::Squares& at, Color mover) {
        return moves.for_each(at, mover, true, [](const auto&) { return false; });
    };
    std::uint8_t last = 0;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
        if (codes_[i] != no_position) {
            const auto at = index_.squares(i);
            if (no_captures(at, Color::white) && no_captures(at, Color::black)) {
                last = codes_[i];
            }
        }
        kept[i] = last;
    }
    return kept;
}

// Retrograde analysis: what conversions and mates decide first, then, distance by distance,
// whatever leads to what has just been decided.
class TableMaker {
public:
    TableMaker(EndgameTable& table, const EndgameTableSet& known)
        : index_{table.index_}, codes_{table.codes_}, moves_{index_.pieces()} {
        prepare_routes(known);
    }

    void run(const std::function<void(double)>& progress) {
        codes_.assign(index_.size(), 0);
        decided_.resize(longest_conversion + 3);
        constexpr std::size_t steps = 64;
        for (std::size_t step = 0; step < steps; ++step) {
            for (std::size_t i = index_.size() * step / steps;
                 i < index_.size() * (step + 1) / steps; ++i) {
                begin(i);
            }
            if (progress) {
                progress(0.5 * static_cast<double>(step + 1) / steps);
            }
        }
        for (present_ = 0; present_ <= longest_conversion; ++present_) {
            auto& due = decided_[static_cast<std::size_t>(present_)];
            for (const std::uint32_t at : due) {
                look_back(at);
            }
            due = {};
            if (progress) {
                progress(0.5 + 0.5 * static_cast<double>(present_) / longest_conversion);
            }
        }
    }

private:
    using Squares = TableIndex::Squares;
    using Step = detail::TableMoves::Step;

    // Where a capture or promotion leads: the other table and how to write the position for it.
    struct Route {
        const EndgameTable* table = nullptr; // none: a dead draw
        bool flip = false;
        std::array<int, TableIndex::most_men> from{}; // of its pieces: the index in ours
    };
    static constexpr std::size_t roles = 6;

    std::size_t route_number(int captured, int promoted, int role) const {
        const auto n = static_cast<std::size_t>(index_.men()) + 1;
        return (static_cast<std::size_t>(captured + 1) * n +
                static_cast<std::size_t>(promoted + 1)) *
                   roles +
               static_cast<std::size_t>(role);
    }

    void prepare_routes(const EndgameTableSet& known) {
        const auto n = static_cast<int>(index_.men());
        const auto choices = static_cast<std::size_t>(n) + 1; // none, or one of the men
        routes_.resize(choices * choices * roles);
        for (int captured = -1; captured < n; ++captured) {
            for (int promoted = -1; promoted < n; ++promoted) {
                for (int role = 1; role < static_cast<int>(Role::king); ++role) {
                    if (captured != promoted || captured < 0) {
                        routes_[route_number(captured, promoted, role)] =
                            route(known, captured, promoted, static_cast<Role>(role));
                    }
                }
            }
        }
    }

    Route route(const EndgameTableSet& known, int captured, int promoted, Role role) const {
        std::vector<std::pair<Piece, int>> left;
        Material material;
        for (int i = 0; i < static_cast<int>(index_.men()); ++i) {
            Piece piece = index_.pieces()[static_cast<std::size_t>(i)];
            if (i == captured) {
                continue;
            }
            if (i == promoted) {
                piece.role = role;
            }
            left.emplace_back(piece, i);
            if (piece.role != Role::king) {
                material.add(piece.color, piece.role);
            }
        }
        Route route;
        route.flip = !material.normalised();
        const auto found = known.find(normal(material).name());
        if (material.is_dead() || found == known.end()) {
            return route;
        }
        route.table = found->second.get();
        const auto& pieces = route.table->index().pieces();
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            const Piece wanted{route.flip ? !pieces[k].color : pieces[k].color, pieces[k].role};
            const auto at = std::find_if(left.begin(), left.end(),
                                         [&](const auto& entry) { return entry.first == wanted; });
            if (at == left.end()) {
                return {}; // a route that no move takes
            }
            route.from[k] = at->second;
            left.erase(at);
        }
        return route;
    }

    // For who is to move after the conversion.
    Outcome converted(const Squares& after, Color then, int captured, int promoted,
                      int role) const {
        const Route& route = routes_[route_number(captured, promoted, role)];
        if (route.table == nullptr) {
            return Outcome::draw;
        }
        const TableIndex& index = route.table->index();
        Squares squares{};
        for (std::size_t k = 0; k < index.men(); ++k) {
            const auto square = after[static_cast<std::size_t>(route.from[k])];
            squares[k] = static_cast<std::uint8_t>(route.flip ? square ^ 56 : square);
        }
        const std::uint8_t code =
            route.table->codes()[index.number(squares, route.flip ? !then : then)];
        assert(code != no_position);
        return decode(code)->outcome;
    }

    // The code of a position by its moves; 0 while nothing decides it.
    std::uint8_t judge(const Squares& at, Color turn) const {
        bool any = false;
        bool all_lose = true;
        int win = longest_conversion + 2;
        int loss = 0;
        const auto take = [&](std::uint8_t code) {
            if (code >= lost) {
                win = std::min(win, code - lost + 1);
                all_lose = false;
            } else if (code == 0) {
                all_lose = false;
            } else {
                loss = std::max(loss, code + 1);
            }
        };
        const auto take_conversion = [&](Outcome for_opponent) {
            if (for_opponent == Outcome::loss) {
                win = 1;
            }
            if (for_opponent == Outcome::win) {
                loss = std::max(loss, 1);
            } else {
                all_lose = false;
            }
        };
        moves_.for_each(at, turn, false, [&](const Step& step) {
            any = true;
            Squares after = at;
            after[step.piece] = step.to;
            if (step.promotes) {
                for (int role = 1; role < static_cast<int>(Role::king); ++role) {
                    take_conversion(
                        converted(after, !turn, step.captured, static_cast<int>(step.piece), role));
                }
            } else if (step.captured >= 0) {
                take_conversion(converted(after, !turn, step.captured, -1, 1));
            } else {
                take(child(after, !turn, step));
            }
            return win > 1; // nothing beats 1
        });
        if (!any) {
            return moves_.in_check(at, turn) ? lost : std::uint8_t{0};
        }
        if (win <= longest_conversion) {
            return static_cast<std::uint8_t>(win);
        }
        return all_lose ? static_cast<std::uint8_t>(lost + loss) : std::uint8_t{0};
    }

    // 0 for what is decided by a longer distance than the present one: a shorter one may come yet.
    std::uint8_t settled_code(std::size_t at) const {
        const std::uint8_t code = codes_[at];
        return (code < lost ? code : code - lost) <= present_ ? code : std::uint8_t{0};
    }

    // After a double step the other side may be able to take en passant, which the table knows
    // nothing of.
    std::uint8_t child(const Squares& after, Color then, const Step& step) const {
        const std::uint8_t plain = settled_code(index_.number(after, then));
        int to = 0;
        const int taker = step.doubles ? moves_.en_passant_taker(after, then, step.piece, &to) : -1;
        if (taker < 0) {
            return plain;
        }
        Squares taken = after;
        taken[static_cast<std::size_t>(taker)] = static_cast<std::uint8_t>(to);
        const Outcome capture = converted(taken, !then, static_cast<int>(step.piece), -1, 1);
        if (capture == Outcome::loss) {
            return 1; // he takes and wins
        }
        const bool forced = moves_.for_each(after, then, false, [](const auto&) { return false; });
        if (capture == Outcome::draw) {
            return forced || plain >= lost ? std::uint8_t{0} : plain;
        }
        if (forced) {
            return lost + 1;
        }
        return plain >= lost ? std::max<std::uint8_t>(plain, lost + 1) : plain;
    }

    void begin(std::size_t at) {
        const Squares squares = index_.squares(at);
        const Color turn = index_.turn(at);
        if (!moves_.legal(squares, turn) || index_.number(squares, turn) != at) {
            codes_[at] = no_position;
            return;
        }
        settle(at, judge(squares, turn));
    }

    void settle(std::size_t at, std::uint8_t code) {
        if (code == 0) {
            return;
        }
        const int plies = decode(code)->plies;
        assert(plies <= longest_conversion);
        codes_[at] = code;
        decided_[static_cast<std::size_t>(plies)].push_back(static_cast<std::uint32_t>(at));
    }

    void look_back(std::size_t at) {
        const Squares squares = index_.squares(at);
        const Color mover = !index_.turn(at);
        moves_.for_each_back(squares, mover, [&](const Squares& before) {
            const std::size_t number = index_.number(before, mover);
            if (codes_[number] == 0) {
                settle(number, judge(index_.squares(number), mover));
            }
        });
    }

    const TableIndex& index_;
    std::vector<std::uint8_t>& codes_;
    detail::TableMoves moves_;
    std::vector<Route> routes_;
    std::vector<std::vector<std::uint32_t>> decided_; // by distance
    int present_ = -1; // the distance being worked on; before it, conversions and mates are known
};

std::shared_ptr<const EndgameTable>
EndgameTable::make(const Material& material, const EndgameTableSet& known,
                   const std::function<void(double)>& progress) {
    assert(material.normalised() && !material.is_dead() && material.men() <= TableIndex::most_men);
    std::shared_ptr<EndgameTable> table{new EndgameTable{material}};
    TableMaker{*table, known}.run(progress);
    return table;
}

} // namespace adjourn::chess
