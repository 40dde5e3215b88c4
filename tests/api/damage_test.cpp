// A store that is damaged or older than it was: health tells, and a person says that it is known.
#include "api_fixture.hpp"

namespace adjourn::server {

namespace {

namespace fs = std::filesystem;
using http::Method;

std::string read_whole(const fs::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

// A store with an analysis in it.
void make_store(const fs::path& directory) {
    Bench bench;
    CoreFixture fixture{directory, bench};
    const auto id = fixture.create("e2e4", 1);
    REQUIRE(fixture.core->direct(id, {}, "note", "worth a look").wait());
    fixture.work_until([&] { return fixture.settled(id); });
}

struct Opened {
    explicit Opened(const fs::path& directory) : core{directory, bench} {}
    json health(Method method, const char* path, int status, const char* body = "") {
        const http::Response response = api(http::Request{method, path, {}, {}, body});
        CHECK(response.status == status);
        return json::parse(response.body);
    }
    json now(int status) { return health(Method::get, "/api/v1/health", status); }
    json known(int status) { return health(Method::post, "/api/v1/health/known", status); }

    Bench bench;
    CoreFixture core;
    TestApi api{core};
};

} // namespace

TEST_CASE("api: damage of the file is told until a person knows of it, at each start") {
    const TemporaryDirectory directory;
    make_store(directory.path());
    const fs::path file = directory.path() / "adjourn.db";
    std::string whole = read_whole(file);
    const std::size_t text = whole.rfind("worth a look");
    REQUIRE(text != std::string::npos);
    whole[text / 4'096 * 4'096] = 7; // the page of the directives; no page is of that type
    std::ofstream{file, std::ios::binary} << whole;
    for (int start = 0; start < 2; ++start) {
        Opened opened{directory.path()};
        const json health = opened.now(503);
        CHECK(health["status"] == "store_failed");
        CHECK(health["problem"].get<std::string>().find("the file is damaged") !=
              std::string::npos);
        REQUIRE(health.contains("set_aside"));
        CHECK(health["known"] == 0);
        REQUIRE(opened.core.core->queue().runs().size() == 1);
        const AnalysisRun& run = *opened.core.core->queue().runs().front();
        CHECK(run.record.state == storage::AnalysisState::failed);
        CHECK(run.record.state_reason.find("directives: rows after 0 cannot be read") !=
              std::string::npos);
        CHECK(run.slot != nullptr); // its tree is shown
        opened.core.pass(3'600'000);
        opened.now(503); // no look heals it
        const json refused =
            opened.health(Method::post, "/api/v1/health/known", 400, R"({"since": "yesterday"})");
        CHECK(refused["error"]["code"] == "unknown_field");
        CHECK(refused["error"]["where"] == "since");
        opened.health(Method::post, "/api/v1/health/known", 400, "I know");
        opened.now(503); // nobody has said it
        const json known = opened.known(200);
        CHECK(known["status"] == "ok");
        CHECK(known["known"] == known["set_aside"].size());
        CHECK(opened.now(200)["status"] == "ok");
        AnalysisPatch goes_on;
        goes_on.hold = false;
        CHECK(opened.core.core->change(run.record.id, goes_on).wait());
        opened.core.settle_down();
        CHECK(run.record.state != storage::AnalysisState::failed);
    }
}

TEST_CASE("api: a store that is older than it was is told until a person knows of it, once") {
    const TemporaryDirectory directory;
    const fs::path file = directory.path() / "adjourn.db";
    {
        Bench bench;
        const CoreFixture fixture{directory.path(), bench};
    }
    const std::string before = read_whole(file);
    make_store(directory.path());
    std::ofstream{file, std::ios::binary} << before;
    for (int start = 0; start < 2; ++start) {
        Opened opened{directory.path()};
        const json health = opened.now(503);
        CHECK(health["problem"].get<std::string>().find("older than what was acknowledged") !=
              std::string::npos);
        CHECK(health["set_aside"].size() == 1);
        CHECK(opened.core.core->health().store_problem() == ""); // the work goes on
        opened.core.create("d2d4", 1);
        if (start == 1) {
            CHECK(opened.known(200)["status"] == "ok");
        }
    }
    Opened opened{directory.path()};
    CHECK_FALSE(opened.now(200).contains("set_aside"));
}

} // namespace adjourn::server
