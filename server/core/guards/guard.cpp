#include "core/guards/guard.hpp"

#include "base/text.hpp"
#include "storage/store.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
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

HoldWatch::Hold::Hold(HoldWatch& watch, std::string_view task)
    : watch_{watch}, task_{task}, begun_{Clock::now()} {
    ++watch_.depth_;
}

HoldWatch::Hold::~Hold() {
    if (--watch_.depth_ > 0) {
        return;
    }
    const Clock::duration time = Clock::now() - begun_;
    auto found = watch_.held_.find(task_);
    if (found == watch_.held_.end()) {
        found = watch_.held_.emplace(std::string{task_}, Held{}).first;
    }
    Held& held = found->second;
    ++held.times;
    held.longest = std::max(held.longest, time);
    held.total += time;
}

HoldWatch::Clock::duration HoldWatch::longest() const {
    Clock::duration longest{};
    for (const auto& [task, held] : held_) {
        longest = std::max(longest, held.longest);
    }
    return longest;
}

analysis::UnixMs steady_ms() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

analysis::UnixMs Moments::advance() {
    latest_ = std::max(latest_, wall_());
    return latest_;
}

analysis::UnixMs Moments::next() {
    const std::scoped_lock lock{mutex_};
    return advance();
}

std::shared_ptr<const analysis::UnixMs> Moments::begin() {
    auto at = std::make_unique<analysis::UnixMs>();
    {
        const std::scoped_lock lock{mutex_};
        *at = *under_way_.insert(advance());
    }
    const auto over = [self = shared_from_this()](const analysis::UnixMs* gone) {
        const std::unique_ptr<const analysis::UnixMs> owned{gone};
        const std::scoped_lock lock{self->mutex_};
        self->under_way_.erase(self->under_way_.find(*gone));
    };
    return {at.release(), over}; // also where there is no memory: the mutex is free
}

analysis::UnixMs Moments::complete() {
    const std::scoped_lock lock{mutex_};
    const analysis::UnixMs now = advance();
    ++latest_;
    return under_way_.empty() ? now : std::min(now, *under_way_.begin() - 1);
}

void Moments::seen(analysis::UnixMs at) {
    if (at > wall_() + most_ahead) {
        return;
    }
    const std::scoped_lock lock{mutex_};
    latest_ = std::max(latest_, at);
}

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
    if (!executor_) {
        return store_.look(steady_now()) || changed;
    }
    if (store_.due(steady_now(), changed)) {
        executor_->second([this, &store = the_store_, what = store_.what_to_try(),
                           core = executor_->first] {
            storage::StoreHealth::Sight sight;
            if (const auto trouble = guarded("looking at the store", [&] {
                    sight = storage::StoreHealth::look_at(store, what);
                })) {
                sight.around.problem = trouble->what;
            }
            core.post([this, sight] { changed_ = store_.saw(sight, steady_now()) || changed_; });
        });
    }
    if (changed && !store_problem().empty() && on_store_problem) {
        on_store_problem();
    }
    return changed;
}

void Health::found_silent(const std::string& why) {
    changed_ = store_.found_silent(why, steady_now()) || changed_;
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
            store_.failed(trouble.what, steady_now());
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
