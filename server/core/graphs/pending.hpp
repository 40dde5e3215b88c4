// Pending: a future result: of a change by people, once it is durable and has taken effect. Used on
// the core's thread only.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace adjourn::server {

struct WorkError {
    enum class Kind : std::uint8_t {
        no_analysis,       // there is none of this id
        no_engine,         // the config has none of this name
        needs_move,        // a directive about a move without one
        futile_line,       // a directive that could do nothing at the end of its line
        futile_now,        // "now" while nothing is asked at all
        futile_more,       // more work where there is none, or no limit that could grow
        no_note,           // there is none of this moment
        past_moment,       // a budget until a moment that has been
        changed_meanwhile, // by somebody else
        no_link,           // there is none of this id
        too_many_links,    // of one analysis
        no_board_search,   // none can begin now
        no_verifying,      // nothing can be verified now
        store_failed,      // it could not be made durable
    };
    Kind kind{};
    std::string message; // one sentence for people

    friend bool operator==(const WorkError&, const WorkError&) = default;
};

template <class Value>
class Pending {
public:
    using Result = std::expected<Value, WorkError>;

    // The result comes later, by end(). `block` blocks for the disk until then.
    explicit Pending(std::function<void()> block = {}) : state_{std::make_shared<State>()} {
        state_->block = std::move(block);
    }
    // Has its result already.
    static Pending over(Result result) {
        Pending pending;
        pending.end(std::move(result));
        return pending;
    }

    // To be called once.
    void end(Result result) const {
        if (const auto on_result = std::exchange(state_->on_result, nullptr)) {
            on_result(std::move(result));
        } else {
            state_->result = std::move(result);
        }
    }
    // Calls `on_result` with the result, now or when it is there. Call either then() or wait(),
    // once.
    void then(std::function<void(Result)> on_result) const {
        if (state_->result) {
            on_result(std::move(*state_->result));
        } else {
            state_->on_result = std::move(on_result);
        }
    }
    // Blocks for the disk: only where the core's thread has nothing else to do.
    Result wait() const {
        if (!state_->result) {
            state_->block();
        }
        return std::move(*state_->result);
    }
    // The result of make(value), called when the value is there. `make` returns a value or a
    // Result.
    template <class Make>
    auto map(Make make) const {
        using Made = std::invoke_result_t<Make, Value>;
        if constexpr (is_result<Made>::value) {
            const auto made = same<typename Made::value_type>();
            then([made, make = std::move(make)](Result result) mutable {
                made.end(result ? make(std::move(*result)) : Made{std::unexpected(result.error())});
            });
            return made;
        } else {
            return map([make = std::move(make)](Value value) mutable {
                return std::expected<Made, WorkError>{make(std::move(value))};
            });
        }
    }

    // A new Pending of another type that is waited for in the same way.
    template <class Other>
    Pending<Other> same() const {
        return Pending<Other>{state_->block};
    }

private:
    template <class Other>
    struct is_result : std::false_type {};
    template <class Other>
    struct is_result<std::expected<Other, WorkError>> : std::true_type {};

    struct State {
        std::optional<Result> result;
        std::function<void(Result)> on_result;
        std::function<void()> block;
    };
    std::shared_ptr<State> state_;
};

// All results, in the order of `pending`, once all are there.
template <class Value>
Pending<std::vector<typename Pending<Value>::Result>>
all_of(const std::vector<Pending<Value>>& pending) {
    using Results = std::vector<typename Pending<Value>::Result>;
    struct State {
        std::vector<std::optional<typename Pending<Value>::Result>> results;
        std::size_t left;
    };
    const auto state = std::make_shared<State>();
    state->results.resize(pending.size());
    state->left = pending.size();
    const Pending<Results> all =
        pending.empty() ? Pending<Results>{} : pending.back().template same<Results>();
    const auto end = [state, all] {
        Results results;
        for (auto& result : state->results) {
            results.push_back(std::move(*result));
        }
        all.end(std::move(results));
    };
    if (pending.empty()) {
        end();
    }
    for (std::size_t i = 0; i < pending.size(); ++i) {
        pending[i].then([state, end, i](typename Pending<Value>::Result result) {
            state->results[i] = std::move(result);
            if (--state->left == 0) {
                end();
            }
        });
    }
    return all;
}

} // namespace adjourn::server
