#include "core_fixture.hpp"

using adjourn::analysis::UnixMs;

TEST_CASE("core: facts come one after the other, whatever the clock does", "[core]") {
    const adjourn::TemporaryDirectory directory;
    Bench bench;
    const auto moments_of = [](const CoreFixture& f) {
        std::vector<UnixMs> moments;
        const auto engine = f.core->engines().all().front()->id;
        for (const auto& fact : f.store->evaluations_after(engine, {}, 1'000)) {
            moments.push_back(fact.at);
        }
        return moments;
    };
    std::size_t before = 0;
    {
        CoreFixture f{directory.path(), bench};
        f.pass(3'600'000);
        f.create("1. e4", 2);
        f.work_until([] { return false; }, 10);
        f.clock -= 1'800'000; // set back
        f.work_until([] { return false; }, 10);
        f.flush();
        before = moments_of(f).size();
        CHECK(before >= 20);
    }
    CoreFixture f{directory.path(), bench}; // an hour before the first facts
    f.work_until([] { return false; }, 10);
    f.flush();
    const auto moments = moments_of(f);
    CHECK(moments.size() > before);
    CHECK(std::ranges::is_sorted(moments));
    CHECK(moments.back() == moments.front());
}
