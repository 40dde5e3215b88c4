// A store that does not answer holds nobody up but who needs it, and they are told.
#include "api_fixture.hpp"
#include "host/calls.hpp"
#include "host/loop.hpp"
#include "latched_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>

#include <list>

using namespace std::chrono_literals;

namespace {

namespace asio = boost::asio;
using http::Method;
using http::Response;

// Within a minute.
bool becomes(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + 1min;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= end) {
            return false;
        }
        std::this_thread::sleep_for(10ms); // between looks
    }
    return true;
}

// A server without sockets, on a store that a test can hold: with the threads that it has.
struct House {
    // `fails`: the store does as soon as all analyses are known, before anything else is read.
    explicit House(bool fails = false) {
        std::promise<void> known;
        if (fails) {
            CoreFixture before{directory.path(), bench};
            before.create("1. e4", 1);
            before.store->flush();
        }
        store.emplace(storage::open_store(directory.path(), storage::OpenMode::owner));
        asio::post(reader, [go = known.get_future().share()] { go.wait(); });
        CoreOptions options;
        engine_bridge::Profile profile;
        profile.name = "simulated";
        profile.command = {"none"};
        profile.count = bench.processes;
        options.engines = {profile};
        options.clock = [] { return analysis::UnixMs{1'700'000'000'000}; };
        options.elsewhere = on(reader);
        options.beside = on(beside);
        options.reads = on(reads);
        on_core([&](Core*) {
            core =
                std::make_unique<Core>(loop.context(), *store, std::move(options),
                                       [this](auto dispatcher, auto id, const auto&, auto calls) {
                                           return std::make_unique<SimulatedProcesses>(
                                               std::move(dispatcher), id, bench, std::move(calls));
                                       });
            api = std::make_unique<Api>(*core);
            calls = std::make_unique<Calls>(*api, loop.context());
            store->fail(fails);
            known.set_value();
            core->start();
        });
    }
    ~House() {
        store->release();
        std::promise<void> stopped;
        on_core([&](Core* there) { there->stop([&] { stopped.set_value(); }); });
        stopped.get_future().wait();
        calls->join();
        reader.join();
        beside.join();
        reads.join();
        on_core([&](Core*) {
            api.reset();
            core.reset();
        });
        loop.join();
    }

    static std::function<void(std::function<void()>)> on(asio::thread_pool& pool) {
        return [&pool](std::function<void()> task) { asio::post(pool, std::move(task)); };
    }
    void on_core(const std::function<void(Core*)>& task) {
        std::promise<void> done;
        asio::post(loop.context(), [&] {
            task(core.get());
            done.set_value();
        });
        done.get_future().wait();
    }

    // What is answered; a minute is for ever.
    std::optional<Response> ask(Method method, const std::string& target, const json& body = {}) {
        const auto parsed = http::parse_target("/api/v1" + target);
        std::optional<Response> answered;
        asio::io_context& front = new_front();
        asio::co_spawn(
            front,
            calls->answer(
                {method, parsed->path, parsed->query, {}, body.is_null() ? "" : body.dump()}),
            [&](const std::exception_ptr&, Response response) { answered = std::move(response); });
        const auto end = std::chrono::steady_clock::now() + 1min;
        while (!answered && std::chrono::steady_clock::now() < end) {
            front.restart();
            front.run_for(100ms);
        }
        return answered;
    }
    // Other threads let go of it a moment after the answer: it stays until they have ended.
    asio::io_context& new_front() {
        const std::lock_guard lock{fronts_mutex};
        return fronts.emplace_back();
    }
    int status(Method method, const std::string& target, const json& body = {}) {
        const auto answered = ask(method, target, body);
        return answered ? answered->status : 0;
    }
    json get(const std::string& target) {
        const auto answered = ask(Method::get, target);
        return answered ? json::parse(answered->body) : json{};
    }
    bool wait_for(const std::string& status) {
        return becomes([&] { return get("/health")["status"] == status; });
    }
    void grow() {
        REQUIRE(status(Method::post, "/analyses", ApiFixture::wanted({{"moves", "1. e4"}})) == 201);
        settle();
    }
    void settle() {
        for (int i = 0; i < 5'000 && get("/analyses/1")["state"] != "settled"; ++i) {
            on_core([&](Core*) {
                while (bench.step()) {
                }
            });
            store->flush();
        }
        REQUIRE(get("/analyses/1")["state"] == "settled");
    }

    TemporaryDirectory directory;
    Bench bench;
    std::mutex fronts_mutex;
    std::list<asio::io_context> fronts;
    std::optional<storage::test::LatchedStore> store;
    asio::thread_pool reader{1}, beside{1}, reads{Reads::threads};
    Loop loop{"the core's thread"};
    std::unique_ptr<Core> core;
    std::unique_ptr<Api> api;
    std::unique_ptr<Calls> calls;
};

const json note{{"moves", ""}, {"action", "note"}, {"text", "said meanwhile"}};

} // namespace

TEST_CASE("silence: what a server reads as it starts, while the store fails, it reads later") {
    House house{true};
    REQUIRE(house.wait_for("store_failed"));
    CHECK(house.get("/analyses/1")["state"] == "queued"); // nor has it failed
    CHECK(house.status(Method::get, "/analyses/1/node") == 503);
    house.store->fail(false);
    REQUIRE(house.wait_for("ok"));
    CHECK(becomes([&] { return house.status(Method::get, "/analyses/1/node") == 200; }));
    house.settle();
}

TEST_CASE("silence: while the disk hangs everybody is answered, and told what is missing") {
    House house;
    house.grow();
    const json file{{"pgn", "1. e4 e5 *"}};
    REQUIRE(house.status(Method::post, "/analyses/1/files", file) == 201);
    const json glyph{{"game", 1}, {"path", "0"}, {"action", "nag"}, {"nag", 1}};
    const json before = house.get("/analyses/1/node");
    REQUIRE_FALSE(before.contains("left_out"));
    REQUIRE(before["moves"][0]["engine"].contains("depth"));
    house.store->hold();
    // Before anybody can know: it is found out, and node is answered from memory.
    const json node = house.get("/analyses/1/node");
    CHECK(node["left_out"] == json{"provenance", "provisional"});
    CHECK(node["moves"].size() == before["moves"].size());
    CHECK(node["moves"][0]["alpha"] == before["moves"][0]["alpha"]);
    CHECK_FALSE(node["moves"][0]["engine"].contains("depth"));
    REQUIRE(house.wait_for("store_failed"));
    CHECK(house.get("/health")["problem"].get<std::string>().find("does not answer") !=
          std::string::npos);
    CHECK(house.get("/health")["store"]["evaluations"].get<int>() > 0);
    for (const char* target : {"/analyses", "/analyses/1", "/analyses/1/tree", "/openings?q=ruy",
                               "/engines", "/analyses/1/history", "/analyses/1/notes"}) {
        INFO(target);
        CHECK(house.status(Method::get, target) == 200);
    }
    for (const char* target :
         {"/analyses/1/evaluations", "/analyses/1/changes?since=1", "/analyses/1/export?format=pgn",
          "/positions?fen=8/8/8/8/8/8/8/8", "/analyses/1/files", "/analyses/1/files/1"}) {
        INFO(target);
        const int status = house.status(Method::get, target);
        CHECK((status == 503 || status == 400));
    }
    CHECK(house.status(Method::post, "/analyses/1/directives", note) == 503); // nothing was done
    CHECK(house.get("/analyses/1/notes")["notes"].empty());
    CHECK(house.status(Method::post, "/analyses/1/files/1/edits", glyph) == 503);
    CHECK(house.status(Method::post, "/analyses/1/files", file) == 503);
    CHECK(house.status(Method::del, "/analyses/1/files/1") == 503);
    house.on_core([](Core* core) { // which is what a watchdog asks
        CHECK(core->watch().longest() < 5s);
    });
    house.store->release();
    REQUIRE(house.wait_for("ok"));
    CHECK(house.get("/analyses/1/notes")["notes"].empty());
    CHECK_FALSE(house.get("/analyses/1/node").contains("left_out"));
    CHECK(house.status(Method::get, "/analyses/1/export?format=pgn") == 200);
    CHECK(house.status(Method::post, "/analyses/1/directives", note) == 201);
    CHECK(house.get("/analyses/1/notes")["notes"].size() == 1);
    CHECK(house.get("/analyses/1/files")["files"][0]["games"][0]["version"] == 1);
    CHECK(house.status(Method::post, "/analyses/1/files/1/edits", glyph) == 200);
}

TEST_CASE("silence: who is writing waits alone, and what was said shows once it is durable") {
    House house;
    house.grow();
    house.store->hold();
    auto waiting = std::async(std::launch::async, [&] {
        return house.status(Method::post, "/analyses/1/directives", note);
    });
    const auto written = [&] {
        return !house.store->beneath().directives(analysis::AnalysisId{1}, {}).empty();
    };
    REQUIRE(becomes(written)); // and not told
    auto behind = std::async(std::launch::async, [&] {
        return house.status(Method::patch, "/analyses/1", {{"name", "changed meanwhile"}});
    });
    REQUIRE(house.wait_for("store_failed")); // by the write: others are answered
    CHECK(house.get("/analyses/1/notes")["notes"].empty());
    CHECK(house.get("/analyses/1")["name"] != "changed meanwhile");
    house.store->release();
    REQUIRE(house.wait_for("ok"));
    const int said = waiting.get(), changed = behind.get();
    CHECK((said == 201 || said == 503)); // 503: it was not known yet
    CHECK((changed == 200 || changed == 503));
    CHECK(becomes([&] { return !house.get("/analyses/1/notes")["notes"].empty(); }));
    CHECK(house.get("/analyses/1/notes")["notes"].size() == 1);
    house.store->flush();
    CHECK(house.store->directives(analysis::AnalysisId{1}, {}).size() == 1);
    if (changed == 200) {
        CHECK(house.get("/analyses/1")["name"] == "changed meanwhile");
        CHECK(house.store->analyses({})[0].name == "changed meanwhile");
    }
}
