// Machines that answer questions: what `adjourn worker --server` asks, and what their owner sees.
#include "call.hpp"
#include "request_parts.hpp"
#include "worker_reading.hpp"

#include "worker_messages.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

using engine_bridge::Fleet;
using engine_bridge::FleetError;
using engine_bridge::Judged;
using engine_bridge::MachineView;
using engine_bridge::RefusedMachine;
using engine_bridge::Taken;

namespace {

Error to_http(const FleetError& error) {
    switch (error.kind) {
    case FleetError::Kind::unknown_machine: return {ErrorCode::not_found, error.message, "path"};
    case FleetError::Kind::refused: return {ErrorCode::conflict, error.message, "profiles"};
    case FleetError::Kind::other_version: return {ErrorCode::conflict, error.message, "version"};
    case FleetError::Kind::not_ready: return {ErrorCode::unavailable, error.message, ""};
    }
    return {ErrorCode::internal, error.message, ""};
}

Error unknown_machine() {
    return {ErrorCode::not_found, "no machine is known by this id", "path"};
}

Answer say_hello(Fleet& fleet, Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto hello = read_hello(reader);
        if (!hello) {
            return std::unexpected(hello.error());
        }
        const auto welcome = fleet.hello(*hello);
        if (!welcome) {
            return std::unexpected(to_http(welcome.error()));
        }
        return json_response(welcome_json(*welcome, fleet.life()), 201);
    });
}

json taken_json(const Taken& taken) {
    json leases = json::array();
    for (const Granted& granted : taken.leases) {
        leases.push_back(lease_json(granted));
    }
    return {{"leases", std::move(leases)},
            {"withdrawn", taken.news.withdrawn},
            {"hurried", taken.news.hurried},
            {"drain", taken.drain}};
}

// Answered when there is a question or news, at the latest when the time is over.
Answer take_questions(Fleet& fleet, Context& call) {
    Asking asking;
    const auto read = with_body(call, [&](const JsonObject& reader) -> Answer {
        auto said = read_asking(reader);
        if (!said) {
            return std::unexpected(said.error());
        }
        asking = std::move(*said);
        return Response{};
    });
    if (!read) {
        return std::unexpected(read.error());
    }
    const std::string& id = call.path.text("id");
    const Fleet::Poll poll = fleet.begin_to_wait(id);
    if (poll == 0) {
        return std::unexpected(unknown_machine());
    }
    if (asking.held) {
        fleet.keep_only(id, *asking.held);
    }
    const auto nothing = [] { return json_response(taken_json({})); };
    Api::Wait wait;
    wait.patience = std::chrono::seconds{asking.wait_seconds};
    wait.look = [&fleet, id, poll, wishes = std::move(asking.wishes),
                 nothing]() -> std::optional<Response> {
        if (!fleet.waits(id, poll)) {
            return nothing();
        }
        const auto taken = fleet.take(id, wishes);
        if (!taken) {
            return http::to_response(to_http(taken.error()));
        }
        return taken->empty() && !taken->drain ? std::nullopt
                                               : std::optional{json_response(taken_json(*taken))};
    };
    wait.wake_me = [&fleet, id, poll](std::function<void()> wake) {
        return fleet.wait(id, poll, std::move(wake));
    };
    wait.give_up = nothing;
    wait.leave = [&fleet, id, poll] { fleet.do_not_wake(id, poll); };
    return wait;
}

const char* word(engine_bridge::Verdict verdict) {
    switch (verdict) {
    case engine_bridge::Verdict::taken: return "taken";
    case engine_bridge::Verdict::late: return "late";
    case engine_bridge::Verdict::refused: return "refused";
    }
    return "late";
}

Answer take_answers(Fleet& fleet, Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto deliveries = read_deliveries(reader);
        if (!deliveries) {
            return std::unexpected(deliveries.error());
        }
        const auto judged = fleet.answers(call.path.text("id"), *deliveries);
        if (!judged) {
            return std::unexpected(to_http(judged.error()));
        }
        json results = json::array();
        for (const Judged& each : *judged) {
            results.push_back(
                {{"lease", each.lease},
                 {"verdict", word(each.verdict)},
                 {"reason", each.reason.empty() ? json(nullptr) : json(each.reason)}});
        }
        return json_response({{"results", std::move(results)}});
    });
}

Answer take_beat(Fleet& fleet, Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto beat = read_beat(reader);
        if (!beat) {
            return std::unexpected(beat.error());
        }
        const auto taken = fleet.beat(call.path.text("id"), beat->held, beat->pulses);
        if (!taken) {
            return std::unexpected(to_http(taken.error()));
        }
        return json_response({{"withdrawn", taken->news.withdrawn},
                              {"hurried", taken->news.hurried},
                              {"drain", taken->drain}});
    });
}

Answer say_goodbye(Fleet& fleet, Context& call) {
    if (!fleet.goodbye(call.path.text("id"))) {
        return std::unexpected(unknown_machine());
    }
    return no_content();
}

const char* word(MachineView::State state) {
    switch (state) {
    case MachineView::State::working: return "working";
    case MachineView::State::idle: return "idle";
    case MachineView::State::draining: return "draining";
    case MachineView::State::drained: return "drained";
    case MachineView::State::away: return "away";
    }
    return "away";
}

json machine_json(const MachineView& view) {
    json profiles = json::array();
    for (const MachineView::Part& part : view.parts) {
        profiles.push_back({{"name", part.profile},
                            {"processes", part.processes},
                            {"leases", part.leases},
                            {"busy", part.busy},
                            {"nps", part.nps}});
    }
    return {{"id", view.id},
            {"name", view.name},
            {"state", word(view.state)},
            {"profiles", std::move(profiles)},
            {"silent_seconds", view.seconds_silent},
            {"answered", view.answered},
            {"failed", view.failed},
            {"late", view.late},
            {"refused", view.refused},
            {"last_refusal", view.last_refusal.empty() ? json(nullptr) : json(view.last_refusal)},
            {"compared",
             {{"answers", view.compared},
              {"different", view.different},
              {"mean_cp", view.mean_difference}}}};
}

Answer list_machines(Fleet& fleet, Context&) {
    json machines = json::array();
    for (const MachineView& view : fleet.machines()) {
        machines.push_back(machine_json(view));
    }
    json refusals = json::array();
    for (const RefusedMachine& refused : fleet.refusals()) {
        refusals.push_back(
            {{"name", refused.name}, {"reason", refused.reason}, {"at", refused.at}});
    }
    return json_response({{"machines", std::move(machines)}, {"refusals", std::move(refusals)}});
}

Answer change_machine(Fleet& fleet, Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto drain = reader.at("drain").boolean();
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        if (!fleet.drain(call.path.text("id"), *drain)) {
            return std::unexpected(unknown_machine());
        }
        for (const MachineView& view : fleet.machines()) {
            if (view.id == call.path.text("id")) {
                return json_response(machine_json(view));
            }
        }
        return std::unexpected(unknown_machine());
    });
}

template <auto handler>
Answer with_fleet(Context& call) {
    if (call.fleet == nullptr) {
        return std::unexpected(
            Error{ErrorCode::conflict, "this server has no work for other machines", ""});
    }
    return handler(*call.fleet, call);
}

constexpr std::array worker_calls{
    Call{Method::get, "/api/v1/workers", with_fleet<list_machines>},
    Call{Method::post, "/api/v1/workers", with_fleet<say_hello>, false, json_body},
    Call{Method::patch, "/api/v1/workers/{id}", with_fleet<change_machine>, false, json_body},
    Call{Method::del, "/api/v1/workers/{id}", with_fleet<say_goodbye>},
    Call{Method::post, "/api/v1/workers/{id}/take", with_fleet<take_questions>, false, json_body},
    Call{Method::post, "/api/v1/workers/{id}/answers", with_fleet<take_answers>, false, json_body},
    Call{Method::post, "/api/v1/workers/{id}/beat", with_fleet<take_beat>, false, json_body},
};

} // namespace

std::span<const Call> calls_of_workers() {
    return worker_calls;
}

} // namespace adjourn::server
