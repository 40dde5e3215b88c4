// Which changes of analyses webhooks are told of.
#include "api/webhooks/webhooks.hpp"
#include "core_fixture.hpp"

namespace {

struct Watched {
    Watched(const std::filesystem::path& directory, Bench& bench, analysis::UnixMs began)
        : core{directory, bench}, observer{
                                      [this](const WebhookNews& news) { told.push_back(news); },
                                      began} {}
    // As the core does, after each answer.
    void work(analysis::AnalysisId id, const std::function<bool()>& done) {
        look(id);
        while (!done() && core.work_until([] { return false; }, 1) > 0) {
            look(id);
        }
        look(id);
    }
    void look(analysis::AnalysisId id) { observer.analysis_changed(*core.core, core.run(id)); }

    CoreFixture core;
    std::vector<WebhookNews> told;
    WebhookObserver observer;
};

} // namespace

TEST_CASE("webhooks: told when an analysis settles, changes its best move, goes further") {
    TemporaryDirectory directory;
    Bench bench;
    Watched f{directory.path(), bench, 0};
    const auto id = f.core.create("1. e4", 2);
    f.work(id, [&] { return f.core.settled(id); });
    REQUIRE_FALSE(f.told.empty());
    const WebhookNews& last = f.told.back();
    CHECK(last.event == "settled");
    CHECK(last.number == static_cast<std::int64_t>(id));
    CHECK(last.name == "1. e4");
    CHECK(last.state == "settled");
    CHECK(last.settled == 2);
    CHECK(last.at == f.core.clock);
    REQUIRE(last.best);
    CHECK(last.best->uci.size() >= 4);
    CHECK_FALSE(last.best->score.empty());
    std::string best;
    for (const WebhookNews& news : f.told) { // each follows from the one before
        if (news.event == "best") {
            REQUIRE(news.before);
            CHECK(news.before->uci != news.best->uci);
            CHECK((best.empty() || best == news.before->uci));
        }
        best = news.best->uci;
    }
    CHECK(std::ranges::count(f.told, "settled", &WebhookNews::event) == 1);

    const std::size_t count = f.told.size();
    f.look(id); // nothing has changed
    CHECK(f.told.size() == count);
    AnalysisPatch further;
    further.strategy = f.core.run(id).spec.strategy;
    further.strategy->refine = 3;
    REQUIRE(f.core.core->change(id, further).wait());
    f.work(id, [&] { return f.core.settled(id) && f.core.run(id).plan.settled == 3; });
    CHECK(f.told.back().event == "settled");
    CHECK(f.told.back().settled == 3);
}

TEST_CASE("webhooks: a start tells nothing again, what comes after it does") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    {
        Watched f{directory.path(), bench, 0};
        id = f.core.create("1. e4", 1);
        f.work(id, [&] { return f.core.settled(id); });
        CHECK(f.told.back().event == "settled");
    }
    Watched f{directory.path(), bench, 2'000'000'000'000};
    f.work(id, [&] { return f.core.settled(id); });
    for (int i = 0; i < 3; ++i) {
        f.core.pass(1'000);
        f.look(id);
    }
    CHECK(f.told.empty());
    AnalysisPatch further;
    further.strategy = f.core.run(id).spec.strategy;
    further.strategy->refine = 2;
    REQUIRE(f.core.core->change(id, further).wait());
    f.work(id, [&] { return f.core.settled(id) && f.core.run(id).plan.settled == 2; });
    REQUIRE_FALSE(f.told.empty());
    CHECK(f.told.back().event == "settled");
    CHECK(f.told.back().settled == 2);
}
