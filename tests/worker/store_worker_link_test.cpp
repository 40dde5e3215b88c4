// What a machine is told by the tables of a store, whatever was lost on the way.
#include "postgres_cluster.hpp"
#include "shared_data.hpp"

#include "storage/open.hpp"
#include "storage/post.hpp"
#include "worker/store_worker_link.hpp"

#include <catch2/catch.hpp>

#include <thread>

using namespace adjourn;
using namespace adjourn::server;
using nlohmann::json;
using storage::ServerPost;
using Kind = LinkTrouble::Kind;

namespace {

// The server's side is played by the test.
struct Tables {
    std::string url = shared_cluster().new_database();
    std::unique_ptr<ServerPost> server;
    StoreWorkerLink link{url};
    std::string machine;

    Tables() {
        storage::open_store(url, storage::OpenMode::owner); // makes the tables
        server = storage::open_server_post(url);
    }

    WorkerLink::Or<json> hello(const json& welcome) {
        std::thread answering{[&] {
            ServerPost::Sight sight = server->look({}, {}, 1'000);
            while (sight.machines.empty()) {
                server->wait(std::chrono::seconds{1});
                sight = server->look({}, {}, 1'000);
            }
            ServerPost::Orders orders;
            orders.welcome = {{sight.machines[0].machine, welcome.dump()}};
            orders.wake = {sight.machines[0].machine};
            server->apply(orders);
        }};
        auto told = link.hello({{"name", "a machine"}});
        answering.join();
        return told;
    }
    void apply(const std::function<void(ServerPost::Orders&)>& write) const {
        ServerPost::Orders orders;
        write(orders);
        server->apply(orders);
    }
    void offer(storage::PostLease lease) const {
        apply([&](ServerPost::Orders& orders) {
            orders.offer = {{lease, "engine", false, {}, {}, json{{"lease", lease}}.dump()}};
        });
    }
    // The machine is known.
    ServerPost::Sight look() const { return server->look({std::stoll(machine)}, {}, 1'000); }
    json take(const std::vector<std::uint64_t>& held) {
        const auto taken =
            link.take(machine, json::array({{{"name", "engine"}, {"most", 1}}}), held);
        REQUIRE(taken);
        return *taken;
    }
};

bool no_postgres() {
    const std::string missing = PostgresCluster::missing();
    if (!missing.empty()) {
        skip(missing);
    }
    return !missing.empty();
}

} // namespace

TEST_CASE(
    "store link: questions come, are hurried and withdrawn, and one that was lost comes again") {
    if (no_postgres()) {
        return;
    }
    Tables tables;
    const auto welcome =
        tables.hello({{"id", "what the server calls it"}, {"profiles", json::array()}});
    REQUIRE(welcome);
    tables.machine = welcome->at("id");
    tables.offer(1);
    json told = tables.take({});
    REQUIRE(told["leases"].size() == 1);
    CHECK(told["leases"][0]["lease"] == 1);
    CHECK(told["leases"][0]["urgent"] == false);
    tables.offer(2);
    told = tables.take({}); // the answer with the first one was lost
    CHECK(told["leases"].size() == 2);
    tables.apply([](ServerPost::Orders& orders) { orders.hurry = {1}; });
    told = tables.take({1, 2});
    CHECK(told["hurried"] == json::array({1}));
    tables.apply([](ServerPost::Orders& orders) { orders.remove = {2}; });
    const auto beaten = tables.link.beat(tables.machine, json::array(), {1, 2});
    REQUIRE(beaten);
    CHECK(beaten->at("withdrawn") == json::array({2}));
    CHECK(beaten->at("hurried").empty()); // told once
    CHECK(tables.server->look({}, {}, 1'000).machines[0].beats == 1);

    const json found = json::array({{{"lease", 1}, {"move", "e2e4"}}});
    REQUIRE(tables.link.answers(tables.machine, found, {}));
    const auto sight = tables.look();
    CHECK(sight.rows.empty());
    REQUIRE(sight.answers.size() == 1);
    CHECK(json::parse(sight.answers[0].text) == found[0]);

    CHECK(tables.link.goodbye(tables.machine, {}));
    const auto late = tables.link.answers(tables.machine, found, {});
    REQUIRE_FALSE(late);
    CHECK(late.error().kind == Kind::unknown_machine);
    CHECK(tables.link.take(tables.machine, json::array(), {}).error().kind ==
          Kind::unknown_machine);
    CHECK(tables.look().answers.size() == 1);
}

TEST_CASE("store link: what is refused, and a database that cannot be reached") {
    if (no_postgres()) {
        return;
    }
    Tables tables;
    const auto refused = tables.hello({{"refused", "another engine"}});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == Kind::refused);
    CHECK(refused.error().message.find("another engine") != std::string::npos);
    StoreWorkerLink nowhere{"postgresql:///games?host=/nowhere"};
    const auto away = nowhere.hello({{"name", "a machine"}});
    REQUIRE_FALSE(away);
    CHECK(away.error().kind == Kind::away);
    tables.link.close();
    CHECK(tables.link.hello({}).error().kind == Kind::away);
}
