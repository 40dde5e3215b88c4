#include "core/engines/installed_engines.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

using namespace adjourn::server;

namespace {

namespace fs = std::filesystem;
using State = InstalledEngine::State;
using Kind = InstalledEngines::Refusal::Kind;

constexpr const char* speaks = R"(#!/bin/sh
while read -r line; do
  case "$line" in
    uci) echo "id name Installed $1"; echo uciok ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
  esac
done
)";
constexpr const char* says_nothing = "#!/bin/sh\nexec sleep 1000\n";

// Programs in a directory that alone is the path.
struct Installed {
    TemporaryDirectory directory;
    std::string before = std::getenv("PATH");
    std::vector<KnownEngine> known{{"talker", {"--uci"}}, {"mute"}, {"absent-engine"}};
    fs::path file = directory.path() / "data" / "added_engines";

    Installed() { setenv("PATH", (bin().string() + ":/usr/bin:/bin").c_str(), 1); }
    ~Installed() { setenv("PATH", before.c_str(), 1); }
    fs::path bin() const { return directory.path() / "bin"; }
    void install(const std::string& name, const char* script) const {
        fs::create_directories(bin());
        std::ofstream{bin() / name} << script;
        fs::permissions(bin() / name, fs::perms::owner_all);
    }
    InstalledEngines engines(InstalledEngines::Profiles configured = {}) const {
        return {file, std::move(configured), known, std::chrono::milliseconds{2'000}};
    }
};

engine_bridge::Profile configured(const std::string& name, const std::string& command) {
    engine_bridge::Profile profile;
    profile.name = name;
    profile.command = {command};
    return profile;
}

std::vector<std::string> names(const InstalledEngines::Profiles& profiles) {
    std::vector<std::string> all;
    std::ranges::transform(profiles, std::back_inserter(all), &engine_bridge::Profile::name);
    return all;
}

} // namespace

TEST_CASE("installed engines: what answers can be added, and nothing else") {
    const Installed machine;
    machine.install("talker", speaks);
    machine.install("mute", says_nothing);
    machine.install("stranger", speaks); // installed, but no name that is known
    InstalledEngines engines = machine.engines({configured("first", "/opt/first")});

    const auto list = engines.look();
    REQUIRE(list.size() == 2);
    CHECK(list[0].name == "talker");
    CHECK(list[0].state == State::free);
    CHECK(list[0].identity == "Installed --uci"); // with the argument that it needs
    CHECK(list[0].problem.empty());
    CHECK(list[1].name == "mute");
    CHECK(list[1].identity.empty());
    CHECK(list[1].problem.find("no answer") != std::string::npos);

    CHECK(engines.add("mute", 1).error().kind == Kind::unusable);
    for (const std::string name : {"absent-engine", "stranger", "../bin/talker", "/bin/sh",
                                   "talker --uci", "talker\n", ""}) {
        INFO(name);
        const auto added = engines.add(name, 1);
        REQUIRE_FALSE(added);
        CHECK(added.error().kind == Kind::unknown);
    }
    CHECK_FALSE(fs::exists(machine.file));
    CHECK(names(engines.profiles()) == std::vector<std::string>{"first"});

    REQUIRE(engines.add("talker", 2));
    const auto profiles = engines.profiles();
    REQUIRE(names(profiles) == std::vector<std::string>{"first", "talker"});
    CHECK(profiles[1].command ==
          std::vector<std::string>{(machine.bin() / "talker").string(), "--uci"});
    CHECK(profiles[1].count == 2);
    CHECK(engines.add("talker", 1).error().kind == Kind::taken);
    const auto after = engines.look();
    CHECK(after[0].state == State::added);
    CHECK(after[0].processes == 2);
}

TEST_CASE("installed engines: npm's Stockfish is found beside the path and in the home directory") {
    Installed machine;
    machine.known = {{"talker"}, {npm_engine}};
    machine.install("node", "#!/bin/sh\nexec /bin/sh \"$@\"\n");
    const std::string home = std::getenv("HOME");
    setenv("HOME", (machine.directory.path() / "home").c_str(), 1);
    const fs::path root = machine.directory.path() / GENERATE("lib", "home") / "node_modules";
    const fs::path package = root / "stockfish";
    fs::create_directories(package / "bin");
    for (const char* const build : {"", "-lite-single", "-single", "-asm"}) {
        std::ofstream{package / "bin" / ("stockfish-19" + std::string{build} + ".js")} << speaks;
    }
    const std::string script = package / "bin" / "stockfish-19-single.js";
    // What npm installs for all hides no other engine.
    std::ofstream{package / "cli.js"} << speaks;
    fs::permissions(package / "cli.js", fs::perms::owner_all);
    fs::create_symlink(package / "cli.js", machine.bin() / "talker");
    const std::vector<std::string> command{machine.bin() / "node", script};
    {
        InstalledEngines engines = machine.engines();
        const auto list = engines.look();
        REQUIRE(list.size() == 1);
        CHECK(list[0].name == npm_engine);
        CHECK(list[0].identity == "Installed");
        REQUIRE(engines.add(npm_engine, 2));
        CHECK(engines.profiles().at(0).command == command);
    }
    REQUIRE(machine.engines().remove(npm_engine));
    // Another script that Node runs is another engine.
    engine_bridge::Profile same = configured("sf", "node");
    same.command.push_back(script);
    CHECK(machine.engines({same}).look().at(0).state == State::configured);
    same.command.back() = package / "bin" / "stockfish-19.js";
    CHECK(machine.engines({same}).look().at(0).state == State::free);
    fs::remove(machine.bin() / "node");
    if (!find_program("node")) {
        CHECK(machine.engines().look().empty());
    }
    setenv("HOME", home.c_str(), 1);
}

TEST_CASE("installed engines: those added last over restarts until they are taken out") {
    const Installed machine;
    machine.install("talker", speaks);
    REQUIRE(machine.engines().add("talker", 3));
    {
        InstalledEngines again = machine.engines({configured("first", "/opt/first")});
        REQUIRE(names(again.profiles()) == std::vector<std::string>{"first", "talker"});
        CHECK(again.profiles()[1].count == 3);
    }
    fs::remove(machine.bin() / "talker"); // for a while: an update, perhaps
    {
        InstalledEngines gone = machine.engines({configured("first", "/opt/first")});
        CHECK(names(gone.profiles()) == std::vector<std::string>{"first"});
        const auto list = gone.look();
        REQUIRE(list.size() == 1);
        CHECK(list[0].state == State::added);
        CHECK_FALSE(list[0].problem.empty());
        machine.install("talker", speaks);
        gone.set_configured({configured("first", "/opt/first")}); // the configuration is read again
        CHECK(names(gone.profiles()) == std::vector<std::string>{"first", "talker"});
    }
    InstalledEngines engines = machine.engines();
    CHECK(engines.remove("mute").error().kind == Kind::unknown);
    REQUIRE(engines.remove("talker"));
    CHECK(engines.profiles().empty());
    CHECK(engines.remove("talker").error().kind == Kind::unknown);
    CHECK(machine.engines().profiles().empty());
}

TEST_CASE("installed engines: the configuration comes first") {
    const Installed machine;
    machine.install("talker", speaks);
    const std::string path = (machine.bin() / "talker").string();
    for (const auto& first : {configured("other", path), configured("talker", "/opt/another"),
                              configured("by path", "talker")}) {
        INFO(first.name);
        InstalledEngines engines = machine.engines({first});
        CHECK(engines.look()[0].state == State::configured);
        CHECK(engines.add("talker", 1).error().kind == Kind::taken);
    }
    InstalledEngines engines = machine.engines();
    REQUIRE(engines.add("talker", 1));
    engines.set_configured({configured("talker", "/opt/another")});
    REQUIRE(engines.profiles().size() == 1);
    CHECK(engines.profiles()[0].command.front() == "/opt/another");
    InstalledEngines only = machine.engines({configured("mine", "/opt/mine")});
    CHECK(only.remove("mine").error().kind == Kind::taken);
}

TEST_CASE("installed engines: a file that cannot be written adds nothing, lines that say nothing "
          "are passed over") {
    const Installed machine;
    machine.install("talker", speaks);
    std::ofstream{machine.directory.path() / "data"} << "in the way";
    InstalledEngines engines = machine.engines();
    const auto added = engines.add("talker", 1);
    REQUIRE_FALSE(added);
    CHECK(added.error().kind == Kind::not_saved);
    CHECK(added.error().message.find("added_engines") != std::string::npos);
    CHECK(engines.profiles().empty());

    fs::remove(machine.directory.path() / "data");
    fs::create_directories(machine.file.parent_path());
    std::ofstream{machine.file} << "# mine\n\ntalker\ntalker 0\ntalker x\n/bin/sh 1\ntalker 1\n";
    CHECK(names(machine.engines().profiles()) == std::vector<std::string>{"talker"});
}
