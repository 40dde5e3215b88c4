#include "machines.hpp"

#include "chess/notation.hpp"
#include "core/records/strategy_json.hpp"
#include "http/requests/target.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::simulation {

using nlohmann::json;

Machines::Machines(World& world, std::size_t count, bool faulty) : world_{world}, faulty_{faulty} {
    for (std::size_t i = 0; i < count; ++i) {
        machines_.emplace_back().name = "machine" + std::to_string(i);
    }
}

// All its calls are answered at once. nullopt: the server does not know it, or is not well.
std::optional<json> Machines::ask(Machine& machine, const std::string& target, const json& body) {
    const auto parsed = http::parse_target("/api/v1" + target);
    http::Request request{http::Method::post, parsed->path, parsed->query, {}, body.dump()};
    const auto route = server::route_of(request.method, request.path);
    auto reply = world_.life->api->begin(std::move(request), *route);
    http::Response response;
    if (auto* now = std::get_if<http::Response>(&reply)) {
        response = *now;
    } else if (auto* wait = std::get_if<server::Api::Wait>(&reply)) {
        auto seen = wait->look();
        response = seen ? *seen : wait->give_up();
        wait->leave();
    }
    world_.log(machine.name + ": " + target + " " + std::to_string(response.status));
    if (response.status == 404) {
        machine.id.clear();
    }
    if (response.status == 500 || (response.status == 400 && !target.ends_with("/answers"))) {
        world_.violated(std::to_string(response.status) + " to a machine's " + target + ": " +
                        response.body);
    }
    return response.status < 300 ? std::optional{json::parse(response.body, nullptr, false)}
                                 : std::nullopt;
}

// As the engine here would.
json Machines::answer(const json& lease) const {
    const auto position = chess::Position::from_fen(lease["fen"].get<std::string>());
    engine_bridge::Job job{1, *position, *server::parse_limit_json(lease["limit"]), {}};
    for (const json& move : lease["searchmoves"]) {
        job.searchmoves.push_back(*chess::parse_uci(*position, move.get<std::string>()));
    }
    const engine_bridge::Claim told = engine_bridge::claim_of(world_.bench.answer(job), job);
    return {{"lease", lease["lease"]},
            {"profile", lease["profile"]},
            {"question", lease["question"]},
            {"move", told.move},
            {"score", told.cp ? json{{"cp", *told.cp}} : json{{"mate", *told.mate}}},
            {"depth", told.depth},
            {"seldepth", told.seldepth},
            {"nodes", told.nodes},
            {"time_ms", told.time_ms},
            {"pv", told.pv}};
}

void Machines::hello(Machine& machine) {
    const int version = faulty_ && world_.chance.one_in(20) ? world_.chance.between(3, 9) : 1;
    json offer{
        {"name", "simulated"},
        {"processes", 2},
        {"reproducible", false},
        {"identity", {{"name", "Simulated 1.0"}, {"network", ""}, {"options", json::object()}}}};
    if (const auto welcome = ask(
            machine, "/workers",
            {{"name", machine.name}, {"version", version}, {"profiles", json::array({offer})}})) {
        if (version > 2) {
            world_.violated("a machine of version " + std::to_string(version) + " is welcome");
        }
        machine.id = (*welcome)["id"];
        machine.life = world_.lives;
    }
}

void Machines::take(Machine& machine) {
    json held = json::array();
    for (const json& lease : machine.leases) {
        held.push_back(lease["lease"]);
    }
    const auto most = world_.chance.between(1, 4);
    const auto taken = ask(machine, "/workers/" + machine.id + "/take",
                           {{"profiles", json::array({{{"name", "simulated"}, {"most", most}}})},
                            {"held", held},
                            {"wait_seconds", 0}});
    if (!taken) {
        return;
    }
    for (const json& lease : (*taken)["leases"]) {
        if (const auto job = open_job(lease)) {
            world_.look_at_question(*job, machine.name, world_.bench);
            jobs_[lease["lease"]] = job->id;
        } else {
            world_.violated(machine.name + " is asked what nobody waits for");
        }
        if (std::ranges::any_of(machine.leases, [&](const json& has) {
                return has["lease"] == lease["lease"] && machine.life == world_.lives;
            })) {
            world_.violated(machine.name + " gets the lease that it has");
        }
        if (faulty_ && world_.chance.one_in(12)) {
            world_.log("the lease is lost on the way");
            continue;
        }
        machine.leases.push_back(lease);
    }
}

std::string Machines::tell(Machine& machine, json answer, bool lie) {
    const auto job = open_job(answer);
    if (lie) {
        switch (world_.chance.between(0, 4)) {
        case 0: answer["move"] = "a1b4"; break;
        case 1: answer["question"] = "0123456789abcdef"; break;
        case 2: answer["pv"] = json::array({"e2e5"}); break;
        case 3: answer["lease"] = answer["lease"].get<std::int64_t>() + 100'000; break;
        default: answer["score"] = {{"cp", 987'654'321}};
        }
    }
    const bool wanted = !lie && !answer.contains("failure") && is_open(answer);
    const auto judged =
        ask(machine, "/workers/" + machine.id + "/answers", {{"answers", json::array({answer})}});
    const std::string verdict = judged ? (*judged)["results"][0]["verdict"] : "";
    const bool kept = // for whoever may ask it
        verdict == "late" &&
        answer["lease"] < world_.life->core->engines().dispatcher()->first_lease();
    if (answer.contains("nodes") && (verdict == "taken" || kept)) {
        world_.add_searched(job ? job->id : 0, answer["nodes"]);
    }
    if (judged && wanted && verdict != "taken") {
        world_.violated("the answer to an open question is not taken: " + judged->dump());
    }
    if (lie && verdict == "taken") {
        world_.violated("what cannot be is taken: " + answer.dump());
    }
    return verdict;
}

// The question, as long as somebody waits for its answer.
std::optional<engine_bridge::Job> Machines::open_job(const json& lease) const {
    const auto& dispatcher = world_.life->core->engines().dispatcher();
    const std::string profile = lease["profile"];
    return dispatcher->find(dispatcher->named(profile)->id, [&](const engine_bridge::Job& job) {
        return engine_bridge::question_key(profile, job) == lease["question"];
    });
}

// This server has asked a machine, and waits: for this question, not for one that was cancelled and
// asked anew.
bool Machines::is_open(const json& answer) const {
    const auto& dispatcher = world_.life->core->engines().dispatcher();
    const engine_bridge::LeaseId lease = answer["lease"];
    const auto asked = jobs_.find(lease);
    const auto job = open_job(answer);
    return lease >= dispatcher->first_lease() && job && asked != jobs_.end() &&
           asked->second == job->id;
}

void Machines::beat(Machine& machine) {
    json held = json::array();
    for (const json& lease : machine.leases) {
        held.push_back(lease["lease"]);
    }
    const auto news = ask(machine, "/workers/" + machine.id + "/beat",
                          {{"held", held}, {"profiles", json::array()}});
    if (news) {
        for (const json& lease : (*news)["withdrawn"]) {
            std::erase_if(machine.leases, [&](const json& has) { return has["lease"] == lease; });
        }
    }
}

void Machines::act(std::size_t who) {
    Machine& machine = machines_[who];
    Chance& chance = world_.chance;
    if (!world_.life || world_.clock < machine.silent_until) {
        return;
    }
    if (machine.id.empty()) {
        hello(machine);
        return;
    }
    const int what = chance.between(0, 99);
    if (what < 35) {
        take(machine);
    } else if (what < 80 && !machine.leases.empty()) {
        const std::size_t which = chance.below(machine.leases.size());
        const json lease = machine.leases[which];
        machine.leases.erase(machine.leases.begin() + static_cast<std::ptrdiff_t>(which));
        const bool lies = faulty_ && chance.one_in(10);
        json found = answer(lease);
        if (faulty_ && chance.one_in(8)) {
            constexpr const char* kinds[] = {"crashed", "hung", "returned", "no_result"};
            found = {{"lease", lease["lease"]},
                     {"profile", lease["profile"]},
                     {"question", lease["question"]},
                     {"failure",
                      {{"kind", chance.pick(kinds)}, {"reason", "it died"}, {"attempts", 1}}}};
        }
        if (lies && !found.contains("failure") && !machine.leases.empty()) {
            json other = answer(chance.pick(machine.leases));
            other["lease"] = lease["lease"];
            const bool waits = is_open(lease); // else it is taken for what it answers
            if (waits && other["question"] != lease["question"] &&
                tell(machine, other, false) == "taken") {
                world_.violated("the answer to another question is taken");
            }
            return;
        }
        tell(machine, found, lies && !found.contains("failure"));
        machine.told.push_back(found);
    } else if (what < 85) {
        beat(machine);
    } else if (!faulty_) {
        return;
    } else if (what < 90 && !machine.told.empty()) {
        tell(machine, chance.pick(machine.told), false);
    } else if (what < 94) {
        machine.silent_until = world_.clock + chance.between(1'000, 60'000);
        world_.log(machine.name + " is silent");
    } else if (what < 96) {
        world_.log(machine.name + " starts anew");
        machine.id.clear();
        machine.leases.clear();
    } else if (what < 97 && !machine.leases.empty()) {
        world_.log(machine.name + " forgets a lease");
        machine.leases.pop_back();
    }
}

void Machines::finish() {
    for (Machine& machine : machines_) {
        machine.silent_until = 0;
        const bool tells = !faulty_ || world_.chance.one_in(2);
        for (const json& lease : std::exchange(machine.leases, {})) {
            if (tells && world_.life && !machine.id.empty()) {
                tell(machine, answer(lease), false);
            }
        }
        if (!tells && world_.chance.one_in(2)) {
            machine.id.clear();
        }
    }
    for (int second = 0; second < 20; ++second) { // the time of a lease, and more
        world_.pass(1'000);
        for (Machine& machine : machines_) {
            if (!machine.id.empty()) {
                beat(machine);
            }
        }
    }
    look_at_leases();
}

void Machines::look_at_leases() {
    for (const engine_bridge::MachineView& machine : world_.life->fleet->machines()) {
        for (const auto& part : machine.parts) {
            if (part.leases > 0) {
                world_.violated(machine.name + " has no question any more, and " +
                                std::to_string(part.leases) + " stand with it");
            }
        }
    }
}

} // namespace adjourn::simulation
