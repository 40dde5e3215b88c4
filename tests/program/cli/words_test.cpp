#include "program/cli/command_line.hpp"
#include "program/cli/common.hpp"
#include "program/cli/setting_options.hpp"

#include "core/records/analysis_spec.hpp"
#include "described_settings.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

using namespace adjourn::server;
using Words = std::vector<std::string>;

TEST_CASE("words: the option of a place in a request is that of the nearest place around it") {
    CHECK(option_of("query.moves[0]") == "--moves");
    CHECK(option_of("position.moves[3]") == "POSITION");
    CHECK(option_of("strategy.floor") == "--floor");
    CHECK(option_of("strategy.unknown") == "--set unknown");
    CHECK(option_of("unknown") == "");
    CHECK(option_of_setting("strategy.floor") == "--floor");
    CHECK(option_of_setting("strategy.unknown").empty());
}

TEST_CASE("words: a command that is not there is named with those that are") {
    CLI::App app;
    app.require_subcommand(1);
    app.add_subcommand("serve");
    app.add_subcommand("tables")->require_subcommand(1)->add_subcommand("check");
    const auto problem = [&](const Words& words) { return command_problem(app, words); };
    CHECK_FALSE(problem({"serve", "--data", "bogus"}));
    CHECK_FALSE(problem({"tables", "check"}));
    CHECK_FALSE(problem({"tables", "--help"}));
    CHECK(problem({"serv"}) == "there is no command 'serv'; there are: serve, tables");
    CHECK(problem({"tables", "bogus"}) == "there is no command 'tables bogus'; there are: check");
    CHECK(problem({"tables"}) ==
          "adjourn tables needs a command: check; see adjourn tables --help");
    CHECK(without_help_command({"help", "serve"}) == Words{"serve", "--help"});
    CHECK(without_help_command({"serve", "help"}) == Words{"serve", "help"});
}

TEST_CASE("options: only what was given is asked for, and two limits contradict") {
    const auto given = [](const std::string& line, auto look) {
        CLI::App app;
        SettingOptions options;
        options.add_to(app);
        app.parse(line, false);
        look(options);
    };
    given("--depth 12", [](const SettingOptions& options) {
        CHECK(options.wanted()["limit"] == nlohmann::json{{"depth", 12}});
        CHECK_FALSE(options.wanted().contains("stop"));
        CHECK_FALSE(options.contradict());
    });
    given("--depth 12 --nodes 1000",
          [](const SettingOptions& options) { CHECK(options.contradict()); });
}

TEST_CASE("options: every setting has its option, or is known to have none") {
    // Of one analysis in a terminal: it has no queue, no night and no one who looks for it.
    const std::set<std::string> without{
        "name",        "hold",         "priority",     "rank",
        "window",      "tags",         "my_side",      "my_names",
        "engine", // --engine is of the command
        "accept_also", "stop.proven",  "budget.until", "budget.engine_seconds",
        "fifty_moves", "second_engine"};
    std::set<std::string> met;
    CLI::App all;
    SettingOptions of_all;
    of_all.add_to(all);
    for (const Setting& setting : all_settings()) {
        const std::string& place = setting.place;
        const std::string option{option_of_setting(place)};
        CAPTURE(place);
        if (place.starts_with("game.") || without.contains(place)) {
            met.insert(place);
            CHECK(option.empty());
            continue;
        }
        const nlohmann::json value = other_value(setting, nullptr);
        const std::string text = place == "strategy.plan" ? "40"
                                 : place == "accept"      ? "lichess"
                                 : value.is_string()      ? value.get<std::string>()
                                                          : value.dump();
        const std::string own = "--set " + place.substr(place.find('.') + 1) + "=";
        CHECK(all.help().find(option.empty() ? "--set" : option + " ") != std::string::npos);
        CLI::App app;
        SettingOptions options;
        options.add_to(app);
        app.parse(option.empty() ? own + text : option + " " + text, false);
        CHECK(options.wanted()[pointer_to(place)] == value);
    }
    CHECK(met.size() == without.size() + game_fields.size());
}

TEST_CASE("options: a configuration that leads nowhere is not taken for none") {
    const adjourn::TemporaryDirectory home;
    const char* set = std::getenv("XDG_CONFIG_HOME");
    const std::optional<std::string> was =
        set != nullptr ? std::optional<std::string>{set} : std::nullopt;
    setenv("XDG_CONFIG_HOME", home.path().c_str(), 1);
    const CommonOptions options;
    CHECK(options.config_file().empty());
    CHECK(options.load());
    std::filesystem::create_directory(home.path() / "adjourn");
    std::filesystem::create_symlink("/not/there", home.path() / "adjourn/adjourn.toml");
    CHECK(options.config_file() == home.path() / "adjourn/adjourn.toml");
    CHECK_FALSE(options.load());
    was ? setenv("XDG_CONFIG_HOME", was->c_str(), 1) : unsetenv("XDG_CONFIG_HOME");
}

TEST_CASE("options: --engines counts the processes of the default engine, one of a reproducible") {
    const adjourn::TemporaryDirectory directory;
    CommonOptions options;
    options.config = (directory.path() / "adjourn.toml").string();
    const auto load = [&](const std::string& reproducible, std::size_t engines) {
        std::ofstream{options.config} << "[[engine]]\nname = \"a\"\ncommand = [\"a\"]\n"
                                      << "reproducible = " << reproducible << "\n"
                                      << "[[engine]]\nname = \"b\"\ncommand = [\"b\"]\n";
        options.engines = engines;
        return options.load();
    };
    REQUIRE(load("false", 3));
    CHECK(load("false", 3)->engines[0].count == 3);
    CHECK(load("false", 3)->engines[1].count == 1);
    REQUIRE(load("true", 1));
    CHECK(load("true", 0)->engines[0].count == 1);
    REQUIRE_FALSE(load("true", 2));
    CHECK(load("true", 2).error().find("--engines 2: engine 'a'") == 0);
}

TEST_CASE("position: a problem names the file, or the position") {
    const auto missing = position_of_argument("not-there.pgn");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().find("not-there.pgn") != std::string::npos);
    CHECK(position_of_argument("startpos"));
}
