// What a store says twice, and so can say again where one of the two is damaged: keys of positions,
// names of engines and of machines. Each is done once all rows were copied.
#pragma once

#include "salvage.hpp"

namespace adjourn::storage {

// Keys of positions stand in the table and in its index. Where they differ or one is lost, the
// evaluations say which is right.
void mend_positions(Salvage& salvage);
// A fingerprint has 128 bits: where one bit of the row is wrong, it says which. An engine that
// cannot be mended is taken out.
void mend_engines(Salvage& salvage);
// Names stand in the table and in its index. Where both are lost, evaluations keep the number, and
// the machine gets a name that says so.
void mend_machines(Salvage& salvage);

} // namespace adjourn::storage
