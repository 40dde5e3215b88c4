#include "bench/cluster/site.hpp"

#include "bench/http_client.hpp"
#include "chess/notation.hpp"
#include "storage/open.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace adjourn::bench {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::minutes patience{2};
constexpr std::chrono::milliseconds between_polls{20};

fs::path directory_of(pid_t process) {
    return fs::path{"/proc"} / std::to_string(process);
}

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

Child::Child(const std::vector<std::string>& command, const std::filesystem::path& log) {
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (const std::string& word : command) {
        words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const pid_t parent = ::getpid();
    pid_ = out < 0 ? -1 : ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::dup2(::open("/dev/null", O_RDONLY), 0);
        ::dup2(out, 1);
        ::dup2(out, 2);
        if (::getppid() == parent) {
            ::execv(words[0], words.data());
        }
        ::_exit(127);
    }
    ::close(out);
    if (pid_ < 0) {
        throw std::runtime_error{"cannot start " + command.front()};
    }
}

Child::~Child() {
    signal(SIGKILL);
    wait();
}

bool Child::runs() {
    int status = 0;
    if (pid_ > 0 && ::waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        well_ = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return pid_ > 0;
}

void Child::signal(int number) const {
    if (pid_ > 0) {
        ::kill(pid_, number);
    }
}

bool Child::interrupt(std::chrono::seconds patience) {
    signal(SIGINT);
    const auto end = Clock::now() + patience;
    while (runs() && Clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds{5}); // between polls
    }
    signal(SIGKILL);
    return wait();
}

bool Child::wait() {
    if (int status = 0; pid_ > 0 && ::waitpid(pid_, &status, 0) == pid_) {
        well_ = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        pid_ = -1;
    }
    return well_;
}

ProcessorTime ProcessorTime::operator-(const ProcessorTime& before) const {
    return {server - before.server, database - before.database, workers - before.workers,
            engines - before.engines};
}

double seconds_of(pid_t process) {
    std::ifstream in{directory_of(process) / "stat"};
    std::string line;
    std::getline(in, line);
    const std::size_t name_end = line.rfind(')'); // the name may have blanks
    if (name_end == std::string::npos) {
        return 0;
    }
    std::istringstream fields{line.substr(name_end + 1)};
    std::string skipped;
    for (int i = 3; i < 14; ++i) { // proc(5): utime, stime, cutime, cstime are 14 to 17
        fields >> skipped;
    }
    double ticks = 0;
    for (int i = 14; i <= 17; ++i) {
        double each = 0;
        fields >> each;
        ticks += each;
    }
    return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double seconds_of_children(pid_t process) {
    double seconds = 0;
    std::error_code gone;
    for (const auto& thread : fs::directory_iterator{directory_of(process) / "task", gone}) {
        std::ifstream in{thread.path() / "children"};
        for (pid_t child = 0; in >> child;) {
            seconds += seconds_of(child);
        }
    }
    return seconds;
}

Site::Site(Options options) : options_{std::move(options)}, port_{free_port()} {
    fs::create_directories(options_.directory);
    std::ofstream{options_.directory / "token"} << "work\n";
    fs::permissions(options_.directory / "token", fs::perms::owner_read | fs::perms::owner_write);
    write_settings("server.toml", options_.own);
    write_settings("worker.toml", options_.engines);
    start_server();
    for (int i = 1; i <= options_.workers; ++i) {
        start_worker("worker" + std::to_string(i));
    }
    wait_until("the server had welcomed all workers", [this] {
        const auto told = get("/api/v1/workers");
        return told && told->at("machines").size() == workers_.size();
    });
}

void Site::write_settings(const std::string& name, int count) const {
    std::ofstream out{options_.directory / name};
    out << "token = \"all\"\nworker_token = \"work\"\n[[engine]]\nname = \"hash\"\ncommand = "
        << json::array({options_.hash_engine.string()}).dump() << "\ncount = " << count
        << "\noptions = { AnswerMs = " << options_.answer_ms << " }\n";
    if (!out.flush()) {
        throw std::runtime_error{"cannot write to " + options_.directory.string()};
    }
}

void Site::start_server() {
    server_ = std::make_unique<Child>(
        std::vector<std::string>{options_.program, "serve",
                                 storage::is_url(options_.store) ? "--store" : "--data",
                                 options_.store, "--config", options_.directory / "server.toml",
                                 "--listen", "127.0.0.1:" + std::to_string(port_)},
        options_.directory / "server.log");
    wait_until("the server worked; see " + (options_.directory / "server.log").string(),
               [this] { return !server_->runs() || get("/api/v1/analyses"); });
    if (!server_->runs()) {
        throw std::runtime_error{"the server has ended"};
    }
}

void Site::start_worker(const std::string& name) {
    workers_.push_back(std::make_unique<Child>(
        std::vector<std::string>{options_.program, "worker", "--name", name, "--config",
                                 options_.directory / "worker.toml", "--server",
                                 "http://127.0.0.1:" + std::to_string(port_), "--token-file",
                                 options_.directory / "token"},
        options_.directory / (name + ".log")));
}

std::optional<json> Site::get(const std::string& target) const {
    try {
        HttpClient client{"127.0.0.1", port_, "all"};
        const auto reply = client.get(target);
        return reply.status == 200 ? std::optional{json::parse(reply.body)} : std::nullopt;
    } catch (const std::exception&) { // nobody listens, or it ends in the middle
        return std::nullopt;
    }
}

void Site::create(int analyses) {
    HttpClient client{"127.0.0.1", port_, "all"};
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
    const auto told = get("/api/v1/analyses");
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
    spent.server = seconds_of(server_->number());
    spent.engines = seconds_of_children(server_->number());
    for (const auto& worker : workers_) {
        spent.workers += seconds_of(worker->number());
        spent.engines += seconds_of_children(worker->number());
    }
    return spent;
}

bool Site::stop() {
    constexpr std::chrono::seconds at_most{30};
    for (const auto& worker : workers_) {
        worker->interrupt(at_most);
    }
    return server_->interrupt(at_most);
}

} // namespace adjourn::bench
