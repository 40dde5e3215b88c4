// Tokens in the configuration and in files of their own; the log's settings.
#include "host/config.hpp"

#include "../support/temporary_directory.hpp"
#include "test.hpp"

using namespace adjourn::server;

namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& file, const std::string& text, fs::perms perms) {
    std::ofstream{file, std::ios::binary} << text;
    fs::permissions(file, perms);
}

constexpr auto closed = fs::perms::owner_read | fs::perms::owner_write;

} // namespace

TEST_CASE("config: tokens are read from files that nobody else can read") {
    const TemporaryDirectory directory;
    const fs::path config = directory.path() / "adjourn.toml";
    const fs::path full = directory.path() / "token";
    const fs::path reading = directory.path() / "read";
    const fs::path hook = directory.path() / "hook";
    write_file(hook, "hush\n", closed | fs::perms::others_read);
    write_file(config,
               "token_file = \"" + full.string() + "\"\nread_token_file = \"" + reading.string() +
                   "\"\nlog_level = \"warning\"\nlog_form = \"json\"\n"
                   "[[webhook]]\nurl = \"http://a/\"\nsecret_file = \"" +
                   hook.string() + "\"\n",
               closed);
    const auto problem = [&] {
        const auto loaded = load_config(config);
        REQUIRE_FALSE(loaded);
        return loaded.error();
    };
    CHECK(problem().find("token_file: cannot read " + full.string()) != std::string::npos);
    write_file(full, "secret\n", closed | fs::perms::group_read);
    CHECK(problem().find("chmod 600 " + full.string()) != std::string::npos);
    write_file(full, "secret\n", closed);
    write_file(reading, "one\ntwo\n", closed);
    CHECK(problem().find("one line") != std::string::npos);
    write_file(reading, "  \n", closed);
    CHECK(problem().find("one line") != std::string::npos);
    write_file(reading, "secret\n", closed);
    CHECK(problem().find("chmod 600 " + hook.string()) != std::string::npos);
    write_file(hook, "hush\n", closed);
    CHECK(problem().find("differ") != std::string::npos);
    write_file(reading, "  look \n", closed);
    const auto loaded = load_config(config);
    REQUIRE(loaded);
    CHECK(loaded->token == "secret");
    CHECK(loaded->read_token == "look");
    CHECK(loaded->webhooks.at(0).secret == "hush");
    CHECK(loaded->log == LogSettings{"warning", LogSettings::Form::json});
}

TEST_CASE("config: webhooks have an address, a name, events, a secret") {
    const auto read = parse_config("[[webhook]]\nurl = \"https://chat.example.org/x\"\n"
                                   "[[webhook]]\nname = \"mine\"\nurl = \"http://127.0.0.1:9/\"\n"
                                   "secret = \"s\"\nevents = [\"failed\"]\n"
                                   "[[webhook]]\nurl = \"http://127.0.0.1:8/\"\n"
                                   "events = [\"radar\"]\n",
                                   "a.toml");
    REQUIRE(read);
    REQUIRE(read->webhooks.size() == 3);
    CHECK(read->webhooks[0].name == "chat.example.org");
    CHECK(read->webhooks[0].events ==
          std::vector<std::string>{"settled", "best", "exhausted", "failed"});
    CHECK(read->webhooks[1].name == "mine");
    CHECK(read->webhooks[1].secret == "s");
    CHECK(read->webhooks[1].events == std::vector<std::string>{"failed"});
    CHECK(read->webhooks[2].events == std::vector<std::string>{"radar"});

    const std::string good = "[[webhook]]\nurl = \"http://a/\"\n";
    const auto problem = [](const std::string& text) {
        const auto config = parse_config(text, "a.toml");
        REQUIRE_FALSE(config);
        return config.error();
    };
    for (const auto& [text, told] : {
             std::pair{std::string{"webhook = 1"}, "[[webhook]]"},
             std::pair{std::string{"[[webhook]]\nname = \"a\""}, "needs a url"},
             std::pair{std::string{"[[webhook]]\nurl = \"ftp://a/key\""}, "a.toml:2:7: url"},
             std::pair{good + "events = [\"all\"]", "events"},
             std::pair{good + "to = 1", "unknown key 'to'"},
             std::pair{good + "secret = \"a\"\nsecret_file = \"b\"", "keep one"},
             std::pair{good + good, "two webhooks"},
         }) {
        CAPTURE(text);
        CHECK_THAT(problem(text), Catch::Contains(told));
        CHECK(problem(text).find("key\"") == std::string::npos); // an address is not told
    }
    std::string many;
    for (int i = 0; i < 9; ++i) {
        many += "[[webhook]]\nurl = \"http://a" + std::to_string(i) + "/\"\n";
    }
    CHECK_THAT(problem(many), Catch::Contains("at most 8"));
}
