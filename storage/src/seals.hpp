// Seals: which values of which rows the checksums are of, as SQL. A row that refers to a position,
// an engine or a source seals what stands there, not its number.
#pragma once

#include <span>

namespace adjourn::storage {

struct Seal {
    const char* table;
    const char* row; // what the row is called where it is told of
    const char* id;  // the column that goes with the name
    // Its checksum, in a statement that has the table under its own name. A column `checksum`
    // holds it.
    const char* checksum;
};

extern const Seal evaluation_seal, failure_seal, analysis_seal, directive_seal, snapshot_seal,
    seed_seal, usage_seal;
std::span<const Seal* const> seals();

// The rows of `asked` have none of their own: `asked_sums` has, for each analysis, the sum of this
// over all its rows.
extern const char* const asked_checksum;

} // namespace adjourn::storage
