#include "storage/store_health.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::storage {

namespace {

std::string megabytes(std::uint64_t bytes) {
    return std::to_string(bytes / 1'000'000) + " MB";
}

} // namespace

void StoreHealth::failed(const std::string& why, Moment now) {
    if (kind_ == Kind::none || kind_ == Kind::space) {
        set(why.empty() ? "no memory" : why, Kind::failure);
        pause_ = rules_.first_pause;
        next_look_ = now + pause_;
    }
}

bool StoreHealth::found_silent(const std::string& why, Moment now) {
    const std::string before = problem_;
    failed(why, now);
    silent_ = true;
    return problem_ != before;
}

bool StoreHealth::due(Moment now, bool& changed) {
    const Writing writing = store_.writing();
    const auto passed = last_due_ ? now - *last_due_ : Moment::duration{};
    const auto step = std::min<std::chrono::nanoseconds>(passed, rules_.longest_step);
    last_due_ = now;
    write_silent_ = std::min(writing.silent, write_silent_ + step);
    if (write_silent_ > rules_.silence && !silent_) {
        changed = found_silent("the disk or the database does not answer: what is written has not "
                               "become durable for more than a second; it goes on by itself",
                               now) ||
                  changed;
    } else if (!writing.broken.empty() && problem_.empty()) {
        failed(writing.broken, now);
        changed = true;
    }
    if (looking_for_) {
        *looking_for_ += step;
        if (*looking_for_ > rules_.silence && !silent_) {
            changed =
                found_silent("the disk or the database does not answer: nothing has been read "
                             "for more than a second; it goes on by itself",
                             now) ||
                changed;
        }
        return false;
    }
    if (now < next_look_) {
        return false;
    }
    looking_for_.emplace(0);
    return true;
}

StoreHealth::Try StoreHealth::what_to_try() const {
    return {kind_ == Kind::failure, known_, least_free()};
}

StoreHealth::Sight StoreHealth::look_at(Store& store, Try what) {
    Sight sight{store.environment(), what.write};
    const auto free = sight.around.free_bytes;
    const bool sound =
        sight.around.problem.empty() && (what.damage_known || sight.around.damage.empty());
    if (what.write && sound && (!free || *free >= what.least_free)) {
        try {
            store.recover();
            sight.recovered = true;
        } catch (const StoreError&) {
            // The first reason stays: it is the cause, this one the consequence.
        }
    }
    return sight;
}

bool StoreHealth::saw(const Sight& sight, Moment now) {
    looking_for_.reset();
    next_look_ = now + rules_.look_every;
    const std::string before = problem_;
    around_ = sight.around;
    if (sight.recovered) {
        set("", Kind::none);
        return true;
    }
    if (kind_ != Kind::failure) {
        if (const std::string damage = known_ ? "" : around_.damage; !damage.empty()) {
            set(damage, Kind::damage);
        } else if (!around_.problem.empty()) {
            set("", Kind::none);
            failed(around_.problem, now);
        } else if (const std::string little = of_environment(around_); little.empty()) {
            set("", Kind::none);
        } else if (kind_ != Kind::space) { // else it would be told anew with each figure
            set(little, Kind::space);
        }
        return problem_ != before;
    }
    if (!sight.tried) { // it was begun before the problem
        next_look_ = silent_ ? now : now + rules_.first_pause;
        return false;
    }
    // Who is silent is waited for at each look: there need be no pauses besides.
    pause_ = silent_ ? rules_.first_pause : std::min(2 * pause_, rules_.longest_pause);
    next_look_ = now + pause_;
    return false;
}

void StoreHealth::damage_is_known() {
    known_ = true;
    look_soon();
}

bool StoreHealth::look(Moment now) {
    bool changed = false;
    if (due(now, changed)) {
        const Sight sight = look_at(store_, what_to_try());
        changed = saw(sight, now) || changed;
    }
    return changed;
}

// A tenth more than the least before it goes on: else it would begin and end with every answer.
std::uint64_t StoreHealth::least_free() const {
    return problem_.empty() ? rules_.least_free : rules_.least_free + rules_.least_free / 10;
}

std::string StoreHealth::of_environment(const StoreEnvironment& around) const {
    if (!around.free_bytes || *around.free_bytes >= least_free()) {
        return "";
    }
    return "the disk is nearly full: " + megabytes(*around.free_bytes) +
           " are free, and nothing is asked below " + megabytes(rules_.least_free) +
           "; it goes on by itself when there is more";
}

void StoreHealth::set(std::string problem, Kind kind) {
    problem_ = std::move(problem);
    kind_ = kind;
    silent_ = false;
}

} // namespace adjourn::storage
