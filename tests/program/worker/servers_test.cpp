// Where a worker finds the server that asks it.
#include "bench/postgres/postgres_cluster.hpp"
#include "shared_data.hpp"

#include "host/worker_address.hpp"
#include "program/worker/worker_client.hpp"
#include "storage/open.hpp"
#include "test.hpp"

using namespace adjourn::server;

TEST_CASE("a worker takes the loopback of its own network, and else the address for others") {
    const WorkerAddress address{"club", "boot/1", "http://127.0.0.1:1", "http://club:1", "secret"};
    CHECK(worker_address_in(to_text(address)) == address);
    CHECK(url_from(address, "boot/1") == "http://127.0.0.1:1");
    CHECK(url_from(address, "boot/2") == "http://club:1"); // another namespace
    CHECK(url_from(address, "") == "http://club:1");
    WorkerAddress unknown = address;
    unknown.network = "";
    CHECK(url_from(unknown, "") == "http://club:1"); // nobody knows
    WorkerAddress closed = address;
    closed.elsewhere = "";
    CHECK(url_from(closed, "boot/1") == "http://127.0.0.1:1");
    const auto refused = url_from(closed, "boot/2");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().find("the server on club listens on loopback only") == 0);
    CHECK_FALSE(worker_address_in("http://127.0.0.1:1"));
    CHECK_FALSE(worker_address_in(R"({"host": "club"})"));
    CHECK_FALSE(this_network().empty());
    CHECK(this_network() == this_network());
}

TEST_CASE("a database says where its server is, for as long as that works") {
    if (const std::string missing = PostgresCluster::missing(); !missing.empty()) {
        skip(missing);
        return;
    }
    const std::string url = shared_cluster().new_database();
    const FindServers find = server_of(url, "");
    const auto kind_of = [&] {
        const auto found = find();
        REQUIRE_FALSE(found);
        return found.error().kind;
    };
    CHECK(kind_of() == LinkTrouble::Kind::away); // there is no store
    auto store = storage::open_store(url, storage::OpenMode::owner);
    CHECK(kind_of() == LinkTrouble::Kind::away); // nothing was announced
    WorkerAddress address{"club", this_network(), "http://127.0.0.1:1", "", "secret"};
    store->announce("http://127.0.0.1:1", to_text(address));
    const auto found = find();
    REQUIRE(found);
    REQUIRE(found->size() == 1);
    CHECK(found->front().shown == "http://127.0.0.1:1");
    CHECK(found->front().token == "secret");
    address.network = "elsewhere";
    store->announce("http://127.0.0.1:1", to_text(address));
    CHECK(kind_of() == LinkTrouble::Kind::refused); // loopback only
    address.elsewhere = "https://club.example";
    store->announce("http://127.0.0.1:1", to_text(address));
    REQUIRE(find());
    CHECK(find()->front().url.secure);
    store.reset();
    CHECK(kind_of() == LinkTrouble::Kind::away);
    store = storage::open_store(url, storage::OpenMode::owner);
    CHECK(kind_of() == LinkTrouble::Kind::away); // what the former one said counts no more
    CHECK(server_of("postgresql:///games?host=/nowhere", "")().error().kind ==
          LinkTrouble::Kind::away);
}
