#include "tables/endgame_tables.hpp"

#include "inventory.hpp"
#include "own_tables.hpp"
#include "syzygy.hpp"

namespace adjourn::tables {

struct EndgameTables::Parts {
    std::unique_ptr<Syzygy> syzygy;
    std::unique_ptr<OwnTables> own; // answers where Syzygy does not
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
    const auto known = parts_->syzygy ? parts_->syzygy->value(position) : std::nullopt;
    return known || !parts_->own ? known : parts_->own->value(position);
}

std::vector<analysis::TableMove> EndgameTables::moves(const chess::Position& position) const {
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
