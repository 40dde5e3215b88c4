// A fleet whose machines meet it in tables, which are played here, and a core that grows trees by
// it.
#pragma once

#include "core_fixture.hpp"

#include "fleet/fleet_post.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

// The tables, as far as they matter here.
struct PostTables {
    struct Row {
        FleetPost::Orders::Offer offer;
        std::optional<FleetPost::Number> machine;
    };
    std::map<FleetPost::Number, FleetPost::Seen::Machine> machines;
    std::map<FleetPost::Number, std::optional<bool>> welcomed; // or refused
    std::map<FleetPost::Number, bool> drained;
    std::map<LeaseId, Row> rows;
    std::map<std::int64_t, FleetPost::Seen::Answer> answers;
    std::int64_t next_answer = 1;
    FleetPost::Number next_machine = 1;

    FleetPost::Seen look(const std::vector<FleetPost::Number>& known) const {
        FleetPost::Seen seen;
        for (auto [number, machine] : machines) {
            if (std::ranges::find(known, number) != known.end()) {
                machine.hello.reset();
            }
            seen.machines.push_back(machine);
        }
        for (const auto& [lease, row] : rows) {
            seen.rows.push_back({lease, row.machine});
        }
        for (const auto& [number, answer] : answers) {
            seen.answers.push_back(answer);
        }
        return seen;
    }
    void apply(FleetPost::Orders orders) {
        for (const LeaseId lease : orders.removed) {
            rows.erase(lease);
        }
        for (const std::int64_t number : orders.read) {
            answers.erase(number);
        }
        for (const FleetPost::Number number : orders.forgotten) {
            machines.erase(number);
        }
        for (const auto& welcome : orders.welcomed) {
            welcomed[welcome.number] = welcome.welcome.has_value();
        }
        for (const auto& [number, on] : orders.drained) {
            drained[number] = on;
        }
        for (auto& offer : orders.offers) {
            const LeaseId lease = offer.granted.lease;
            REQUIRE_FALSE(rows.contains(lease));
            rows.emplace(lease, Row{std::move(offer), std::nullopt});
        }
    }
    FleetPost::Number enter(const std::string& name, const std::string& engine = "Simulated 1.0") {
        const FleetPost::Number number = next_machine++;
        engine_bridge::Identity identity;
        identity.name = engine;
        machines[number] = {number, Hello{name, {{"simulated", 2, true, identity}}},
                            {},     {{"simulated", 4}},
                            1,      false};
        return number;
    }
    bool knows(FleetPost::Number machine) const {
        const auto found = machines.find(machine);
        return found != machines.end() && !found->second.gone;
    }
    std::vector<LeaseId> take(FleetPost::Number machine, std::size_t most) {
        std::vector<LeaseId> taken;
        for (auto& [lease, row] : rows) {
            if (taken.size() < most && !row.machine && knows(machine) && !drained[machine]) {
                row.machine = machine;
                taken.push_back(lease);
            }
        }
        return taken;
    }
};

struct PostFixture {
    TemporaryDirectory directory;
    Bench bench;
    Fleet::Time now{std::chrono::hours{12}};
    std::unique_ptr<Fleet> fleet;
    std::unique_ptr<CoreFixture> core;
    std::unique_ptr<FleetPost> post;
    PostTables tables;

    const bool reproducible;

    explicit PostFixture(bool reproducible_ = false) : reproducible{reproducible_} { begin(); }
    ~PostFixture() { end(); }

    void begin() {
        core = std::make_unique<CoreFixture>(
            directory.path(), bench, reproducible, nullptr, false,
            [this](boost::asio::io_context& context, WorkersFactory local) {
                Fleet::Options options;
                options.clock = [this] { return now; };
                options.wall = [this] {
                    return 1'700'000'000'000 +
                           now.time_since_epoch() / std::chrono::milliseconds{1};
                };
                options.life = std::chrono::seconds{10};
                options.repeat_one_in = 3;
                options.ticking = false;
                fleet = std::make_unique<Fleet>(context, std::move(options));
                return fleet->around(std::move(local));
            });
        core->at_end = [this] {
            post.reset();
            fleet.reset();
        };
        post = std::make_unique<FleetPost>(*fleet, [] {});
    }
    void end() {
        fleet->close();
        core.reset();
    }
    // `lost`: what is to be changed does not arrive.
    void exchange(bool lost = false) {
        auto orders = post->exchange(tables.look(post->known()));
        core->settle_down();
        if (!lost) {
            tables.apply(std::move(orders));
        }
    }
    void pass(std::chrono::seconds time) {
        now += time;
        fleet->look_after();
        core->settle_down();
    }
    FleetPost::Seen::Answer answer(FleetPost::Number machine, const Granted& granted) const {
        return {0,
                machine,
                {granted.lease, granted.profile, granted.question,
                 claim_of(bench.answer(granted.job), granted.job)}};
    }
    // In one moment, as a machine does: its lease ends, and its answer is there.
    void give(FleetPost::Number machine, const Granted& granted) {
        if (!tables.knows(machine)) {
            return;
        }
        auto given = answer(machine, granted);
        const auto row = tables.rows.find(granted.lease);
        if (row != tables.rows.end() && row->second.machine == machine) {
            tables.rows.erase(row);
        }
        given.number = tables.next_answer++;
        tables.answers[given.number] = std::move(given);
    }
    // Takes so many, as the tree grows.
    std::vector<Granted> taken(FleetPost::Number machine, std::size_t count) {
        std::vector<Granted> all;
        for (int i = 0; i < 100 && all.size() < count; ++i) {
            exchange();
            for (const LeaseId lease : tables.take(machine, count - all.size())) {
                all.push_back(tables.rows.at(lease).offer.granted);
            }
            exchange();
            if (all.size() < count) {
                bench.step();
                core->settle_down();
            }
        }
        REQUIRE(all.size() == count);
        return all;
    }
    MachineView view(const std::string& name) const {
        for (const MachineView& view : fleet->machines()) {
            if (view.name == name) {
                return view;
            }
        }
        FAIL("no machine " << name);
        return {};
    }
    bool settled() const { return core->settled(analysis::AnalysisId{1}); }
    std::vector<std::string> facts() const {
        return facts_of(*core->store, core->run(analysis::AnalysisId{1}).record.engine);
    }
};

} // namespace adjourn::server
