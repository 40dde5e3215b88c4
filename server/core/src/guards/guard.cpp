#include "core/guards/guard.hpp"

#include "base/utf8.hpp"
#include "storage/store.hpp"

#include <spdlog/spdlog.h>

#include <exception>

namespace adjourn::server {

namespace {

// Of the exception that is being handled. What it says may name files in any encoding.
Trouble present_trouble(std::string_view place) noexcept {
    Trouble trouble;
    try {
        trouble.place = place;
        try {
            throw;
        } catch (const storage::DamagedRow& error) {
            trouble.kind = Trouble::Kind::damaged;
            trouble.what = base::to_utf8(error.what());
        } catch (const storage::StoreError& error) {
            trouble.kind = Trouble::Kind::store;
            trouble.what = base::to_utf8(error.what());
        } catch (const std::exception& error) {
            trouble.what = base::to_utf8(error.what());
        } catch (...) {
            trouble.what = "an exception of unknown type";
        }
        spdlog::error("{}: {}", trouble.place, trouble.what);
    } catch (...) {
        // No memory to say more; the kind is told all the same.
        trouble.what.clear();
    }
    return trouble;
}

} // namespace

std::string to_text(const Trouble& trouble) {
    return "in " + trouble.place + ": " + trouble.what;
}

std::optional<Trouble> guarded(std::string_view place, const std::function<void()>& task) noexcept {
    try {
        task();
        return std::nullopt;
    } catch (...) {
        return present_trouble(place);
    }
}

} // namespace adjourn::server
