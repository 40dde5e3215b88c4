#include "storage_base/columns.hpp"

#include "storage_base/blobs.hpp"

#include <algorithm>
#include <array>

namespace adjourn::storage {

namespace {

// Indexed by AnalysisState.
const std::array<std::string, 6> state_names{"queued",  "running",   "paused",
                                             "settled", "exhausted", "failed"};

} // namespace

const std::string& name_of(AnalysisState state) {
    return state_names.at(static_cast<std::size_t>(state));
}

std::optional<AnalysisState> state_of(std::string_view name) {
    const auto found = std::ranges::find(state_names, name);
    return found == state_names.end()
               ? std::nullopt
               : std::optional{static_cast<AnalysisState>(found - state_names.begin())};
}

Buffer moves_blob(const std::vector<chess::Move>& moves) {
    Buffer blob;
    encode_moves(moves, blob);
    return blob;
}

std::optional<std::int64_t> raw_or_null(const std::optional<chess::Move>& move) {
    return move ? std::optional<std::int64_t>{move->raw()} : std::nullopt;
}

std::optional<std::int64_t> row_or_null(EngineId engine) {
    return engine == EngineId{} ? std::nullopt : std::optional{row(engine)};
}

} // namespace adjourn::storage
