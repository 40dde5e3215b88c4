#include "bench/benches.hpp"

#include "bench/arguments.hpp"
#include "bench/fact_maker.hpp"
#include "bench/http_client.hpp"
#include "bench/postgres/postgres_cluster.hpp"
#include "chess/position.hpp"
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
    std::uint64_t seed = 1;
};

// A paused analysis of made-up facts; nobody is asked anything.
void fill_database(const std::string& url, const SilenceOptions& options) {
    const auto store = storage::open_store(url, storage::OpenMode::owner);
    FactMaker maker{store->engine({{}, "Bench", "1", "", ""}), options.seed};
    for (std::uint64_t i = 0; i < options.facts; ++i) {
        store->append(maker.next(), {});
    }
    storage::AnalysisRecord record;
    record.name = "bench";
    record.root_fen = chess::Position::initial().fen();
    record.profile = "bench";
    record.engine = store->engines().front().id;
    record.limit = {analysis::Limit::Kind::depth, 18};
    record.parameters = R"({"strategy":{"kind":"halving","move_distance":30,"refine":4}})";
    record.state = storage::AnalysisState::paused;
    record.created_at = 1;
    store->insert(record, {});
    store->flush();
}

struct Called {
    CallTimes health, node, list;
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
        call_once(client, "/api/v1/analyses", called.list, reply);
        std::this_thread::sleep_for(std::chrono::milliseconds{5}); // as somebody who browses
    }
    return called;
}

void print_called(std::ostream& out, const std::string& when, Called& called) {
    called.health.print(out, "health, " + when);
    called.node.print(out, "node, " + when);
    called.list.print(out, "the list of analyses, " + when);
    out << "  node whole " << called.with_all << ", without what only the store knows "
        << called.left_out << ", failed " << called.failed << '\n';
}

} // namespace

int run_silence(const std::vector<std::string>& args, std::ostream& out) {
    SilenceOptions options;
    const Arguments known{number("--seconds", "N", "the database says nothing", options.seconds),
                          number("--facts", "N", "evaluations that are stored", options.facts),
                          number("--seed", "S", "of the made-up evaluations", options.seed, 0)};
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
    server::Config config;
    config.listen_address = "127.0.0.1";
    config.listen_port = 0;
    engine_bridge::Profile profile;
    profile.name = "bench";
    profile.command = {"/bin/false"};
    profile.count = 1;
    config.engines = {profile};
    server::Service service{config, {url, true, ""}};
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
