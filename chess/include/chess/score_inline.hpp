// The constexpr bodies of score.hpp.
#pragma once

#include "chess/score.hpp"

#include <algorithm>

namespace adjourn::chess {

constexpr Score Score::cp(int value) {
    return {Kind::cp, Wdl::draw, std::clamp(value, -max_cp, max_cp)};
}

constexpr Score Score::mate_in(int plies) {
    return {Kind::mate, Wdl::draw, mate_base - std::clamp(plies, 0, max_plies)};
}

constexpr Score Score::mated_in(int plies) {
    return {Kind::mate, Wdl::draw, -mate_base + std::clamp(plies, 0, max_plies)};
}

constexpr Score Score::tablebase(Wdl wdl, int dtz) {
    const int distance = std::clamp(dtz, 0, max_plies);
    switch (wdl) {
    case Wdl::win: return {Kind::tablebase, wdl, tablebase_base - distance};
    case Wdl::loss: return {Kind::tablebase, wdl, -tablebase_base + distance};
    default: return {Kind::tablebase, wdl, 0};
    }
}

constexpr int Score::plies() const {
    const int magnitude = value_ < 0 ? -value_ : value_;
    switch (kind_) {
    case Kind::mate: return mate_base - magnitude;
    case Kind::tablebase: return magnitude == 0 ? 0 : tablebase_base - magnitude;
    default: return 0;
    }
}

constexpr Wdl Score::wdl() const {
    return wdl_;
}

constexpr Score Score::operator-() const {
    return {kind_, static_cast<Wdl>(-static_cast<int>(wdl_)), -value_};
}

constexpr Score Score::backed_up() const {
    Score result = -*this;
    if (result.is_win() && plies() < max_plies) {
        --result.value_;
    } else if (result.is_loss() && plies() < max_plies) {
        ++result.value_;
    }
    return result;
}

constexpr Score Score::followed() const {
    Score result = -*this;
    if (plies() > 0) {
        if (result.is_win()) {
            ++result.value_;
        } else if (result.is_loss()) {
            --result.value_;
        }
    }
    return result;
}

constexpr std::uint32_t Score::encode() const {
    return static_cast<std::uint32_t>(value_ + (1 << 20)) |
           static_cast<std::uint32_t>(kind_) << 24 |
           static_cast<std::uint32_t>(static_cast<int>(wdl_) + 2) << 28;
}

constexpr std::expected<Score, int> Score::decode(std::uint32_t code) {
    const auto value = static_cast<std::int32_t>(code & 0xffffff) - (1 << 20);
    const auto kind = (code >> 24) & 15;
    const auto wdl = static_cast<int>(code >> 28) - 2;
    if (kind > 2 || wdl < -2 || wdl > 2) {
        return std::unexpected(1);
    }
    const Score score{static_cast<Kind>(kind), static_cast<Wdl>(wdl), value};
    const int distance = score.plies();
    Score expected = cp(value);
    if (score.kind_ == Kind::mate) {
        expected = value > 0 ? mate_in(distance) : mated_in(distance);
    } else if (score.kind_ == Kind::tablebase) {
        expected = tablebase(score.wdl_, distance);
    }
    if (expected != score) {
        return std::unexpected(1);
    }
    return score;
}

constexpr bool may_be_told(Score score) {
    const int plies = 2 * most_told_mate - (score.is_win() ? 1 : 0);
    return score.kind() == Score::Kind::mate
               ? score.plies() <= plies
               : score.rank() >= -most_told_cp && score.rank() <= most_told_cp;
}

constexpr std::optional<Score> told_mate(std::int64_t moves) {
    if (moves < -most_told_mate || moves > most_told_mate) {
        return std::nullopt;
    }
    const int plies = 2 * static_cast<int>(moves);
    return moves > 0 ? Score::mate_in(plies - 1) : Score::mated_in(-plies);
}

constexpr std::optional<Score> told_cp(std::int64_t centipawns) {
    return centipawns < -most_told_cp || centipawns > most_told_cp
               ? std::nullopt
               : std::optional{Score::cp(static_cast<int>(centipawns))};
}

} // namespace adjourn::chess
