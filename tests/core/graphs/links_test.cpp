// Links to analyses: durable, and gone with what they are of.
#include "core_fixture.hpp"

namespace {

const Share for_ann{"link-0123456789abcdef", "Ann", 0};
const Share for_bob{"link-fedcba9876543210", "Bob", 7};

} // namespace

TEST_CASE("links: hold when they are durable, after a restart, and until they are revoked") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    std::int64_t ann = 0;
    {
        CoreFixture fixture{directory.path(), bench};
        std::vector<Core::Links> told;
        fixture.core->on_links = [&](const Core::Links& links) { told.push_back(links); };
        id = fixture.create("1. e4", 1);
        fixture.work_until([&] { return fixture.settled(id); });
        const auto version = fixture.run(id).version();
        const auto state = fixture.run(id).record.state;
        ann = fixture.core->share(id, for_ann).wait()->id;
        REQUIRE(fixture.core->share(id, for_bob).wait());
        CHECK(told.size() == 2);
        CHECK(fixture.core->links() ==
              Core::Links{{for_ann.secret, {id, 0}}, {for_bob.secret, {id, 7}}});
        CHECK(told.back() == fixture.core->links());
        // Nothing is searched, and nothing shown otherwise.
        CHECK(fixture.run(id).version() == version);
        CHECK(fixture.run(id).record.state == state);
        CHECK(in_force(fixture.run(id).directives).empty());
        // By no other way, least of all as something said about a position.
        const auto at = fixture.run(id).directives.front().at;
        CHECK_FALSE(fixture.core->direct(id, {}, "retract", std::to_string(at)).wait());
    }
    CoreFixture fixture{directory.path(), bench};
    std::vector<Core::Links> told;
    fixture.core->on_links = [&](const Core::Links& links) { told.push_back(links); };
    CHECK(fixture.core->links().size() == 2);
    CHECK(fixture.core->revoke(id, ann + 17).wait().error().kind == WorkError::Kind::no_link);
    REQUIRE(fixture.core->revoke(id, ann).wait());
    CHECK(fixture.core->links() == Core::Links{{for_bob.secret, {id, 7}}});
    CHECK(fixture.core->revoke(id, ann).wait().error().kind == WorkError::Kind::no_link);
    REQUIRE(fixture.core->remove(id).wait());
    CHECK(told.back().empty());
    CHECK(fixture.core->share(id, for_ann).wait().error().kind == WorkError::Kind::no_analysis);
}

TEST_CASE("links: hold wherever the game goes, and are not without end") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create("1. e4", 1);
    const auto first = fixture.core->share(id, for_ann).wait()->id;
    REQUIRE(fixture.core->advance(id, 0, *chess::parse_line(fixture.run(id).root, "e7e5")).wait());
    CHECK(fixture.core->links().size() == 1);
    REQUIRE(fixture.core->revoke(id, first).wait());
    CHECK(fixture.core->links().empty());
    Pending<Core::Given>::Result last;
    for (int i = 0; i < 101; ++i) {
        last = fixture.core->share(id, {"link-0123456789abc" + std::to_string(i), "", 0}).wait();
    }
    REQUIRE_FALSE(last);
    CHECK(last.error().kind == WorkError::Kind::too_many_links);
    CHECK(fixture.core->links().size() == 100);
}
