// Api: calls that wait for the store. Nobody else waits with them, and they wait no longer than it
// answers.
#include "api/call.hpp"
#include "api/guard.hpp"
#include "core/guards/guard.hpp"

#include <atomic>
#include <memory>
#include <utility>

namespace adjourn::server {

namespace {

constexpr std::chrono::seconds longest_read{30}; // Reads, and silence, end it before
constexpr std::chrono::hours longest_task{24};   // as long as the store answers

// What came, and who is to be told. The core's thread.
struct Awaited {
    std::optional<Response> response;
    std::function<void()> wake;
    Waiters::Number number = 0;

    void came(Response what) {
        response = std::move(what);
        if (wake) {
            wake();
        }
    }
};

Response unavailable(const std::string& message) {
    return http::to_response({ErrorCode::unavailable, message, ""});
}

Response not_durable_yet(const Core& core) {
    return unavailable("it is not known yet whether this is stored, for " +
                       (core.health().store_problem().empty() ? "the disk or the database is slow"
                                                              : core.health().store_problem()) +
                       "; if it is, it takes effect: look before you ask again");
}

// `over` says what is answered where nothing has come, if it is not to be waited for any longer.
Api::Wait waiting(Core& core, const std::shared_ptr<Awaited>& state,
                  std::chrono::milliseconds patience, std::function<std::optional<Response>()> over,
                  std::function<Response()> give_up) {
    state->number = core.waiters().add([state] {
        if (state->wake) {
            state->wake();
        }
    });
    Api::Wait wait;
    wait.patience = patience;
    wait.look = [state, over = std::move(over)] {
        return state->response ? std::exchange(state->response, std::nullopt) : over();
    };
    wait.wake_me = [state](std::function<void()> wake) {
        state->wake = std::move(wake);
        return true;
    };
    wait.give_up = std::move(give_up);
    wait.leave = [&core, state] {
        state->wake = nullptr;
        core.waiters().remove(state->number);
    };
    return wait;
}

// What is answered where the store was not well.
Response without_store(Core& core, const Api::Later& without, const Trouble& trouble) {
    core.take(trouble);
    return trouble.kind != Trouble::Kind::other && without ? without()
                                                           : http::to_response(error_of(trouble));
}

} // namespace

// The answer comes with the tree: whoever excluded a move looks at it next.
Api::Reply when_durable(const Context& call, const Pending<Response>& change) {
    const auto response_of = [](Pending<Response>::Result result) {
        return result ? std::move(*result) : http::to_response(to_http(result.error()));
    };
    if (call.alone) {
        return response_of(change.wait());
    }
    std::optional<analysis::AnalysisId> of;
    if (const auto id = call.path.integer("id")) {
        of = analysis::AnalysisId{*id};
    }
    const auto state = std::make_shared<Awaited>();
    change.then([state, response_of](Pending<Response>::Result result) {
        state->came(response_of(std::move(result)));
    });
    const auto give_up = [&core = call.core, state] {
        return state->response ? std::move(*state->response) : not_durable_yet(core);
    };
    const auto over = [&core = call.core, give_up]() -> std::optional<Response> {
        return core.waiters().closed() ? std::optional{give_up()} : std::nullopt;
    };
    Api::Wait wait = waiting(call.core, state, Api::change_patience, over, give_up);
    wait.look = [&core = call.core, state, of, look = std::move(wait.look)] {
        const bool soon = state->response && core.tree_comes(of) && !core.health().store_silent() &&
                          !core.waiters().closed();
        return soon ? std::nullopt : look();
    };
    return wait;
}

Api::Reply when_read(const Context& call, Api::Later finish, Api::Later without) {
    const std::string place = place_of(call.request);
    if (call.alone) {
        Response response;
        const auto trouble = guarded(place, [&] { response = finish(); });
        return trouble ? without_store(call.core, without, *trouble) : response;
    }
    const auto state = std::make_shared<Awaited>();
    const auto made = std::make_shared<Response>();
    call.core.reads().ask(
        place, [made, finish = std::move(finish)] { *made = finish(); },
        [&core = call.core, state, made, without](const std::optional<Trouble>& trouble) {
            state->came(trouble ? without_store(core, without, *trouble) : std::move(*made));
        });
    const auto give_up = [without] {
        return without ? without() : unavailable("the store does not answer, or the server stops");
    };
    const auto over = [&core = call.core, give_up]() -> std::optional<Response> {
        return core.waiters().closed() ? std::optional{give_up()} : std::nullopt;
    };
    return waiting(call.core, state, longest_read, over, give_up);
}

Api::Reply when_changed(const Context& call,
                        std::function<std::expected<Change, Response>()> read) {
    const std::string place = place_of(call.request);
    const auto change = std::make_shared<std::expected<Change, Response>>();
    const auto task = [change, read = std::move(read)] { *change = read(); };
    const auto go_on = [&core = call.core,
                        change](const std::optional<Trouble>& trouble) -> Pending<Response> {
        return trouble   ? Pending<Response>::over(without_store(core, nullptr, *trouble))
               : *change ? (**change)()
                         : Pending<Response>::over(std::move(change->error()));
    };
    if (call.alone) {
        return when_durable(call, go_on(guarded(place, task)));
    }
    const Pending<Response> pending;
    call.core.reads().ask(place, task, [go_on, pending](const std::optional<Trouble>& trouble) {
        go_on(trouble).then(
            [pending](Pending<Response>::Result result) { pending.end(std::move(result)); });
    });
    return when_durable(call, pending);
}

Api::Wait Api::wait_for(const Later& task,
                        const std::function<void(std::function<void()>)>& elsewhere) const {
    const auto state = std::make_shared<Awaited>();
    const auto left = std::make_shared<std::atomic<bool>>(false);
    const auto over = [&core = core_]() -> std::optional<Response> {
        if (core.waiters().closed()) {
            return unavailable("the server is stopping");
        }
        return core.health().store_silent()
                   ? std::optional{unavailable("the store cannot be used: " +
                                               core.health().store_problem())}
                   : std::nullopt;
    };
    if (!over()) {
        elsewhere([state, left, work = Later{task}, core = core_.poster()]() mutable {
            if (*left) {
                return;
            }
            Response response = work();
            work = nullptr; // what it holds may be large
            core.post([state, response = std::move(response)]() mutable {
                state->came(std::move(response));
            });
        });
    }
    Wait wait = waiting(core_, state, longest_task, over,
                        [] { return unavailable("it has taken too long"); });
    wait.leave = [left, leave = std::move(wait.leave)] {
        *left = true;
        leave();
    };
    return wait;
}

} // namespace adjourn::server
