// Clouds are asked only when somebody looks, once, slowly; what they say stands beside the tree and
// changes nothing in it.
#include "api/cloud/clouds.hpp"
#include "api/views/view.hpp"
#include "api_fixture.hpp"
#include "fake_clouds.hpp"

namespace {

constexpr std::chrono::milliseconds cloud_soon{1};
constexpr std::chrono::milliseconds cloud_later{300};

// Both, and the store that keeps what they say.
struct CloudPlace {
    TemporaryDirectory directory;
    FakeClouds fake;
    std::unique_ptr<storage::Store> store =
        storage::open_store(directory.path(), storage::OpenMode::owner);
    std::atomic<analysis::UnixMs> now = 1'700'000'000'000;
    std::mutex mutex;
    std::condition_variable came;
    std::vector<http::Event> events;
    std::unique_ptr<Clouds> clouds;

    explicit CloudPlace(const std::vector<std::string>& names = {"chessdb", "lichess"},
                        std::chrono::milliseconds pause = cloud_soon,
                        std::chrono::milliseconds rest = cloud_soon) {
        std::vector<std::string> settings;
        for (const std::string& name : names) {
            settings.push_back(fake.address(name));
        }
        clouds = std::make_unique<Clouds>(
            settings, *store, [this] { return now.load(); },
            [this](http::Event event) {
                const std::lock_guard lock{mutex};
                events.push_back(std::move(event));
                came.notify_all();
            },
            CloudRules{.pause = pause, .rest = rest});
    }
    ~CloudPlace() {
        clouds.reset();
        store->flush();
    }

    std::vector<std::string> missing(const chess::Position& position) const {
        return clouds->missing(position, store->clouds(position.packed()), std::nullopt);
    }
    std::vector<std::string> look(const chess::Position& position) const {
        return clouds->missing(position, store->clouds(position.packed()), Clouds::Look{7, 3});
    }
    void wait_for_events(std::size_t count) {
        std::unique_lock lock{mutex};
        came.wait(lock, [&] { return events.size() >= count; });
    }
    // Until the position could be asked about again: what was under way is over.
    void wait_until_free(const chess::Position& position) const {
        while (missing(position).empty()) {
            std::this_thread::sleep_for(std::chrono::milliseconds{2}); // between polls
        }
    }
};

using CloudNames = std::vector<std::string>;

chess::Position cloud_after(const char* line) {
    const auto start = chess::Position::initial();
    return start.after(*chess::parse_line(start, line));
}

} // namespace

TEST_CASE("clouds: addresses") {
    CHECK(parse_cloud("chessdb")->second.host == "www.chessdb.cn");
    CHECK(parse_cloud("chessdb")->second.secure);
    CHECK(parse_cloud("lichess")->second.host == "lichess.org");
}

TEST_CASE("clouds: both are asked once when somebody looks, also over a restart") {
    CloudPlace place;
    const chess::Position here = cloud_after("e4");
    CHECK(place.missing(here) == CloudNames{"chessdb", "lichess"});
    CHECK(place.fake.requests() == 0); // nobody looks
    CHECK(place.look(here) == CloudNames{"chessdb", "lichess"});
    place.wait_for_events(2);
    for (const http::Event& event : place.events) {
        CHECK(event.kind == "node");
        CHECK(event.analysis == 7);
        CHECK(json::parse(event.data) == json{{"analysis", 7},
                                              {"version", 3},
                                              {"fens", json::array({here.fen()})},
                                              {"cloud", true}});
        CHECK(event.data_by_link.empty());
    }
    const auto known = place.store->clouds(here.packed());
    REQUIRE(known.size() == 2);
    CHECK(known[0] == storage::CloudRecord{here.packed(), "chessdb", 1'700'000'000'000,
                                           FakeClouds::chessdb(here)});
    CHECK(known[1].text == FakeClouds::lichess(here, 5));
    CHECK(place.look(here).empty());
    const auto letters = place.fake.wait_for(2);
    CHECK(letters.size() == 2);
    for (const auto& letter : letters) { // nothing but the position is told
        CHECK(letter.body.empty());
        CHECK(letter.headers.count("authorization") == 0);
        CHECK(letter.headers.count("cookie") == 0);
    }

    place.clouds.reset();
    place.store.reset();
    place.store = storage::open_store(place.directory.path(), storage::OpenMode::owner);
    place.clouds = std::make_unique<Clouds>(
        CloudNames{place.fake.address("chessdb"), place.fake.address("lichess")}, *place.store,
        [&] { return place.now.load(); }, [](const http::Event&) {});
    CHECK(place.look(here).empty());
    // After a month again.
    place.now += 30 * 86'400'000LL;
    CHECK(place.missing(here) == CloudNames{"chessdb", "lichess"});
}

TEST_CASE("clouds: that one does not know a position is known for a day") {
    CloudPlace place{{"lichess"}};
    const chess::Position here = cloud_after("a4 h5");
    place.fake.forget(here.fen());
    place.look(here);
    place.wait_for_events(1);
    place.look(cloud_after("h4"));
    place.wait_for_events(2); // one after the other: of the first nothing is under way
    CHECK(place.store->clouds(here.packed()).at(0).text.empty());
    place.now += 86'399'999;
    CHECK(place.missing(here).empty());
    place.now += 1;
    CHECK(place.missing(here) == CloudNames{"lichess"});
}

TEST_CASE("clouds: what cannot be believed is not stored, and nobody is told") {
    CloudPlace place{{"chessdb", "lichess"}, cloud_soon, std::chrono::milliseconds{0}};
    const chess::Position here = cloud_after("e4 c5");
    const FakeClouds::Answer bad[] = {
        {FakeClouds::ok, "<html>offline</html>"},
        {FakeClouds::ok, R"({"status":"ok","moves":[{"uci":"e2e4","score":5}]})"}, // played
        {FakeClouds::ok, FakeClouds::lichess(chess::Position::initial(), 5)},
        {FakeClouds::ok, std::string(70'000, ' ') + R"({"status":"unknown"})"},
        {"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0", "{}"},
        {"HTTP/1.1 500 Internal Server Error", "{}"},
        {"HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/", ""},
        {"nonsense", ""},
    };
    for (const auto& [head, body] : bad) {
        CAPTURE(head, body.substr(0, 60));
        for (const char* cloud : {"chessdb", "lichess"}) {
            place.fake.say(head, body);
            // One at a time: to the other the position is known.
            const std::string other = cloud == std::string{"chessdb"} ? "lichess" : "chessdb";
            const storage::CloudRecord fresh{here.packed(), other, place.now, ""};
            while (place.clouds->missing(here, {fresh}, Clouds::Look{7, 3}).empty()) {
                std::this_thread::sleep_for(std::chrono::milliseconds{2}); // between polls
            }
            while (place.clouds->missing(here, {fresh}, std::nullopt).empty()) {
                std::this_thread::sleep_for(std::chrono::milliseconds{2}); // it is answered then
            }
            place.store->flush();
            CHECK(place.store->clouds(here.packed()).empty());
            CHECK(place.events.empty());
        }
    }
}

TEST_CASE("clouds: nobody is asked faster than the rules say, nor soon after trouble") {
    struct Row {
        const char* what;
        std::chrono::milliseconds pause, rest;
        const char* trouble; // the first answer's head, if it is any
        std::chrono::milliseconds least;
    };
    for (const Row& row :
         {Row{"a pause after each answer", cloud_later, cloud_soon, nullptr, cloud_later},
          Row{"a rest after trouble, in which nobody waits", cloud_soon, cloud_later,
              "HTTP/1.1 429 Too Many Requests", cloud_later},
          Row{"as long as it says itself", cloud_soon, cloud_soon,
              "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1", std::chrono::seconds{1}}}) {
        INFO(row.what);
        CloudPlace place{{"lichess"}, row.pause, row.rest};
        if (row.trouble != nullptr) {
            place.fake.say(row.trouble, "");
        }
        const chess::Position first = cloud_after("e4");
        place.look(first);
        if (row.trouble != nullptr) {
            place.fake.wait_for(1);
            place.wait_until_free(first);
            CHECK(place.fake.requests() == 1);
            CHECK(place.store->clouds(first.packed()).empty());
        }
        place.look(row.trouble != nullptr ? first : cloud_after("d4"));
        const auto letters = place.fake.wait_for(2);
        CHECK(letters.at(1).at - letters.at(0).at >= row.least);
        place.wait_for_events(row.trouble != nullptr ? 1 : 2);
    }
}

TEST_CASE("clouds: who looked last comes first, and few wait") {
    CloudPlace place{{"lichess"}, std::chrono::seconds{1}};
    const chess::Position start = chess::Position::initial();
    place.look(start);
    place.wait_for_events(1);
    for (const chess::Move move : start.legal_moves()) { // twenty, in its pause
        place.clouds->missing(start.after(move), {}, Clouds::Look{7, 3});
    }
    const chess::Position last = start.after(start.legal_moves()[19]);
    CHECK(place.missing(last).empty());                                    // it waits
    CHECK(place.missing(start.after(start.legal_moves()[0])).size() == 1); // dropped
    const auto letters = place.fake.wait_for(2);
    CHECK(letters[1].line.find(http::percent_encoded(last.fen())) != std::string::npos);
}

TEST_CASE("clouds: one that is away, or the end of the server, holds nobody up") {
    const CloudPlace place{{"lichess"}};
    Clouds away{{"lichess=http://127.0.0.1:1"},
                *place.store,
                [] { return analysis::UnixMs{5}; },
                [](const http::Event&) {}};
    CHECK(away.missing(cloud_after("e4"), {}, Clouds::Look{1, 1}).size() ==
          1); // its end does not wait
    const auto odd = *chess::Position::from_fen(chess::chess960_start(0).fen());
    REQUIRE(odd.chess960());
    CHECK(place.look(odd).empty()); // by these calls they know standard chess alone
}

// ---- beside the moves of a node ----

namespace {

struct CloudApi : GrownTree {
    FakeClouds fake;
    std::atomic<std::size_t> told = 0;
    Clouds clouds{{fake.address("chessdb"), fake.address("lichess")},
                  *core.store,
                  [] { return analysis::UnixMs{1'700'000'000'000}; },
                  [this](const http::Event&) { ++told; },
                  CloudRules{.pause = cloud_soon, .rest = cloud_soon}};
    TestApi asked{core, nullptr, nullptr, nullptr, &clouds};

    json node(const std::string& query, bool by_link = false) {
        http::Request request = get_request(path("/node" + query));
        request.by_link = by_link;
        const http::Response response = asked(std::move(request));
        INFO(response.body);
        REQUIRE(response.status == 200);
        return json::parse(response.body);
    }
    void wait_until_told(std::size_t count) const {
        while (told < count) {
            std::this_thread::sleep_for(std::chrono::milliseconds{2}); // between polls
        }
    }
};

// As it is without clouds.
json without_clouds(json node) {
    node.erase("cloud_moves");
    for (json& move : node["moves"]) {
        move.erase("cloud");
    }
    return node;
}

} // namespace

TEST_CASE("clouds: what they say stands beside the moves, from White's side, and counts nowhere") {
    CloudApi f;
    const std::string best = f.get(f.path("/node"))["moves"][0]["uci"];
    for (const std::string& line : {std::string{}, best}) { // White to move, and Black
        CAPTURE(line);
        const std::string moves = line.empty() ? "?" : "?moves=" + line + "&";
        const json before = f.get(f.path("/node" + moves + "cloud=false"));
        const std::size_t requests = f.fake.requests();
        CHECK(f.node(moves + "cloud=false")["clouds"] == json{"chessdb", "lichess"});
        CHECK(f.fake.requests() == requests); // nobody looks
        CHECK_FALSE(f.node(moves + "cloud=true").contains("clouds"));
        f.wait_until_told(requests + 2);
        const json node = f.node(moves + "cloud=false");
        CHECK_FALSE(node.contains("clouds"));
        CHECK(without_clouds(node) == before);
        const json by_link = f.node(moves + "cloud=false", true);
        CHECK(without_clouds(by_link) == by_link);
        CHECK(f.fake.requests() == requests + 2);
        const chess::Position here = *chess::Position::from_fen(node["fen"].get<std::string>());
        const int sign = node["turn"] == "white" ? 1 : -1;
        const auto legal = here.legal_moves();
        REQUIRE_FALSE(node["moves"].empty());
        for (const json& move : node["moves"]) {
            const auto found = *chess::parse_uci(here, move["uci"].get<std::string>());
            std::size_t n = 0; // among the legal ones
            while (legal[n] != found) {
                ++n;
            }
            REQUIRE(move["cloud"].size() == (n < 5 ? 2U : 1U));
            CHECK(move["cloud"][0] == json{{"source", "chessdb"},
                                           {"score", {{"cp", sign * FakeClouds::chessdb_cp(n)}}},
                                           {"rank", n == 0  ? 2
                                                    : n < 3 ? 1
                                                            : 0},
                                           {"at", 1'700'000'000'000}});
            if (n < 5) {
                CHECK(move["cloud"][1] ==
                      json{{"source", "lichess"},
                           {"score", {{"cp", sign * FakeClouds::lichess_cp(n)}}},
                           {"depth", 48},
                           {"at", 1'700'000'000'000}});
            }
        }
    }
}

TEST_CASE("clouds: of a position that the tree does not know they name the moves, best first; a "
          "link asks nobody, and shows nothing of them") {
    CloudApi f;
    f.refuse(http::Method::get, f.path("/node?cloud=maybe"), {}, 400, "bad_value", "query.cloud");
    const std::string far = "?moves=h2h4,h7h5,a2a4";
    CHECK(f.node(far)["status"] == "unscored");
    CHECK_FALSE(f.node(far + "&cloud=true", true).contains("clouds"));
    f.node(far + "&cloud=true");
    f.wait_until_told(2);
    CHECK(f.fake.requests() == 2);
    CHECK_FALSE(f.node(far, true).contains("cloud_moves"));
    const json node = f.node(far);
    const auto legal = chess::Position::from_fen(node["fen"].get<std::string>())->legal_moves();
    CHECK(node["moves"].empty());
    CHECK(node["alpha"].is_null());
    REQUIRE(node["cloud_moves"].size() == 5); // lichess has five, chessdb calls two of them bad
    CHECK(node["rest"]["count"] == legal.size());
}

TEST_CASE("clouds: moves without score are in their order, and a bad one that nobody named is not "
          "named") {
    json node{{"moves",
               {{{"uci", "e2e4"}, {"alpha", {{"cp", 9}}}},
                {{"uci", "a2a3"}, {"alpha", nullptr}},
                {{"uci", "d2d4"}, {"alpha", nullptr}}}}};
    const auto start = chess::Position::initial();
    const std::string text = R"({"status":"ok","moves":[
        {"uci":"d2d4","score":20,"rank":2},{"uci":"g1f3","score":5,"rank":1},
        {"uci":"b1c3","score":7,"rank":1},{"uci":"e2e4","score":-50,"rank":0},
        {"uci":"a2a3","score":-60,"rank":0},{"uci":"h2h4","score":-70,"rank":0}]})";
    add_clouds(node, start,
               {{start.packed(), "chessdb", 5, text},
                {start.packed(), "lichess", 5, ""},
                {start.packed(), "lichess", 5, "what another version took"}});
    const auto names = [](const json& list) {
        std::string all;
        for (const json& move : list) {
            all += move["uci"].get<std::string>() + " ";
        }
        return all;
    };
    CHECK(names(node["moves"]) == "e2e4 d2d4 a2a3 ");
    CHECK(names(node["cloud_moves"]) == "b1c3 g1f3 ");
    CHECK(node["cloud_moves"][0]["san"] == "Nc3");
    CHECK(node["moves"][2]["cloud"][0]["score"] == json{{"cp", -60}});
}
