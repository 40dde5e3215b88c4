#include "core/guards/reads.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

void Reads::ask(const std::string& place, std::function<void()> read, Done done) {
    if (!executor_) {
        done(guarded(place, read));
        return;
    }
    if (health_.store_silent() || hangs(place)) {
        done(silence(place));
        return;
    }
    const std::uint64_t number = ++last_;
    const auto shared = std::make_shared<Shared>();
    reads_.emplace(number, Read{place, shared, std::move(done), {}});
    executor_([this, core = core_, place, number, shared, read = std::move(read)]() mutable {
        shared->begun = true;
        std::optional<Trouble> trouble;
        if (!shared->given_up) {
            trouble = guarded(place, read);
        }
        read = nullptr; // what it holds may be large
        core.post([this, number, trouble] { came(number, trouble); });
    });
}

bool Reads::hangs(const std::string& place) const {
    return hanging_.size() >= threads ||
           std::ranges::any_of(hanging_, [&](const auto& read) { return read.second == place; });
}

Trouble Reads::silence(const std::string& place) const {
    if (health_.store_silent()) {
        return {Trouble::Kind::store, place, health_.store_problem()};
    }
    return {Trouble::Kind::late, place,
            "this has not been read for a second, the disk or the database is slow; it goes on by "
            "itself: ask again in a moment"};
}

void Reads::came(std::uint64_t number, const std::optional<Trouble>& trouble) {
    auto found = reads_.extract(number);
    if (found.empty()) {
        hanging_.erase(number);
        return;
    }
    const HoldWatch::Hold hold{health_.watch(), "read"};
    health_.attempt(found.mapped().place, [&] { found.mapped().done(trouble); });
}

void Reads::give_up(std::map<std::uint64_t, Read>::iterator read) {
    auto given_up = reads_.extract(read);
    const std::string& place = given_up.mapped().place;
    if (!given_up.mapped().shared->given_up.exchange(true)) {
        hanging_.emplace(given_up.key(), place);
    }
    health_.attempt(place, [&] { given_up.mapped().done(silence(place)); });
}

void Reads::look_after() {
    const auto now = health_.steady_now();
    const auto step = std::min<Clock::duration>(now - looked_after_, longest_step);
    looked_after_ = now;
    for (auto read = reads_.begin(); read != reads_.end();) {
        const auto late = read++;
        late->second.waited += late->second.shared->begun ? step : Clock::duration{};
        if (late->second.waited > patience) {
            give_up(late);
        }
    }
    if (hanging_.size() >= threads) {
        health_.found_silent("the disk or the database does not answer: what was asked for has not "
                             "been read for a second; it goes on by itself");
    }
    while (health_.store_silent() && !reads_.empty()) {
        give_up(reads_.begin());
    }
}

namespace {

constexpr std::chrono::milliseconds slice{3};
constexpr const char* taking_over = "taking over what was read";

} // namespace

void Background::read(Read read, Failed failed) {
    begin({std::move(read), std::move(failed)});
}

void Background::again() {
    for (PutOff& what : std::exchange(put_off_, {})) {
        begin(std::move(what));
    }
}

void Background::begin(PutOff what) {
    const auto work = [this, what = std::move(what)] {
        std::function<void()> then;
        Read once = what.read; // may use up what it holds
        const auto trouble = guarded("reading the store", [&] { then = once(); });
        if (!trouble) {
            return then;
        }
        return std::function<void()>{[this, what, trouble = *trouble]() mutable {
            if (trouble.kind != Trouble::Kind::store || at_once() ||
                ++what.failures == most_failures) {
                what.failed(trouble.what);
                return;
            }
            health_.take(trouble);
            put_off_.push_back(std::move(what));
        }};
    };
    if (at_once()) {
        health_.attempt(taking_over, work());
        return;
    }
    executor_([this, core = core_, stopping = stopping_, work] {
        core.post([this, stopping, then = work()] {
            if (!*stopping) {
                const HoldWatch::Hold hold{health_.watch(), "read"};
                health_.attempt(taking_over, then);
            }
        });
    });
}

void Background::in_slices(std::function<bool()> step) {
    const HoldWatch::Hold hold{health_.watch(), "slice"};
    const auto end = health_.steady_now() + slice;
    bool more = true;
    const auto well = health_.attempt(taking_over, [&] {
        while (more && (at_once() || health_.steady_now() < end)) {
            more = step();
        }
    });
    if (well && more) {
        soon([this, step = std::move(step)]() mutable { in_slices(std::move(step)); });
    }
}

void Background::soon(std::function<void()> task) {
    poster()(std::move(task));
}

std::function<void(std::function<void()>)> Background::poster() const {
    return [core = core_, stopping = stopping_](std::function<void()> task) {
        core.post([stopping, task = std::move(task)] {
            if (!*stopping) {
                task();
            }
        });
    };
}

void Background::let_go(std::shared_ptr<void> last) {
    if (!at_once()) {
        executor_([last = std::move(last)]() mutable { last.reset(); });
    }
}

} // namespace adjourn::server
