// Config, time windows, specs: the small texts people write.
#include "host/config.hpp"

#include "../support/temporary_directory.hpp"
#include "base/files.hpp"
#include "core/engines/installed_engines.hpp"
#include "test.hpp"

using namespace adjourn::server;

TEST_CASE("config: engines, options and addresses are read") {
    const auto config = parse_config(R"(
listen = "127.0.0.1:9000"
syzygy_path = "/tables"
tables_path = "/own"
least_free_mb = 5
graph_images_from = 5000
cloud = ["lichess", "chessdb=http://127.0.0.1:9"]
store = "postgresql://adjourn@club/games"
[[engine]]
name = "stockfish"
command = ["/usr/games/stockfish"]
count = 2
memory = 2048
files = 64
options = { Threads = 1, Hash = 64, UCI_ShowWDL = true, "Skill Level" = "20" }
[[engine]]
name = "slow"
command = ["ssh", "host", "stockfish"]
reproducible = true
)",
                                     "adjourn.toml");
    REQUIRE(config);
    CHECK(config->listen_port == 9000);
    CHECK(config->least_free == 5'000'000);
    CHECK(config->store == "postgresql://adjourn@club/games");
    CHECK(config->clouds == std::vector<std::string>{"lichess", "chessdb=http://127.0.0.1:9"});
    CHECK(config->tables == tables::Paths{"/tables", "/own"});
    REQUIRE(config->engines.size() == 2);
    CHECK(config->engines[0].count == 2);
    CHECK(config->engines[0].options.at("Hash") == "64");
    CHECK(config->engines[0].options.at("UCI_ShowWDL") == "true");
    CHECK(config->engines[0].limits ==
          engine_bridge::ResourceLimits{.memory_bytes = 2048ull << 20, .files = 64});
    CHECK(config->engines[1].limits == engine_bridge::ResourceLimits{});
    CHECK(config->engines[1].reproducible);
    CHECK(config->find("slow")->command.size() == 3);
    CHECK(config->find("fast") == nullptr);
}

TEST_CASE("config: mistakes are named with file, line and column") {
    const auto problem = [](const char* text) {
        const auto config = parse_config(text, "a.toml");
        REQUIRE_FALSE(config);
        return config.error();
    };
    CHECK(problem("[[engine]]\nname = \"a\"\ncommand = [\"a\"]\ncount = 2\nreproducible = true")
              .find("a.toml:1:1: engine 'a' with reproducible = true needs count = 1") == 0);
    CHECK(problem("least_free_mb = -1").find("a.toml:1:17: least_free_mb must be") == 0);
    CHECK(problem("store = \"games\"").find("a.toml:1:9: store is the URL of a database") == 0);
    CHECK(problem("cloud = [\"mine\"]") ==
          "a.toml:1:9: cloud: 'mine' is no cloud; there are chessdb and lichess");
    CHECK(problem("cloud = [\"lichess=here\"]").find("a.toml:1:9: cloud: 'here' is not") == 0);
    CHECK(problem("cloud = [\"lichess\", \"lichess\"]") ==
          "a.toml:1:9: a cloud is named twice in cloud");
    CHECK(problem("cloud = true") == "a.toml:1:9: cloud must be a list of strings");
    CHECK(problem("store = 5").find("a.toml:1:9: store must be a string") == 0);
    CHECK(problem("listen = 5").find("a.toml:1:10: listen must be a string") == 0);
    CHECK(problem("\n\ncolour = 1").find("a.toml:3:10: unknown key 'colour'") == 0);
    CHECK(problem("listen = \"nowhere\"").find("is not an address") != std::string::npos);
    CHECK(problem("listen = \"127.0.0.1\\u0000:80\"").find("control characters") !=
          std::string::npos);
    CHECK(problem("hosts = [\"club\", \"http://club/\"]") ==
          "a.toml:1:9: hosts: 'http://club/' is no name of a machine, as chess.example.org or "
          "mylaptop:8462");
    CHECK(problem("advertise = \"club:8462\"").find("a.toml:1:13: advertise: 'club:8462' is not") ==
          0);
    CHECK(problem("time_zone = \"Mars/Base\"").find("a.toml:1:13: there is no time zone") == 0);
    for (const char* key : {"token", "token_file", "read_token", "worker_token_file"}) {
        CHECK(problem((key + std::string{" = \"\""}).c_str()).find("must not be empty") !=
              std::string::npos);
    }
    CHECK(problem("token = \"a\\nb\"").find("control characters") != std::string::npos);
    CHECK(problem("token = \"a \"").find("with a space") != std::string::npos);
    CHECK(problem("[[engine]]\nname=\"x\"\ncommand=[\"/bin/cat\\u0000x\"]").find("zero byte") !=
          std::string::npos);
    CHECK(problem("[[engine]]\nname=\"x\"\ncommand=[\"x\"]\noptions={\"a\\nquit\"=1}")
              .find("the name of an option") != std::string::npos);
    CHECK(problem("[[engine]]\nname = \"x\"").find("needs a command") != std::string::npos);
    CHECK(problem("[[engine]]\ncommand = [\"x\"]").find("needs a name") != std::string::npos);
    CHECK(problem("[[engine]]\nname=\"x\"\ncommand=[\"x\"]\ncount=0").find("a.toml:4:7: count") ==
          0);
    CHECK(problem("[[engine]]\nname=\"x\"\ncommand=[\"x\"]\noptions={Hash=\"1\\nquit\"}")
              .find("line break") != std::string::npos);
    CHECK(
        problem("[[engine]]\nname=\"x\"\ncommand=[\"x\"]\n[[engine]]\nname=\"x\"\ncommand=[\"y\"]")
            .find("two engines") != std::string::npos);
    CHECK(problem("= =").find("a.toml:1:") == 0);
}

TEST_CASE("config: without Stockfish the built-in engine is the default, with it the last") {
    const auto alone = default_engines(std::nullopt, 4);
    REQUIRE(alone.size() == 1);
    CHECK(is_built_in(alone[0]));
    CHECK(alone[0].name == "adjourn");
    CHECK(alone[0].command == std::vector<std::string>{base::program_file().string(), "engine"});
    CHECK(alone[0].count == 4);
    const auto both = default_engines("/usr/games/stockfish", 4);
    REQUIRE(both.size() == 2);
    CHECK(both[0].name == "stockfish");
    CHECK(both[0].count == 4);
    CHECK_FALSE(is_built_in(both[0]));
    CHECK(is_built_in(both[1]));
    CHECK(both[1].count == 1);
    CHECK(both[1].options ==
          alone[0].options); // the same engine: its evaluations are one another's
    // What people configure is what there is.
    const auto config = parse_config("[[engine]]\nname = \"a\"\ncommand = [\"b\"]\n", "x.toml");
    REQUIRE(config);
    CHECK(config->engines.size() == 1);
    CHECK(parse_config("", "x.toml")->engines == default_config().engines);
}

TEST_CASE("config: addresses to listen on") {
    CHECK(parse_listen("127.0.0.1:8462")->second == 8462);
    CHECK(parse_listen("[::1]:0")->first == "::1");
    CHECK(parse_listen("localhost:80")->first == "127.0.0.1");
    for (const char* text :
         {"", ":", "8462", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80",
          "[::1:80", "club:80", "127.1:80", "[]:80", " 127.0.0.1:80", "[127.0.0.1]:80"}) {
        CHECK_FALSE(parse_listen(text));
    }
}

TEST_CASE("config: a directory is no configuration without a key") {
    const TemporaryDirectory directory;
    const auto config = load_config(directory.path());
    REQUIRE_FALSE(config);
    CHECK(config.error().find("it is a directory") != std::string::npos);
}

TEST_CASE("config: the usual places are the user's own, whatever the variables hold") {
    const auto kept = [](const char* name) {
        const char* set = std::getenv(name);
        return set != nullptr ? std::optional<std::string>{set} : std::nullopt;
    };
    const auto home = kept("HOME"), given = kept("XDG_CONFIG_HOME");
    unsetenv("XDG_CONFIG_HOME");
    setenv("HOME", "/home/club", 1);
    CHECK(default_config_file() == "/home/club/.config/adjourn/adjourn.toml");
    for (const char* nonsense : {"", "relative"}) {
        setenv("HOME", nonsense, 1);
        CHECK(default_config_file().is_absolute());
        CHECK(default_config_file().native().find("/tmp/") != 0); // others may write there
    }
    const auto again = [](const char* name, const std::optional<std::string>& was) {
        was ? setenv(name, was->c_str(), 1) : unsetenv(name);
    };
    again("HOME", home);
    again("XDG_CONFIG_HOME", given);
}
