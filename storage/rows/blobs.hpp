// The blobs of the database and their codecs (docs/internals/database-format.md). Every value has
// exactly one encoding; decoders take any bytes and refuse whatever the encoders never make.
#pragma once

#include "storage/rows/tables.hpp"

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace adjourn::storage {

// Why bytes are refused.
using Undecodable = std::string;

// A position's key: its packed form without the zeros at the end. Refers to `packed`.
Bytes position_key(const chess::PackedPosition& packed);
std::expected<chess::PackedPosition, Undecodable> decode_key(Bytes key);

// Moves one after the other in 12 or 24 bits each; appended to `out`.
void encode_moves(const std::vector<chess::Move>& moves, Buffer& out);
// `moves` gets replaced, its memory reused.
std::expected<void, Undecodable> decode_moves(Bytes bytes, std::vector<chess::Move>& moves);

// Everything an engine said: move, score, bound, depths, nodes, time, PV, win-draw-loss; and the
// number of the machine that made it, 0 where that is not known. Appended to `out`.
// Precondition: answer_trouble(evaluation) is empty.
void encode_answer(const Evaluation& evaluation, std::int64_t machine, Buffer& out);
// Sets those fields, leaving `evaluation` as it is elsewhere. Returns the number of the machine.
std::expected<std::int64_t, Undecodable> decode_answer(Bytes bytes, Evaluation& evaluation);

// Why a record is no record, by its form alone (legality takes the rules: see check.cpp); "" if it
// is one.
std::string limit_trouble(const analysis::Limit& limit);
std::string question_trouble(const Question& question);
std::string answer_trouble(const Evaluation& evaluation);

} // namespace adjourn::storage
