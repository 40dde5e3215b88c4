#include "bench/benches.hpp"

#include "bench/arguments.hpp"
#include "bench/http_client.hpp"
#include "bench/made_up.hpp"
#include "bench/postgres/postgres_cluster.hpp"
#include "host/service.hpp"
#include "storage/open.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <ostream>
#include <thread>

namespace adjourn::bench {

namespace {

using nlohmann::json;
using Moment = std::chrono::steady_clock;

struct SilenceOptions {
    std::uint64_t seconds = 60;
    std::uint64_t facts = 20'000;
};

// A paused analysis of made-up facts; nobody is asked anything.
void fill_database(const std::string& url, const SilenceOptions& options) {
    const auto store = storage::open_store(url, storage::OpenMode::owner);
    FactMaker maker{store->engine({{}, "Bench", "1", "", ""}), made_up_seed};
    for (std::uint64_t i = 0; i < options.facts; ++i) {
        store->append(maker.next(), {});
    }
    insert_paused_analysis(*store);
}

struct Called {
    CallTimes health, node;
    std::size_t with_all = 0, left_out = 0, failed = 0; // of node
    double told_after = -1;                             // ms until health said store_failed
};

void call_once(HttpClient& client, const std::string& target, CallTimes& times,
               HttpClient::Reply& reply) {
    const auto start = Moment::now();
    reply = client.get(target);
    times.add(milliseconds_since(start));
}

Called call_for(HttpClient& client, std::chrono::milliseconds time) {
    Called called;
    const auto begin = Moment::now();
    HttpClient::Reply reply;
    while (Moment::now() - begin < time) {
        call_once(client, "/api/v1/health", called.health, reply);
        if (called.told_after < 0 && json::parse(reply.body)["status"] == "store_failed") {
            called.told_after = milliseconds_since(begin);
        }
        call_once(client, "/api/v1/analyses/1/node", called.node, reply);
        ++(reply.status != 200                            ? called.failed
           : json::parse(reply.body).contains("left_out") ? called.left_out
                                                          : called.with_all);
        std::this_thread::sleep_for(std::chrono::milliseconds{5}); // as somebody who browses
    }
    return called;
}

void print_called(std::ostream& out, const std::string& when, Called& called) {
    called.health.print(out, "health, " + when);
    called.node.print(out, "node, " + when);
    out << "  node whole " << called.with_all << ", without what only the store knows "
        << called.left_out << ", failed " << called.failed << '\n';
}

} // namespace

int run_silence(const std::vector<std::string>& args, std::ostream& out) {
    SilenceOptions options;
    const Arguments known{number("--seconds", "N", "the database says nothing", options.seconds),
                          number("--facts", "N", "evaluations that are stored", options.facts)};
    if (const auto code = answer_arguments("silence", known, args, out)) {
        return *code;
    }
    if (const std::string missing = PostgresCluster::missing(); !missing.empty()) {
        out << "silence: " << missing << '\n';
        return 1;
    }
    PostgresCluster cluster;
    const std::string url = cluster.new_database();
    fill_database(url, options);
    server::Service service{config_without_engine(), {url, true, ""}};
    service.start();
    HttpClient client{"127.0.0.1", service.port()};
    while (client.get("/api/v1/analyses/1/node").status != 200) {
        std::this_thread::sleep_for(std::chrono::milliseconds{1}); // between calls
    }
    out << "silence: " << options.facts << " facts, " << options.seconds
        << " s; calls: number, median, 99th percentile, longest, in ms\n";
    Called before = call_for(client, std::chrono::seconds{5});
    print_called(out, "before", before);
    cluster.freeze();
    Called silent;
    try {
        silent = call_for(client, std::chrono::seconds{options.seconds});
    } catch (...) {
        cluster.thaw();
        throw;
    }
    cluster.thaw();
    const auto thawed = Moment::now();
    print_called(out, "database silent", silent);
    out << "  store_failed after " << silent.told_after << " ms\n";
    while (client.get("/api/v1/health").status != 200) {
        std::this_thread::sleep_for(std::chrono::milliseconds{5}); // between calls
    }
    out << "  well again " << milliseconds_since(thawed) << " ms after the end of the silence\n";
    service.stop();
    return 0;
}

} // namespace adjourn::bench
