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
    using Catch::StartsWith;
    const auto problem = [](const std::string& text) {
        const auto config = parse_config(text, "a.toml");
        REQUIRE_FALSE(config);
        return config.error();
    };
    const std::string engine = "[[engine]]\nname=\"x\"\ncommand=[\"x\"]\n";
    const std::pair<std::string, const char*> wrong[] = {
        {engine + "count = 2\nreproducible = true",
         "a.toml:1:1: engine 'x' with reproducible = true needs count = 1"},
        {engine + "count=0", "a.toml:4:7: count"},
        {"least_free_mb = -1", "a.toml:1:17: least_free_mb must be"},
        {"store = \"games\"", "a.toml:1:9: store is the URL of a database"},
        {"store = 5", "a.toml:1:9: store must be a string"},
        {"cloud = [\"mine\"]",
         "a.toml:1:9: cloud: 'mine' is no cloud; there are chessdb and lichess"},
        {"cloud = [\"lichess=here\"]", "a.toml:1:9: cloud: 'here' is not"},
        {"cloud = [\"lichess\", \"lichess\"]", "a.toml:1:9: a cloud is named twice in cloud"},
        {"cloud = true", "a.toml:1:9: cloud must be a list of strings"},
        {"\n\ncolour = 1", "a.toml:3:10: unknown key 'colour'"},
        {"hosts = [\"club\", \"http://club/\"]",
         "a.toml:1:9: hosts: 'http://club/' is no name of a machine"},
        {"advertise = \"club:8462\"", "a.toml:1:13: advertise: 'club:8462' is not"},
        {"time_zone = \"Mars/Base\"", "a.toml:1:13: there is no time zone"},
        {"log_level = \"loud\"", "a.toml:1:13: log_level must be one of: trace, debug"},
        {"= =", "a.toml:1:"},
    };
    for (const auto& [text, told] : wrong) {
        CAPTURE(text);
        CHECK_THAT(problem(text), StartsWith(told));
    }
    const std::pair<std::string, const char*> parts[] = {
        {"listen = \"nowhere\"", "is not an address"},
        {"listen = \"127.0.0.1\\u0000:80\"", "control characters"},
        {"token = \"\"", "must not be empty"},
        {"token_file = \"\"", "must not be empty"},
        {"worker_token_file = \"\"", "must not be empty"},
        {"token = \"a\\nb\"", "control characters"},
        {"token = \"a \"", "with a space"},
        {"token = \"a\"\ntoken_file = \"/x\"", "keep one"},
        {"read_token = \"a\"", "everybody"},
        {"read_token_file = \"/a\"", "everybody"},
        {"token = \"a\"\nread_token = \"a\"", "differ"},
        {"[[engine]]\nname=\"x\"\ncommand=[\"/bin/cat\\u0000x\"]", "zero byte"},
        {"[[engine]]\nname = \"x\"", "needs a command"},
        {"[[engine]]\ncommand = [\"x\"]", "needs a name"},
        {engine + "options={\"a\\nquit\"=1}", "the name of an option"},
        {engine + "options={Hash=\"1\\nquit\"}", "line break"},
        {engine + engine, "two engines"},
    };
    for (const auto& [text, told] : parts) {
        CAPTURE(text);
        CHECK_THAT(problem(text), Catch::Contains(told));
    }
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
    const TemporaryDirectory directory; // which is no configuration without a key
    CHECK_THAT(load_config(directory.path()).error(), Catch::Contains("it is a directory"));
}
