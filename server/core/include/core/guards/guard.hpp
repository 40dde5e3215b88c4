// Guard: where an exception ends that nobody expected. Every loop and every task that is posted to
// one runs under a guard, so that no exception ends the process: whoever posted the task is told
// what went wrong, and fails the analysis or the request that it belongs to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace adjourn::server {

struct Trouble {
    enum class Kind {
        damaged, // one row of the store cannot be read (storage::DamagedRow)
        store,   // the store works no more (any other storage::StoreError)
        late,    // what was to be read has not come; the store may be well
        other,   // anything else: a fault of the program, or no memory
    };
    Kind kind = Kind::other;
    std::string place; // what was being done
    std::string what;  // what the exception says
};

// "in PLACE: WHAT"
std::string to_text(const Trouble& trouble);

// Runs `task` to its end. What it throws is logged with the place and returned. Never throws.
std::optional<Trouble> guarded(std::string_view place, const std::function<void()>& task) noexcept;

} // namespace adjourn::server
