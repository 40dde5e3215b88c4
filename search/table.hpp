// Transposition table: what earlier visits found, by the position's hash. Four entries share a
// place; the least worth one of them goes.
#pragma once

#include "chess/score.hpp"
#include "chess/types.hpp"
#include "search/negamax.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace adjourn::search {

// How far a search went: 24 bits, whose meaning is the selection's. Worth: the sum of the halves.
using RestCode = std::uint32_t;
constexpr int half_bits = 12;
constexpr int most_rest = (1 << half_bits) - 1;

struct TableEntry {
    std::uint64_t key = 0;
    RestCode rest : 24 = 0;
    std::uint32_t bound : 2 = 0;
    std::uint32_t generation : 6 = 0;
    std::int16_t value = 0; // mates are counted from the position
    std::uint16_t move = 0;

    int worth() const { return static_cast<int>((rest >> half_bits) + (rest & most_rest)); }
    chess::Bound kind() const { return static_cast<chess::Bound>(std::uint32_t{bound}); }
};
static_assert(sizeof(TableEntry) == 16);

class Table {
public:
    // Throws std::bad_alloc. Takes memory as it fills.
    explicit Table(std::size_t bytes)
        : size_{std::bit_floor(std::max(bytes / sizeof(TableEntry), ways))}, entries_{
                                                                                 empty(size_)} {}

    void clear() {
        entries_.reset(); // not both at a time
        entries_ = empty(size_);
        generation_ = 0;
    }
    // How many of a thousand hold what was found since the last age().
    int hashfull() const {
        const std::size_t looked_at = std::min<std::size_t>(size_, 1'000);
        const auto full = std::count_if(
            entries_.get(), entries_.get() + looked_at, [this](const TableEntry& entry) {
                return entry.move != 0 && entry.generation == generation_;
            });
        return static_cast<int>(static_cast<std::size_t>(full) * 1'000 / looked_at);
    }
    // What is there already is worth less from now on.
    void age() { generation_ = (generation_ + 1) & 63; }

    const TableEntry* find(std::uint64_t key) const {
        const TableEntry* const first = &entries_[place(key)];
        for (std::size_t i = 0; i < ways; ++i) {
            if (first[i].key == key && first[i].move != 0) {
                return first + i;
            }
        }
        return nullptr;
    }
    void keep(std::uint64_t key, RestCode rest, Value value, chess::Bound bound, chess::Move move) {
        TableEntry* const first = &entries_[place(key)];
        TableEntry* chosen = first;
        for (std::size_t i = 0; i < ways; ++i) {
            TableEntry& entry = first[i];
            if (entry.key == key || entry.move == 0) {
                chosen = &entry;
                break;
            }
            chosen = rank(entry) < rank(*chosen) ? &entry : chosen;
        }
        *chosen = {};
        chosen->key = key;
        chosen->rest = rest & 0xff'ffff;
        chosen->bound = static_cast<std::uint32_t>(bound) & 3;
        chosen->generation = generation_ & 63;
        chosen->value = static_cast<std::int16_t>(value);
        chosen->move = move.raw();
    }

private:
    static constexpr std::size_t ways = 4;

    struct Free {
        void operator()(TableEntry* entries) const { std::free(entries); }
    };
    using Entries = std::unique_ptr<TableEntry[], Free>;

    // Of bytes that are 0, as a TableEntry{} is: the system gives such pages when they are used.
    static Entries empty(std::size_t size) {
        auto* const entries =
            static_cast<TableEntry*>(std::calloc(size, sizeof(TableEntry))); // NOLINT
        if (entries == nullptr) {
            throw std::bad_alloc{};
        }
        return Entries{entries};
    }

    std::size_t place(std::uint64_t key) const { return key & (size_ - 1) & ~(ways - 1); }
    int rank(const TableEntry& entry) const {
        return entry.worth() + (entry.generation == generation_ ? most_rest * 2 : 0);
    }

    std::size_t size_;
    Entries entries_;
    std::uint32_t generation_ = 0;
};

// Memory of moves: what caused cuts, whatever the position. For the order of moves, and for what
// makes them interesting.

// A move that was played, and by what.
struct Played {
    chess::Move move = chess::Move::from_raw(0);
    chess::Role role = chess::Role::pawn;
};

class MoveMemory {
public:
    void clear() { *this = MoveMemory{}; }
    // For a new search: killers belong to plies of the old one.
    void begin() {
        killers_ = {};
        for (auto& from : history_) {
            for (auto& to : from) {
                for (int& count : to) {
                    count /= 4;
                }
            }
        }
    }

    bool is_killer(int ply, chess::Move move) const {
        const auto& two = killers_[static_cast<std::size_t>(ply)];
        return two[0] == move.raw() || two[1] == move.raw();
    }
    bool is_first_killer(int ply, chess::Move move) const {
        return killers_[static_cast<std::size_t>(ply)][0] == move.raw();
    }
    int history(chess::Color color, chess::Move move) const {
        return history_[i(color)][i(move.from())][i(move.to())];
    }
    // `color` answers the opponent's move.
    bool is_reply(chess::Color color, const Played& to, chess::Move move) const {
        return to.move.raw() != 0 && replies_[i(color)][i(to.role)][i(to.move.to())] == move.raw();
    }

    // A quiet move caused a cut; `weight` grows with what was below it.
    void cut(int ply, chess::Color color, chess::Move move, int weight, const Played& opponents) {
        auto& two = killers_[static_cast<std::size_t>(ply)];
        if (two[0] != move.raw()) {
            two[1] = two[0];
            two[0] = move.raw();
        }
        replies_[i(color)][i(opponents.role)][i(opponents.move.to())] = move.raw();
        learn(color, move, weight);
    }

    // It was tried and caused none.
    void did_not_cut(chess::Color color, chess::Move move, int weight) {
        learn(color, move, -weight);
    }

    // History is never farther from 0.
    static constexpr int most_history = 16'384;

private:
    void learn(chess::Color color, chess::Move move, int weight) {
        int& count = history_[i(color)][i(move.from())][i(move.to())];
        count += weight - count * std::abs(weight) / most_history;
    }
    template <class T>
    static std::size_t i(T value) {
        if constexpr (std::is_same_v<T, chess::Square>) {
            return static_cast<std::size_t>(value.index());
        } else {
            return static_cast<std::size_t>(value);
        }
    }
    template <class T>
    using BySquares = std::array<std::array<T, 64>, 64>;

    std::array<std::array<std::uint16_t, 2>, max_ply + 2> killers_{};
    std::array<BySquares<int>, 2> history_{};
    std::array<std::array<std::array<std::uint16_t, 64>, 6>, 2> replies_{};
};

} // namespace adjourn::search
