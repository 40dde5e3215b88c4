// The tables where a server and machines meet: a question is one machine's or nobody's, and an
// answer comes with the end of its lease.
#include "place.hpp"

#include "storage/post.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

using namespace adjourn;
using namespace adjourn::storage;
using namespace adjourn::storage::test;
using namespace std::chrono_literals;

namespace {

// Where there is no PostgreSQL it says so, and `there` is false.
struct Post {
    bool there = PostgresCluster::missing().empty();
    std::string url;
    std::unique_ptr<ServerPost> server;

    Post() {
        if (!there) {
            skip(PostgresCluster::missing());
            return;
        }
        url = shared_cluster().new_database();
        open_store(url, OpenMode::owner); // makes the tables
        server = open_server_post(url);
    }
    std::unique_ptr<WorkerPost> worker() const { return open_worker_post(url); }

    static ServerPost::Question question(PostLease lease,
                                         std::optional<PostMachine> prefers = std::nullopt,
                                         std::optional<PostMachine> avoids = std::nullopt,
                                         bool urgent = false) {
        return {lease, "engine", urgent, prefers, avoids, "question " + std::to_string(lease)};
    }
    void offer(std::vector<ServerPost::Question> questions) const {
        ServerPost::Orders orders;
        orders.offer = std::move(questions);
        server->apply(orders);
    }
    ServerPost::Sight sight() const { return server->look({}, {}, 1'000); }
    // Of machines that are all known.
    std::vector<ServerPost::Answer> answers() const {
        std::vector<PostMachine> known;
        for (const ServerPost::Machine& machine : sight().machines) {
            known.push_back(machine.machine);
        }
        return server->look(known, {}, 1'000).answers;
    }
};

std::vector<PostLease> leases(const WorkerPost::State& state) {
    std::vector<PostLease> all;
    for (const WorkerPost::Mine& mine : state.mine) {
        all.push_back(mine.lease);
    }
    std::ranges::sort(all);
    return all;
}

WorkerPost::State take(WorkerPost& worker, PostMachine machine, std::size_t most,
                       const std::vector<PostLease>& held = {}) {
    return worker.take(machine, std::vector<WorkerPost::Wish>{{"engine", most}}, held);
}

} // namespace

TEST_CASE("post: a directory has none") {
    CHECK(open_server_post("/tmp/somewhere") == nullptr);
    CHECK(open_worker_post("/tmp/somewhere") == nullptr);
}

TEST_CASE("post: a machine enters, is welcomed, drained, and leaves") {
    const Post post;
    if (!post.there) {
        return;
    }
    const auto worker = post.worker();
    const PostMachine machine = worker->enter("hello");
    CHECK(worker->welcome(machine) == std::nullopt);
    REQUIRE(post.sight().machines.size() == 1);
    CHECK(post.sight().machines[0].hello == "hello");
    CHECK(post.server->look({machine}, {}, 1'000).machines[0].hello == std::nullopt);
    ServerPost::Orders orders;
    orders.welcome = {{machine, "welcome"}};
    orders.drain = {{machine, true}};
    post.server->apply(orders);
    CHECK(worker->welcome(machine) == "welcome");
    post.offer({Post::question(1)});
    const auto state = take(*worker, machine, 4);
    CHECK(state.known);
    CHECK(state.drain);
    CHECK(state.mine.empty());
    CHECK(worker->beat(machine, "pulse", {}).drain);
    CHECK(post.sight().machines[0].beats == 1);
    CHECK(post.sight().machines[0].pulse == "pulse");
    worker->leave(machine);
    CHECK(post.sight().machines[0].gone);
    CHECK_FALSE(take(*worker, machine, 4).known);
    CHECK_FALSE(worker->beat(machine, "", {}).known);
    CHECK_FALSE(worker->give(machine, std::vector<WorkerPost::Answer>{{1, "late"}}));
    orders = {};
    orders.forget = {machine};
    post.server->apply(orders);
    CHECK(post.sight().machines.empty());
    CHECK(post.answers().empty());
}

TEST_CASE("post: what suits a machine comes first, what it failed at last") {
    const Post post;
    if (!post.there) {
        return;
    }
    const auto worker = post.worker();
    const PostMachine machine = worker->enter("a"), other = worker->enter("b");
    post.offer({Post::question(1, std::nullopt, machine), Post::question(2, other),
                Post::question(3), Post::question(4, machine),
                Post::question(5, std::nullopt, std::nullopt, true)});
    std::vector<PostLease> order;
    for (int i = 0; i < 5; ++i) {
        const auto state = take(*worker, machine, 1, order);
        for (const WorkerPost::Mine& mine : state.mine) {
            if (mine.text) { // what is held comes without
                CHECK(mine.text == "question " + std::to_string(mine.lease));
                CHECK(mine.urgent == (mine.lease == 5));
                order.push_back(mine.lease);
            }
        }
    }
    CHECK(order == std::vector<PostLease>{5, 4, 3, 2, 1});
    CHECK(take(*worker, other, 9).mine.empty());
}

TEST_CASE("post: an answer comes with the end of its lease, and goes when the server has it") {
    const Post post;
    if (!post.there) {
        return;
    }
    const auto worker = post.worker();
    const PostMachine machine = worker->enter("a"), other = worker->enter("b");
    post.offer({Post::question(1), Post::question(2), Post::question(3)});
    REQUIRE(leases(take(*worker, machine, 2)) == std::vector<PostLease>{1, 2});
    // Another one's, and one that is past, are no leases of its own, and brought all the same.
    CHECK(worker->give(other, std::vector<WorkerPost::Answer>{{2, "late"}, {9, "past"}}));
    CHECK(leases(take(*worker, machine, 0)) == std::vector<PostLease>{1, 2});
    CHECK(worker->give(machine, std::vector<WorkerPost::Answer>{{1, "found"}}));
    CHECK(leases(take(*worker, machine, 0)) == std::vector<PostLease>{2});
    const std::vector<PostMachine> known{machine, other};
    const auto sight = post.server->look(known, {}, 1'000);
    REQUIRE(sight.answers.size() == 3);
    CHECK(sight.answers[2].machine == machine);
    CHECK(sight.answers[2].lease == 1);
    CHECK(sight.answers[2].text == "found");
    CHECK(sight.rows.size() == 2);
    const auto others =
        post.server->look(known, {sight.answers[0].number, sight.answers[2].number}, 1'000);
    REQUIRE(others.answers.size() == 1); // without those that it has
    CHECK(others.answers[0].text == "past");
    CHECK(others.rows.size() == 2);
    const auto first = post.server->look(known, {sight.answers[0].number}, 1);
    REQUIRE(first.answers.size() == 1); // the oldest
    CHECK(first.answers[0].number == sight.answers[1].number);
    REQUIRE(first.rows.size() == 3); // the answer that is not shown leaves its question out
    CHECK(first.rows[0].lease == sight.answers[2].lease);
    CHECK(first.rows[0].machine == machine);
    // Who is not known yet takes nobody's place.
    const auto mine = post.server->look({machine}, {}, 1);
    REQUIRE(mine.answers.size() == 1);
    CHECK(mine.answers[0].text == "found");
    ServerPost::Orders orders;
    orders.read = {sight.answers[0].number, sight.answers[2].number};
    orders.remove = {2};
    orders.hurry = {3};
    post.server->apply(orders);
    CHECK(post.answers().size() == 1);
    orders = {};
    orders.forget = {other};
    post.server->apply(orders);
    CHECK(post.server->look({machine}, {}, 1'000).answers.size() == 1); // nobody is to come
    const auto state = take(*worker, machine, 5);
    REQUIRE(state.mine.size() == 1); // 2 is withdrawn
    CHECK(state.mine[0].urgent);
}

TEST_CASE("post: machines that take at the same time never take the same") {
    const Post post;
    if (!post.there) {
        return;
    }
    constexpr PostLease questions = 300;
    std::vector<ServerPost::Question> all;
    for (PostLease lease = 1; lease <= questions; ++lease) {
        all.push_back(Post::question(lease));
    }
    post.offer(std::move(all));
    constexpr std::size_t machines = 4;
    std::vector<std::vector<PostLease>> taken(machines);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < machines; ++i) {
        threads.emplace_back([&post, &mine = taken[i]] {
            const auto worker = post.worker();
            const PostMachine machine = worker->enter("a machine");
            while (true) {
                const auto state = take(*worker, machine, 3);
                if (state.mine.empty()) {
                    return;
                }
                std::vector<WorkerPost::Answer> answers;
                for (const WorkerPost::Mine& each : state.mine) {
                    mine.push_back(each.lease);
                    answers.push_back({each.lease, "found"});
                }
                worker->give(machine, answers);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::multiset<PostLease> together;
    for (const auto& mine : taken) {
        together.insert(mine.begin(), mine.end());
    }
    CHECK(together.size() == questions);
    CHECK(std::set<PostLease>{together.begin(), together.end()}.size() == questions);
    CHECK(post.answers().size() == questions);
}

TEST_CASE("post: who waits is woken by the other side, and by itself") {
    const Post post;
    if (!post.there) {
        return;
    }
    const auto worker = post.worker();
    const PostMachine machine = worker->enter("a");
    post.sight();
    post.server->wait(0ms); // what came before
    constexpr auto long_time = 100s;
    const auto began = std::chrono::steady_clock::now();
    std::thread teller{[&] {
        const auto second = post.worker();
        second->beat(machine, "", {});
    }};
    post.server->wait(long_time);
    teller.join();
    worker->welcome(machine);
    worker->wait(0ms);
    std::thread caller{[&] {
        ServerPost::Orders orders;
        orders.wake = {machine};
        open_server_post(post.url)->apply(orders);
    }};
    worker->wait(long_time);
    caller.join();
    worker->wake(); // not lost, though nobody waits
    worker->wait(long_time);
    CHECK(std::chrono::steady_clock::now() - began < long_time);
}
