// A database that is there and says nothing: who waits for it waits only so long.
#include "place.hpp"
#include "raw.hpp"

#include "storage/store_health.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
using namespace std::chrono_literals;

namespace {

bool postgres_is_there() {
    const std::string missing = PostgresCluster::missing();
    if (!missing.empty()) {
        skip(missing);
    }
    return missing.empty();
}

std::string what_fails(const std::function<void()>& read) {
    try {
        read();
        return "";
    } catch (const StoreError& error) {
        return error.what();
    }
}

// Between clients and the database's socket; it can swallow what it is given, both ways.
class Proxy {
public:
    Proxy(const std::string& to, const std::filesystem::path& at) : to_{to} {
        listening_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_un address = address_of(at.string());
        REQUIRE(bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        REQUIRE(listen(listening_, 64) == 0);
        thread_ = std::thread{[this] { run(); }};
    }
    ~Proxy() {
        stopping_ = true;
        thread_.join();
        close(listening_);
    }
    void swallow(bool on) { swallows_ = on; }

private:
    static sockaddr_un address_of(const std::string& path) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        return address;
    }

    void run() {
        std::vector<std::pair<int, int>> pairs;
        while (!stopping_) {
            std::vector<pollfd> watched{{listening_, POLLIN, 0}};
            for (const auto& [one, other] : pairs) {
                watched.push_back({one, POLLIN, 0});
                watched.push_back({other, POLLIN, 0});
            }
            poll(watched.data(), watched.size(), 20);
            std::array<char, 65'536> bytes{};
            for (std::size_t i = pairs.size(); i-- > 0;) {
                const auto [one, other] = pairs[i];
                const bool open = carry(watched[1 + 2 * i], other, bytes) &&
                                  carry(watched[2 + 2 * i], one, bytes);
                if (!open) {
                    close(one);
                    close(other);
                    pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(i));
                }
            }
            if ((watched[0].revents & POLLIN) != 0) {
                const int one = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
                const int other = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
                const sockaddr_un address = address_of(to_);
                if (connect(other, reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
                    0) {
                    pairs.emplace_back(one, other);
                }
            }
        }
        for (const auto& [one, other] : pairs) {
            close(one);
            close(other);
        }
    }

    bool carry(const pollfd& from, int to, std::array<char, 65'536>& bytes) const {
        if (from.revents == 0) {
            return true;
        }
        const ssize_t size = recv(from.fd, bytes.data(), bytes.size(), 0);
        return size > 0 && (swallows_ || send(to, bytes.data(), static_cast<std::size_t>(size),
                                              MSG_NOSIGNAL) == size);
    }

    const std::string to_;
    int listening_ = -1;
    std::atomic<bool> stopping_ = false, swallows_ = false;
    std::thread thread_;
};

} // namespace

TEST_CASE("silence: a database whose processes stand still is not waited for without end",
          "[reliability]") {
    if (!postgres_is_there()) {
        return;
    }
    PostgresCluster cluster;
    const std::string url = cluster.new_database();
    const auto store = open_owner(url);
    const EngineId engine = store->engine(sample_engine());
    const Evaluation fact = sample_fact(engine, 1);
    append_and_wait(*store, fact);
    CHECK(store->writing().evaluations == 1);
    cluster.freeze();
    const struct Thaw { // also where a check throws
        const PostgresCluster& cluster;
        ~Thaw() { cluster.thaw(); }
    } thaw{cluster};
    std::promise<std::string> stored;
    store->append(sample_fact(engine, 2), [&](const auto& written) {
        stored.set_value(written ? "" : written.error().why);
    });
    CHECK_THAT(what_fails([&] { (void)store->evaluations(fact.question.position, {}); }),
               Contains("does not answer"));
    CHECK_THAT(store->environment().problem, Contains("does not answer"));
    CHECK(store->writing().evaluations == 1); // from memory
    CHECK(store->writing().silent > 1s);      // the writer still waits
    CHECK(store->writing().broken == "");
    cluster.thaw();
    CHECK(stored.get_future().get() == "");
    CHECK(store->writing().evaluations == 2);
    CHECK(store->environment().problem == "");
    CHECK_FALSE(store->evaluations(fact.question.position, {}).empty());
    CHECK(store->check().empty());
}

TEST_CASE("silence: a table that somebody has locked is told of, and read when it is free") {
    if (!postgres_is_there()) {
        return;
    }
    PostgresCluster cluster;
    const std::string url = cluster.new_database();
    const auto store = open_owner(url);
    const EngineId engine = store->engine(sample_engine());
    const Evaluation fact = sample_fact(engine, 1);
    append_and_wait(*store, fact);
    // Held until it is cancelled, so that a busy machine has the time that it needs.
    auto locked = std::async(std::launch::async, [&] {
        cluster.sql(url, "BEGIN; LOCK TABLE evaluations; DO $$ BEGIN PERFORM pg_sleep(600); "
                         "EXCEPTION WHEN query_canceled THEN NULL; END $$; COMMIT");
    });
    std::string problem;
    while (problem.empty() && locked.wait_for(0s) != std::future_status::ready) {
        problem = store->environment().problem; // as soon as the lock is taken
    }
    CHECK_THAT(problem, Contains("lock timeout"));
    CHECK_THAT(what_fails([&] { (void)store->evaluations(fact.question.position, {}); }),
               Contains("lock timeout"));
    while (locked.wait_for(0s) != std::future_status::ready) { // it may not sleep yet
        cluster.sql(url, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity "
                         "WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()");
    }
    locked.get();
    CHECK(store->environment().problem == "");
    CHECK(store->evaluations(fact.question.position, {}).size() == 1);
}

TEST_CASE("silence: what a proxy swallows is noticed, and the connections are made anew",
          "[reliability]") {
    if (!postgres_is_there()) {
        return;
    }
    PostgresCluster cluster;
    const std::string direct = cluster.new_database();
    const TemporaryDirectory directory;
    const std::string host = direct.substr(direct.find("?host=") + 6);
    Proxy proxy{host + "/.s.PGSQL.5432", directory.path() / ".s.PGSQL.5432"};
    const std::string url =
        direct.substr(0, direct.find("?host=")) + "?host=" + directory.path().string();
    const auto store = open_owner(url);
    const EngineId engine = store->engine(sample_engine());
    const Evaluation fact = sample_fact(engine, 1);
    append_and_wait(*store, fact);
    proxy.swallow(true);
    CHECK_THAT(what_fails([&] { (void)store->evaluations(fact.question.position, {}); }),
               Contains("does not answer"));
    CHECK(store->environment().problem != "");
    proxy.swallow(false);
    CHECK(store->environment().problem == "");
    CHECK(store->evaluations(fact.question.position, {}).size() == 1);
    CHECK(append_and_wait(*store, sample_fact(engine, 2)).inserted);
}

TEST_CASE("silence: a look that does not come back is told of, and what comes after it is seen") {
    const TemporaryDirectory directory;
    const auto store = open_owner(directory);
    StoreHealth health{*store, {}};
    StoreHealth::Moment now{};
    bool changed = false;
    REQUIRE(health.due(now += 1h, changed));
    CHECK_FALSE(health.due(now += 1h, changed)); // one is under way; and who was asleep himself …
    for (int i = 0; i < 4; ++i) {
        CHECK_FALSE(changed);
        CHECK_FALSE(health.silent());
        CHECK_FALSE(health.due(now += 200ms, changed));
    }
    CHECK_FALSE(health.due(now += 200ms, changed));
    CHECK(changed);
    CHECK(health.silent());
    CHECK_THAT(health.problem(), Contains("does not answer"));
    health.saw(StoreHealth::look_at(*store, {}), now += 1h); // it came back at last
    changed = false;
    REQUIRE(health.due(now, changed)); // a write is tried at once
    CHECK(health.what_to_try().write);
    CHECK(health.saw(StoreHealth::look_at(*store, health.what_to_try()), now));
    CHECK(health.problem() == "");
    CHECK_FALSE(health.silent());
}

TEST_CASE("silence: a store that nobody writes to is not waited for") {
    const Place place{GENERATE(kinds())};
    CAPTURE(name_of(place.kind()));
    const auto store = open_owner(place);
    CHECK(store->writing().silent == 0s); // it was asked while it was opened
    const EngineId engine = store->engine(sample_engine());
    CHECK(append_and_wait(*store, sample_fact(engine, 1)).inserted);
    store->flush();
    const auto end = std::chrono::steady_clock::now() + 1min;
    while (store->writing().silent != 0s && std::chrono::steady_clock::now() < end) {
        std::this_thread::yield(); // until the writer's thread rests
    }
    CHECK(store->writing().silent == 0s);
    CHECK(store->evaluations(sample_fact(engine, 1).question.position, {}).size() == 1);
    CHECK(store->writing().silent == 0s);
}
