// The program as a service: its configuration read again, its supervisor told, its log read by
// programs, its doctor, and what shells and man know of it.
#include "program.hpp"
#include "temporary_directory.hpp"
#include "webhook_sink.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::ifstream in{file};
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

// A configuration whose engine answers at once, with `more` before the engine.
fs::path config_with(const fs::path& directory, const std::string& more) {
    const fs::path file = write_config(directory, 1, 0, EngineKind::plain);
    const std::string engine = text_of(file);
    std::ofstream{file} << more << "\n" << engine;
    return file;
}

// The socket that a service manager listens on.
class Manager {
public:
    explicit Manager(const fs::path& path) : path_{path.string()} {
        fd_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        REQUIRE(path_.size() < sizeof address.sun_path);
        path_.copy(address.sun_path, path_.size());
        REQUIRE(bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        const timeval patience{180, 0};
        setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        setenv("NOTIFY_SOCKET", path_.c_str(), 1);
        setenv("WATCHDOG_USEC", "100000", 1);
    }
    Manager(const Manager&) = delete;
    Manager& operator=(const Manager&) = delete;
    ~Manager() {
        unsetenv("NOTIFY_SOCKET");
        unsetenv("WATCHDOG_USEC");
        close(fd_);
    }

    // Reads until it is told `state`; false if nothing comes for three minutes.
    bool told(const std::string& state) const {
        std::array<char, 4096> buffer{};
        while (true) {
            const ssize_t count = recv(fd_, buffer.data(), buffer.size(), 0);
            if (count < 0) {
                return false;
            }
            if (std::string_view{buffer.data(), static_cast<std::size_t>(count)}.starts_with(
                    state)) {
                return true;
            }
        }
    }

private:
    std::string path_;
    int fd_ = -1;
};

} // namespace

TEST_CASE("program: SIGHUP reads the configuration again, tokens are changed without a restart") {
    const TemporaryDirectory directory;
    const fs::path token = directory.path() / "token";
    const auto write_token = [&](const std::string& text) {
        std::ofstream{token} << text;
        fs::permissions(token, fs::perms::owner_read | fs::perms::owner_write);
    };
    write_token("the first secret");
    const fs::path log = directory.path() / "log";
    const fs::path config =
        config_with(directory.path(), "token_file = \"" + token.string() + "\"");
    RunningServer server{directory.path() / "data", config, log};
    server.show("the first secret");
    CHECK(server.get("/health")["status"] == "ok");
    const std::string metrics = server.request("GET", "/metrics").second;
    for (const auto* line : {"\nadjourn_store_up 1\n", "\nadjourn_store_bytes ",
                             "\nadjourn_store_disk_free_bytes ", "\nadjourn_engine_up{"}) {
        CHECK(metrics.find(line) != std::string::npos);
    }
    write_token("the second secret");
    server.hang_up();
    while (server.request("GET", "/health").first != 401) {
        std::this_thread::sleep_for(std::chrono::milliseconds{10}); // between polls
    }
    server.show("the second secret");
    CHECK(server.get("/health")["status"] == "ok");
    // What cannot be used leaves everything as it was.
    std::ofstream{config} << "listen = 5\n";
    server.hang_up();
    while (text_of(log).find("stays as it was") == std::string::npos) {
        std::this_thread::sleep_for(std::chrono::milliseconds{10}); // between polls
    }
    CHECK(server.get("/health")["status"] == "ok");
    CHECK(server.interrupt() == 0);
    CHECK(text_of(log).find("secret") == std::string::npos);
}

TEST_CASE("program: a reload says what waits for a restart") {
    const TemporaryDirectory directory;
    const fs::path log = directory.path() / "log";
    const fs::path config = config_with(directory.path(), "log_form = \"json\"");
    RunningServer server{directory.path() / "data", config, log};
    config_with(directory.path(), "log_form = \"json\"\ntime_zone = \"Asia/Tokyo\"");
    server.hang_up();
    while (text_of(log).find("'time_zone' waits for a restart") == std::string::npos) {
        std::this_thread::sleep_for(std::chrono::milliseconds{10}); // between polls
    }
    CHECK(server.interrupt() == 0);
    std::istringstream lines{text_of(log)};
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const json entry = json::parse(line);
        CHECK(entry.size() == 3);
        CHECK(entry["time"].get<std::string>().size() == 24);
        CHECK(entry["time"].get<std::string>().back() == 'Z');
        CHECK_FALSE(entry["message"].get<std::string>().empty());
    }
    CHECK(count >= 2);
    CHECK(text_of(log).find("\"level\":\"warning\"") != std::string::npos);
}

TEST_CASE("program: a service manager is told when it is ready, alive, reloading, stopping") {
    const TemporaryDirectory directory;
    const Manager manager{directory.path() / "notify"};
    const fs::path config = config_with(directory.path(), "");
    RunningServer server{directory.path() / "data", config};
    CHECK(manager.told("READY=1"));
    CHECK(manager.told("WATCHDOG=1"));
    CHECK(manager.told("WATCHDOG=1"));
    server.hang_up();
    CHECK(manager.told("RELOADING=1"));
    CHECK(manager.told("READY=1"));
    CHECK(server.interrupt() == 0);
    CHECK(manager.told("STOPPING=1"));
}

TEST_CASE("doctor: finds nothing where nothing is wrong, and changes nothing") {
    const TemporaryDirectory directory;
    const fs::path config = config_with(directory.path(), "listen = \"127.0.0.1:0\"");
    const auto data = directory.path() / "data";
    std::ofstream{directory.path() / "index.html"} << "page";
    const auto result = run_program({"doctor", "--data", data.string(), "--config", config.string(),
                                     "--web", directory.path().string()});
    INFO(result.output << result.errors);
    CHECK(result.code == 0);
    CHECK(result.output.find("all is well") != std::string::npos);
    CHECK(result.output.find("engine 'hash': ") != std::string::npos);
    CHECK_FALSE(fs::exists(data));
    {
        const RunningServer server{data, config};
        const auto beside =
            run_program({"doctor", "--data", data.string(), "--config", config.string(), "--listen",
                         "127.0.0.1:" + std::to_string(server.port())});
        CHECK(beside.code == 0);
        CHECK(beside.output.find("is running: http://127.0.0.1:" + std::to_string(server.port())) !=
              std::string::npos);
    }
}

TEST_CASE("doctor: names what is wrong, with a cure") {
    const TemporaryDirectory directory;
    const auto found = [&](const std::string& config, const fs::path& data) {
        const fs::path file = directory.path() / "a.toml";
        std::ofstream{file} << config;
        const auto result = run_program(
            {"doctor", "--data", data.string(), "--config", file.string(), "--web", "/nowhere"});
        CHECK(result.code == 1);
        return result.output;
    };
    using Catch::Contains;
    const std::string path = hash_engine_path().string();
    const std::string engine = "\n[[engine]]\nname = \"x\"\ncommand = [\"" + path + "\"]\n";
    const auto data = directory.path() / "data";
    CHECK_THAT(found("colour = 1", data), Contains("a.toml:1:10: unknown key 'colour'"));
    CHECK_THAT(found("[[engine]]\nname = \"x\"\ncommand = [\"/nonexistent/engine\"]\n", data),
               Contains("BAD     engine 'x': ") && Contains("start /nonexistent/engine, type uci"));
    CHECK_THAT(found("listen = \"0.0.0.0:0\"" + engine, data),
               Contains("BAD     without a token it will not listen on 0.0.0.0"));
    CHECK_THAT(found("token = \"short\"\nlisten = \"192.0.2.1:80\"" + engine, data),
               Contains("cannot listen on 192.0.2.1:80") && Contains("openssl rand -hex 24"));
    CHECK_THAT(found(engine + "count = 1000\noptions = { Hash = 1000000 }\n", data),
               Contains("of hash") && Contains("lower Hash"));
    std::ofstream{directory.path() / "adjourn.db"} << "this is no database, but it is long enough";
    CHECK_THAT(found(engine, directory.path()), Contains("adjourn check, or a backup"));
}

TEST_CASE("program: webhooks are told that an analysis is settled, and are changed by SIGHUP") {
    const TemporaryDirectory directory;
    WebhookSink first;
    WebhookSink second;
    const auto config = write_config(directory.path(), 2, 0, EngineKind::plain);
    std::ostringstream engines;
    engines << std::ifstream{config}.rdbuf();
    const auto use = [&](const WebhookSink& sink) {
        std::ofstream{config} << engines.str() << "\n[[webhook]]\nname = \"club\"\nurl = \""
                              << sink.url("/hidden") << "\"\nevents = [\"settled\"]\n";
    };
    use(first);
    const auto log = directory.path() / "log";
    RunningServer server{directory.path() / "data", config, log};
    const auto tested = [&] {
        const auto [status, body] = server.request("POST", "/webhooks/test");
        REQUIRE(status == 200);
        return json::parse(body)["webhooks"][0];
    };
    CHECK(server.get("/webhooks")["webhooks"][0]["name"] == "club");
    CHECK(tested()["status"] == 204);
    CHECK(json::parse(first.wait_for(1).at(0).body)["event"] == "test");

    const auto made =
        server.request("POST", "/analyses",
                       R"({"name":"Short","position":{"moves":"1. e4"},"limit":{"depth":4},)"
                       R"("strategy":{"kind":"halving","move_distance":10,"refine":1}})");
    REQUIRE(made.first == 201);
    const auto letter = first.wait_for(2).at(1);
    const json told = json::parse(letter.body);
    CHECK(told["event"] == "settled");
    CHECK(told["analysis"]["id"] == json::parse(made.second)["id"]);
    CHECK(told["text"].get<std::string>().starts_with("Short is settled: "));

    use(second);
    server.hang_up();
    while (second.letters().empty()) { // until the reload is done, tests go to the first
        tested();
    }
    CHECK(server.interrupt() == 0);
    std::ostringstream text;
    text << std::ifstream{log}.rdbuf();
    CHECK(text.str().find("hidden") == std::string::npos);
}
