// The directory of a site: what is refused, and what a second writing leaves. Its chunks: every
// position once, bounded, and neighbours together.
#include "files/site/site_directory.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::server;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

const SiteSubject subject{3, "8/8/8/8/8/8/8/K1k5 w - - 0 1"};

std::string text_of(const fs::path& file) {
    std::ifstream in{file};
    return {std::istreambuf_iterator<char>{in}, {}};
}

void put(const fs::path& file, const std::string& text) {
    std::ofstream{file} << text;
}

std::set<std::string> names_in(const fs::path& directory) {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator{directory}) {
        names.insert(fs::relative(entry.path(), directory).string());
    }
    return names;
}

std::string refusal(const fs::path& path, const SiteSubject& wanted = subject) {
    const auto opened = SiteDirectory::open(path, wanted);
    return opened ? "" : opened.error();
}

void write_one(const fs::path& path, std::int64_t at, const std::string& html) {
    auto site = SiteDirectory::open(path, subject);
    REQUIRE(site);
    REQUIRE(site->begin(at));
    REQUIRE(site->write("c0.js", html));
    REQUIRE(site->publish(html));
}

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

TEST_CASE("site: a directory with something else in it is refused and left alone") {
    const TemporaryDirectory scratch;
    put(scratch.path() / "thesis.txt", "years");
    CHECK(refusal(scratch.path()).find("not empty") != std::string::npos);
    CHECK(refusal(scratch.path() / "thesis.txt").find("is no directory") != std::string::npos);
    CHECK(names_in(scratch.path()) == std::set<std::string>{"thesis.txt"});
    CHECK(refusal(scratch.path() / "new/one").empty());
    CHECK_FALSE(fs::exists(scratch.path() / "new")); // it only looked
    fs::create_directory(scratch.path() / "empty");
    CHECK(refusal(scratch.path() / "empty").empty());
    write_one(scratch.path() / "empty", 1'000, "one");
    CHECK(refusal(scratch.path() / "empty").empty());
    CHECK(refusal(scratch.path() / "empty", {4, subject.fen}).find("shows another analysis (3, ") !=
          std::string::npos);
    CHECK_FALSE(refusal(scratch.path() / "empty", {3, "8/8/8/8/8/8/8/1K1k4 w - - 0 1"}).empty());
    auto site = SiteDirectory::open(scratch.path() / "later", subject);
    put(scratch.path() / "later", ""); // meanwhile
    const auto begun = site.value().begin(1);
    REQUIRE_FALSE(begun);
    CHECK(begun.error().find("later") != std::string::npos);
    // What says that it is a site, and is none.
    fs::create_directory(scratch.path() / "broken");
    put(scratch.path() / "broken/adjourn-site.json", R"({"adjourn_site":2})");
    CHECK(refusal(scratch.path() / "broken").find("adjourn-site.json: ") != std::string::npos);
}

TEST_CASE("site: a second writing takes the place of the first, whole") {
    const TemporaryDirectory scratch;
    const fs::path path = scratch.path() / "site";
    write_one(path, 1'000, "one");
    const std::set<std::string> first{"adjourn-site.json", "g1000", "g1000/c0.js", "index.html"};
    CHECK(names_in(path) == first);
    put(path / "CNAME", "chess.example\n"); // a host's own
    fs::create_directory(path / "gallery");
    auto site = SiteDirectory::open(path, subject);
    REQUIRE(site);
    CHECK(site->before().exported == 1'000);
    REQUIRE(site->begin(2'000));
    REQUIRE(site->write("c0.js", "two"));
    CHECK(text_of(path / "index.html") == "one"); // until it is published
    CHECK(text_of(path / "g1000/c0.js") == "one");
    REQUIRE(site->publish("two"));
    CHECK(names_in(path) == std::set<std::string>{"CNAME", "adjourn-site.json", "g2000",
                                                  "g2000/c0.js", "gallery", "index.html"});
    CHECK(text_of(path / "index.html") == "two");
}

TEST_CASE("site: a writing that was broken off is no harm to the next") {
    const TemporaryDirectory scratch;
    const fs::path path = scratch.path() / "site";
    {
        auto site = SiteDirectory::open(path, subject);
        REQUIRE(site);
        REQUIRE(site->begin(500));
        REQUIRE(site->write("c0.js", "half"));
    }
    const auto again = SiteDirectory::open(path, subject);
    REQUIRE(again);
    CHECK(again->before().exported == 0);
    write_one(path, 1'000, "one");
    CHECK_FALSE(fs::exists(path / "g500"));
    auto site = SiteDirectory::open(path, subject);
    REQUIRE(site->begin(1'000)); // the same moment
    CHECK(site->generation() == "g1001");
    site->give_up();
    CHECK_FALSE(fs::exists(path / "g1001"));
    CHECK(text_of(path / "index.html") == "one");
}

TEST_CASE("site: what is remembered is read as it was written") {
    const SiteMemory memory{subject, 77, {{"g77", {"c0.js", "page.js"}}}};
    const auto read = read_site_memory(site_memory_text(memory));
    REQUIRE(read);
    CHECK(*read == memory);
    for (const char* wrong : {"", "[]", "{}", R"({"adjourn_site":1})"}) {
        CHECK_FALSE(read_site_memory(wrong));
    }
}

TEST_CASE("site: no link is followed, wherever somebody has put it") {
    const TemporaryDirectory scratch;
    const fs::path path = scratch.path() / "site", other = scratch.path() / "other";
    put(other, "of somebody");
    write_one(path, 1'000, "one");
    for (const char* name : {"index.html.new", "adjourn-site.json.new", "index.html"}) {
        fs::remove(path / name);
        fs::create_symlink(other, path / name);
    }
    fs::create_directory(scratch.path() / "folder");
    put(scratch.path() / "folder/c0.js", "of somebody");
    fs::create_directory_symlink(scratch.path() / "folder", path / "g2000");
    write_one(path, 2'000, "two");
    CHECK(text_of(other) == "of somebody");
    CHECK(text_of(scratch.path() / "folder/c0.js") == "of somebody");
    CHECK(fs::is_symlink(path / "g2000"));
    CHECK(text_of(path / "g2001/c0.js") == "two");
    for (const char* name : {"index.html", "adjourn-site.json"}) {
        CHECK_FALSE(fs::is_symlink(path / name));
    }
    CHECK(text_of(path / "index.html") == "two");
    // A link in the place of a folder of its own, of a file in it, and of what it remembers.
    fs::remove_all(path / "g2001");
    fs::create_directory_symlink(scratch.path() / "folder", path / "g2001");
    write_one(path, 3'000, "three");
    CHECK(text_of(scratch.path() / "folder/c0.js") == "of somebody");
    auto site = SiteDirectory::open(path, subject);
    REQUIRE(site->begin(4'000));
    fs::create_symlink(other, path / "g4000/c0.js");
    REQUIRE(site->write("c0.js", "four"));
    CHECK(text_of(other) == "of somebody");
    site->give_up();
    fs::rename(path / "adjourn-site.json", scratch.path() / "memory");
    fs::create_symlink(scratch.path() / "memory", path / "adjourn-site.json");
    CHECK(refusal(path).find("adjourn-site.json: is no file") != std::string::npos);
}

TEST_CASE("site: only what its own list names is removed") {
    const TemporaryDirectory scratch;
    const fs::path path = scratch.path() / "site";
    write_one(path, 1'000, "one");
    fs::create_directory(path / "g7");
    put(path / "g7/mine.txt", "of somebody");
    put(path / "g8", "of somebody");
    put(path / "g1000/mine.txt", "of somebody"); // in one of its own
    fs::create_directory(path / "g9");
    write_one(path, 2'000, "two");
    CHECK(names_in(path) == std::set<std::string>{"adjourn-site.json", "g1000", "g1000/mine.txt",
                                                  "g2000", "g2000/c0.js", "g7", "g7/mine.txt", "g8",
                                                  "g9", "index.html"});
    // Nor what another list says.
    put(scratch.path() / "victim", "of somebody");
    SiteMemory memory = SiteDirectory::open(path, subject)->before();
    memory.folders = {{"..", {"victim"}}, {"g7", {"../../victim", "..", "/etc/passwd"}}};
    put(path / "adjourn-site.json", site_memory_text(memory));
    write_one(path, 3'000, "three");
    CHECK(text_of(scratch.path() / "victim") == "of somebody");
    CHECK(text_of(path / "g7/mine.txt") == "of somebody");
}

TEST_CASE("site: one that an older program wrote is gone on with; it kept no list") {
    const TemporaryDirectory scratch;
    const fs::path path = scratch.path() / "site";
    write_one(path, 1'000, "one");
    json memory = json::parse(text_of(path / "adjourn-site.json"));
    memory.erase("folders");
    memory["feed"] = {{"id", ""}, {"entries", json::array()}}; // and a feed
    put(path / "adjourn-site.json", memory.dump());
    write_one(path, 2'000, "two");
    CHECK(text_of(path / "index.html") == "two");
    CHECK(fs::exists(path / "g1000/c0.js"));
}

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
