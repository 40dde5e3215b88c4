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

bool StoreHealth::look(Moment now) {
    if (now < next_look_) {
        return false;
    }
    next_look_ = now + rules_.look_every;
    const std::string before = problem_;
    const Surroundings around = store_.surroundings();
    const std::string damage = known_ ? "" : around.damage;
    if (kind_ != Kind::failure) {
        if (!damage.empty()) {
            set(damage, Kind::damage);
        } else if (!around.problem.empty()) {
            set("", Kind::none);
            failed(around.problem, now);
        } else if (const std::string little = of_surroundings(around); little.empty()) {
            set("", Kind::none);
        } else if (kind_ != Kind::space) { // else it would be told anew with each figure
            set(little, Kind::space);
        }
        return problem_ != before;
    }
    if (around.problem.empty() && damage.empty() && of_surroundings(around).empty()) {
        try {
            store_.recover();
            set("", Kind::none);
            return true;
        } catch (const StoreError&) {
            // The first reason stays: it is the cause, this one the consequence.
        }
    }
    pause_ = std::min(2 * pause_, rules_.longest_pause);
    next_look_ = now + pause_;
    return false;
}

void StoreHealth::damage_is_known() {
    known_ = true;
    look_soon();
}

// A tenth more than the least before it goes on: else it would begin and end with every answer.
std::string StoreHealth::of_surroundings(const Surroundings& around) const {
    const std::uint64_t least =
        problem_.empty() ? rules_.least_free : rules_.least_free + rules_.least_free / 10;
    if (!around.free_bytes || *around.free_bytes >= least) {
        return "";
    }
    return "the disk is nearly full: " + megabytes(*around.free_bytes) +
           " are free, and nothing is asked below " + megabytes(rules_.least_free) +
           "; it goes on by itself when there is more";
}

void StoreHealth::set(std::string problem, Kind kind) {
    problem_ = std::move(problem);
    kind_ = kind;
}

} // namespace adjourn::storage
