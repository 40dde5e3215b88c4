// Positions of a material: all of them, or at random.
#pragma once

#include "chess/material.hpp"
#include "chess/position.hpp"

#include <functional>
#include <optional>
#include <random>
#include <vector>

namespace adjourn::tables {

inline std::vector<chess::Piece> pieces_of(const chess::Material& material) {
    std::vector<chess::Piece> pieces;
    for (const chess::Color color : {chess::Color::white, chess::Color::black}) {
        for (int role = 0; role <= static_cast<int>(chess::Role::king); ++role) {
            const chess::Piece piece{color, static_cast<chess::Role>(role)};
            pieces.insert(pieces.end(), static_cast<std::size_t>(material.count(color, piece.role)),
                          piece);
        }
    }
    return pieces;
}

// Illegal ones are left out.
inline std::optional<chess::Position> place(const std::vector<chess::Piece>& pieces,
                                            const std::vector<int>& squares, chess::Color turn,
                                            std::optional<chess::Square> en_passant = {}) {
    chess::Setup setup;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        auto& at = setup.board[static_cast<std::size_t>(squares[i])];
        const int rank = squares[i] / 8;
        if (at || (pieces[i].role == chess::Role::pawn && (rank == 0 || rank == 7))) {
            return std::nullopt;
        }
        at = pieces[i];
    }
    setup.turn = turn;
    setup.en_passant = en_passant;
    const auto position = chess::Position::from_setup(setup);
    return position ? std::optional{*position} : std::nullopt;
}

// Every legal position without en passant, both sides to move.
inline void for_each_position(const chess::Material& material,
                              const std::function<void(const chess::Position&)>& see) {
    const auto pieces = pieces_of(material);
    std::vector<int> squares(pieces.size(), 0);
    while (true) {
        for (const chess::Color turn : {chess::Color::white, chess::Color::black}) {
            if (const auto position = place(pieces, squares, turn)) {
                see(*position);
            }
        }
        std::size_t i = 0;
        while (i < squares.size() && ++squares[i] == 64) {
            squares[i++] = 0;
        }
        if (i == squares.size()) {
            return;
        }
    }
}

// One legal position; now and then one in which a pawn can be taken en passant, where there can be.
inline chess::Position random_position(const chess::Material& material, std::mt19937& random) {
    const auto pieces = pieces_of(material);
    while (true) {
        std::vector<int> squares;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            squares.push_back(static_cast<int>(random() % 64));
        }
        const auto turn = random() % 2 == 0 ? chess::Color::white : chess::Color::black;
        std::optional<chess::Square> passed;
        for (std::size_t i = 0; i < pieces.size() && !passed; ++i) {
            const bool white = pieces[i].color == chess::Color::white;
            if (pieces[i].role == chess::Role::pawn && pieces[i].color != turn &&
                squares[i] / 8 == (white ? 3 : 4)) {
                passed = chess::Square{squares[i] + (white ? -8 : 8)};
            }
        }
        if (passed) {
            if (const auto position = place(pieces, squares, turn, passed);
                position && position->en_passant()) {
                return *position;
            }
        }
        if (const auto position = place(pieces, squares, turn)) {
            return *position;
        }
    }
}

} // namespace adjourn::tables
