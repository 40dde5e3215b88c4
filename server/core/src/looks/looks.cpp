// Looks, what people want of it and the clock drives. looks_searches.cpp: what is asked.
#include "core/looks/looks.hpp"

#include "core/graphs/solved_node.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace adjourn::server {

namespace {

constexpr analysis::UnixMs told_every = 100; // ms, at the least; else with the next tick

WorkError no_look(LookId id) {
    return {WorkError::Kind::no_look, "there is no look " +
                                          std::to_string(static_cast<std::int64_t>(id)) +
                                          " at this analysis"};
}

WorkError too_many() {
    return {WorkError::Kind::no_looking,
            std::to_string(Looks::most_at_once) +
                " positions are looked at already, no more at once: end one of them"};
}

} // namespace

Looks::Looks(storage::Store& store, const Queue& queue, Engines& engines, Health& health,
             Reads& reads, const base::TaskScope& scope, Recorder recorder, Queue::Clock steady,
             analysis::UnixMs now, Listener listener)
    : store_{store}, queue_{queue}, engines_{engines}, health_{health}, reads_{reads},
      scope_{scope}, recorder_{std::move(recorder)}, steady_{std::move(steady)},
      listener_{std::move(listener)}, last_look_{now / 1000} {}

// ---- what people want ----

std::optional<WorkError> Looks::impossible(const AnalysisRun& run,
                                           const std::vector<chess::Move>& line) const {
    const auto not_now = [](std::string why) {
        return WorkError{WorkError::Kind::no_looking, std::move(why)};
    };
    const EngineSlot* engine = engines_.of(run);
    if (stopping_) {
        return not_now("the server is stopping");
    }
    if (!health_.store_problem().empty()) {
        return WorkError{WorkError::Kind::store_failed,
                         "the store cannot write: " + health_.store_problem()};
    }
    if (engine == nullptr) {
        return not_now("no engine is named '" + run.record.profile + "' in the config");
    }
    if (!engine->identity) {
        return not_now(engine->problem.empty() ? "the engine has not started yet"
                                               : "the engine does not work: " + engine->problem);
    }
    const chess::Position position = run.root.after(line);
    if (position.terminal() != chess::Terminal::no) {
        return WorkError{WorkError::Kind::futile_line, "the game is over in this position"};
    }
    if (run.slot != nullptr && solved_value(run, position)) {
        return WorkError{WorkError::Kind::futile_line,
                         "nothing is asked in " + position.fen() + ": its value is exact"};
    }
    return std::nullopt;
}

std::expected<const Look*, WorkError> Looks::begin(const AnalysisRun& run, LookWish wish) {
    if (auto why = impossible(run, wish.line)) {
        return std::unexpected(std::move(*why));
    }
    const LookId id{last_look_ + 1};
    Look look;
    look.id = id;
    look.analysis = run.record.id;
    look.wish = std::move(wish);
    if (under_way() >= most_at_once) {
        return std::unexpected(too_many());
    }
    ++last_look_;
    Look& added = looks_.emplace(id, std::move(look)).first->second;
    set_going(added, run);
    lend(added);
    go_on(added);
    tell(added);
    return &added;
}

// A place for it, and a position.
void Looks::set_going(Look& look, const AnalysisRun& run) {
    EngineSlot& engine = *engines_.of(run);
    look.engine = engine.profile.name;
    look.renewed_at = steady_();
    begin_at(look, run);
    if (!look.place) {
        look.ended.clear();
        look.profile = engine.index;
        look.place =
            engine.dispatcher->reserve(engine.index, {static_cast<std::uint64_t>(look.analysis)});
    }
}

std::expected<const Look*, WorkError> Looks::change(const AnalysisRun& run, LookId id,
                                                    const LookPatch& patch) {
    Look* look = find(id);
    if (look == nullptr || look->analysis != run.record.id) {
        return std::unexpected(no_look(id));
    }
    const bool over = !look->ended.empty();
    const bool elsewhere = patch.line && (over || *patch.line != look->wish.line);
    const bool more = patch.lines.value_or(0) > look->wish.lines;
    const bool other_lines = patch.lines && *patch.lines != look->wish.lines;
    const bool anew = elsewhere || (over && more);
    if (anew) {
        const auto& line = elsewhere ? *patch.line : look->wish.line;
        if (over && under_way() >= most_at_once) {
            return std::unexpected(too_many());
        }
        if (auto why = impossible(run, line)) {
            if (elsewhere && why->kind == WorkError::Kind::futile_line) {
                end(*look, why->message); // nobody is to think that the old one is shown
            }
            return std::unexpected(std::move(*why));
        }
    }
    look->renewed_at = steady_();
    look->wish.line = patch.line.value_or(look->wish.line);
    look->wish.lines = patch.lines.value_or(look->wish.lines);
    look->wish.from_queue = patch.from_queue.value_or(look->wish.from_queue);
    look->wish.until_stopped = patch.until_stopped.value_or(look->wish.until_stopped);
    if (anew) {
        call_off(*look);
        set_going(*look, run);
        go_on(*look);
    } else if (other_lines && look->ended.empty()) { // from the depth on that all of them have
        call_off(*look);
        look->depth = 0;
        go_on(*look);
    }
    lend(*look);
    if (anew || patch.lines || patch.from_queue || patch.until_stopped) {
        tell(*look);
    }
    return look;
}

std::expected<void, WorkError> Looks::stop(const AnalysisRun& run, LookId id) {
    Look* look = find(id);
    if (look == nullptr || look->analysis != run.record.id) {
        return std::unexpected(no_look(id));
    }
    if (look->ended.empty()) {
        end(*look, "stopped");
    }
    looks_.erase(id);
    return {};
}

void Looks::root_moved(const AnalysisRun& run, const std::vector<chess::Move>& before) {
    for (auto& [id, look] : looks_) {
        if (look.analysis != run.record.id) {
            continue;
        }
        std::vector<chess::Move> line = before;
        line.insert(line.end(), look.wish.line.begin(), look.wish.line.end());
        const auto below = run.from_root(line);
        look.wish.line = below.value_or(std::vector<chess::Move>{});
        if (!below && look.ended.empty()) {
            end(look, "the game went on another way");
        }
    }
}

void Looks::forget(analysis::AnalysisId analysis) {
    for (auto& [id, look] : looks_) {
        if (look.analysis == analysis && look.ended.empty()) {
            end(look, "the analysis was deleted");
        }
    }
    std::erase_if(looks_, [&](const auto& entry) { return entry.second.analysis == analysis; });
}

// ---- looking ----

Look* Looks::find(LookId id) {
    const auto found = looks_.find(id);
    return found == looks_.end() ? nullptr : &found->second;
}

const Look* Looks::find(analysis::AnalysisId analysis, LookId id) const {
    const auto found = looks_.find(id);
    return found == looks_.end() || found->second.analysis != analysis ? nullptr : &found->second;
}

std::vector<const Look*> Looks::of(analysis::AnalysisId analysis) const {
    std::vector<const Look*> all;
    for (const auto& [id, look] : looks_) {
        if (look.analysis == analysis) {
            all.push_back(&look);
        }
    }
    return all;
}

std::size_t Looks::under_way() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        looks_, [](const auto& entry) { return entry.second.ended.empty(); }));
}

std::optional<engine_bridge::ProcessStatus> Looks::live(const Look& look) const {
    const EngineSlot* engine = look.search ? engines_.named(look.engine) : nullptr;
    return engine == nullptr ? std::nullopt : engine->process_of(look.search->job);
}

bool Looks::ready(const Look& look) const {
    return look.place && engines_.dispatcher()->works(*look.place);
}

void Looks::process_changed(engine_bridge::ProfileId profile) {
    for (auto& [id, look] : looks_) {
        if (look.place && look.profile == profile) {
            health_.attempt("telling what is looked at", [&, &told = look] { tell_soon(told); });
        }
    }
}

void Looks::engines_changed() {
    for (auto& [id, look] : looks_) {
        if (look.place && engines_.dispatcher()->closed(look.profile)) {
            end(look, "the engine was changed in the configuration");
        }
    }
}

// What the look takes from the queue's processes of its engine.
void Looks::lend(const Look& look) {
    if (look.place) {
        engines_.dispatcher()->lend(*look.place, look.wish.from_queue);
    }
}

engine_bridge::Dispatcher::Time Looks::now() const {
    return engine_bridge::Dispatcher::Time{std::chrono::milliseconds{steady_()}};
}

// ---- the clock ----

void Looks::look_after() {
    const analysis::UnixMs now = steady_();
    for (auto& [id, look] : looks_) {
        if (look.ended.empty() && !health_.store_problem().empty()) {
            end(look, "the store cannot write: " + health_.store_problem());
        } else if (look.ended.empty() && !look.wish.until_stopped &&
                   now - look.renewed_at >= patience) {
            end(look, "nobody looked any more");
        } else if (look.untold) {
            tell(look);
        }
    }
    std::erase_if(looks_, [&](const auto& entry) {
        return !entry.second.ended.empty() && now - entry.second.ended_at >= kept;
    });
    engines_.dispatcher()->dismiss_idle(this->now(), std::chrono::milliseconds{warm});
}

void Looks::end(Look& look, std::string why) {
    call_off(look);
    look.ended = std::move(why);
    look.ended_at = steady_();
    leave_place(look);
    tell(look);
}

void Looks::leave_place(Look& look) {
    if (look.place) {
        engines_.dispatcher()->release(*look.place, now());
        look.place.reset();
    }
}

void Looks::tell(Look& look) {
    look.untold = false;
    look.told_at = steady_();
    if (listener_.changed) {
        listener_.changed(look);
    }
}

void Looks::tell_soon(Look& look) {
    if (steady_() - look.told_at >= told_every) {
        tell(look);
    } else {
        look.untold = true;
    }
}

void Looks::end_all(std::function<void()> stopped) {
    stopping_ = true;
    stopped_ = std::move(stopped);
    for (auto& [id, look] : looks_) {
        if (look.ended.empty()) {
            end(look, "the server is stopping");
        }
    }
    scope_.post([this] { finish_stop(); });
}

void Looks::finish_stop() {
    if (stopping_ && out_ == 0 && stopped_) {
        std::exchange(stopped_, nullptr)();
    }
}

} // namespace adjourn::server
