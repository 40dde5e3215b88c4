#include "health/health.hpp"

#include "base/utf8.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace adjourn::server {

void Health::set_aside(const std::vector<std::string>& rows) {
    constexpr std::size_t most_told = 100;
    for (const std::string& row : rows) {
        const std::string text = base::to_utf8(row); // may quote what is no text
        if (std::ranges::find(set_aside_, text) != set_aside_.end()) {
            continue;
        }
        spdlog::warn("set aside: {}", text);
        if (set_aside_.size() < most_told) {
            set_aside_.push_back(text);
        }
    }
}

bool Health::look_at_store() {
    return store_.look(std::chrono::steady_clock::now());
}

void Health::known() {
    unreadable_.clear();
    known_rows_ = set_aside_.size();
    store_.damage_is_known();
}

bool Health::take(const Trouble& trouble) {
    switch (trouble.kind) {
    case Trouble::Kind::store:
        if (store_problem().empty()) {
            store_.failed(trouble.what, std::chrono::steady_clock::now());
            if (on_store_problem) {
                on_store_problem();
            }
        }
        return false; // nobody's fault; every analysis waits
    case Trouble::Kind::damaged: found_unreadable(trouble.what); break;
    case Trouble::Kind::other: break;
    }
    return true;
}

Health::Attempt Health::attempt(std::string_view place, const std::function<void()>& task) {
    auto trouble = guarded(place, task);
    if (!trouble) {
        return {};
    }
    const bool own = take(*trouble);
    return {false, own ? std::move(trouble) : std::nullopt};
}

} // namespace adjourn::server
