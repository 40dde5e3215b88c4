// `adjourn export --format site`, without a server and through the one that runs.
#include "program/client/site.hpp"
#include "settled_tree.hpp"

namespace fs = std::filesystem;

namespace {

struct SiteShop : Place {
    fs::path site = directory.path() / "site";

    SiteShop() {
        // As find_page() finds it: what is copied is the build's business.
        const fs::path page = directory.path() / "web/site";
        fs::create_directories(page);
        put(page / "index.html", "<title>{{title}}</title><script src=\"{{folder}}/page.js\">");
        put(page / "page.js", "page");
        setenv("ADJOURN_WEB", (directory.path() / "web").c_str(), 1);
        analyse("1. e4 c5");
    }
    ~SiteShop() { unsetenv("ADJOURN_WEB"); }

    Finished written(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"export", "1", "--format", "site", "-o", site.string()};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    fs::path generation() const {
        fs::path found;
        for (const auto& entry : fs::directory_iterator{site}) {
            if (entry.is_directory()) {
                CHECK(found.empty()); // one
                found = entry.path();
            }
        }
        return found;
    }
    // The value that a script hands to the page.
    json value(const std::string& name) const {
        const std::string text = text_of(generation() / (name + ".js"));
        const std::size_t begin = text.find(name + "\",") + name.size() + 2;
        return json::parse(text.substr(begin, text.rfind("]);") - begin));
    }
    // All positions, by their numbers.
    json positions() const {
        json all = json::array();
        const json index = value("index");
        for (std::size_t i = 0; i < index["starts"].size(); ++i) {
            CHECK(index["starts"][i] == all.size());
            for (const json& entry : value("c" + std::to_string(i))) {
                all.push_back(entry);
            }
        }
        return all;
    }

    static void put(const fs::path& file, const std::string& text) { std::ofstream{file} << text; }
    static std::string text_of(const fs::path& file) {
        std::ifstream in{file};
        return {std::istreambuf_iterator<char>{in}, {}};
    }
};

} // namespace

TEST_CASE("program: a site has what the API says, of every position by its line") {
    const SiteShop shop;
    RunningServer server{shop.data, shop.config};
    until(server, "/analyses/1", settled);
    server.request("POST", "/analyses/1/directives",
                   R"({"moves":["h2h4","a7a5"],"action":"note","text":"<script>"})");
    const Finished finished = shop.written(); // through the server
    INFO(finished.errors);
    REQUIRE(finished.code == 0);
    CHECK(finished.output == (shop.site / "index.html").string() + "\n");
    const json all = shop.positions();
    REQUIRE(all.size() > 10);
    std::vector<std::string> lines(all.size());
    std::set<std::string> fens;
    std::size_t reached = 1;
    for (std::size_t i = 0; i < all.size(); ++i) { // the one before stands before
        const json node = server.get("/analyses/1/node?moves=" + lines[i]);
        CHECK(all[i]["node"] == site_node(node));
        if (all[i].contains("verdict")) {
            CHECK(all[i]["verdict"] ==
                  site_verdict(server.get("/analyses/1/verdict?moves=" + lines[i])));
        }
        CHECK(fens.insert(node["fen"].get<std::string>().substr(
                              0, node["fen"].get<std::string>().find_last_of("-abcdefgh") + 1))
                  .second);
        for (const auto& [uci, target] : all[i]["to"].items()) {
            const std::size_t number = target;
            REQUIRE(number < all.size());
            if (all[number]["from"] == i) {
                CHECK(lines[number].empty());
                lines[number] = (lines[i].empty() ? "" : lines[i] + ",") + uci;
                ++reached;
            }
        }
    }
    CHECK(reached == all.size());
    CHECK(shop.value("history") == server.get("/analyses/1/history"));
    CHECK(shop.value("notes") == server.get("/analyses/1/notes"));
    CHECK(std::ranges::find(lines, "h2h4,a7a5") != lines.end()); // its position is in
    // Nothing of the rest of the server.
    const json told = shop.value("index")["analysis"];
    CHECK(told["priority"] == 0);
    CHECK(told["reason"].is_null());
    for (const auto& entry : fs::recursive_directory_iterator{shop.site}) {
        if (entry.is_regular_file()) {
            const std::string text = SiteShop::text_of(entry.path());
            CHECK(text.find(shop.directory.path().string()) == std::string::npos);
            CHECK(text.find("\"machine\"") == std::string::npos);
        }
    }
    CHECK(server.interrupt() == 0);
}

TEST_CASE("program: a site is bounded, and begins where one says") {
    const SiteShop shop;
    REQUIRE(shop.written().code == 0);
    const std::size_t whole = shop.positions().size();
    REQUIRE(shop.written({"--margin", "0"}).code == 0);
    const std::size_t best = shop.positions().size();
    CHECK(best < whole);
    REQUIRE(shop.written({"--plies", "1"}).code == 0);
    for (const json& entry : shop.positions()) {
        CHECK((entry["from"].is_null() || entry["from"] == 0)); // a ply from the root at most
    }
    const Finished few = shop.written({"--max-moves", "20"});
    CHECK(few.errors.find("and no more: --max-moves") != std::string::npos);
    CHECK(shop.value("index")["cut"] == true);
    CHECK(shop.positions().size() < whole);
    const json root = shop.positions()[0]["node"];
    const std::string first = root["moves"][0]["uci"];
    REQUIRE(shop.written({"--moves", first}).code == 0);
    const json part = shop.positions();
    CHECK(part[0]["to"].size() == 1); // the way there alone
    CHECK(part[0]["to"].contains(first));
    CHECK(part.size() < whole);
    CHECK(shop.value("index")["from"] == json{first});
}

TEST_CASE("program: a site of the same moment has the same bytes, and its directory is its own") {
    const SiteShop shop;
    const auto contents = [&](const fs::path& directory) {
        std::map<std::string, std::string> found;
        REQUIRE(shop.run({"export", "1", "--format", "site", "-o", directory.string()}).code == 0);
        for (const auto& entry : fs::recursive_directory_iterator{directory}) {
            found[entry.path().lexically_relative(directory)] =
                entry.is_regular_file() ? SiteShop::text_of(entry.path()) : "";
        }
        return found;
    };
    setenv("SOURCE_DATE_EPOCH", "1795700000", 1);
    const auto first = contents(shop.directory.path() / "one");
    CHECK(first.contains("g1795700000000"));
    CHECK(first.at("index.html").find("g1795700000000") != std::string::npos);
    CHECK(contents(shop.directory.path() / "again") == first);
    unsetenv("SOURCE_DATE_EPOCH");

    CHECK(shop.run({"export", "1", "--format", "site"}).code == 2);
    CHECK(shop.run({"export", "7", "--format", "site", "-o", shop.site.string()}).code == 1);
    CHECK_FALSE(fs::exists(shop.site));
    REQUIRE(shop.written().code == 0);
    REQUIRE(shop.run({"analyse", "1. e4 c5", "--depth", "6", "--refine", "2"}).code == 0);
    REQUIRE(shop.written().code == 0); // in the place of the first
    // What has changed since is known from the directory alone.
    const json index = shop.value("index");
    CHECK(index["changes"][0]["name"] == "site");
    CHECK(shop.value("since-site")["since"] == index["changes"][0]["since"]);

    const std::string taken = (shop.directory.path() / "web").string();
    const Finished refused = shop.run({"export", "1", "--format", "site", "-o", taken});
    CHECK(refused.code == 2);
    CHECK(refused.errors.find("is not empty") != std::string::npos);
    SiteShop::put(shop.directory.path() / "nothing", "");
    setenv("ADJOURN_WEB", (shop.directory.path() / "nothing").c_str(), 1);
    const Finished no_page = shop.written();
    CHECK(no_page.code == 1);
    CHECK(no_page.errors.find("the page of a site is not there") != std::string::npos);
}
