#include "tables/endgame_tables.hpp"

#include "tables/inventory.hpp"
#include "tables/own_tables.hpp"
#include "tables/syzygy.hpp"

#include <bit>
#include <mutex>
#include <unordered_map>

namespace adjourn::tables {

namespace {

// Answers that were given, so that who asks again waits neither for a disk nor for another probe.
template <class Answer>
class Remembered {
public:
    template <class Probe>
    Answer of(const chess::Position& position, Probe probe) {
        const chess::PackedPosition key = position.packed();
        {
            const std::scoped_lock lock{mutex_};
            if (const auto found = answers_.find(key); found != answers_.end()) {
                return found->second;
            }
        }
        Answer answer = probe();
        const std::scoped_lock lock{mutex_};
        if (answers_.size() >= most) {
            answers_.clear();
        }
        answers_.emplace(key, answer);
        return answer;
    }

private:
    static constexpr std::size_t most = 1 << 15;
    std::mutex mutex_;
    std::unordered_map<chess::PackedPosition, Answer, chess::PackedPositionHash> answers_;
};

} // namespace

struct EndgameTables::Parts {
    std::unique_ptr<Syzygy> syzygy;
    std::unique_ptr<OwnTables> own; // answers where Syzygy does not
    Remembered<std::optional<chess::Score>> values;
    Remembered<std::vector<analysis::TableMove>> moves;
};

EndgameTables::EndgameTables(const Paths& paths) : parts_{std::make_unique<Parts>()} {
    const auto files = sound_syzygy_files(paths.syzygy, inventory_);
    if (!files.empty()) {
        parts_->syzygy = std::make_unique<Syzygy>(files);
    }
    auto own = std::make_unique<OwnTables>(paths.own, inventory_);
    if (!inventory_.own.empty()) {
        parts_->own = std::move(own);
    }
}

EndgameTables::~EndgameTables() = default;

std::optional<chess::Score> EndgameTables::value(const chess::Position& position) const {
    if (std::popcount(position.board().occupied()) > inventory_.men) {
        return std::nullopt;
    }
    return parts_->values.of(position, [&] {
        const auto known = parts_->syzygy ? parts_->syzygy->value(position) : std::nullopt;
        return known || !parts_->own ? known : parts_->own->value(position);
    });
}

std::vector<analysis::TableMove> EndgameTables::moves(const chess::Position& position) const {
    if (std::popcount(position.board().occupied()) > inventory_.men) {
        return {};
    }
    return parts_->moves.of(position, [&] { return probe_moves(position); });
}

std::vector<analysis::TableMove> EndgameTables::probe_moves(const chess::Position& position) const {
    if (!parts_->syzygy || !parts_->syzygy->value(position)) {
        return parts_->own ? parts_->own->moves(position) : std::vector<analysis::TableMove>{};
    }
    auto moves = parts_->syzygy->moves(position);
    if (!moves.empty()) {
        return moves;
    }
    return analysis::moves_by_values(*this, position, [](const auto& from, chess::Move move) {
        return from.is_capture(move) || from.piece_at(move.from())->role == chess::Role::pawn;
    });
}

std::shared_ptr<const EndgameTables> open_tables(const Paths& paths) {
    if (paths.syzygy.empty() && paths.own.empty()) {
        return nullptr;
    }
    return std::make_shared<EndgameTables>(paths);
}

} // namespace adjourn::tables
