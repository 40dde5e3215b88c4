// Core, its engines: who they say they are, what becomes of them, and others in their place.
#include "core/engines/engine_facts.hpp"
#include "core/schedule/core.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cassert>

namespace adjourn::server {

void Core::add_engine(const engine_bridge::Profile& profile) {
    const std::shared_ptr<EngineSlot> slot = engines_.add(profile);
    // Processes tell things on their own thread, until they have stopped; nobody listens once their
    // engine is gone.
    const auto for_it = [core = scope_.poster(), slot = std::weak_ptr{slot}](auto task) {
        return [core, slot, task](auto... told) {
            core.post([slot, task, ... told = std::move(told)] {
                if (const auto engine = slot.lock()) {
                    task(*engine, told...);
                }
            });
        };
    };
    const auto changed = [this](EngineSlot& engine, std::size_t process) {
        if (process >= engine.profile.count) {
            looks_.process_changed(engine.index);
        }
        engine.changed = true;
        scheduler_.fill_soon();
    };
    engine_bridge::Processes::Callbacks callbacks;
    callbacks.changed = for_it(changed);
    callbacks.identified = for_it([this](EngineSlot& engine, const Who& who) {
        const HoldWatch::Hold hold{watch(), "engine"};
        attempt("the start of engine " + engine.profile.name, [&] {
            if (!left(engine)) {
                on_identified(engine, who);
            }
        });
    });
    callbacks.died =
        for_it([this](EngineSlot& engine, std::size_t process, const std::string& reason) {
            on_died(engine, process, reason);
        });
    slot->index = engines_.dispatcher()->add(profile.name, profile.reproducible,
                                             [tell = for_it(changed)] { tell(std::size_t{0}); });
    slot->processes =
        make_processes_(engines_.dispatcher(), slot->index, profile, std::move(callbacks));
}

bool Core::left(const EngineSlot& engine) const {
    return std::ranges::any_of(leaving_, [&](const auto& other) { return other.get() == &engine; });
}

// Its questions come back as cancelled. It is kept until its processes are gone.
void Core::send_away(const std::shared_ptr<EngineSlot>& engine) {
    leaving_.push_back(engine);
    engine->processes->stop([this, core = scope_.poster(), engine] {
        core.post([this, engine] {
            std::erase(leaving_, engine);
            finish_stop();
        });
    });
}

void Core::set_engines(const std::vector<engine_bridge::Profile>& profiles) {
    assert(started_engines_ && !stopping_ && !profiles.empty());
    const std::vector<std::shared_ptr<EngineSlot>> before = engines_.take_all();
    std::vector<EngineSlot*> added;
    for (const engine_bridge::Profile& profile : profiles) {
        const auto same = std::ranges::find_if(
            before, [&](const auto& engine) { return engine->profile == profile; });
        if (same != before.end()) {
            engines_.keep(*same);
        } else {
            add_engine(profile);
            added.push_back(engines_.all().back().get());
        }
    }
    for (const auto& engine : before) {
        if (std::ranges::find(engines_.all(), engine) == engines_.all().end()) {
            send_away(engine);
            tell_sent_away(*engine);
        }
    }
    looks_.engines_changed();
    for (EngineSlot* engine : added) {
        engine->processes->start();
    }
    for (const auto& engine : engines_.all()) {
        engine->changed = true; // also which one is the default
    }
    for (const auto& run : queue_.runs()) {
        run->changed = true;
    }
    scheduler_.fill_soon();
}

// Observers keep engines by name.
void Core::tell_sent_away(EngineSlot& engine) {
    if (engines_.named(engine.profile.name) != nullptr) {
        return;
    }
    engine.problem = "it is not in the configuration any more";
    if (options_.observer) {
        attempt("telling what has changed",
                [&] { options_.observer->engine_changed(*this, engine); });
    }
}

// Its number in the store is read elsewhere, and written where it is new.
void Core::on_identified(EngineSlot& engine, const Who& who) {
    if (!who) {
        known_as(engine, who, std::nullopt);
        return;
    }
    const auto still = [this, slot = engine.weak_from_this()] {
        const auto there = slot.lock(); // the core's thread lets go of it
        return there != nullptr && !left(*there) ? there : nullptr;
    };
    const auto read = [this, &store = store_, record = engine_record(*who), still, who] {
        storage::EngineRecord known = record;
        known.id = store.engine(record);
        return [this, still, who, known] {
            graphs_.know(known);
            if (const auto there = still()) {
                known_as(*there, who, known.id);
            }
        };
    };
    beside_.read(read, [this, still, who](const std::string& problem) {
        health_.take({Trouble::Kind::store, "the start of an engine", problem});
        if (const auto there = still()) {
            known_as(*there, who, std::nullopt);
        }
    });
}

void Core::known_as(EngineSlot& engine, const Who& who, std::optional<analysis::EngineId> id) {
    engine.changed = true;
    const bool known = id.has_value();
    if (who) {
        engine.problem.clear();
    } else {
        engine.problem = who.error();
        spdlog::warn("engine {}: {}", engine.profile.name, engine.problem);
    }
    if (known) {
        engine.id = *id;
        engine.identity = *who;
        if (options_.graphs_at_once) {
            graphs_.want({engine.id});
        }
    } else if (who) { // `health_` has kept why
        engine.problem =
            "the store cannot be used: " +
            (health_.store_problem().empty() ? health_.unreadable() : health_.store_problem());
    }
    for (const auto& run : queue_.runs()) {
        if (!known || run->record.profile != engine.profile.name ||
            run->record.engine == engine.id) {
            continue;
        }
        if (run->record.engine != analysis::EngineId{}) {
            spdlog::warn(
                "analysis {}: engine '{}' is now {}; its tree is grown anew, the old evaluations "
                "stay in the store",
                static_cast<std::int64_t>(run->record.id), engine.profile.name,
                engine.identity->name);
        }
        leave_graph(*run);
        run->record.engine = engine.id;
        graphs_.join(*run);
        queue_.save(*run);
    }
    if (on_engine) {
        on_engine(engine);
    }
    scheduler_.fill_soon();
}

// And those make way that keep a process from what goes before them.
void Core::keep_searches() {
    checkpoints_.look_after();
    for (const engine_bridge::JobId job : scheduler_.in_the_way(checkpoints_.since())) {
        checkpoints_.keep(job);
        engines_.dispatcher()->put_back(job);
    }
}

void Core::on_died(EngineSlot& engine, std::size_t process, const std::string& reason) {
    engine.changed = true;
    const DeathLog::Line line = engine.deaths.died(std::chrono::steady_clock::now());
    if (line.written && line.left_out > 0) {
        spdlog::warn("engine {}: {} more deaths of its processes are not listed here",
                     engine.profile.name, line.left_out);
    }
    if (line.written) {
        spdlog::warn("engine {}: process {} is gone: {}", engine.profile.name, process, reason);
    }
}

} // namespace adjourn::server
