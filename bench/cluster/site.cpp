#include "bench/cluster/site.hpp"

#include "bench/http_client.hpp"
#include "chess/notation.hpp"
#include "storage/open.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <thread>

namespace adjourn::bench {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::minutes patience{2};
constexpr std::chrono::milliseconds between_polls{20};

std::uint16_t free_port() {
    boost::asio::io_context context;
    const boost::asio::ip::tcp::acceptor any{context, {boost::asio::ip::address_v4::loopback(), 0}};
    return any.local_endpoint().port();
}

void wait_until(const std::string& what, const std::function<bool()>& condition) {
    const auto end = Clock::now() + patience;
    while (!condition()) {
        if (Clock::now() > end) {
            throw std::runtime_error{"it took too long until " + what};
        }
        std::this_thread::sleep_for(between_polls);
    }
}

// Two plies, other ones for each number below 400.
std::string opening(int number) {
    chess::Position position = chess::Position::initial();
    const auto first = position.legal_moves();
    const chess::Move white = first[static_cast<std::size_t>(number % 20)];
    std::string text = chess::to_uci(position, white);
    position.play(white);
    const auto replies = position.legal_moves();
    return text + ' ' +
           chess::to_uci(position,
                         replies[static_cast<std::size_t>((number / 20 + 3 * number) % 20)]);
}

} // namespace

Site::Site(Options options) : options_{std::move(options)} {
    fs::create_directories(options_.directory);
    std::ofstream{options_.directory / "token"} << "work\n";
    fs::permissions(options_.directory / "token", fs::perms::owner_read | fs::perms::owner_write);
    write_settings("server.toml", options_.own);
    write_settings("worker.toml", options_.engines);
    for (int i = 0; i < options_.servers; ++i) {
        servers_.push_back({free_port(), nullptr});
    }
    wait_for_working_server();
    workers_.resize(static_cast<std::size_t>(options_.workers));
    for (std::size_t i = 0; i < workers_.size(); ++i) {
        start_worker(i);
    }
    wait_until("the server had welcomed all workers", [this] {
        const auto told = get(servers_[working_].port, "/api/v1/workers");
        return told && told->at("machines").size() == workers_.size();
    });
}

void Site::write_settings(const std::string& name, int count) const {
    std::ofstream out{options_.directory / name};
    out << "token = \"all\"\nworker_token = \"work\"\nworker_lease_seconds = " << lease_seconds
        << "\n[[engine]]\nname = \"hash\"\ncommand = "
        << json::array({options_.hash_engine.string()}).dump() << "\ncount = " << count
        << "\noptions = { AnswerMs = " << options_.answer_ms << ", Jitter = " << options_.jitter
        << " }\n";
    if (!out.flush()) {
        throw std::runtime_error{"cannot write to " + options_.directory.string()};
    }
}

void Site::start(Server& server) {
    std::vector<std::string> command{options_.program,
                                     "serve",
                                     storage::is_url(options_.store) ? "--store" : "--data",
                                     options_.store,
                                     "--config",
                                     options_.directory / "server.toml",
                                     "--listen",
                                     "127.0.0.1:" + std::to_string(server.port)};
    if (servers_.size() > 1) {
        command.emplace_back("--stand-by");
    }
    server.process.reset();
    server.process = std::make_unique<Child>(command, options_.directory / "server.log");
}

bool Site::works(const Server& server) {
    return get(server.port, "/api/v1/health") && get(server.port, "/api/v1/analyses");
}

void Site::wait_for_working_server(const Server* without) {
    wait_until("a server worked; see " + (options_.directory / "server.log").string(), [&] {
        for (Server& server : servers_) {
            if (&server != without && (!server.process || !server.process->runs())) {
                start(server);
            }
        }
        const auto found = std::ranges::find_if(servers_, works);
        working_ = static_cast<std::size_t>(found - servers_.begin()) % servers_.size();
        return found != servers_.end();
    });
}

void Site::kill_server() {
    wait_for_working_server(); // another one may have taken over
    Server& killed = servers_[working_];
    killed.process->kill();
    if (servers_.size() > 1) { // first the other one takes its place
        wait_for_working_server(&killed);
    }
    wait_for_working_server();
}

void Site::start_worker(std::size_t index) {
    const std::string name = "worker" + std::to_string(index + 1);
    std::vector<std::string> command{
        options_.program, "worker", "--name", name, "--config", options_.directory / "worker.toml"};
    if (options_.way == Way::http) {
        command.insert(command.end(),
                       {"--server", "http://127.0.0.1:" + std::to_string(servers_[working_].port),
                        "--token-file", options_.directory / "token"});
    } else {
        command.insert(command.end(), {"--store", options_.store});
    }
    workers_[index] = std::make_unique<Child>(command, options_.directory / (name + ".log"));
}

std::optional<json> Site::get(std::uint16_t port, const std::string& target) {
    try {
        HttpClient client{"127.0.0.1", port, "all"};
        const auto reply = client.get(target);
        return reply.status == 200 ? std::optional{json::parse(reply.body)} : std::nullopt;
    } catch (const std::exception&) { // nobody listens, or it ends in the middle
        return std::nullopt;
    }
}

void Site::create(int analyses) {
    HttpClient client{"127.0.0.1", servers_[working_].port, "all"};
    for (int i = 0; i < analyses; ++i) {
        const json wanted{
            {"position", {{"moves", opening(i)}}},
            {"limit", {{"depth", 6}}},
            {"strategy", {{"kind", "uniform"}, {"move_distance", 10'000}, {"refine", 2}}}};
        const auto reply =
            client.send("POST", "/api/v1/analyses", wanted.dump(), "application/json");
        if (reply.status != 201) {
            throw std::runtime_error{"the server refuses an analysis: " + reply.body};
        }
    }
}

std::optional<Site::Progress> Site::progress() const {
    const auto told = get(servers_[working_].port, "/api/v1/analyses");
    if (!told) {
        return std::nullopt;
    }
    Progress progress;
    for (const json& analysis : told->at("analyses")) {
        ++progress.analyses;
        progress.answers += analysis.at("evaluations").at("new").get<std::uint64_t>();
        progress.engine_seconds += analysis.at("engine_seconds").get<double>();
        progress.settled += analysis.at("state") == "settled" ? 1 : 0;
        progress.failed += analysis.at("state") == "failed" ? 1 : 0;
    }
    return progress;
}

ProcessorTime Site::processor_time() const {
    ProcessorTime spent;
    for (const Server& server : servers_) {
        spent.server += seconds_of(server.process->number());
        spent.engines += seconds_of_children(server.process->number());
    }
    for (const auto& worker : workers_) {
        spent.workers += seconds_of(worker->number());
        spent.engines += seconds_of_children(worker->number());
    }
    return spent;
}

bool Site::stop() {
    constexpr std::chrono::seconds at_most{30};
    for (const auto& worker : workers_) {
        worker->signal(SIGCONT);
        worker->interrupt(at_most);
    }
    bool well = true;
    for (std::size_t i = 0; i < servers_.size(); ++i) { // the one that works at last
        Server& server = servers_[(working_ + 1 + i) % servers_.size()];
        well = server.process->interrupt(at_most) && well;
    }
    return well;
}

} // namespace adjourn::bench
