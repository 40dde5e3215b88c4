// TaskScope: tasks that are posted to a thread on behalf of an owner. None of them runs once the
// owner is gone, so they may use it. Whoever posts may outlive both scope and owner.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <utility>

namespace adjourn::base {

class TaskScope {
    struct State {
        boost::asio::io_context& context;
        bool open = true; // the context's thread only
    };

public:
    // A handle for other threads. The context must outlive it.
    class Poster {
    public:
        // Any thread; returns at once.
        template <class Task>
        void post(Task task) const {
            boost::asio::post(state_->context, [state = state_, task = std::move(task)]() mutable {
                if (state->open) {
                    task();
                }
            });
        }

    private:
        friend TaskScope;
        explicit Poster(std::shared_ptr<State> state) : state_{std::move(state)} {}
        std::shared_ptr<State> state_;
    };

    explicit TaskScope(boost::asio::io_context& context)
        : state_{std::make_shared<State>(State{context})} {}
    // On the context's thread, or when that has ended.
    ~TaskScope() { state_->open = false; }
    TaskScope(const TaskScope&) = delete;
    TaskScope& operator=(const TaskScope&) = delete;

    Poster poster() const { return Poster{state_}; }
    template <class Task>
    void post(Task task) const {
        poster().post(std::move(task));
    }
    // `call`, to be called on the context's thread; it does nothing once the owner is gone.
    template <class Call>
    auto bind(Call call) const {
        return [state = state_, call = std::move(call)](auto&&... arguments) mutable {
            if (state->open) {
                call(std::forward<decltype(arguments)>(arguments)...);
            }
        };
    }

private:
    std::shared_ptr<State> state_;
};

} // namespace adjourn::base
