// Engines: those at work, and those that people add of what is installed.
#include "api/views/view.hpp"
#include "call.hpp"
#include "core/engines/installed_engines.hpp"
#include "core/guards/guard.hpp"
#include "request_parts.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace adjourn::server {

namespace {

Answer list_engines(Context& call) {
    json list = json::array();
    for (const auto& engine : call.core.engines().all()) {
        list.push_back(engine_json(call.core, *engine, list.empty()));
    }
    return json_response({{"engines", std::move(list)}});
}

const char* word(InstalledEngine::State state) {
    switch (state) {
    case InstalledEngine::State::free: return "free";
    case InstalledEngine::State::added: return "added";
    case InstalledEngine::State::configured: return "configured";
    }
    return "free";
}

Error to_http(const InstalledEngines::Refusal& refusal) {
    using Kind = InstalledEngines::Refusal::Kind;
    switch (refusal.kind) {
    case Kind::unknown: return {ErrorCode::unknown_engine, refusal.message, "installed"};
    case Kind::taken:
    case Kind::unusable: return {ErrorCode::conflict, refusal.message, "installed"};
    case Kind::not_saved: break;
    }
    return {ErrorCode::unavailable, refusal.message, ""};
}

// `task` where engines are looked for; what it returns is called on the core's thread and has the
// response.
using OnCore = std::function<Response()>;
Answer elsewhere(Context& call, std::function<OnCore()> task) {
    if (call.alone) {
        return task()();
    }
    struct Awaited {
        std::optional<Response> response;
        std::function<void()> wake;
    };
    const auto state = std::make_shared<Awaited>();
    call.installed->elsewhere(
        [state, task = std::move(task), core = call.core.poster(), place = place_of(call.request)] {
            OnCore on_core;
            const auto trouble = guarded(place, [&] { on_core = task(); });
            core.post([state, trouble, on_core = std::move(on_core)] {
                state->response = trouble ? http::to_response(error_of(*trouble)) : on_core();
                if (state->wake) {
                    state->wake();
                }
            });
        });
    Api::Wait wait;
    // Engines that are asked who they are have less; others may be asked before.
    wait.patience = 4 * InstalledEngines::usual_patience;
    wait.look = [state] { return std::exchange(state->response, std::nullopt); };
    wait.wake_me = [state, &core = call.core](std::function<void()> wake) {
        state->wake = std::move(wake);
        return !core.waiters().closed();
    };
    wait.give_up = [] {
        return http::to_response(
            Error{ErrorCode::unavailable, "the engines have not answered in time", ""});
    };
    const auto number = call.core.waiters().add([state] {
        if (state->wake) {
            state->wake();
        }
    });
    wait.leave = [state, &core = call.core, number] {
        state->wake = nullptr;
        core.waiters().remove(number);
    };
    return wait;
}

Answer list_installed(InstalledEngines& installed, Context& call) {
    return elsewhere(call, [&installed]() -> OnCore {
        json list = json::array();
        for (const InstalledEngine& engine : installed.look()) {
            list.push_back({{"name", engine.name},
                            {"state", word(engine.state)},
                            {"identity", text_or_no_text(engine.identity)},
                            {"problem", text_or_no_text(engine.problem)},
                            {"processes", engine.state == InstalledEngine::State::added
                                              ? json(engine.processes)
                                              : json(nullptr)}});
        }
        return [list = std::move(list)] {
            return json_response(
                {{"installed", list}, {"most_processes", InstalledEngines::most_processes()}});
        };
    });
}

Answer add_engine(InstalledEngines& installed, Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto name = reader.at("installed").text();
        const auto processes =
            reader.find("processes")
                .integer(1, static_cast<std::int64_t>(InstalledEngines::most_processes()));
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        return elsewhere(
            call,
            [&installed, &core = call.core, name = *name,
             processes = static_cast<std::size_t>(processes.value_or(1))]() -> OnCore {
                const auto added = installed.add(name, processes);
                if (!added) {
                    return [error = to_http(added.error())] { return http::to_response(error); };
                }
                return [&installed, &core, name] {
                    core.set_engines(installed.profiles());
                    const EngineSlot* engine = core.engines().named(name);
                    return engine == nullptr // taken out again meanwhile
                               ? http::to_response(Error{ErrorCode::conflict,
                                                         "engine '" + name + "' was taken out", ""})
                               : json_response(engine_json(core, *engine, false), 201);
                };
            });
    });
}

Answer remove_engine(InstalledEngines& installed, Context& call) {
    return elsewhere(
        call, [&installed, &core = call.core, name = call.path.text("name")]() -> OnCore {
            const auto removed = installed.remove(name);
            if (!removed && removed.error().kind == InstalledEngines::Refusal::Kind::unknown) {
                return [message = removed.error().message] {
                    return http::to_response(Error{ErrorCode::not_found, message, "path.name"});
                };
            }
            if (!removed) {
                return [error = to_http(removed.error())] {
                    return http::to_response({error.code, error.message, "path.name"});
                };
            }
            return [&installed, &core] {
                core.set_engines(installed.profiles());
                return no_content();
            };
        });
}

template <auto handler>
Answer with_installed(Context& call) {
    if (call.installed == nullptr) {
        return std::unexpected(Error{ErrorCode::conflict, "this server adds no engines", ""});
    }
    return handler(*call.installed, call);
}

constexpr std::array engine_calls{
    Call{Method::get, "/api/v1/engines", list_engines},
    Call{Method::post, "/api/v1/engines", with_installed<add_engine>, false, json_body},
    Call{Method::get, "/api/v1/engines/installed", with_installed<list_installed>, false,
         for_full()},
    Call{Method::del, "/api/v1/engines/{name}", with_installed<remove_engine>},
};

} // namespace

std::span<const Call> calls_of_engines() {
    return engine_calls;
}

} // namespace adjourn::server
