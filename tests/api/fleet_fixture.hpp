// Machines that answer questions, by the calls that they use; their engines answer as the
// simulated ones here do.
#pragma once

#include "api_fixture.hpp"

#include "core/records/strategy_json.hpp"

namespace adjourn::server {

using engine_bridge::Fleet;

struct FleetFixture {
    using json = nlohmann::json;
    using Method = http::Method;
    inline static const analysis::AnalysisId first{1};

    TemporaryDirectory directory;
    Bench bench;
    Fleet::Time now{std::chrono::hours{12}};
    std::uint64_t repeat = 0;
    std::unique_ptr<Fleet> fleet;
    std::unique_ptr<CoreFixture> core;
    std::unique_ptr<TestApi> api;

    explicit FleetFixture(std::uint64_t repeat_one_in = 0, bool reproducible = false)
        : repeat{repeat_one_in} {
        begin(reproducible);
    }
    ~FleetFixture() { end(); }

    void begin(bool reproducible = false) {
        using namespace std::chrono_literals;
        const auto wall = [this] { return 1'700'000'000'000 + now.time_since_epoch() / 1ms; };
        bench.takes = 2 * bench.processes;
        core = std::make_unique<CoreFixture>(
            directory.path(), bench, reproducible, nullptr, false,
            engine_bridge::Dispatcher::Rules{.life = 10s, .first = Fleet::first_lease(wall())});
        Fleet::Options options;
        options.clock = [this] { return now; };
        options.wall = wall;
        options.life = 10s;
        options.repeat_one_in = repeat;
        options.sigma = [](const std::string&) { return 1.0; };
        options.ticking = false;
        fleet = std::make_unique<Fleet>(core->context, core->core->engines().dispatcher(),
                                        std::move(options));
        core->at_end = [this] { fleet.reset(); };
        api = std::make_unique<TestApi>(*core, fleet.get());
    }
    void end() {
        api.reset();
        fleet->close();
        core.reset();
    }
    void pass(std::chrono::seconds time) {
        now += time;
        fleet->look_after();
        core->settle_down();
    }

    http::Response send(Method method, const std::string& target, const json& body = {}) {
        const auto parsed = http::parse_target("/api/v1" + target);
        REQUIRE(parsed);
        const auto response = (*api)(http::Request{
            method, parsed->path, parsed->query, {}, body.is_null() ? "" : body.dump()});
        core->settle_down();
        return response;
    }
    json ask(Method method, const std::string& target, const json& body = {}, int status = 200) {
        const auto response = send(method, target, body);
        INFO(target << " " << body << ": " << response.body);
        REQUIRE(response.status == status);
        return response.body.empty() ? json{} : json::parse(response.body);
    }
    static json greeting(const std::string& name = "laptop", int processes = 2) {
        return {{"name", name},
                {"profiles",
                 {{{"name", "simulated"},
                   {"processes", processes},
                   {"reproducible", true},
                   {"identity",
                    {{"name", "Simulated 1.0"}, {"network", ""}, {"options", json::object()}}}}}}};
    }
    std::string hello(const std::string& name = "laptop", int processes = 2) {
        return ask(Method::post, "/workers", greeting(name, processes), 201)["id"];
    }
    json take(const std::string& id, int most = 8) {
        return ask(Method::post, "/workers/" + id + "/take",
                   {{"profiles", {{{"name", "simulated"}, {"most", most}}}}, {"wait_seconds", 0}});
    }
    // So many, as the tree grows.
    json leases(const std::string& id, int count) {
        json all = json::array();
        for (int i = 0; i < 100; ++i) {
            const json taken = take(id, count - static_cast<int>(all.size()));
            all.insert(all.end(), taken["leases"].begin(), taken["leases"].end());
            if (static_cast<int>(all.size()) == count) {
                return all;
            }
            bench.step();
            core->settle_down();
        }
        FAIL("the machine gets nothing");
        return all;
    }
    json tell(const std::string& id, const json& answers) {
        return ask(Method::post, "/workers/" + id + "/answers", {{"answers", answers}})["results"];
    }
    // As the engine here would.
    json answer(const json& lease) const {
        const auto position = chess::Position::from_fen(lease["fen"].get<std::string>());
        REQUIRE(position);
        engine_bridge::Job job{1, *position, *parse_limit_json(lease["limit"]), {}};
        for (const json& move : lease["searchmoves"]) {
            job.searchmoves.push_back(*chess::parse_uci(*position, move.get<std::string>()));
        }
        const engine_bridge::Claim told = engine_bridge::claim_of(bench.answer(job), job);
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
    json machine(const std::string& id) {
        const json all = ask(Method::get, "/workers");
        for (const json& each : all["machines"]) {
            if (each["id"] == id) {
                return each;
            }
        }
        FAIL("no machine " << id);
        return {};
    }
    bool settled() const { return core->settled(first); }
    std::vector<std::string> facts() const {
        return facts_of(*core->store, core->run(first).record.engine);
    }
};

} // namespace adjourn::server
