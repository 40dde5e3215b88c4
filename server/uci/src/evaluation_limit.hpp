// What the searches of one "go" may cost: each, and all together. Pure.
#pragma once

#include "analysis/records.hpp"
#include "chess/uci/command.hpp"
#include "uci/settings.hpp"
#include "uci/time_manager.hpp"

#include <cstdint>
#include <optional>

namespace adjourn::server::uci {

using chess::uci::Go;

// What all searches together may cost. By a clock it is a guess, and only `anchored` has a use for
// it, for its last long search; a search that still runs when the time is over has its say all the
// same. `speed`: nodes a second of one worker; 0 where it is not known.
std::optional<std::uint64_t> budget_of(const Go& go, const Settings& settings,
                                       const std::optional<Allotment>& allotment, double speed);

analysis::Limit limit_of(const Go& go, const Settings& settings,
                         const std::optional<Allotment>& allotment, double speed,
                         const std::optional<std::uint64_t>& budget);

} // namespace adjourn::server::uci
