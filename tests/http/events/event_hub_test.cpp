#include "http/events/event_hub.hpp"
#include "test.hpp"

using namespace adjourn::http;

namespace {

struct Block {
    std::string id, event, data;
    friend bool operator==(const Block&, const Block&) = default;
};

std::vector<Block> blocks_of(const std::string& text) {
    std::vector<Block> blocks;
    std::istringstream lines(text);
    Block block;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) {
            blocks.push_back(std::exchange(block, {}));
        } else if (line.starts_with("id: ")) {
            block.id = line.substr(4);
        } else if (line.starts_with("event: ")) {
            block.event = line.substr(7);
        } else if (line.starts_with("data: ")) {
            block.data += line.substr(6) + "|";
        }
    }
    return blocks;
}

std::uint64_t number_of(const std::string& id) {
    return std::stoull(id.substr(id.find('-') + 1));
}

std::vector<std::string> data_of(const std::string& text) {
    std::vector<std::string> data;
    for (const auto& block : blocks_of(text)) {
        data.push_back(block.event + " " + block.data);
    }
    return data;
}

using Strings = std::vector<std::string>;

std::unique_ptr<EventSubscription> follow(EventHub& hub, std::optional<std::string> last = {}) {
    return hub.subscribe({.analysis = {}}, last, [] {});
}

Event event(std::string kind, std::string subject, std::string data,
            std::optional<std::int64_t> analysis = {}) {
    return {std::move(kind), std::move(subject), analysis, std::move(data), ""};
}

} // namespace

TEST_CASE("hub: of one kind and subject only the newest is kept") {
    EventHub hub;
    const auto client = follow(hub);
    hub.publish(event("analysis", "1", "a"));
    hub.publish(event("analysis", "2", "b"));
    hub.publish(event("engine", "1", "c"));
    hub.publish(event("analysis", "1", "d"));
    const std::string text = client->take();
    CHECK(data_of(text) == Strings{"analysis b|", "engine c|", "analysis d|"});
    const auto blocks = blocks_of(text);
    CHECK(number_of(blocks[0].id) < number_of(blocks[1].id));
    CHECK(number_of(blocks[1].id) < number_of(blocks[2].id));
    CHECK(client->take().empty());
}

TEST_CASE("hub: a new client gets its place in the stream, and from there on what it missed") {
    EventHub hub;
    hub.publish(event("analysis", "1", "a"));
    const auto client = follow(hub);
    const auto blocks = blocks_of(client->take());
    REQUIRE(blocks.size() == 1);
    CHECK(blocks[0].event.empty());
    CHECK(blocks[0].data.empty());
    CHECK(client->take().empty());
    hub.publish(event("analysis", "2", "b"));
    hub.publish(event("analysis", "3", "c"));
    hub.publish(event("analysis", "2", "d"));
    const std::string again = follow(hub, blocks[0].id)->take();
    CHECK(data_of(again) == Strings{"analysis c|", "analysis d|"});
    CHECK(blocks_of(follow(hub, blocks_of(again).back().id)->take()).back().event.empty());
}

TEST_CASE("hub: an id that is not known gives a reset first") {
    EventHub hub({.replay = 2, .pending = 10});
    const auto client = follow(hub);
    std::vector<std::string> ids;
    for (const auto* subject : {"1", "2", "3", "4"}) {
        hub.publish(event("analysis", subject, "x"));
        ids.push_back(blocks_of(client->take()).back().id);
    }
    CHECK(data_of(follow(hub, ids[0])->take()) == Strings{"reset {}|"});
    CHECK(data_of(follow(hub, ids[1])->take()) == Strings{"analysis x|", "analysis x|"});

    EventHub other; // another run
    other.publish(event("analysis", "1", "x"));
    const auto far = ids[0].substr(0, ids[0].find('-')) + "-999";
    for (const auto& id : {ids[3], far, std::string(), std::string("5"), std::string("-5"),
                           ids[0].substr(0, ids[0].find('-') + 1)}) {
        CAPTURE(id);
        const std::string text = follow(other, id)->take();
        REQUIRE(data_of(text) == Strings{"reset {}|"});
        CHECK(blocks_of(follow(other, blocks_of(text)[0].id)->take()).back().event.empty());
    }
    CHECK(data_of(follow(hub, far)->take()) == Strings{"reset {}|"}); // from the future
}

TEST_CASE("hub: a client too far behind is reset, and goes on from there") {
    EventHub hub({.replay = 100, .pending = 3});
    const auto client = follow(hub);
    for (int i = 1; i <= 5; ++i) {
        hub.publish(event("node", std::to_string(i), std::to_string(i)));
    }
    const std::string text = client->take();
    CHECK(data_of(text) == Strings{"reset {}|", "node 5|"});
    const auto blocks = blocks_of(text);
    CHECK(number_of(blocks[0].id) + 1 == number_of(blocks[1].id));
}

TEST_CASE("hub: data that adds to what a client has not seen is replaced as a whole") {
    EventHub hub;
    const auto prompt = follow(hub);
    const auto slow = follow(hub);
    const auto publish = [&](std::string data) {
        hub.publish({"node", "1", 1, std::move(data), "many"});
    };
    publish("x");
    CHECK(data_of(prompt->take()) == Strings{"node x|"});
    publish("y");
    CHECK(data_of(prompt->take()) == Strings{"node y|"});
    CHECK(data_of(slow->take()) == Strings{"node many|"});
    publish("z");
    CHECK(data_of(slow->take()) == Strings{"node z|"});
}

TEST_CASE("hub: line breaks inside data do not end the event") {
    EventHub hub;
    const auto client = follow(hub);
    hub.publish(event("analysis", "1", "a\nevent: fake\n\nb"));
    const auto text = client->take();
    CHECK(text.find("\ndata: a\ndata: event: fake\ndata: \ndata: b\n\n") != std::string::npos);
    CHECK(blocks_of(text).size() == 1);
}

TEST_CASE(
    "hub: wake is called when there is something new to take, of its own analysis or of none") {
    auto hub = std::make_unique<EventHub>();
    int woken = 0;
    const auto client = hub->subscribe({1}, std::nullopt, [&] { ++woken; });
    hub->publish(event("analysis", "2", "x", 2));
    CHECK(woken == 0);
    hub->publish(event("analysis", "1", "x", 1));
    hub->publish(event("engine", "x", "y"));
    CHECK(woken == 1);
    CHECK(data_of(client->take()) == Strings{"analysis x|", "engine y|"});
    hub->publish(event("analysis", "1", "z", 1));
    CHECK(woken == 2);
    hub.reset(); // a subscription may outlive it
    CHECK(blocks_of(client->take()).size() == 1);
}

TEST_CASE("hub: many threads publish, clients come and go") {
    EventHub hub;
    const auto steady = follow(hub);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&hub, t] {
            for (int i = 0; i < 300; ++i) {
                hub.publish(event("node", std::to_string(t), std::to_string(i)));
            }
        });
    }
    threads.emplace_back([&hub] {
        for (int i = 0; i < 100; ++i) {
            follow(hub)->take();
        }
    });
    std::string received;
    for (int i = 0; i < 50; ++i) {
        received += steady->take();
    }
    for (auto& thread : threads) {
        thread.join();
    }
    received += steady->take();

    std::uint64_t number = 0;
    const auto blocks = blocks_of(received);
    bool increasing = true;
    for (const auto& block : blocks) {
        increasing = increasing && (number_of(block.id) > number || block.event.empty());
        number = number_of(block.id);
    }
    CHECK(increasing);
    CHECK(number == 900);
    CHECK(blocks.back().data == "299|");
}

namespace {

Event change(std::string subject, std::map<std::string, std::string> fields) {
    return {"analysis", subject, 1, "whole " + subject, "", std::move(fields)};
}

std::unique_ptr<EventSubscription> follow_lean(EventHub& hub,
                                               std::optional<std::string> last = {}) {
    return hub.subscribe({.analysis = {}, .nodes = {}, .lean = true}, last, [] {});
}

} // namespace

TEST_CASE("hub: a lean client gets the fields that changed, of several events together") {
    EventHub hub;
    const auto lean = follow_lean(hub);
    const auto full = follow(hub);
    hub.publish(change("1", {{"id", "1"}, {"a", "2"}, {"b", "3"}}));
    hub.publish(change("1", {{"id", "1"}, {"a", "4"}}));
    CHECK(data_of(lean->take()) == Strings{"analysis_changed {\"a\":4,\"b\":3,\"id\":1}|"});
    CHECK(data_of(full->take()) == Strings{"analysis whole 1|"});
    hub.publish(change("1", {{"id", "1"}, {"c", "5"}}));
    CHECK(data_of(lean->take()) == Strings{"analysis_changed {\"c\":5,\"id\":1}|"});
    hub.publish(change("2", {})); // all may be new
    hub.publish(change("2", {{"id", "2"}, {"a", "1"}}));
    CHECK(data_of(lean->take()) == Strings{"analysis whole 2|"});
}

TEST_CASE("hub: a lean client that comes back gets what changed meanwhile, and no more") {
    EventHub hub;
    const auto client = follow_lean(hub);
    hub.publish(change("1", {}));
    hub.publish(change("1", {{"id", "1"}, {"a", "1"}}));
    const auto seen = blocks_of(client->take()).back().id;
    CHECK(number_of(seen) == 1); // its turn was the first event's: the second comes again
    hub.publish(change("1", {{"id", "1"}, {"b", "2"}}));
    CHECK(data_of(follow_lean(hub, seen)->take()) ==
          Strings{"analysis_changed {\"a\":1,\"b\":2,\"id\":1}|"});
    const auto later = blocks_of(client->take()).back().id;
    hub.publish(change("1", {{"id", "1"}, {"c", "3"}}));
    CHECK(data_of(follow_lean(hub, later)->take()) ==
          Strings{"analysis_changed {\"c\":3,\"id\":1}|"});
}

TEST_CASE("hub: a lean client takes a bounded number of bytes, and each subject in its turn") {
    EventHub hub({.replay = 1024, .pending = 1024, .lean = 30});
    const auto client = follow_lean(hub);
    Strings seen;
    for (int round = 0; round < 30; ++round) {
        for (int subject = 10; subject < 30; ++subject) {
            const std::string name = std::to_string(subject);
            hub.publish(change(name, {{"id", name}, {"round", std::to_string(round)}}));
        }
        const auto blocks = blocks_of(client->take());
        CHECK(blocks.size() == 2);
        for (const Block& block : blocks) {
            seen.push_back(block.data.substr(block.data.find("\"id\":") + 5, 2));
        }
    }
    Strings all;
    for (int i = 0; i < 60; ++i) {
        all.push_back(std::to_string(10 + i % 20));
    }
    CHECK(seen == all);
}

TEST_CASE("hub: events of positions only to who looks at them") {
    EventHub hub;
    const auto of = [&](std::int64_t nodes) {
        return hub.subscribe({.analysis = {}, .nodes = nodes}, std::nullopt, [] {});
    };
    const auto none = of(0);
    const auto two = of(2);
    hub.publish(event("node", "1", "a", 1));
    hub.publish(event("node", "2", "b", 2));
    hub.publish(event("analysis", "1", "c", 1));
    hub.publish(event("look", "1", "d", 1));
    hub.publish(event("look", "2", "e", 2));
    CHECK(data_of(none->take()) == Strings{"analysis c|"});
    CHECK(data_of(two->take()) == Strings{"node b|", "analysis c|", "look e|"});
}
