// Lookout, the processes: each look has one; who comes next finds it warm.
#include "looks/lookout.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace adjourn::server {

Lookout::Desk* Lookout::desk(int number) {
    const auto found = std::ranges::find_if(
        desks_, [&](const auto& desk) { return desk->number == number && !desk->leaving; });
    return found == desks_.end() ? nullptr : found->get();
}

const Lookout::Desk* Lookout::desk_of(LookId id) const {
    const auto found =
        std::ranges::find_if(desks_, [&](const auto& desk) { return desk->look == id; });
    return found == desks_.end() ? nullptr : found->get();
}

Lookout::Desk* Lookout::desk_of(LookId id) {
    const auto found =
        std::ranges::find_if(desks_, [&](const auto& desk) { return desk->look == id; });
    return found == desks_.end() ? nullptr : found->get();
}

// The one that knows the analysis, else any of the engine that is free, else a new one. REQUIRES:
// fewer than most_at_once are taken.
void Lookout::take_desk(Look& look, EngineSlot& engine) {
    Desk* best = nullptr;
    Desk* other = nullptr; // free, but of another engine
    std::size_t staying = 0;
    for (const auto& desk : desks_) {
        staying += desk->leaving ? 0 : 1;
        if (desk->look || desk->leaving) {
            continue;
        }
        if (desk->engine.get() != &engine) {
            other = desk.get();
        } else if (best == nullptr || desk->last == look.analysis) {
            best = desk.get();
        }
    }
    const bool found = best != nullptr;
    if (!found) {
        if (staying >= most_at_once && other != nullptr) {
            dismiss(*other);
        }
        best = desks_.emplace_back(std::make_unique<Desk>()).get();
        best->number = ++last_desk_;
        best->engine = engine.shared_from_this();
    }
    best->look = look.id;
    best->last = look.analysis;
    if (found) {
        look.ready = best->known;
    } else {
        start(*best); // it may know at once whether it can
    }
}

void Lookout::start(Desk& desk) {
    engine_bridge::Profile profile = desk.engine->profile;
    profile.count = 1;
    Workers::Callbacks callbacks;
    callbacks.done = [recorder = recorder_](engine_bridge::JobId job,
                                            engine_bridge::Result result) {
        recorder->answered(job, std::move(result));
    };
    callbacks.changed = scope_.bind([this, number = desk.number](std::size_t) {
        Desk* here = this->desk(number);
        Look* look = here == nullptr || !here->look ? nullptr : find(*here->look);
        if (look != nullptr) {
            health_.attempt("telling what is looked at", [&] { tell_soon(*look); });
        }
    });
    callbacks.identified = scope_.bind(
        [this, number = desk.number](std::expected<engine_bridge::Identity, std::string> who) {
            if (Desk* here = this->desk(number)) {
                health_.attempt("the start of engine " + here->engine->profile.name,
                                [&] { identified(*here, who); });
            }
        });
    callbacks.died = scope_.bind([this, number = desk.number](std::size_t, const std::string& why) {
        Desk* here = this->desk(number);
        if (here != nullptr && here->deaths.died(std::chrono::steady_clock::now()).written) {
            spdlog::warn("engine {}: the process for what is looked at is gone: {}",
                         here->engine->profile.name, why);
        }
    });
    desk.workers = workers_(profile, std::move(callbacks));
    desk.workers->start();
}

// Its answers are stored as the queue's engine's, so it must be the same.
void Lookout::identified(Desk& desk,
                         const std::expected<engine_bridge::Identity, std::string>& who) {
    desk.known = who && desk.engine->identity && *who == *desk.engine->identity;
    Look* look = desk.look ? find(*desk.look) : nullptr;
    if (!desk.known) {
        const std::string why =
            who ? "the engine is now " + who->name + ", which the server has not started with"
                : "the engine does not work: " + who.error();
        dismiss(desk);
        if (look != nullptr) {
            end(*look, why);
        }
        return;
    }
    if (look != nullptr) {
        look->ready = true;
        go_on(*look);
        tell_soon(*look);
    }
}

void Lookout::leave_desk(Look& look) {
    look.ready = false;
    if (Desk* desk = desk_of(look.id)) {
        desk->look.reset();
        desk->idle_since = clock_();
    }
}

void Lookout::dismiss(Desk& desk) {
    desk.leaving = true;
    desk.workers->stop([this, scope = scope_.poster(), number = desk.number] {
        scope.post([this, number] { gone(number); });
    });
}

void Lookout::engines_changed() {
    for (const auto& desk : desks_) {
        if (desk->leaving || std::ranges::count(engines_.all(), desk->engine) > 0) {
            continue;
        }
        Look* look = desk->look ? find(*desk->look) : nullptr;
        if (look != nullptr) {
            end(*look, "the engine was changed in the configuration");
        }
        dismiss(*desk);
    }
    count_lent();
}

void Lookout::gone(int number) {
    std::erase_if(desks_, [&](const auto& desk) { return desk->number == number; });
    finish_stop();
}

// What each look takes from the queue's processes of its engine, together.
void Lookout::count_lent() {
    bool changed = false;
    for (const auto& engine : engines_.all()) {
        std::size_t lent = 0;
        for (const auto& [id, look] : looks_) {
            if (look.ended.empty() && look.engine == engine->profile.name) {
                lent += look.wish.from_queue;
            }
        }
        // What a reproducible engine's queue asks must not depend on who looks.
        lent = engine->profile.reproducible ? 0 : std::min(lent, engine->profile.count);
        changed = changed || lent != engine->lent;
        engine->lent = lent;
    }
    if (changed && listener_.share_changed) {
        listener_.share_changed();
    }
}

} // namespace adjourn::server
