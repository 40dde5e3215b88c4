#include "core/guards/health.hpp"

#include "base/text.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

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
    bool changed = std::exchange(changed_, false);
    if (!elsewhere_) {
        return store_.look(std::chrono::steady_clock::now()) || changed;
    }
    if (store_.due(std::chrono::steady_clock::now(), changed)) {
        elsewhere_->second(
            [this, &store = the_store_, what = store_.what_to_try(), core = elsewhere_->first] {
                storage::StoreHealth::Sight sight;
                if (const auto trouble = guarded("looking at the store", [&] {
                        sight = storage::StoreHealth::look_at(store, what);
                    })) {
                    sight.around.problem = trouble->what;
                }
                core.post([this, sight] {
                    changed_ = store_.saw(sight, std::chrono::steady_clock::now()) || changed_;
                });
            });
    }
    if (changed && !store_problem().empty() && on_store_problem) {
        on_store_problem();
    }
    return changed;
}

void Health::found_silent(const std::string& why) {
    changed_ = store_.found_silent(why, std::chrono::steady_clock::now()) || changed_;
}

std::optional<std::uint64_t> Health::evaluations() const {
    const auto of_writer = the_store_.writing().evaluations;
    return of_writer ? of_writer : environment().evaluations;
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
    case Trouble::Kind::late: return false;
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
