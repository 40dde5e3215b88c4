#include "api/api.hpp"

#include "api/call.hpp"
#include "core/guards/guard.hpp"

#include <atomic>
#include <cassert>

namespace adjourn::server {

namespace {

[[maybe_unused]] bool of_analysis(std::string_view path) {
    constexpr std::string_view all = "/api/v1/analyses/{id}";
    return path == all || path.starts_with(std::string{all} + "/");
}

// All rows, and where they stand.
struct Table {
    std::vector<const Call*> calls;
    http::Routes routes;

    Table() {
        for (const auto rows :
             {calls_of_server(), calls_of_analyses(), calls_of_trees(), calls_of_review(),
              calls_of_seats(), calls_of_files(), calls_of_workers()}) {
            for (const Call& call : rows) {
                assert(call.rules.readers != CallRules::Readers::links ||
                       (call.method == Method::get && of_analysis(call.path)));
                calls.push_back(&call);
                routes.add(call.method, call.path);
            }
        }
    }
};

const Table& table() {
    static const Table all;
    return all;
}

// The request may have the query and the body that it has.
std::expected<void, Error> allowed(const Call& row, const Context& call) {
    if (!row.query) {
        if (auto none = QueryReader{call.request}.finish(); !none) {
            return none;
        }
    }
    if (row.rules.body == CallRules::Body::none && !call.request.body.empty()) {
        return with_body(call, [](const JsonObject& reader) { return http::finished(reader); });
    }
    return {};
}

Response response_to(const Trouble& trouble) {
    return http::to_response(error_of(trouble));
}

Api::Later under_guard(Api::Later finish, std::string place) {
    return [finish = std::move(finish), place = std::move(place)] {
        Response response;
        if (const auto trouble = guarded(place, [&] { response = finish(); })) {
            response = response_to(*trouble);
        }
        return response;
    };
}

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

std::function<std::optional<Response>()> over_when_closed(Core& core,
                                                          std::function<Response()> give_up) {
    return [&core, give_up = std::move(give_up)]() -> std::optional<Response> {
        return core.waiters().closed() ? std::optional{give_up()} : std::nullopt;
    };
}

// What is answered where the store was not well.
Response without_store(Core& core, const Api::Later& without, const Trouble& trouble) {
    core.take(trouble);
    return trouble.kind != Trouble::Kind::other && without ? without()
                                                           : http::to_response(error_of(trouble));
}

} // namespace

std::expected<Route, http::Routes::Miss> route_of(Method method, std::string_view path) {
    auto match = table().routes.match(method, path);
    if (!match) {
        return std::unexpected(std::move(match.error()));
    }
    const Call* call = table().calls[match->index];
    return Route{call, std::move(match->parameters), call->rules};
}

CallRules rules_for(Method method, std::string_view path) {
    const auto route = route_of(method, path);
    return route ? route->rules : CallRules{};
}

http::Readers readers_of(Method method, std::string_view path) {
    const auto route = route_of(method, path);
    if (!route) {
        return {};
    }
    switch (route->rules.readers) {
    case CallRules::Readers::token: break;
    case CallRules::Readers::links: {
        const auto analysis = route->path.integer("id");
        http::Readers readers;
        if (analysis) {
            readers.links = http::Shown{*analysis, route->path.integer("file").value_or(0)};
        }
        return readers;
    }
    case CallRules::Readers::none: return {false, std::nullopt};
    }
    return {};
}

std::vector<std::pair<Method, std::string_view>> all_calls() {
    std::vector<std::pair<Method, std::string_view>> all;
    for (const Call* call : table().calls) {
        all.emplace_back(call->method, call->path);
    }
    return all;
}

Api::Reply Api::answered(Request& request, const Route& route) const {
    Context call{core_, fleet_, webhooks_, installed_, clouds_, request, route.path};
    const auto may = allowed(*route.call, call);
    auto answer = may ? route.call->handler(call) : std::unexpected(may.error());
    return answer ? std::move(*answer) : http::to_response(answer.error());
}

// ---- a call that goes wrong is answered, whatever it is ----

std::string place_of(const Request& request) {
    return std::string{http::name_of(request.method)} + " " + request.path;
}

Error error_of(const Trouble& trouble) {
    if (trouble.kind == Trouble::Kind::other) {
        return {ErrorCode::internal, "this request failed inside the server", ""};
    }
    if (trouble.kind == Trouble::Kind::late) {
        return {ErrorCode::unavailable, trouble.what, ""};
    }
    return {ErrorCode::unavailable, "the store cannot be used: " + trouble.what, ""};
}

Api::Reply Api::begin(Request request, const Route& route) const {
    const HoldWatch::Hold hold{core_.watch(), "call"};
    const std::string place = place_of(request);
    Reply reply;
    if (const auto trouble = guarded(place, [&] { reply = answered(request, route); })) {
        core_.take(*trouble);
        return response_to(*trouble);
    }
    if (auto* later = std::get_if<Later>(&reply)) {
        *later = under_guard(std::move(*later), place);
    } else if (auto* wait = std::get_if<Wait>(&reply)) {
        wait->look = [this, place, look = std::move(wait->look)]() -> std::optional<Response> {
            const HoldWatch::Hold each{core_.watch(), "call"};
            std::optional<Response> seen;
            const auto trouble = guarded(place, [&] { seen = look(); });
            if (trouble) {
                core_.take(*trouble);
                return response_to(*trouble);
            }
            return seen;
        };
    }
    return reply;
}

Error to_http(const WorkError& error) {
    switch (error.kind) {
    case WorkError::Kind::no_analysis: return {ErrorCode::not_found, error.message, "id"};
    case WorkError::Kind::no_engine: return {ErrorCode::unknown_engine, error.message, "engine"};
    case WorkError::Kind::needs_move: return {ErrorCode::bad_value, error.message, "moves"};
    case WorkError::Kind::futile_line: return {ErrorCode::conflict, error.message, "moves"};
    case WorkError::Kind::futile_more: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::no_note: return {ErrorCode::conflict, error.message, "at"};
    case WorkError::Kind::futile_now: return {ErrorCode::conflict, error.message, "action"};
    case WorkError::Kind::past_moment: return {ErrorCode::bad_value, error.message, "budget.until"};
    case WorkError::Kind::changed_meanwhile: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::no_link: return {ErrorCode::not_found, error.message, "link"};
    case WorkError::Kind::too_many_links: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::no_board_search:
    case WorkError::Kind::no_verifying: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::store_failed: return {ErrorCode::unavailable, error.message, ""};
    }
    return {};
}

// ---- calls that wait for the store: nobody else waits with them, and they wait no longer than it
// answers ----

// The answer comes with the tree: whoever excluded a move looks at it next.
Api::Reply when_durable(const Context& call, const Pending<Response>& change) {
    const auto response_of = [](Pending<Response>::Result result) {
        return result ? std::move(*result) : http::to_response(to_http(result.error()));
    };
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
    Api::Wait wait = waiting(call.core, state, Api::change_patience,
                             over_when_closed(call.core, give_up), give_up);
    wait.look = [&core = call.core, state, of, look = std::move(wait.look)] {
        const bool soon = state->response && core.tree_comes(of) && !core.health().store_silent() &&
                          !core.waiters().closed();
        return soon ? std::nullopt : look();
    };
    return wait;
}

Api::Reply when_came(const Context& call, std::chrono::milliseconds patience,
                     const std::string& late,
                     const std::function<void(std::function<void(Response)> came)>& begin) {
    const auto state = std::make_shared<Awaited>();
    begin([state](Response response) { state->came(std::move(response)); });
    const auto give_up = [late] { return unavailable(late); };
    return waiting(call.core, state, patience, over_when_closed(call.core, give_up), give_up);
}

Api::Reply when_read(const Context& call, Api::Later finish, Api::Later without) {
    const auto state = std::make_shared<Awaited>();
    const auto made = std::make_shared<Response>();
    call.core.reads().ask(
        place_of(call.request), [made, finish = std::move(finish)] { *made = finish(); },
        [&core = call.core, state, made, without](const std::optional<Trouble>& trouble) {
            state->came(trouble ? without_store(core, without, *trouble) : std::move(*made));
        });
    const auto give_up = [without] {
        return without ? without() : unavailable("the store does not answer, or the server stops");
    };
    return waiting(call.core, state, longest_read, over_when_closed(call.core, give_up), give_up);
}

Api::Reply when_changed(const Context& call,
                        std::function<std::expected<Change, Response>()> read) {
    const auto change = std::make_shared<std::expected<Change, Response>>();
    const auto task = [change, read = std::move(read)] { *change = read(); };
    const auto go_on = [&core = call.core,
                        change](const std::optional<Trouble>& trouble) -> Pending<Response> {
        return trouble   ? Pending<Response>::over(without_store(core, nullptr, *trouble))
               : *change ? (**change)()
                         : Pending<Response>::over(std::move(change->error()));
    };
    const Pending<Response> pending;
    call.core.reads().ask(place_of(call.request), task,
                          [go_on, pending](const std::optional<Trouble>& trouble) {
                              go_on(trouble).then([pending](Pending<Response>::Result result) {
                                  pending.end(std::move(result));
                              });
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
