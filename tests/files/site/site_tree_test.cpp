// The chunks of a site: every position once, bounded, and neighbours together.
#include "files/site/site_directory.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::server;
using nlohmann::json;

namespace {

// `count` positions, each below an earlier one; nodes say their old numbers.
std::vector<SitePosition> random_site(std::size_t count, std::uint32_t seed) {
    std::mt19937 random{seed};
    std::vector<SitePosition> positions;
    for (std::size_t i = 0; i < count; ++i) {
        std::optional<std::size_t> from;
        if (i > 0) {
            from = random() % i;
            positions[*from].to.emplace_back("a" + std::to_string(i), i);
        }
        const json node{{"was", i}, {"filling", std::string(random() % 300, 'x')}};
        positions.push_back({node.dump(), i % 3 == 0 ? R"({"stands":1})" : "", from, {}});
    }
    positions.back().to.emplace_back("back", 0); // a cycle
    return positions;
}

} // namespace

TEST_CASE("site: every position is in one chunk, and moves lead to where they led") {
    constexpr std::size_t bytes = 2'000;
    const auto positions = random_site(500, 7);
    const SiteChunks chunks = site_chunks(positions, bytes);
    REQUIRE(chunks.starts.size() == chunks.texts.size());
    json all = json::array();
    for (std::size_t i = 0; i < chunks.texts.size(); ++i) {
        CHECK(chunks.starts[i] == all.size());
        const json chunk = json::parse(chunks.texts[i]);
        REQUIRE_FALSE(chunk.empty());
        for (const json& entry : chunk) {
            all.push_back(entry);
        }
    }
    REQUIRE(all.size() == positions.size());
    CHECK(all[0]["node"]["was"] == 0);
    CHECK(all[0]["from"].is_null());
    for (const json& entry : all) {
        const SitePosition& was = positions[entry["node"]["was"].get<std::size_t>()];
        CHECK(entry.contains("verdict") == !was.verdict.empty());
        if (was.from) {
            CHECK(all[entry["from"].get<std::size_t>()]["node"]["was"] == *was.from);
        }
        REQUIRE(entry["to"].size() == was.to.size());
        for (const auto& [uci, target] : was.to) {
            CHECK(all[entry["to"][uci].get<std::size_t>()]["node"]["was"] == target);
        }
    }
}

TEST_CASE("site: chunks are bounded, and as few as that allows") {
    constexpr std::size_t bytes = 4'000;
    std::size_t whole = 0;
    const auto positions = random_site(800, 11);
    const SiteChunks chunks = site_chunks(positions, bytes);
    for (const std::string& text : chunks.texts) {
        CHECK(text.size() < bytes + bytes / 2); // numbers and names of fields are not counted
        whole += text.size();
    }
    CHECK(chunks.texts.size() <= 2 * whole / bytes);
    // One that is larger than a chunk has its own.
    const std::vector<SitePosition> large{
        {std::string(9'000, ' ') + "1", "", std::nullopt, {{"e2e4", 1}}}, {"2", "", 0, {}}};
    CHECK(site_chunks(large, bytes).texts.size() == 2);
    CHECK(site_chunks({}, bytes).texts.empty());
}

TEST_CASE("site: what a script holds stays data") {
    const std::string text = site_script("c0", json("</script><b>\" \\ \u2028").dump());
    CHECK(text.find("\n") == text.size() - 1);
    CHECK(text.starts_with("(self.adjournSite = self.adjournSite || []).push([\"c0\",\"</script>"));
}
