// Machines that answer questions: what `adjourn worker --server` asks, and what their owner sees.
#include "api/call.hpp"
#include "api/request_parts.hpp"
#include "chess/notation.hpp"
#include "core/records/strategy_json.hpp"
#include "engine_bridge/process/text.hpp"
#include "engine_bridge/remote/fleet.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <expected>
#include <optional>
#include <utility>
#include <vector>

namespace adjourn::server {

using engine_bridge::Claim;
using engine_bridge::Delivery;
using engine_bridge::Demand;
using engine_bridge::Fleet;
using engine_bridge::FleetError;
using engine_bridge::Granted;
using engine_bridge::Hello;
using engine_bridge::Judged;
using engine_bridge::LeaseId;
using engine_bridge::MachineView;
using engine_bridge::Offer;
using engine_bridge::Pulse;
using engine_bridge::RefusedMachine;
using engine_bridge::Taken;
using engine_bridge::Welcome;

namespace ranges = engine_bridge::ranges;

namespace {

// ---- what machines say, read strictly ----

constexpr auto most_told_nodes = static_cast<std::int64_t>(ranges::most_nodes);
constexpr std::size_t longest_word = 200;     // bytes, of a name
constexpr std::size_t longest_text = 2'000;   // of a reason or a value
constexpr std::size_t most_profiles = 32;     // of a machine
constexpr std::size_t most_options = 500;     // of an engine
constexpr std::size_t most_held = 8'192;      // leases
constexpr std::size_t most_answers = 64;      // at once
constexpr std::size_t most_questions = 4'096; // of a profile
constexpr std::int64_t most_lease = (std::int64_t{1} << 53) - 1;

// "" after a problem, which the reader remembers.
std::string read_word(const JsonObject& reader, std::string_view name, std::size_t longest,
                      bool empty = false) {
    const auto text = reader.at(name).text(longest);
    if (text && text->empty() && !empty) {
        reader.wrong(name, reader.path_of(name) + " must not be empty");
    }
    return text.value_or("");
}

// The result if nothing of the body was wrong.
template <class T>
std::expected<T, Error> finished(const JsonObject& reader, T result) {
    if (auto done = http::finished(reader); !done) {
        return std::unexpected(done.error());
    }
    return result;
}

std::map<std::string, std::string> read_options(const JsonObject& reader) {
    std::map<std::string, std::string> options;
    const auto value = reader.at("options");
    if (!value.there()) {
        return options;
    }
    const json& given = value.json();
    bool good = given.is_object() && given.size() <= most_options;
    for (auto it = given.begin(); good && it != given.end(); ++it) {
        good = it->is_string() && it.key().size() <= longest_word &&
               it->get_ref<const std::string&>().size() <= longest_text;
        if (good) {
            options.emplace(it.key(), it->get<std::string>());
        }
    }
    if (!good) {
        value.wrong(value.path() + " must be an object of at most 500 texts");
    }
    return options;
}

Claim read_claim(const JsonObject& reader) {
    Claim told;
    told.move = read_word(reader, "move", 5);
    const JsonObject score = reader.at("score").object();
    const auto cp = score.find("cp").integer(-ranges::most_cp, ranges::most_cp);
    const auto mate = score.find("mate").integer(-ranges::most_mate, ranges::most_mate);
    if (cp.has_value() == mate.has_value()) {
        score.wrong("", score.path() + " takes one of cp and mate");
    }
    told.cp = cp;
    told.mate = mate;
    told.depth = static_cast<int>(reader.at("depth").integer(0, ranges::most_depth).value_or(0));
    told.seldepth =
        static_cast<int>(reader.at("seldepth").integer(0, ranges::most_depth).value_or(0));
    told.nodes =
        static_cast<std::uint64_t>(reader.at("nodes").integer(0, most_told_nodes).value_or(0));
    told.time_ms = static_cast<std::uint32_t>(
        reader.at("time_ms").integer(0, ranges::most_time_ms).value_or(0));
    told.pv =
        reader.at("pv").texts(engine_bridge::claim_max_pv).value_or(std::vector<std::string>{});
    if (const auto wdl = reader.find("wdl"); wdl.there()) {
        std::vector<int> of;
        for (const JsonValue& each : wdl.items(3)) {
            of.push_back(static_cast<int>(each.integer(0, 1'000).value_or(0)));
        }
        told.wdl = of.size() == 3 ? chess::WinDrawLoss::of(of[0], of[1], of[2]) : std::nullopt;
        if (!told.wdl) {
            wdl.wrong(wdl.path() + " must be three numbers that are 1000 in all");
        }
    }
    return told;
}

engine_bridge::Failure read_failure(const JsonObject& reader) {
    using Kind = engine_bridge::Failure::Kind;
    constexpr std::array kinds{Kind::crashed, Kind::hung,        Kind::no_result,
                               Kind::unfit,   Kind::unavailable, Kind::cancelled};
    const auto kind = reader.at("kind").choice(
        {"crashed", "hung", "no_result", "unfit", "unavailable", "returned"});
    engine_bridge::Failure failure{kinds[kind.value_or(0)], "", 0};
    failure.reason = read_word(reader, "reason", longest_text, true);
    failure.attempts = static_cast<int>(reader.at("attempts").integer(0, 1'000).value_or(0));
    return failure;
}

std::vector<LeaseId> read_leases(const JsonValue& held) {
    std::vector<LeaseId> leases;
    for (const JsonValue& value : held.items(most_held)) {
        leases.push_back(static_cast<LeaseId>(value.integer(0, most_lease).value_or(0)));
    }
    return leases;
}

Pulse read_pulse(const JsonObject& profile) {
    Pulse pulse;
    pulse.profile = read_word(profile, "name", longest_word);
    pulse.busy = profile.at("busy").number(0, 1).value_or(0);
    pulse.nps =
        static_cast<std::uint64_t>(profile.at("nps").integer(0, most_told_nodes).value_or(0));
    return pulse;
}

std::expected<Hello, Error> read_hello(const JsonObject& reader) {
    Hello hello;
    hello.version = static_cast<int>(reader.find("version").integer(0, 1'000'000).value_or(0));
    hello.name = read_word(reader, "name", longest_word);
    if (!engine_bridge::difference(engine_bridge::machine_version, hello.version).empty()) {
        return hello; // it is refused, whatever else it says
    }
    const auto profiles = reader.at("profiles").items(most_profiles);
    for (const JsonValue& value : profiles) {
        const JsonObject profile = value.object();
        Offer offer;
        offer.profile = read_word(profile, "name", longest_word);
        offer.processes = static_cast<std::size_t>(
            profile.at("processes").integer(1, engine_bridge::Fleet::most_processes).value_or(1));
        (void)profile.at("reproducible").boolean(); // servers of before ask for it
        const JsonObject identity = profile.at("identity").object();
        offer.identity.name = read_word(identity, "name", longest_text, true);
        offer.identity.network = read_word(identity, "network", longest_text, true);
        offer.identity.options = read_options(identity);
        if (std::ranges::find(hello.offers, offer.profile, &Offer::profile) != hello.offers.end()) {
            value.wrong(value.path() + ".name is that of another profile, too");
        }
        hello.offers.push_back(std::move(offer));
    }
    if (profiles.empty()) {
        reader.wrong("profiles", "profiles must not be empty");
    }
    const bool newer = hello.version > engine_bridge::machine_version;
    for (const base::JsonProblem& problem : reader.finish()) {
        if (!newer || problem.kind != base::JsonProblem::Kind::unknown) {
            return std::unexpected(http::to_error(problem));
        }
    }
    return hello;
}

struct Asking {
    std::vector<Demand> wishes;
    int wait_seconds = 0;
    std::optional<std::vector<LeaseId>> held; // all that are there
};

std::expected<Asking, Error> read_asking(const JsonObject& reader) {
    Asking asking;
    for (const JsonValue& value : reader.at("profiles").items(most_profiles)) {
        const JsonObject profile = value.object();
        Demand wish;
        wish.profile = read_word(profile, "name", longest_word);
        wish.most =
            static_cast<std::size_t>(profile.at("most").integer(0, most_questions).value_or(0));
        asking.wishes.push_back(std::move(wish));
    }
    if (const auto held = reader.find("held"); held.there()) {
        asking.held = read_leases(held);
    }
    asking.wait_seconds = static_cast<int>(reader.at("wait_seconds").integer(0, 25).value_or(0));
    return finished(reader, std::move(asking));
}

std::expected<std::vector<Delivery>, Error> read_deliveries(const JsonObject& reader) {
    std::vector<Delivery> deliveries;
    for (const JsonValue& value : reader.at("answers").items(most_answers)) {
        const JsonObject answer = value.object();
        Delivery delivery;
        delivery.lease =
            static_cast<LeaseId>(answer.at("lease").integer(0, most_lease).value_or(0));
        delivery.profile = read_word(answer, "profile", longest_word);
        delivery.question = read_word(answer, "question", 16);
        if (const auto failure = answer.find("failure"); failure.there()) {
            delivery.found = read_failure(failure.object());
        } else {
            delivery.found = read_claim(answer);
        }
        deliveries.push_back(std::move(delivery));
    }
    return finished(reader, std::move(deliveries));
}

struct Beat {
    std::vector<LeaseId> held;
    std::vector<Pulse> pulses;
};

std::expected<Beat, Error> read_beat(const JsonObject& reader) {
    Beat beat;
    beat.held = read_leases(reader.at("held"));
    for (const JsonValue& value : reader.at("profiles").items(most_profiles)) {
        const JsonObject profile = value.object();
        beat.pulses.push_back(read_pulse(profile));
    }
    return finished(reader, std::move(beat));
}

// ---- what the server says (docs/api/reference.md, "Machines") ----

json lease_json(const Granted& granted) {
    const engine_bridge::Job& job = granted.job;
    json moves = json::array();
    for (const chess::Move move : job.searchmoves) {
        moves.push_back(chess::to_uci(job.position, move));
    }
    return {{"lease", granted.lease},
            {"profile", granted.profile},
            {"question", granted.question},
            {"fen", job.position.engine_fen()},
            {"limit", limit_json(job.limit)},
            {"searchmoves", std::move(moves)},
            {"affinity", std::to_string(job.affinity)},
            {"game", std::to_string(job.game)},
            {"urgent", job.urgent}};
}

json welcome_json(const Welcome& welcome, std::chrono::milliseconds life) {
    json profiles = json::array();
    for (const Welcome::Engine& part : welcome.parts) {
        profiles.push_back({{"name", part.profile},
                            {"accepted", part.refusal.empty()},
                            {"reason", part.refusal.empty() ? json(nullptr) : json(part.refusal)}});
    }
    const double seconds = std::chrono::duration<double>(life).count();
    return {{"id", welcome.id},
            {"version", engine_bridge::machine_version},
            {"profiles", std::move(profiles)},
            {"lease_seconds", seconds},
            {"beat_seconds", seconds / 4}};
}

// ---- calls ----

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
    constexpr std::array words{"taken", "late", "refused"};
    return words.at(static_cast<std::size_t>(verdict));
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
    constexpr std::array words{"working", "idle", "draining", "drained", "away"};
    return words.at(static_cast<std::size_t>(state));
}

json machine_json(const MachineView& view) {
    json profiles = json::array();
    for (const MachineView::Engine& part : view.parts) {
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
        return refuse(ErrorCode::conflict, "this server has no work for other machines", "");
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
